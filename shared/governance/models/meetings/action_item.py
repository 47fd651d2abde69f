"""Action items, and their forms on the legacy endpoints (the API specification, sections 2.5a, 4.6 and 4.11)."""

import json
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Field

from governance.ids import BoardId, UserId, is_id
from governance.instants import Instant
from governance.limits import ACTION_ITEM_NOTES_BYTES, ACTION_ITEM_TITLE, ASSIGNEE_NAME
from governance.models.base import Body, Patch, Resource, Stored
from governance.models.event import CreatedVia
from governance.models.meetings.meeting import MeetingStatus
from governance.models.page import JsonFrame, LegacyListQuery
from governance.models.text import BoundedNumber, CalendarDate, NoControls, NotBlank, text

ActionItemStatus = Literal["in_progress", "completed", "cancelled"]
IncludeCompleted = Literal["true", "false"]
RichText = dict[str, Any]
OPEN: ActionItemStatus = "in_progress"
LegacyId = Annotated[str, Field(alias="_id")]


class ActionItem(Resource):
    """An action item as the create endpoint and the management endpoints return it."""

    id: LegacyId
    board_id: str
    meeting_id: str
    order: int | float | None
    title: str
    notes: RichText | None
    assignee_user_id: str | None
    assignee_name: str | None
    status: ActionItemStatus
    created_by: str
    created_via: CreatedVia | None
    updated_by: str | None
    created_at: str
    updated_at: str


class StoredDueDate(Stored):
    """The day on which an action item is due, as it is stored with the item."""

    due_on: str
    created_at: Instant
    updated_at: Instant


class StoredUnregisteredAssignee(Stored):
    """The person without an account to whom an action item is assigned, as they are stored with the item."""

    unregistered_user_id: str
    created_at: Instant
    updated_at: Instant


class StoredActionItem(Stored):
    """An action item as it is stored, without its notes: `order` is a JSON text, since the store has no floats.

    An item with an `unregistered_assignee` has no other one, and is shown with that person's name.

    The notes are a JSON text in an item of their own. `notes_version` is the version at which they were written, 0
    without notes; `notes_bytes` is their size in a response.
    """

    id: str
    board_id: BoardId
    meeting_id: str
    order: str | None = None
    title: str
    notes_version: int = 0
    notes_bytes: int = 0
    assignee_user_id: UserId | None = None
    assignee_name: str | None = None
    status: ActionItemStatus = OPEN
    created_by: UserId
    created_via: CreatedVia | None
    updated_by: UserId | None = None
    due: StoredDueDate | None = None
    unregistered_assignee: StoredUnregisteredAssignee | None = None
    created_at: Instant
    updated_at: Instant
    version: int = 1


def compact(value: object) -> str:
    """Returns the shortest JSON text of a value."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def check_notes(notes: dict[str, Any]) -> dict[str, Any]:
    """Returns a rich-text document. Raises `ValueError` if its compact JSON text is too long."""
    if len(compact(notes).encode()) > ACTION_ITEM_NOTES_BYTES:
        raise ValueError(f"must be at most {ACTION_ITEM_NOTES_BYTES} bytes long as JSON without white space")
    return notes


def check_user_id(value: str) -> str:
    """Returns a user id. Raises `ValueError` if it is not an id; membership is checked later."""
    if not is_id(value):
        raise ValueError("must be a user id: 24 lower-case hexadecimal digits")
    return value


ActionItemTitle = Annotated[str, text(1, ACTION_ITEM_TITLE), NotBlank, NoControls]
Notes = Annotated[RichText, AfterValidator(check_notes)]
AssigneeId = Annotated[str, AfterValidator(check_user_id)]
AssigneeName = Annotated[str, text(0, ASSIGNEE_NAME)]


class ActionItemBody(Body):
    """The fields of an action item that a client sets."""

    title: ActionItemTitle = ""
    notes: Notes | None = None
    assignee_user_id: AssigneeId | None = None
    assignee_name: AssigneeName | None = None
    status: ActionItemStatus | None = None
    order: BoundedNumber | None = None


class ActionItemCreate(ActionItemBody):
    """The body that creates an action item; without `status` it is in progress."""

    title: ActionItemTitle


class ActionItemPatch(ActionItemBody, Patch):
    """The body that changes an action item; null clears a field that may be null."""

    status: ActionItemStatus = OPEN


class DueDateBody(Body):
    """The body that sets the day on which an action item is due."""

    due_on: CalendarDate = Field(description="A day, such as 2027-03-01.")


class DueDate(Resource):
    """The day on which an action item is due."""

    object: Literal["due_date"] = "due_date"
    action_item_id: str
    due_on: str
    created_at: str
    updated_at: str


class UnregisteredAssigneeBody(Body):
    """The body that assigns an action item to a person without an account."""

    unregistered_user_id: str


class UnregisteredAssignee(Resource):
    """The person without an account to whom an action item is assigned."""

    object: Literal["unregistered_assignee"] = "unregistered_assignee"
    action_item_id: str
    unregistered_user_id: str
    created_at: str
    updated_at: str


class StatusBody(Body):
    """The body that changes a status on the legacy endpoints."""

    status: ActionItemStatus


class ItemStatus(Resource):
    """The response of the board's legacy status endpoint."""

    id: LegacyId
    status: ActionItemStatus


class ItemStatusChanged(ItemStatus):
    """The response of the legacy status endpoint without a board."""

    updated_at: str


class MeetingRef(Resource):
    """The meeting of an action item in a legacy list."""

    id: LegacyId
    title: str
    meeting_status: MeetingStatus


class BoardRef(Resource):
    """The board of an action item in a legacy list."""

    id: LegacyId
    name: str


class ListedItem(Resource):
    """An action item in a legacy list."""

    id: LegacyId
    board_id: str
    meeting_id: str
    title: str
    status: ActionItemStatus


class BoardItem(ListedItem):
    """An action item in a board's legacy list."""

    meeting: MeetingRef


class MyItem(ListedItem):
    """An action item in the list of what is assigned to the caller."""

    board: BoardRef
    meeting: MeetingRef


class ItemsFrame(JsonFrame):
    """The object around a legacy list of action items, with the number of those that the response holds."""

    def lead(self, previous: str | None, position: str) -> str:
        """Returns the text before an item."""
        del position
        return '{"actionItems":[' if previous is None else ","

    def close(self, last: str | None, count: int) -> str:
        """Returns the text after the last item."""
        return f'{self.lead(None, "") if last is None else ""}],"totalCount":{count}}}'


class BoardItems(Resource):
    """All action items of a board, in one response."""

    action_items: tuple[BoardItem, ...]
    total_count: int


class MyItems(Resource):
    """All action items assigned to the caller, in one response."""

    action_items: tuple[MyItem, ...]
    total_count: int


def split_statuses(value: object) -> object:
    """Returns the values of a repeated or comma-separated parameter."""
    return value.split(",") if isinstance(value, str) else value


class MyItemsQuery(LegacyListQuery):
    """The parameters of the caller's list. If `status` is given it decides alone, without `includeCompleted`."""

    include_completed: IncludeCompleted = "false"
    status: Annotated[tuple[ActionItemStatus, ...], BeforeValidator(split_statuses)] | None = None

    @property
    def statuses(self) -> frozenset[ActionItemStatus]:
        """The statuses of the requested items."""
        if self.status is not None:
            return frozenset(self.status)
        return frozenset({OPEN}) if self.include_completed == "false" else frozenset({OPEN, "completed", "cancelled"})
