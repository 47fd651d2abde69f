"""Bets: what a board expects a figure to become by a day, and how it came out (an extension of the API, ADR
figures)."""

from typing import Annotated, Literal

from pydantic import AfterValidator

from governance.ids import BoardId, UserId
from governance.instants import Instant
from governance.limits import BET_HYPOTHESIS, BET_TITLE
from governance.models.base import ApiObject, Body, Patch, Resource, Stored
from governance.models.catalog import known_kpi
from governance.models.text import BoundedNumber, CalendarDate, NoControlsButBreaks, NotBlank, text

BetStatus = Literal["open", "won", "lost", "dropped"]


class Target(Resource):
    """The expected value of a bet's figure: at least, or at most, a number; the other is null."""

    at_least: int | float | None = None
    at_most: int | float | None = None


class BetFields(Resource):
    """The fields of a bet that its board sees, without its target and the newest figure."""

    id: str
    board_id: BoardId
    title: str
    hypothesis: str | None = None
    owner_user_id: UserId | None = None
    due_on: str
    rogue_id: str | None = None
    status: BetStatus = "open"
    created_at: Instant
    updated_at: Instant


class LatestFigure(Resource):
    """The newest figure of a KPI that a published or finalized report of the board states."""

    value: int | float
    dashboard_id: str
    field_id: str
    data_anchor_date: str | None


class Bet(BetFields, ApiObject):
    """A bet as its board sees it; `latest` is null without a KPI, or if no report states a figure of it."""

    object: Literal["bet"] = "bet"
    target: Target | None = None
    latest: LatestFigure | None = None


class StoredBet(BetFields, Stored):
    """A bet as it is stored: `target` is a JSON text, since the store has no floats.

    `owned_since` is when its owner was named.
    """

    target: str | None = None
    owned_since: Instant | None = None
    version: int = 1


class TargetBody(Body):
    """The target of a bet, of which exactly one field is a number."""

    at_least: BoundedNumber | None = None
    at_most: BoundedNumber | None = None


def _one_bound(target: TargetBody | None) -> TargetBody | None:
    if target is not None and (target.at_least is None) == (target.at_most is None):
        raise ValueError("must have exactly one of `atLeast` and `atMost`")
    return target


BetTitle = Annotated[str, text(1, BET_TITLE), NotBlank, NoControlsButBreaks]
Hypothesis = Annotated[str, text(0, BET_HYPOTHESIS), NoControlsButBreaks]
Kpi = Annotated[str, AfterValidator(known_kpi)]
TargetOfBet = Annotated[TargetBody | None, AfterValidator(_one_bound)]


class BetCreate(Body):
    """The body that creates a bet, which is open unless it says otherwise."""

    title: BetTitle
    hypothesis: Hypothesis | None = None
    owner_user_id: UserId | None = None
    due_on: CalendarDate
    rogue_id: Kpi | None = None
    target: TargetOfBet = None
    status: BetStatus | None = None


class BetPatch(Patch):
    """The body that changes a bet."""

    title: BetTitle = ""
    hypothesis: Hypothesis | None = None
    owner_user_id: UserId | None = None
    due_on: CalendarDate = ""
    rogue_id: Kpi | None = None
    target: TargetOfBet = None
    status: BetStatus = "open"
