"""The year that a path names."""

from __future__ import annotations

import re

from governance.errors import not_found
from governance.usecases.context import Context

_YEAR = re.compile(r"[12]\d{3}", re.ASCII)


def requested_year(context: Context) -> int:
    """Returns the year that the path names; raises 404 for what is none."""
    text = context.params["year"]
    if _YEAR.fullmatch(text) is None:
        raise not_found()
    return int(text)
