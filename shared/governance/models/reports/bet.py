"""Bets: what a board expects a figure to become by a day, and how it came out (an extension of the API, ADR
figures)."""

from typing import Annotated, Literal

from pydantic import AfterValidator

from governance.ids import BoardId, UserId
from governance.instants import Instant
from governance.limits import BET_HYPOTHESIS, BET_TITLE
from governance.models.base import ApiObject, Body, Patch, Resource, Stored
from governance.models.catalog.catalog import known_kpi
from governance.models.text import (
    BoundedNumber,
    CalendarDate,
    NamedUserId,
    NoControlsButBreaks,
    NoReordering,
    NotBlank,
    text,
)

BetStatus = Literal["open", "won", "lost", "dropped"]
"""Status of a bet. Only owners of `open` bets are reminded."""


class Target(Resource):
    """Lower or upper bound of a figure; the other one is null."""

    at_least: int | float | None = None
    """Lower bound of the figure, or null."""
    at_most: int | float | None = None
    """Upper bound of the figure, or null."""


class BetFields(Resource):
    """The fields of a bet that its board sees, without its target and the newest figure."""

    id: str
    board_id: BoardId
    title: str
    """Title of the bet."""
    hypothesis: str | None = None
    """Reasons for the prediction, or null."""
    owner_user_id: UserId | None = None
    """Identifier of the member who is responsible for the bet, or null."""
    due_on: str
    """The due date of the prediction, as `YYYY-MM-DD`."""
    rogue_id: str | None = None
    """Identifier of the KPI in the catalog that the bet is about, or null."""
    status: BetStatus = "open"
    """Status of the bet."""
    created_at: Instant
    updated_at: Instant


class LatestFigure(Resource):
    """A figure of a published or finalized report."""

    value: int | float
    """The figure, a number."""
    dashboard_id: str
    """Identifier of the dashboard with the figure."""
    field_id: str
    """Identifier of the figure in that dashboard."""
    data_anchor_date: str | None
    """The day that the figure refers to, or null."""


class Bet(BetFields, ApiObject):
    """A prediction of the board with a due date, optionally about a KPI."""

    object: Literal["bet"] = "bet"
    target: Target | None = None
    """Target of the KPI's figure, or null."""
    latest: LatestFigure | None = None
    """The latest figure of the KPI; null without a KPI or a figure."""


class StoredBet(BetFields, Stored):
    """A bet as it is stored: `target` is a JSON text, since the store has no floats.

    `owned_since` is when its owner was named.
    """

    target: str | None = None
    owned_since: Instant | None = None
    version: int = 1


class TargetBody(Body):
    """Lower or upper bound of a figure. Send exactly one of the two."""

    at_least: BoundedNumber | None = None
    at_most: BoundedNumber | None = None


def _one_bound(target: TargetBody | None) -> TargetBody | None:
    if target is not None and (target.at_least is None) == (target.at_most is None):
        raise ValueError("must have exactly one of `atLeast` and `atMost`")
    return target


BetTitle = Annotated[str, text(1, BET_TITLE), NotBlank, NoControlsButBreaks, NoReordering]
Hypothesis = Annotated[str, text(0, BET_HYPOTHESIS), NoControlsButBreaks]
Kpi = Annotated[str, AfterValidator(known_kpi)]
TargetOfBet = Annotated[TargetBody | None, AfterValidator(_one_bound)]


class BetCreate(Body):
    """The bet to create."""

    title: BetTitle
    """Title of the bet. It must not be blank or contain control characters other than newlines and tabs."""
    hypothesis: Hypothesis | None = None
    """Reasons for the prediction."""
    owner_user_id: NamedUserId | None = None
    """Identifier of the member who is responsible for the bet."""
    due_on: CalendarDate
    rogue_id: Kpi | None = None
    """Identifier of the KPI in the catalog that the bet is about."""
    target: TargetOfBet = None
    """Target of the KPI's figure."""
    status: BetStatus | None = None
    """Initial status. Left out or null means `open`."""


class BetPatch(Patch):
    """The fields of the bet to change; at least one. Null clears a field that may be null."""

    title: BetTitle = ""
    hypothesis: Hypothesis | None = None
    owner_user_id: NamedUserId | None = None
    due_on: CalendarDate = ""
    rogue_id: Kpi | None = None
    target: TargetOfBet = None
    status: BetStatus = "open"
    """New status. Any status may follow any other."""
