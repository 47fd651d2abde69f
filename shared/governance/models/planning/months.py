"""Months of the year, as templates and the work plan name them."""

from typing import Annotated

from pydantic import AfterValidator, Field

MONTHS_OF_A_YEAR = 12
Months = Annotated[
    list[Annotated[int, Field(ge=1, le=MONTHS_OF_A_YEAR)]],
    Field(min_length=1, max_length=MONTHS_OF_A_YEAR),
    AfterValidator(lambda months: sorted(set(months))),
]
"""Months by their number, in their order, each once."""
