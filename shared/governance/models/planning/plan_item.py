"""The work plan: matters that a board treats in certain months of every year (an extension of the API, ADR
planning)."""

from typing import Annotated, Literal

from pydantic import Field

from governance.agenda_limits import PLAN_ITEM_MINUTES, PLAN_NOTES, PLAN_SOURCE, PLAN_TITLE
from governance.ids import BoardId, UserId
from governance.instants import Instant
from governance.models.base import ApiObject, Body, Patch, Resource, Stored
from governance.models.meetings.agenda import AgendaItemKind
from governance.models.planning.months import Months
from governance.models.text import NamedId, NamedUserId, NoControls, NoControlsButBreaks, NotBlank, text

MatterStatus = Literal["planned", "on_agenda", "done", "missed"]
"""Whether a matter is planned for a month, on the agenda of a meeting in it, in the minutes of that meeting, or neither
when the month is over."""


class PlanItemFields(Resource):
    """The fields of a matter that its readers see."""

    id: str
    board_id: BoardId
    title: str
    """Title of the matter."""
    months: tuple[int, ...]
    """The months in which the matter is due each year, from 1 for January to 12."""
    owner_user_id: UserId | None = None
    """Identifier of the member who is responsible for the matter, or null."""
    committee_id: str | None = None
    """Identifier of the committee. Only its members can see the matter. Null for a matter of the whole board."""
    kind: AgendaItemKind | None = None
    """Purpose of the matter on an agenda."""
    minutes: int | None = None
    """Duration of the matter on an agenda in minutes, or null."""
    source: str | None = None
    """What requires the matter, such as "Bylaws § 12", or null."""
    notes: str | None = None
    """Notes on the matter, which an agenda gets too, or null."""
    created_at: Instant
    updated_at: Instant


class PlanItem(PlanItemFields, ApiObject):
    """A matter of the work plan."""

    object: Literal["plan_item"] = "plan_item"


class StoredPlanItem(PlanItemFields, Stored):
    """A matter as it is stored; `owned_since` is when its owner was named."""

    owned_since: Instant | None = None
    version: int = 1


class MatterInMonth(Resource):
    """How a matter stands in one month."""

    month: int
    """The month, from 1 for January to 12."""
    status: MatterStatus
    """How the matter stands in that month."""
    meeting_id: str | None
    """Identifier of the first meeting of the month that has the matter on its agenda, or null."""
    agenda_item_id: str | None
    """Identifier of the item of that agenda, or null."""


class MatterInYear(Resource):
    """How a matter stands in one year."""

    plan_item_id: str
    """Identifier of the matter."""
    months: tuple[MatterInMonth, ...]
    """The months of the matter in order."""


class PlanYear(ApiObject):
    """How the matters of the work plan that you can see stand in one year."""

    object: Literal["plan_year"] = "plan_year"
    year: int
    """The calendar year that was asked for."""
    matters: tuple[MatterInYear, ...]
    """The matters by creation."""


PlanTitle = Annotated[str, text(1, PLAN_TITLE), NotBlank, NoControls]
PlanMinutes = Annotated[int, Field(ge=1, le=PLAN_ITEM_MINUTES)]
PlanSource = Annotated[str, text(0, PLAN_SOURCE), NoControls]
PlanNotes = Annotated[str, text(0, PLAN_NOTES), NoControlsButBreaks]


class PlanItemCreate(Body):
    """The matter to create."""

    title: PlanTitle
    """Title of the matter, at most $PLAN_TITLE characters."""
    months: Months
    """The months in which the matter is due each year, from 1 for January to 12; at least one."""
    owner_user_id: NamedUserId | None = None
    """Identifier of a member of the board who is responsible for the matter."""
    committee_id: NamedId | None = None
    """Identifier of a committee that you are in. Only its members can see the matter. Null means the whole board."""
    kind: AgendaItemKind | None = None
    minutes: PlanMinutes | None = None
    """Duration of the matter on an agenda, from 1 to $PLAN_ITEM_MINUTES minutes."""
    source: PlanSource | None = None
    notes: PlanNotes | None = None


class PlanItemPatch(Patch):
    """The fields of the matter to change; at least one. Null clears a field that may be null."""

    title: PlanTitle = ""
    months: Months = Field(default_factory=list)
    owner_user_id: NamedUserId | None = None
    committee_id: NamedId | None = None
    kind: AgendaItemKind | None = None
    minutes: PlanMinutes | None = None
    source: PlanSource | None = None
    notes: PlanNotes | None = None
