"""A batch of an event's recipients, as the messages of the queue hold it."""

from __future__ import annotations

from governance.ids import UserId
from governance.models.base import Resource
from governance.models.event import StoredEvent


class RecipientBatch(Resource):
    """Some of the users that an announcement is for.

    `event` is announced; `tokens_left` says that it is the hint about board tokens that a member left behind.
    `throttled` counts how often in a row the mail service throttled the batch.
    """

    event: StoredEvent
    tokens_left: bool = False
    user_ids: tuple[UserId, ...]
    throttled: int = 0
