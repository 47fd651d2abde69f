"""Action items (the API specification, sections 2.5a and 4.6)."""

import json
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field

from governance.ids import BoardId, PersonId, UserId
from governance.instants import Instant
from governance.limits import ACTION_ITEM_NOTES_BYTES, ACTION_ITEM_TITLE, ASSIGNEE_NAME
from governance.models.base import Body, Patch, Resource, Stored
from governance.models.history.event import CreatedVia
from governance.models.text import (
    BoundedNumber,
    CalendarDate,
    NamedPersonId,
    NamedUserId,
    NoControls,
    NoReordering,
    NotBlank,
    text,
)

ActionItemStatus = Literal["in_progress", "completed", "cancelled"]
"""Status of an action item. Any status may follow any other."""
RichText = dict[str, Any]
"""A rich-text document in the format of the editor that wrote it. The service stores it unchanged."""
OPEN: ActionItemStatus = "in_progress"
LegacyId = Annotated[str, Field(alias="_id")]


class ActionItem(Resource):
    """An action item of a meeting."""

    id: LegacyId
    board_id: BoardId
    meeting_id: str
    order: int | float | None
    """Position within the meeting; null for an item without one."""
    title: str
    """The task, as a short text."""
    notes: RichText | None
    """A rich-text document, or null."""
    assignee_user_id: UserId | None
    """Identifier of the member who is responsible, or null."""
    assignee_name: str | None
    """Name of a responsible person without an account, or null."""
    status: ActionItemStatus
    """Status of the item."""
    created_by: str
    """Identifier of the user who created the item. For a board access token, the admin who created the token."""
    created_via: CreatedVia | None
    updated_by: str | None
    """Identifier of the user who last changed the item; null if it was never changed."""
    created_at: str
    updated_at: str


class StoredDueDate(Stored):
    """The day on which an action item is due, as it is stored with the item."""

    due_on: str
    created_at: Instant
    updated_at: Instant


class StoredUnregisteredAssignee(Stored):
    """The person without an account that an action item is assigned to, as they are stored with the item."""

    unregistered_user_id: PersonId
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


ActionItemTitle = Annotated[str, text(1, ACTION_ITEM_TITLE), NotBlank, NoControls]
Notes = Annotated[RichText, AfterValidator(check_notes)]
AssigneeName = Annotated[str, text(0, ASSIGNEE_NAME), NoReordering]


class ActionItemBody(Body):
    """The fields of an action item that a client sets."""

    title: ActionItemTitle = ""
    """The task. It must not be blank or contain control characters."""
    notes: Notes | None = None
    """A rich-text document of at most $ACTION_ITEM_NOTES_BYTES bytes as compact JSON."""
    assignee_user_id: NamedUserId | None = None
    """Identifier of the member who is responsible."""
    assignee_name: AssigneeName | None = None
    """Name of a responsible person without an account."""
    status: ActionItemStatus | None = None
    """Initial status. Left out or null means `in_progress`."""
    order: BoundedNumber | None = None
    """Position within the meeting, a number from -$ORDER_MAGNITUDE to $ORDER_MAGNITUDE."""


class ActionItemCreate(ActionItemBody):
    """The action item to create."""

    title: ActionItemTitle


class ActionItemPatch(ActionItemBody, Patch):
    """The fields of the action item to change; at least one. Null clears a field that may be null."""

    status: ActionItemStatus = OPEN
    """New status. Any status may follow any other."""


class DueDateBody(Body):
    """The day on which the action item is due."""

    due_on: CalendarDate
    """A day of the calendar, such as `2026-12-01`."""


class DueDate(Resource):
    """The day on which an action item is due."""

    object: Literal["due_date"] = "due_date"
    action_item_id: str
    """Identifier of the action item."""
    due_on: str
    """The day, such as `2026-12-01`."""
    created_at: str
    updated_at: str


class UnregisteredAssigneeBody(Body):
    """The new assignee of the action item."""

    unregistered_user_id: NamedPersonId
    """Identifier of an active person of the board who has no account."""


class UnregisteredAssignee(Resource):
    """The person without an account who is the assignee of an action item."""

    object: Literal["unregistered_assignee"] = "unregistered_assignee"
    action_item_id: str
    """Identifier of the action item."""
    unregistered_user_id: PersonId
    """Identifier of the person."""
    created_at: str
    updated_at: str
