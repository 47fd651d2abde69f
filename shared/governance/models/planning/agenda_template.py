"""Agenda templates: items that are added to many agendas (an extension of the API, ADR planning)."""

from typing import Annotated, Literal

from pydantic import Field

from governance.agenda_limits import AGENDA_ITEMS, TEMPLATE_NAME
from governance.ids import BoardId
from governance.instants import Instant
from governance.models.base import ApiObject, Body, Patch, Resource, Stored
from governance.models.meetings.agenda import ItemBody, ItemFields
from governance.models.planning.months import Months
from governance.models.text import NamedId, NoControls, NotBlank, text


class TemplateItem(ItemFields):
    """An item of an agenda template."""

    months: tuple[int, ...] | None = None
    """The months whose meetings get the item, from 1 for January to 12. Null for every meeting."""


class StoredTemplateItem(TemplateItem, Stored):
    """An item of a template as it is stored."""


class TemplateFields(Resource):
    """The fields of a template beside its items."""

    id: str
    board_id: BoardId
    name: str
    """Name of the template."""
    created_at: Instant
    updated_at: Instant


class AgendaTemplate(TemplateFields, ApiObject):
    """Items that are added to the agendas of meetings."""

    object: Literal["agenda_template"] = "agenda_template"
    items: tuple[TemplateItem, ...]
    """The items in order."""


class StoredAgendaTemplate(TemplateFields, Stored):
    """A template as it is stored: one item of the table."""

    items: tuple[StoredTemplateItem, ...]
    version: int = 1


class TemplateItemBody(ItemBody):
    """An item of an agenda template."""

    id: NamedId | None = None
    """Identifier of the item of this template to keep or change. Leave it out for a new item."""
    months: Months | None = None
    """The months whose meetings get the item, from 1 for January to 12. Leave it out for every meeting."""


TemplateName = Annotated[str, text(1, TEMPLATE_NAME), NotBlank, NoControls]
TemplateItems = Annotated[list[TemplateItemBody], Field(max_length=AGENDA_ITEMS)]


class AgendaTemplateCreate(Body):
    """The template to create."""

    name: TemplateName
    """Name of the template, at most $TEMPLATE_NAME characters."""
    items: TemplateItems
    """The items in their order, at most $AGENDA_ITEMS."""


class AgendaTemplatePatch(Patch):
    """The fields of the template to change; at least one. `items` replaces all items."""

    name: TemplateName = ""
    items: TemplateItems = Field(default_factory=list)
