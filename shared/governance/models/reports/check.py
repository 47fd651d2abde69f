"""Checks of figures, and the flags that they raise (an extension of the API, ADR figures)."""

from typing import Annotated, Literal

from pydantic import Field

from governance.ids import BoardId, UserId
from governance.instants import Instant
from governance.limits import DISMISSAL_REASON
from governance.models.base import ApiObject, Body, Resource, Stored
from governance.models.text import NoControlsButBreaks, NotBlank, text

CheckStatus = Literal["agrees", "contradicts", "not_checkable"]
CheckReason = Literal[
    "missing_input",
    "stub",
    "other_date",
    "other_period",
    "contradictory_inputs",
    "division_by_zero",
    "not_a_number",
    "not_real",
]
FlagStatus = Literal["open", "corrected", "dismissed"]


class StoredFigures(Stored):
    """The figures of KPIs on one dashboard, as they are stored for the checks of its report.

    `figures` is a JSON array of `[fieldId, rogueId, stated value]` (`domain.stated_figures`).
    """

    dashboard_id: str
    data_anchor_date: str | None
    figures: str


class StoredChecked(Stored):
    """The state of one dashboard in the checks of its report.

    `formulas` is how many of its figures have a formula, `flags` how many flags it has, of which `open_flags` are open.
    """

    formulas: int = 0
    flags: int = 0
    open_flags: int = 0


class StoredChecks(Stored):
    """The checks of a report, as they are stored; each change of a figure renews them, so that no two miss each other.

    `catalog_version` is the release that the figures were last checked by; None if they must be checked again.
    """

    board_id: BoardId
    report_id: str
    catalog_version: str | None = None
    dashboards: dict[str, StoredChecked] = Field(default_factory=dict)
    version: int = 0


class StoredFlag(Stored):
    """A flag as it is stored; `stands` says whether the contradiction stands, whatever was decided about it."""

    id: str
    field_id: str
    rogue_id: str
    status: FlagStatus
    stands: bool
    reason: str | None = None
    dismissed_by_user_id: UserId | None = None
    created_at: Instant
    updated_at: Instant


class StoredFlags(Stored):
    """The flags of a dashboard, newest last, as they are stored: one item of the table."""

    dashboard_id: str
    flags: tuple[StoredFlag, ...]
    version: int = 1


class Bounds(Resource):
    """The numbers from `low` to `high`, both included, as decimals."""

    low: str
    high: str


class CheckInput(Resource):
    """An input of a figure's formula, with the field that states it; null if none does."""

    name: str
    rogue_id: str | None
    dashboard_id: str | None = None
    field_id: str | None = None
    low: str | None = None
    high: str | None = None


class FigureCheck(Resource):
    """Whether a figure agrees with the figures that its formula names."""

    field_id: str
    rogue_id: str
    status: CheckStatus
    reason: CheckReason | None
    stated: Bounds | None
    computed: Bounds | None
    inputs: tuple[CheckInput, ...]
    flag_id: str | None


class Checks(ApiObject):
    """The checks of a dashboard's figures."""

    object: Literal["checks"] = "checks"
    dashboard_id: str
    catalog_version: str
    figures: tuple[FigureCheck, ...]


class ValidationFlag(ApiObject):
    """A contradiction between a figure and the figures that its formula names; `reason` is that of its dismissal."""

    object: Literal["validation_flag"] = "validation_flag"
    id: str
    field_id: str
    rogue_id: str
    status: FlagStatus
    reason: str | None
    created_at: Instant
    updated_at: Instant
    dismissed_by_user_id: UserId | None


class ExportedFlag(ValidationFlag):
    """A flag as an export of the board has it: with its report and its dashboard."""

    report_id: str
    dashboard_id: str


class DismissalBody(Body):
    """The body that dismisses a flag."""

    reason: Annotated[str, text(1, DISMISSAL_REASON), NotBlank, NoControlsButBreaks]
