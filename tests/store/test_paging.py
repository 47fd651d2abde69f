"""Pages that are merged from several sorted lists: their order, their bounds, and the position of their last item."""

from __future__ import annotations

import itertools
import random
from typing import Any

import pytest

from governance.errors import ApiError, unavailable
from governance.store import paging
from governance.store.paging import Window, merged_page, page, strictly_after, strictly_before
from governance.store.schema.keys import PK, SK, Item, Range, SortedList, position
from governance.store.table import query, query_raw
from governance.store.transactions import transact
from governance.store.writes import Put
from tests.harness.store_calls import InlinePool, count_store_calls

OPEN, CLOSED = SortedList(None, "OPEN#"), SortedList("L1", "CLOSED#")
BOARD, OTHER = "BOARD#1", "BOARD#2"


def keep(pk: str, listed: SortedList, *positions: str) -> None:
    transact(
        [
            Put({PK: pk, SK: f"{listed.prefix}{position}", **listed.entry(position), "at": position})
            for position in positions
        ]
    )


@pytest.fixture
def lists(store: str) -> list[SortedList]:  # noqa: ARG001 - requested for its effect
    """Two lists of one board, whose items alternate; another board has an item between them."""
    fill()
    return [OPEN, CLOSED]


def fill() -> None:
    keep(BOARD, OPEN, *(position(value, "a") for value in ("1", "3", "5")))
    keep(BOARD, CLOSED, *(position(value, "b") for value in ("2", "3", "4")))
    keep(OTHER, OPEN, position("2", "c"))


ALL = ["1#a", "2#b", "3#a", "3#b", "4#b", "5#a"]


def shown(items: list[Item]) -> list[str]:
    return [item["at"] for item in items]


@pytest.mark.parametrize("limit", range(1, 8))
@pytest.mark.parametrize("descending", [False, True])
def test_pages_have_every_item_once_in_order_and_the_last_page_no_position(
    lists: list[SortedList], limit: int, descending: bool
) -> None:
    pages, after = [], None
    for _ in range(10):
        items, after = page(BOARD, lists, Window(limit, descending, after))
        pages.append(shown(items))
        if after is None:
            break
        assert after == pages[-1][-1]
    assert list(itertools.chain(*pages)) == (ALL[::-1] if descending else ALL)
    assert len(pages) == -(-len(ALL) // limit)


@pytest.mark.parametrize(
    ("above", "below", "expected"),
    [
        (None, None, ALL),
        (strictly_after("3"), None, ["4#b", "5#a"]),
        (None, strictly_before("3"), ["1#a", "2#b"]),
        ("3#a", None, ["3#b", "4#b", "5#a"]),
        (None, "3#b", ["1#a", "2#b", "3#a"]),
        (strictly_after("1"), strictly_before("5"), ["2#b", "3#a", "3#b", "4#b"]),
        (strictly_after("5"), None, []),
        (strictly_after("4"), strictly_before("2"), []),
    ],
)
@pytest.mark.parametrize("descending", [False, True])
def test_a_page_is_strictly_between_its_bounds(
    lists: list[SortedList], above: str | None, below: str | None, expected: list[str], descending: bool
) -> None:
    items, after = page(BOARD, lists, Window(10, descending, None, above, below))
    assert (shown(items), after) == (expected[::-1] if descending else expected, None)


@pytest.mark.parametrize(
    ("descending", "after", "expected"), [(False, "2#b", ["3#a", "3#b"]), (True, "4#b", ["3#b", "3#a", "2#b"])]
)
def test_a_cursor_never_leads_beyond_the_bounds(
    lists: list[SortedList], descending: bool, after: str, expected: list[str]
) -> None:
    window = Window(10, descending, after, strictly_after("1"), strictly_before("4"))
    assert shown(page(BOARD, lists, window)[0]) == expected
    outside = Window(10, descending, "0#a" if not descending else "9#a", strictly_after("1"), strictly_before("4"))
    assert len(page(BOARD, lists, outside)[0]) == 3


def test_lists_of_several_partitions_are_merged_and_each_costs_one_call(
    lists: list[SortedList], pool: InlinePool
) -> None:
    del lists
    with count_store_calls(pool) as calls:
        items, _ = merged_page([(BOARD, OPEN), (OTHER, OPEN)], Window(3, descending=False))
    assert shown(items) == ["1#a", "2#c", "3#a"]
    assert (calls.sequential, calls.concurrent) == (["Query"], ["Query"])
    assert merged_page([], Window(3, descending=False)) == ([], None)


def fifty_lists(seed: int) -> list[SortedList]:
    """Fills fifty lists of a board at random, one of them with most of the items."""
    rng = random.Random(seed)  # noqa: S311 - reproducible test data
    lists = [SortedList(None, f"C{number:02d}#") for number in range(50)]
    for number in range(120):
        listed = lists[0] if number % 2 else rng.choice(lists)
        keep(BOARD, listed, position(f"{rng.randrange(1000):03d}", f"{number:03d}"))
    return lists


@pytest.mark.usefixtures("store")
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("descending", [False, True])
def test_pages_of_many_lists_have_every_item_once_in_order(seed: int, descending: bool) -> None:
    lists = fifty_lists(seed)
    everything = sorted(
        (shown_at for listed in lists for shown_at in shown(query(listed.within(BOARD)))), reverse=descending
    )
    paged, after = [], None
    while True:
        items, after = page(BOARD, lists, Window(7, descending, after))
        paged += shown(items)
        if after is None:
            break
    assert paged == everything
    assert len(paged) == 120


@pytest.mark.usefixtures("store")
def test_a_page_of_many_lists_reads_few_rows_of_each(monkeypatch: pytest.MonkeyPatch) -> None:
    lists = fifty_lists(0)
    read = []

    def counted(*args: Any, **options: Any) -> list[Item]:
        rows = query_raw(*args, **options)
        read.append(len(rows))
        return rows

    monkeypatch.setattr(paging, "query_raw", counted)
    page(BOARD, lists, Window(25, descending=False))
    assert sum(read) <= 3 * 25 + 2 * 50
    assert len(read) <= 50 + 10  # a few lists are read again, further


def test_a_list_that_cannot_be_read_leaves_no_page_without_it(
    lists: list[SortedList], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail_for_closed(span: Range, *args: Any, **options: Any) -> list[Item]:
        if span.prefix == CLOSED.prefix:
            raise unavailable()
        return query_raw(span, *args, **options)

    monkeypatch.setattr(paging, "query_raw", fail_for_closed)
    with pytest.raises(ApiError):
        page(BOARD, lists, Window(1, descending=False))
