"""Minutes: who attended a meeting, and what was said and decided (an extension of the API, ADR meetings)."""

from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from governance.ids import BoardId
from governance.instants import Instant
from governance.limits import MINUTES_ACTION_ITEMS, MINUTES_ATTENDANCE, MINUTES_DECISION, MINUTES_ITEMS, MINUTES_TEXT
from governance.models.base import Body, Resource, Stored
from governance.models.meetings.agenda import OutsiderName
from governance.models.text import NoControlsButBreaks, NotBlank, once_each, text

Presence = Literal["in_person", "remote", "absent"]
ActionItemIds = Annotated[list[str], Field(max_length=MINUTES_ACTION_ITEMS), AfterValidator(once_each)]
DecisionResult = Literal["carried", "rejected", "noted"]
MinutesStatus = Literal["draft", "final"]


class Attendance(Resource):
    """Whether somebody attended: a member by `user_id`, a person without an account by their id, others by `name`.

    A person without an account is shown with their current name.
    """

    user_id: str | None = None
    unregistered_user_id: str | None = None
    name: str | None = None
    present: Presence


class Decision(Resource):
    """What was decided."""

    text: str
    result: DecisionResult


class MinutesItem(Resource):
    """What was said about an item of the agenda, or about something else.

    `decision` is what a resolution decided if the item names one; null while it is neither carried nor rejected.
    """

    agenda_item_id: str | None = None
    text: str
    decision: Decision | None = None
    resolution_id: str | None = None
    action_item_ids: tuple[str, ...] = ()


class Quorum(Resource):
    """How many members attended, in person or remotely, of how many."""

    present: int
    members: int


class StoredAttendance(Attendance, Stored):
    """An entry of the attendance as it is stored."""


class StoredMinutesItem(MinutesItem, Stored):
    """An item of the minutes as it is stored."""


class StoredMinutes(Stored):
    """The minutes of a meeting as they are stored; `quorum` is stored when the meeting is finalized."""

    board_id: BoardId
    meeting_id: str
    attendance: tuple[StoredAttendance, ...]
    items: tuple[StoredMinutesItem, ...]
    status: MinutesStatus = "draft"
    quorum: Quorum | None = None
    created_at: Instant
    updated_at: Instant
    version: int = 1


class Minutes(Resource):
    """The minutes of a meeting; final ones never change."""

    object: Literal["minutes"] = "minutes"
    meeting_id: str
    status: MinutesStatus
    attendance: tuple[Attendance, ...]
    items: tuple[MinutesItem, ...]
    quorum: Quorum
    created_at: str
    updated_at: str


class AttendanceBody(Body):
    """An entry of the attendance: of a member, of a person without an account, or of somebody else."""

    user_id: str | None = None
    unregistered_user_id: str | None = None
    name: OutsiderName | None = None
    present: Presence


class DecisionBody(Body):
    """What was decided."""

    text: Annotated[str, text(1, MINUTES_DECISION), NotBlank, NoControlsButBreaks]
    result: DecisionResult


class MinutesItemBody(Body):
    """What was said about an item of the agenda, or about something else."""

    agenda_item_id: str | None = None
    text: Annotated[str, text(0, MINUTES_TEXT), NoControlsButBreaks]
    decision: DecisionBody | None = None
    resolution_id: str | None = None
    action_item_ids: ActionItemIds = Field(default_factory=list)


class MinutesBody(Body):
    """The body that sets a meeting's minutes, whole and in order."""

    attendance: Annotated[list[AttendanceBody], Field(max_length=MINUTES_ATTENDANCE)] = Field(default_factory=list)
    items: Annotated[list[MinutesItemBody], Field(max_length=MINUTES_ITEMS)] = Field(default_factory=list)
