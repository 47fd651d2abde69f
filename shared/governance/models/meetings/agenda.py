"""Agendas: the ordered items of a meeting, with times, presenters and papers (an extension of the API, ADR
meetings)."""

from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from governance.ids import BoardId
from governance.instants import Instant
from governance.limits import (
    AGENDA_ITEM_MINUTES,
    AGENDA_ITEM_NOTES,
    AGENDA_ITEM_PAPERS,
    AGENDA_ITEMS,
    AGENDA_TITLE,
    NAMED_PERSON,
)
from governance.models.base import Body, Resource, Stored
from governance.models.text import NoControls, NoControlsButBreaks, NotBlank, once_each, text

AgendaItemKind = Literal["information", "discussion", "decision"]
Papers = Annotated[list[str], Field(max_length=AGENDA_ITEM_PAPERS), AfterValidator(once_each)]
OutsiderName = Annotated[str, text(1, NAMED_PERSON), NotBlank, NoControls]


class AgendaItemFields(Resource):
    """The fields of an agenda item that a client sets; `document_ids` are its papers."""

    id: str
    title: str
    minutes: int | None = None
    presenter_user_id: str | None = None
    presenter_name: str | None = None
    presenter_unregistered_user_id: str | None = None
    kind: AgendaItemKind | None = None
    document_ids: tuple[str, ...] = ()
    notes: str | None = None


class StoredAgendaItem(AgendaItemFields, Stored):
    """An item as it is stored; `carried_from` is the id of the agenda item or action item that it was carried over."""

    carried_from: str | None = None


class StoredAgenda(Stored):
    """The agenda of a meeting, as it is stored: one item of the table."""

    board_id: BoardId
    meeting_id: str
    items: tuple[StoredAgendaItem, ...]
    created_at: Instant
    updated_at: Instant
    version: int = 1


class AgendaItem(AgendaItemFields):
    """An item as one caller sees it: with the papers that they may see, and the instant at which it begins.

    `presenter_name` is the current name of a presenter without an account.
    """

    starts_at: str | None


class Agenda(Resource):
    """The agenda of a meeting as one caller sees it; without an agenda, `items` is empty and the instants are null."""

    object: Literal["agenda"] = "agenda"
    meeting_id: str
    items: tuple[AgendaItem, ...]
    created_at: str | None
    updated_at: str | None


class AgendaItemBody(Body):
    """An item of an agenda in a request; one with the `id` of an item replaces that item."""

    id: str | None = None
    title: Annotated[str, text(1, AGENDA_TITLE), NotBlank, NoControls]
    minutes: Annotated[int, Field(ge=1, le=AGENDA_ITEM_MINUTES)] | None = None
    presenter_user_id: str | None = None
    presenter_name: OutsiderName | None = None
    presenter_unregistered_user_id: str | None = None
    kind: AgendaItemKind | None = None
    document_ids: Papers = Field(default_factory=list)
    notes: Annotated[str, text(0, AGENDA_ITEM_NOTES), NoControlsButBreaks] | None = None


class AgendaBody(Body):
    """The body that sets a meeting's agenda, whole and in order."""

    items: Annotated[list[AgendaItemBody], Field(max_length=AGENDA_ITEMS)]


class CarryOverBody(Body):
    """The body that carries over the items that another meeting left open."""

    from_meeting_id: str
