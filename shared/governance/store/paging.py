"""One page out of several sorted lists: what a caller may see is decided by which lists are read, never by a filter.

A position is what follows the prefix in a sort key: `<sort value>#<id>`. It means the same in every list, so that one
cursor serves them all, and a page costs the same whatever the size of the board.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from operator import itemgetter

from governance.store.attributes import unmarshal
from governance.store.schema import SEPARATOR, Item, Range, SortedList
from governance.store.table import query_raw, run_async

_END = SEPARATOR + "\U0010ffff"


@dataclass(frozen=True)
class Window:
    """The part of a list that is asked for: `above` and `below` are exclusive positions, `after` the last one seen."""

    limit: int
    descending: bool
    after: str | None = None
    above: str | None = None
    below: str | None = None


def strictly_after(value: str) -> str:
    """Returns the lower bound that excludes every id at this sort value and all below."""
    return value + _END


def strictly_before(value: str) -> str:
    """Returns the upper bound that excludes every id at this sort value and all above."""
    return value + SEPARATOR


def page(pk: str, lists: Sequence[SortedList], window: Window) -> tuple[list[Item], str | None]:
    """Returns a page merged from lists of one partition, and the position of its last item (None: no more).

    The lists are read at the same time, each with one query.
    """
    return merged_page([(pk, listed) for listed in lists], window)


def merged_page(lists: Sequence[tuple[str, SortedList]], window: Window) -> tuple[list[Item], str | None]:
    """Returns the same as `page` for lists that are each in a partition of its own."""
    if not lists:
        return [], None
    spans = [_range(pk, listed, window) for pk, listed in lists]
    wanted = window.limit + 1
    others = [run_async(partial(query_raw, span, wanted, descending=window.descending)) for span in spans[1:]]
    batches = [query_raw(spans[0], wanted, descending=window.descending), *(other.result() for other in others)]
    keyed = [
        (typed[listed.attribute]["S"].removeprefix(listed.prefix), typed)
        for (_, listed), batch in zip(lists, batches, strict=True)
        for typed in batch
    ]
    keyed.sort(key=itemgetter(0), reverse=window.descending)
    shown = keyed[: window.limit]
    return [unmarshal(typed) for _, typed in shown], shown[-1][0] if len(keyed) > window.limit else None


def _range(pk: str, listed: SortedList, window: Window) -> Range:
    lows, highs = [window.above], [window.below]
    (highs if window.descending else lows).append(window.after)
    low = max((bound for bound in lows if bound is not None), default=None)
    high = min((bound for bound in highs if bound is not None), default=None)
    return Range(
        pk,
        listed.prefix,
        listed.index,
        above=None if low is None else listed.prefix + low,
        below=None if high is None else listed.prefix + high,
    )
