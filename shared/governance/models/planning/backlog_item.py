"""The backlog: agenda items that wait for a meeting (an extension of the API, ADR planning)."""

from typing import Literal

from pydantic import Field

from governance.ids import BoardId
from governance.instants import Instant
from governance.models.base import ApiObject, Body, Patch, Resource
from governance.models.meetings.agenda import (
    AgendaItemKind,
    AgendaTitle,
    ItemMinutes,
    ItemNotes,
    ItemWithPapersBody,
    OutsiderName,
    Papers,
    ShownItem,
    StoredAgendaItem,
)
from governance.models.text import NamedId, NamedPersonId, NamedUserId


class BacklogFields(Resource):
    """The fields of a waiting item beside those of an agenda item."""

    board_id: BoardId
    committee_id: str | None = None
    """Identifier of the committee. Only its members can see the item. Null for an item of the whole board."""
    series_id: str | None = None
    """Identifier of the series whose next meeting the item waits for, or null."""
    created_at: Instant
    """When the item began to wait."""
    updated_at: Instant


class BacklogItem(BacklogFields, ShownItem, ApiObject):
    """An agenda item that waits for a meeting, with the papers that you can see."""

    object: Literal["backlog_item"] = "backlog_item"
    id: str
    """Identifier of the item. It keeps it on the agenda of a meeting."""


class StoredBacklogItem(BacklogFields, StoredAgendaItem):
    """A waiting item as it is stored."""

    version: int = 1


class BacklogItemCreate(ItemWithPapersBody):
    """The item to put into the backlog."""

    committee_id: NamedId | None = None
    """Identifier of a committee that you are in. Only its members can see the item. Null means the whole board."""
    series_id: NamedId | None = None
    """Identifier of the series whose next meeting the item waits for."""


class BacklogItemPatch(Patch):
    """The fields of the item to change; at least one. Null clears a field that may be null."""

    title: AgendaTitle = ""
    minutes: ItemMinutes | None = None
    presenter_user_id: NamedUserId | None = None
    presenter_name: OutsiderName | None = None
    presenter_unregistered_user_id: NamedPersonId | None = None
    kind: AgendaItemKind | None = None
    notes: ItemNotes | None = None
    document_ids: Papers = Field(default_factory=list)
    committee_id: NamedId | None = None
    series_id: NamedId | None = None


class PlaceBody(Body):
    """The meeting that gets the item."""

    meeting_id: NamedId
    """Identifier of a meeting of the board."""
