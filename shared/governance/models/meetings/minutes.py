"""Minutes: who attended a meeting, and what was said and decided (an extension of the API, ADR meetings)."""

import hashlib
from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, model_validator

from governance.agenda_limits import (
    MINUTES_ACTION_ITEMS,
    MINUTES_ATTENDANCE,
    MINUTES_DECISION,
    MINUTES_ITEMS,
    MINUTES_TEXT,
)
from governance.ids import BoardId, PersonId, UserId
from governance.instants import Instant
from governance.models.base import Body, Resource, Stored
from governance.models.meetings.agenda import OutsiderName, errors_of_withheld
from governance.models.meetings.audience import Audience, AudienceBody, ItemForSomeBody, StoredAudience
from governance.models.text import NamedId, NamedPersonId, NamedUserId, NoControlsButBreaks, NotBlank, once_each, text

MinutesText = Annotated[str, text(0, MINUTES_TEXT), NoControlsButBreaks]
Presence = Literal["in_person", "remote", "absent"]
"""In the room (`in_person`), from elsewhere (`remote`), or not at all (`absent`)."""
ActionItemIds = Annotated[list[NamedId], Field(max_length=MINUTES_ACTION_ITEMS), AfterValidator(once_each)]
DecisionResult = Literal["carried", "rejected", "noted"]
"""The proposal was accepted (`carried`), not accepted (`rejected`), or taken note of (`noted`)."""
MinutesStatus = Literal["draft", "final"]
"""A `draft` is hidden from guests of the board and can change. `final` minutes are visible to every member and no
longer change, unless they were circulated and are not approved yet.
"""


class Attendance(Resource):
    """Whether somebody attended."""

    user_id: UserId | None = None
    """Identifier of the member. Null for somebody else."""
    unregistered_user_id: PersonId | None = None
    """Identifier of the person without an account. Null for somebody else. They do not count for the quorum."""
    name: str | None = None
    """Name of somebody who is not a member; for a person without an account, their current name. Null for a member."""
    present: Presence
    """Whether they attended, and how."""


class Decision(Resource):
    """What was decided."""

    text: str
    """Text of the decision."""
    result: DecisionResult
    """Whether the proposal was accepted."""


class MinutesItemFields(Resource):
    """The fields of what was said about one subject."""

    id: str
    agenda_item_id: str | None = None
    """Identifier of the item of the meeting's agenda that the entry is about. Null for another subject."""
    text: str
    """What was said about it, in plain text."""
    decision: Decision | None = None
    """What was decided. Null if nothing was decided, or while the resolution that it is taken from is neither carried
    nor rejected.
    """
    resolution_id: str | None = None
    """Identifier of the resolution of this meeting that `decision` is taken from. Null without one."""
    action_item_ids: tuple[str, ...] = ()
    """Identifiers of the action items that follow from it."""


class MinutesItem(MinutesItemFields):
    """What was said about one subject: of an item in camera, those who are not in its audience see nothing."""

    text: str | None  # type: ignore[assignment]
    """What was said about it, in plain text. Null for a withheld item."""
    action_item_ids: tuple[str, ...] | None = ()  # type: ignore[assignment]
    """Identifiers of the action items that follow from it. Null for a withheld item."""
    audience: Audience | None
    """Who the item is for, if it is in camera and you are among them. Null for the item of all who see the minutes."""
    withheld: bool
    """Whether the item is in camera and you are not in its audience. All but `id` is null then."""


class Quorum(Resource):
    """How many members attended, in the room or from elsewhere."""

    present: int
    """Members who attended."""
    members: int
    """Members of the board."""


class StoredAttendance(Attendance, Stored):
    """An entry of the attendance as it is stored."""


class StoredMinutesItem(MinutesItemFields, Stored):
    """An item of the minutes as it is stored.

    `approved_meeting_id` is the meeting whose minutes it says are approved; nobody changes or removes such an item. An
    item with an `audience` is in camera, and has a `salt`, 32 bytes in hexadecimal digits, for its seal in versions.
    """

    approved_meeting_id: str | None = None
    audience: StoredAudience | None = None
    salt: str | None = None


