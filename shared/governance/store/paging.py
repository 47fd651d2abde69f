"""One page out of several sorted lists: the lists that are read decide what a caller may see, never a filter.

A position is the part of a sort key behind the prefix: `<sort value>#<id>`. It means the same in every list, so that
one cursor serves them all, and a page costs the same whatever the size of the board.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from operator import itemgetter
from typing import TypeVar

from governance.store.attributes import unmarshal
from governance.store.dynamodb import run_async
from governance.store.schema.keys import SEPARATOR, Item, Range, SortedList
from governance.store.table import query_raw

T = TypeVar("T")
_READ_WHOLE = 4
"""Up to this number of lists, each is read as far as a page goes: more round trips cost more than the rows."""
_FEW, _TIMES_MORE = 2, 4
_END = SEPARATOR + "\U0010ffff"


@dataclass(frozen=True)
class Window:
    """The requested part of a list: `above` and `below` are exclusive positions, `after` the last one seen."""

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
    """Returns the same as `page`, for lists in different partitions.

    With many lists, a few rows of each are read first; more are read only from lists whose next rows could be on the
    page.
    """
    if not lists:
        return [], None
    wanted = window.limit + 1
    rows = wanted if len(lists) <= _READ_WHOLE else max(_FEW, 2 * wanted // len(lists))
    reads = [_ListRead(_range(pk, listed, window), listed, min(rows, wanted)) for pk, listed in lists]
    unread = reads
    while True:
        _read_all(unread, window)
        keyed = sorted((row for read in reads for row in read.rows), key=itemgetter(0), reverse=window.descending)
        end = keyed[wanted - 1][0] if len(keyed) >= wanted else None
        unread = [read.longer(wanted) for read in reads if read.may_miss(end, wanted, window)]
        if not unread:
            break
    shown = keyed[: window.limit]
    return [unmarshal(typed) for _, typed in shown], shown[-1][0] if len(keyed) > window.limit else None


@dataclass
class _ListRead:
    """The first rows of a list, with their positions."""

    span: Range
    listed: SortedList
    limit: int
    rows: list[tuple[str, Item]] = field(default_factory=list)

    def read(self, window: Window) -> None:
        batch = query_raw(self.span, self.limit, descending=window.descending)
        self.rows = [(typed[self.listed.attribute]["S"].removeprefix(self.listed.prefix), typed) for typed in batch]

    def may_miss(self, end: str | None, wanted: int, window: Window) -> bool:
        """Returns whether rows behind those that were read could come before the page's end."""
        if self.limit == wanted or len(self.rows) < self.limit:
            return False
        last = self.rows[-1][0]
        return end is None or (last > end if window.descending else last < end)

    def longer(self, wanted: int) -> _ListRead:
        """Reads more next time; returns itself."""
        self.limit = min(wanted, _TIMES_MORE * self.limit)
        return self


def _read_all(reads: Sequence[_ListRead], window: Window) -> None:
    others = [run_async(partial(read.read, window)) for read in reads[1:]]
    reads[0].read(window)
    for other in others:
        other.result()


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


def page_of(items: Iterable[T], position_of: Callable[[T], str], window: Window) -> tuple[list[T], str | None]:
    """Returns a page of a list that was read whole, and the position of its last item (None: no more)."""
    keyed = sorted(((position_of(item), item) for item in items), key=itemgetter(0), reverse=window.descending)
    after = window.after
    if after is not None:
        keyed = [pair for pair in keyed if (pair[0] < after if window.descending else pair[0] > after)]
    shown = keyed[: window.limit]
    return [item for _, item in shown], shown[-1][0] if len(keyed) > window.limit else None
