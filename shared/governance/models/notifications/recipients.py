"""A batch of an event's recipients, as the messages of the queue hold it."""

from enum import StrEnum

from governance.ids import UserId
from governance.models.base import Resource
from governance.models.event import StoredEvent


class RecipientKind(StrEnum):
    """The kinds of recipients: users, and people without an account, who are only mailed (ADR people)."""

    USER = "user"
    PERSON = "person"


class RecipientBatch(Resource):
    """Some of the recipients that an announcement is for, all of one kind.

    `event` is announced; `tokens_left` says that it is the hint about board tokens that a member left behind.
    `user_ids` are the ids of users, or of people without an account. `throttled` counts how often in a row the mail
    service throttled the batch.
    """

    event: StoredEvent
    tokens_left: bool = False
    kind: RecipientKind = RecipientKind.USER
    user_ids: tuple[UserId, ...]
    throttled: int = 0