class StoredMinutes(Stored):
    """The minutes of a meeting as they are stored; `quorum` is stored when they are final.

    `created_by_user_id` is the user who wrote them first; None for a board token. `deleted_at` is the instant of the
    deletion of minutes that can still be restored.
    """

    board_id: BoardId
    meeting_id: str
    attendance: tuple[StoredAttendance, ...]
    items: tuple[StoredMinutesItem, ...]
    status: MinutesStatus = "draft"
    quorum: Quorum | None = None
    created_by_user_id: UserId | None = None
    deleted_at: Instant | None = None
    created_at: Instant
    updated_at: Instant
    version: int = 1

    @model_validator(mode="before")
    @classmethod
    def _with_ids(cls, value: Any) -> Any:
        """Gives items of earlier releases, which have no id, one that each reading gives them again."""
        if not isinstance(value, Mapping):
            return value
        items = [_with_id(item, value, index) for index, item in enumerate(value.get("items") or ())]
        return {**value, "items": items}


def _with_id(item: Any, minutes: Mapping[str, Any], index: int) -> Any:
    if not isinstance(item, Mapping) or "id" in item:
        return item
    return {"id": hashlib.sha256(f"{minutes.get('meetingId')}\n{index}".encode()).hexdigest()[:24], **item}


class Minutes(Resource):
    """The minutes of a meeting."""

    object: Literal["minutes"] = "minutes"
    meeting_id: str
    status: MinutesStatus
    """Whether the minutes can still change."""
    attendance: tuple[Attendance, ...]
    """Who attended the meeting, and how."""
    items: tuple[MinutesItem, ...]
    """What was said and decided, in order."""
    quorum: Quorum
    """How many members attended."""
    created_at: str
    updated_at: str


class AttendanceBody(Body):
    """Whether somebody attended."""

    user_id: NamedUserId | None = None
    """Identifier of a member of the board. Send one of this, `unregisteredUserId` and `name`."""
    unregistered_user_id: NamedPersonId | None = None
    """Identifier of an active person of the board who has no account."""
    name: OutsiderName | None = None
    """Name of somebody who is not a member, at most $NAMED_PERSON characters."""
    present: Presence


class DecisionBody(Body):
    """What was decided."""

    text: Annotated[str, text(1, MINUTES_DECISION), NotBlank, NoControlsButBreaks]
    """Text of the decision, at most $MINUTES_DECISION characters."""
    result: DecisionResult


class MinutesItemBody(ItemForSomeBody):
    """What was said about one subject."""

    id: NamedId | None = None
    """Identifier of the item of these minutes to keep or change. Leave it out for a new item."""
    agenda_item_id: NamedId | None = None
    """Identifier of an item of the meeting's agenda."""
    text: MinutesText | None = None
    """What was said, at most $MINUTES_TEXT characters. Only a withheld item has none."""
    decision: DecisionBody | None = None
    """What was decided."""
    resolution_id: NamedId | None = None
    """Identifier of a resolution of this meeting that was opened and has no committee, in place of `decision`."""
    action_item_ids: ActionItemIds = Field(default_factory=list)
    """Identifiers of action items of the board, at most $MINUTES_ACTION_ITEMS."""
    audience: AudienceBody | None = None
    """Who the item is for. Managers put an item in camera by it; null opens the item. What is left out stays, and a new
    item about one of the agenda that is in camera has its audience.
    """
    withheld: bool = False
    """Whether to leave the item as it is. Send a withheld item back as you got it, or leave it out: it stays.
    """


class MinutesBody(Body):
    """The whole minutes of a meeting."""

    attendance: Annotated[list[AttendanceBody], Field(max_length=MINUTES_ATTENDANCE)] = Field(default_factory=list)
    """Who attended, at most $MINUTES_ATTENDANCE entries."""
    items: Annotated[list[MinutesItemBody], Field(max_length=MINUTES_ITEMS)] = Field(default_factory=list)
    """What was said and decided, at most $MINUTES_ITEMS items."""

    @classmethod
    def field_errors(cls, value: Mapping[str, Any]) -> dict[str, str]:
        """Returns the errors of items without a text that are not withheld, and of withheld ones without an id."""
        return errors_of_withheld(value, "text")
