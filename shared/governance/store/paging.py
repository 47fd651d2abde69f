"""One page out of several ordered ranges: what a list may show is decided by which ranges are read, never by a filter.

A position is what follows the prefix in a sort key: `<sort value>#<id>`. It is the same for every range, so one cursor
serves them all, and a page costs the page, whatever the size of the board.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from operator import itemgetter

from governance.store.attributes import unmarshal
from governance.store.schema import SK, Index, Item
from governance.store.table import Range, query_raw, run_async

_END = "#\U0010ffff"


@dataclass(frozen=True)
class Window:
    """Which part of a list is asked for: `above` and `below` are exclusive positions, `after` the last one seen."""

    limit: int
    descending: bool
    after: str | None = None
    above: str | None = None
    below: str | None = None


def strictly_after(value: str) -> str:
    """The bound that leaves out every id at this sort value and all below."""
    return value + _END


def strictly_before(value: str) -> str:
    """The bound that leaves out every id at this sort value and all above."""
    return value + "#"


def page(pk: str, index: Index | None, prefixes: Sequence[str], window: Window) -> tuple[list[Item], str | None]:
    """The merged page and the position of its last item; None where nothing follows."""
    spans = [_range(pk, index, prefix, window) for prefix in prefixes]
    wanted = window.limit + 1
    others = [run_async(partial(query_raw, span, wanted, descending=window.descending)) for span in spans[1:]]
    runs = [query_raw(spans[0], wanted, descending=window.descending), *(other.result() for other in others)]
    place = index or SK
    keyed = [
        (typed[place]["S"].removeprefix(span.prefix), typed)
        for span, run in zip(spans, runs, strict=True)
        for typed in run
    ]
    keyed.sort(key=itemgetter(0), reverse=window.descending)
    shown = keyed[: window.limit]
    return [unmarshal(typed) for _, typed in shown], shown[-1][0] if len(keyed) > window.limit else None


def _range(pk: str, index: Index | None, prefix: str, window: Window) -> Range:
    lows, highs = [window.above], [window.below]
    (highs if window.descending else lows).append(window.after)
    low = max((bound for bound in lows if bound is not None), default=None)
    high = min((bound for bound in highs if bound is not None), default=None)
    return Range(
        pk,
        prefix,
        index,
        above=None if low is None else prefix + low,
        below=None if high is None else prefix + high,
    )
