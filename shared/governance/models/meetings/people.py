"""Who of the people without an account is invited to a meeting (an extension of the API)."""

from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from governance.ids import BoardId, PersonId
from governance.instants import Instant
from governance.limits import UNREGISTERED_USERS_PER_BOARD
from governance.models.base import Body, Resource, Stored
from governance.models.text import NamedPersonId, once_each


class StoredMeetingPeople(Stored):
    """The invited people of a meeting, as they were chosen last; None for all active ones.

    Those who are no longer active stay, and are invited again once they are active again.
    """

    board_id: BoardId
    meeting_id: str
    unregistered_user_ids: tuple[PersonId, ...] | None
    updated_at: Instant
    version: int = 1


class MeetingPeople(Resource):
    """The people without an account who are invited to a meeting."""

    object: Literal["meeting_people"] = "meeting_people"
    meeting_id: str
    unregistered_user_ids: tuple[PersonId, ...] | None
    """Identifiers of those active people of the board who are invited, by when they were added to it. Null if all are,
    those who are added later too.
    """
    updated_at: str | None
    """When the choice last changed; null if nobody has chosen yet."""


class MeetingPeopleBody(Body):
    """The people without an account to invite."""

    unregistered_user_ids: (
        Annotated[list[NamedPersonId], Field(max_length=UNREGISTERED_USERS_PER_BOARD), AfterValidator(once_each)] | None
    )
    """Identifiers of active people of the board, at most $UNREGISTERED_USERS_PER_BOARD; an empty list invites nobody.
    Null invites all, those who are added later too.
    """
