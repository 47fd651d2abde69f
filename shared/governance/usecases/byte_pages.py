"""Pages that end early, where their entries would outgrow a response (ADR limits)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from governance.limits import PAGE_BYTES
from governance.models.base import Resource
from governance.models.page import Page
from governance.sizes import sent_bytes

R = TypeVar("R", bound=Resource)


def page_within(entries: Iterable[tuple[str, R]], last: str | None) -> Page[R]:
    """Returns a page of entries with their positions, which are read as far as they fit; the first always does.

    `last` is the position behind which the list goes on after all of them; None if it ends there.
    """
    shown: list[R] = []
    place, size = last, 0
    for at, entry in entries:
        size += sent_bytes(entry.to_json())
        if shown and size > PAGE_BYTES:
            return Page(shown, place)
        shown.append(entry)
        place = at
    return Page(shown, last)
