"""Time zones: the exact names of the IANA database, whatever the machine's own copy holds."""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files

_NOT_ZONES = {"Factory", "localtime", "posixrules"}


@lru_cache(maxsize=1)
def _names() -> frozenset[str]:
    """The names that the `tzdata` package lists; reading its index spares a walk over the file system."""
    listed = files("tzdata").joinpath("zones").read_text(encoding="utf-8").split()
    return frozenset(name for name in listed if name not in _NOT_ZONES and not name.startswith(("posix/", "right/")))


def check_timezone(name: str) -> str:
    """The name itself, or `ValueError` where the database has no such zone."""
    if name not in _names():
        raise ValueError("must be an IANA time zone such as Europe/Paris")
    return name
