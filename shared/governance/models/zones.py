"""The names of time zones in the IANA database, independent of the copy on the machine."""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files

_NOT_ZONES = {"Factory", "localtime", "posixrules"}


@lru_cache(maxsize=1)
def _names() -> frozenset[str]:
    """Returns the names that the `tzdata` package lists; its index is faster to read than its folders."""
    listed = files("tzdata").joinpath("zones").read_text(encoding="utf-8").split()
    return frozenset(name for name in listed if name not in _NOT_ZONES and not name.startswith(("posix/", "right/")))


@lru_cache(maxsize=1)
def timezone_names() -> dict[str, str]:
    """Returns the names of all zones, by their case-folded form."""
    return {name.casefold(): name for name in sorted(_names())}


def check_timezone(name: str) -> str:
    """Returns the name. Raises `ValueError` if the database has no such zone."""
    if name not in _names():
        raise ValueError("must be an IANA time zone such as Europe/Paris")
    return name
