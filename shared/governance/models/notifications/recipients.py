"""The recipients of a notification, and the batches of them that the messages of the queue hold."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from governance.ids import PersonId, UserId
from governance.models.base import Resource
from governance.models.history.event import StoredEvent


@dataclass(frozen=True)
class Addressees:
    """The recipients of a notification, by id: users, and people without an account, who are only mailed (ADR people).

    They are read when each of them is notified, and again when they are mailed.
    """

    user_ids: Sequence[UserId] = ()
    person_ids: Sequence[PersonId] = ()

    def among(self, concerned: "Addressees") -> "Addressees":
        """Returns those of them who are among these."""
        users, people = set(concerned.user_ids), set(concerned.person_ids)
        return Addressees(
            tuple(user_id for user_id in self.user_ids if user_id in users),
            tuple(person_id for person_id in self.person_ids if person_id in people),
        )

    def batches(self, size: int) -> "Iterator[Addressees]":
        """Yields batches of up to this many, each of one kind: first the users, then the people."""
        for start in range(0, len(self.user_ids), size):
            yield Addressees(user_ids=self.user_ids[start : start + size])
        for start in range(0, len(self.person_ids), size):
            yield Addressees(person_ids=self.person_ids[start : start + size])


NOBODY = Addressees()


class RecipientKind(StrEnum):
    """The kinds of recipients: users, and people without an account."""

    USER = "user"
    PERSON = "person"


class RecipientBatch(Resource):
    """Some of the recipients of a notification, all of one kind.

    `event` is what it is about; `tokens_left` says that it is the hint about board tokens that a member left behind.
    `user_ids` are the ids of users, or of people without an account. `throttled` counts how often in a row the mail
    service throttled the batch.
    """

    event: StoredEvent
    tokens_left: bool = False
    kind: RecipientKind = RecipientKind.USER
    user_ids: tuple[str, ...]
    throttled: int = 0

    @property
    def addressees(self) -> Addressees:
        """Its recipients."""
        if self.kind is RecipientKind.PERSON:
            return Addressees(person_ids=tuple(map(PersonId, self.user_ids)))
        return Addressees(user_ids=tuple(map(UserId, self.user_ids)))
