"""Action items, in the stored shape and in the projections of the legacy surface (sections 2.5a, 4.6 and 4.11)."""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Field

from governance.ids import is_id
from governance.limits import ACTION_ITEM_NOTES_BYTES, ACTION_ITEM_TITLE, ASSIGNEE_NAME, ORDER_MAGNITUDE
from governance.models.base import Body, LegacyQuery, Patch, Resource
from governance.models.event import Via
from governance.models.meeting import MeetingStatus
from governance.models.text import NoControls, NotBlank, text

ActionStatus = Literal["in_progress", "completed", "cancelled"]
OPEN: ActionStatus = "in_progress"
LegacyId = Annotated[str, Field(alias="_id")]


class ActionItem(Resource):
    """An action item as the create endpoint and the management surface answer it."""

    id: LegacyId
    board_id: str
    meeting_id: str
    order: int | float | None
    title: str
    notes: dict[str, Any] | None
    assignee_user_id: str | None
    assignee_name: str | None
    status: ActionStatus
    created_by: str
    created_via: Via | None
    updated_by: str | None
    created_at: str
    updated_at: str


class StoredActionItem(Resource):
    """An action item as the store keeps it: `order` and `notes` as JSON texts, for its numbers are not those."""

    id: str
    board_id: str
    meeting_id: str
    order: str | None = None
    title: str
    notes: str | None = None
    assignee_user_id: str | None = None
    assignee_name: str | None = None
    status: ActionStatus = OPEN
    created_by: str
    created_via: Via | None
    updated_by: str | None = None
    created_at: str
    updated_at: str
    version: int = 1


def compact(value: object) -> str:
    """The shortest JSON text of a value."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def check_notes(notes: dict[str, Any]) -> dict[str, Any]:
    """A rich-text document is as large as its compact text."""
    if len(compact(notes).encode()) > ACTION_ITEM_NOTES_BYTES:
        raise ValueError(f"must be at most {ACTION_ITEM_NOTES_BYTES} bytes of compact JSON")
    return notes


def check_order(value: object) -> object:
    """A number, whole or not, within the magnitude that orders are kept in."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError("must be a number")
    if abs(value) > ORDER_MAGNITUDE:
        raise ValueError(f"must be at most {ORDER_MAGNITUDE} in magnitude")
    return value


def check_user_id(value: str) -> str:
    """A user id has the shape of an id; whether it names a member is judged later."""
    if not is_id(value):
        raise ValueError("must be an id: 24 lower-case hexadecimal digits")
    return value


ActionItemTitle = Annotated[str, text(1, ACTION_ITEM_TITLE), NotBlank, NoControls]
Notes = Annotated[dict[str, Any], AfterValidator(check_notes)]
UserId = Annotated[str, AfterValidator(check_user_id)]
AssigneeName = Annotated[str, text(0, ASSIGNEE_NAME)]
Order = Annotated[int | float, BeforeValidator(check_order)]


class ActionItemCreate(Body):
    """What a new action item is made of; without `status` it is in progress."""

    title: ActionItemTitle
    notes: Notes | None = None
    assignee_user_id: UserId | None = None
    assignee_name: AssigneeName | None = None
    status: ActionStatus | None = None
    order: Order | None = None


class ActionItemPatch(Patch):
    """What is changed of an action item; an explicit null clears what may be null."""

    title: ActionItemTitle = ""
    notes: Notes | None = None
    assignee_user_id: UserId | None = None
    assignee_name: AssigneeName | None = None
    status: ActionStatus = OPEN
    order: Order | None = None


class StatusBody(Body):
    """The legacy change of a status."""

    status: ActionStatus


class ItemStatus(Resource):
    """What the board's legacy status route answers."""

    id: LegacyId
    status: ActionStatus


class ItemStatusChanged(ItemStatus):
    """What the legacy status route without a board answers."""

    updated_at: str


class MeetingRef(Resource):
    """The meeting of an item in a legacy list."""

    id: LegacyId
    title: str
    meeting_status: MeetingStatus


class BoardRef(Resource):
    """The board of an item in a legacy list."""

    id: LegacyId
    name: str


class BoardItem(Resource):
    """An item in a board's legacy list."""

    id: LegacyId
    board_id: str
    meeting_id: str
    title: str
    status: ActionStatus
    meeting: MeetingRef


class MyItem(Resource):
    """An item in the list of what is assigned to the caller."""

    id: LegacyId
    board_id: str
    meeting_id: str
    title: str
    status: ActionStatus
    board: BoardRef
    meeting: MeetingRef


class BoardItems(Resource):
    """A board's legacy list, whole."""

    action_items: tuple[BoardItem, ...]
    total_count: int


class MyItems(Resource):
    """What is assigned to the caller, whole."""

    action_items: tuple[MyItem, ...]
    total_count: int


def split_statuses(value: object) -> object:
    """A repeated or comma-separated parameter is a list."""
    return value.split(",") if isinstance(value, str) else value


class MyItemsQuery(LegacyQuery):
    """`status`, once given, decides alone; otherwise only open items, unless all are asked for."""

    include_completed: Literal["true", "false"] = "false"
    status: Annotated[tuple[ActionStatus, ...], BeforeValidator(split_statuses)] | None = None

    @property
    def statuses(self) -> frozenset[ActionStatus]:
        """Which items are asked for."""
        if self.status is not None:
            return frozenset(self.status)
        return frozenset({OPEN}) if self.include_completed == "false" else frozenset({OPEN, "completed", "cancelled"})
