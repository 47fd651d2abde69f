"""Action items on the legacy endpoints (the API specification, sections 2.5a and 4.11)."""

from typing import Annotated, Literal

from pydantic import BeforeValidator

from governance.ids import BoardId
from governance.models.action_items.action_item import OPEN, ActionItemStatus, LegacyId
from governance.models.base import Body, Resource
from governance.models.meetings.meeting import MeetingStatus
from governance.models.page import JsonFrame, LegacyListQuery

IncludeCompleted = Literal["true", "false"]
"""Whether completed and cancelled items are returned too."""


class StatusBody(Body):
    """The new status."""

    status: ActionItemStatus
    """The status to set."""


class ItemStatus(Resource):
    """The new status of an action item."""

    id: LegacyId
    status: ActionItemStatus
    """The new status of the item."""


class ItemStatusChanged(ItemStatus):
    """The new status of an action item, and when it changed."""

    updated_at: str


class MeetingRef(Resource):
    """The meeting of an action item."""

    id: LegacyId
    title: str
    """Title of the meeting."""
    meeting_status: MeetingStatus
    """Status of the meeting."""


class BoardRef(Resource):
    """The board of an action item."""

    id: LegacyId
    name: str
    """Display name of the board."""


class ListedItem(Resource):
    """An action item in a legacy list."""

    id: LegacyId
    board_id: BoardId
    meeting_id: str
    title: str
    """The task, as a short text."""
    status: ActionItemStatus
    """Status of the item."""


class BoardItem(ListedItem):
    """An action item in the list of a board."""

    meeting: MeetingRef
    """The meeting that the item belongs to."""


class MyItem(ListedItem):
    """An action item in the list of those assigned to you."""

    board: BoardRef
    """The board that the item belongs to."""
    meeting: MeetingRef
    """The meeting that the item belongs to."""


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
    """The action items of a board."""

    action_items: tuple[BoardItem, ...]
    """The action items, in the order of the list."""
    total_count: int
    """Number of action items in this response."""


class MyItems(Resource):
    """The action items assigned to you."""

    action_items: tuple[MyItem, ...]
    """The action items, in the order of the list."""
    total_count: int
    """Number of action items in this response."""


def split_statuses(value: object) -> object:
    """Returns the values of a repeated or comma-separated parameter."""
    return value.split(",") if isinstance(value, str) else value


class MyItemsQuery(LegacyListQuery):
    """The parameters of the caller's list. If `status` is given it decides alone, without `includeCompleted`."""

    include_completed: IncludeCompleted = "false"
    """Whether to return completed and cancelled items too. Ignored if `status` is given."""
    status: Annotated[tuple[ActionItemStatus, ...], BeforeValidator(split_statuses)] | None = None
    """Only items with one of these statuses. Repeat the parameter or separate the values with commas."""

    @property
    def statuses(self) -> frozenset[ActionItemStatus]:
        """The statuses of the requested items."""
        if self.status is not None:
            return frozenset(self.status)
        return frozenset({OPEN}) if self.include_completed == "false" else frozenset({OPEN, "completed", "cancelled"})
