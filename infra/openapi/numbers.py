"""The numbers of the code that texts quote by name."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any

from governance import agenda_limits, limits
from governance.domain.webhooks.webhook_delivery import RETRY_SECONDS
from governance.models.reports.cycle import DEFAULT_REMINDERS

_UNITS = {
    "SECONDS": (("hour", 3600), ("minute", 60), ("second", 1)),
    "MINUTES": (("minute", 1),),
    "HOURS": (("hour", 1),),
    "DAYS": (("day", 1),),
    "BYTES": (("MiB", 1024 * 1024), ("KiB", 1024), ("byte", 1)),
}
"""How numbers are said whose name ends in a unit: the first of these that divides the number."""
_UNCHANGED_PLURALS = {"MiB", "KiB"}


@cache
def numbers() -> dict[str, str]:
    """Returns the numbers that texts quote, by name: each limit, the default reminders and the delays of webhooks.

    The name of a time or a size has a second form: `$DOWNLOAD_SECONDS` is 120, `$DOWNLOAD_SECONDS_IN_WORDS` 2 minutes.
    """
    known = {name: value for name, value in (vars(limits) | vars(agenda_limits)).items() if name.isupper()}
    known |= {"DEFAULT_REMINDERS": DEFAULT_REMINDERS, "RETRY_SECONDS": RETRY_SECONDS}
    texts = {name: _listed(str(number) for number in _each(value)) for name, value in known.items()}
    for name, value in known.items():
        if units := _UNITS.get(name.rpartition("_")[2]):
            texts[f"{name}_IN_WORDS"] = _listed(_in_words(number, units) for number in _each(value))
    return texts


def _each(value: Any) -> tuple[int, ...]:
    return value if isinstance(value, tuple) else (value,)


def _listed(texts: Iterable[str]) -> str:
    *before, last = texts
    return f"{', '.join(before)} and {last}" if before else last


def _in_words(number: int, units: Iterable[tuple[str, int]]) -> str:
    unit, amount = next((unit, number // size) for unit, size in units if number % size == 0)
    return f"{amount} {unit}" if amount == 1 or unit in _UNCHANGED_PLURALS else f"{amount} {unit}s"
