"""Figures of a dashboard from a spreadsheet (an extension of the API, ADR figures)."""

from typing import Annotated, Literal

from governance.limits import FIGURES_TEXT
from governance.models.base import Body
from governance.models.text import text

DecimalSeparator = Literal[".", ","]
"""Decimal separator of the numbers of a spreadsheet, a point or a comma."""
DateOrder = Literal["dmy", "mdy"]
"""Order of dates with slashes in a spreadsheet, day first (`dmy`) or month first (`mdy`)."""


class DashboardFill(Body):
    """Figures from a spreadsheet."""

    csv: Annotated[str, text(1, FIGURES_TEXT)]
    """The spreadsheet as text, such as `rogueId,value,date` in the first line and `revenue.arr,4910000,2026-10-31` in
    the next.
    """
    decimal: DecimalSeparator | None = None
    """The decimal separator of the numbers, where the text does not tell it."""
    date_order: DateOrder | None = None
    """The order of dates with slashes, day or month first, where the text does not tell it."""
    dry_run: bool | None = None
    """Whether to return the dashboard as it would be, without changing it. Left out or null means false."""
