"""Checks of figures, and the flags that they raise (an extension of the API, ADR figures)."""

from typing import Annotated, Literal

from pydantic import Field

from governance.ids import BoardId, UserId
from governance.instants import Instant
from governance.limits import DISMISSAL_REASON
from governance.models.base import ApiObject, Body, Resource, Stored
from governance.models.text import NoControlsButBreaks, NotBlank, text

CheckStatus = Literal["agrees", "contradicts", "not_checkable"]
"""Whether a figure agrees with the inputs of its formula, contradicts them, or cannot be checked."""
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
"""Why a figure cannot be checked: the report has no value for an input (`missing_input`); an input or the figure is a
placeholder (`stub`); the report has an input only for other dates (`other_date`); the formula needs an input of another
period than the figure's (`other_period`); the values of an input have no number in common (`contradictory_inputs`); the
formula would divide by a range that includes zero (`division_by_zero`) or take the root of one that includes negative
numbers (`not_real`); or the figure, an input or the result is not a number that can be checked (`not_a_number`).
"""
FlagStatus = Literal["open", "corrected", "dismissed"]
"""The contradiction exists (`open`), has ended (`corrected`), or was accepted (`dismissed`)."""


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
    """A range of numbers, both ends included."""

    low: str
    """The lowest number, as a decimal. Computed numbers are rounded down."""
    high: str
    """The highest number, as a decimal. Computed numbers are rounded up."""


class CheckInput(Resource):
    """An input of a formula, with the field that its value comes from."""

    name: str
    """The name of the input in the formula."""
    rogue_id: str | None
    """Identifier of the input's KPI; null if the input is not a KPI."""
    dashboard_id: str | None = None
    """Identifier of the first dashboard with the input; null if there is none."""
    field_id: str | None = None
    """Identifier of the field with the input; null if there is none."""
    low: str | None = None
    """The lowest number of the input's range, as a decimal; null if the input has no number."""
    high: str | None = None
    """The highest number of the input's range, as a decimal; null if the input has no number."""


class FigureCheck(Resource):
    """Whether a figure agrees with the inputs of its formula."""

    field_id: str
    """Identifier of the field with the figure."""
    rogue_id: str
    """Identifier of the KPI in the catalog."""
    status: CheckStatus
    """Result of the check."""
    reason: CheckReason | None
    """Why the figure cannot be checked; null if it can."""
    stated: Bounds | None
    """The range that the figure stands for; null if the figure is not a number."""
    computed: Bounds | None
    """The range that the formula gives for its inputs; null if it cannot be computed."""
    inputs: tuple[CheckInput, ...]
    """The inputs of the formula, in its order."""
    flag_id: str | None
    """Identifier of the flag of this contradiction, or null."""


class Checks(ApiObject):
    """The checks of a dashboard's figures."""

    object: Literal["checks"] = "checks"
    dashboard_id: str
    """Identifier of the dashboard."""
    catalog_version: str
    """The release of the catalog whose formulas the figures were checked with."""
    figures: tuple[FigureCheck, ...]
    """The figures whose KPI has a formula, in the order of the dashboard's fields."""


class ValidationFlag(ApiObject):
    """A contradiction between a figure and the inputs of its formula."""

    object: Literal["validation_flag"] = "validation_flag"
    id: str
    field_id: str
    """Identifier of the field with the figure."""
    rogue_id: str
    """Identifier of the KPI in the catalog."""
    status: FlagStatus
    """Status of the flag."""
    reason: str | None
    """Why the flag was dismissed, or null."""
    created_at: Instant
    updated_at: Instant
    dismissed_by_user_id: UserId | None
    """Identifier of the user who dismissed the flag, or null."""


class ExportedFlag(ValidationFlag):
    """A flag as an export of the board has it: with its report and its dashboard."""

    report_id: str
    dashboard_id: str


class DismissalBody(Body):
    """Why the contradiction is accepted."""

    reason: Annotated[str, text(1, DISMISSAL_REASON), NotBlank, NoControlsButBreaks]
    """The reason, for the readers of the figures."""
