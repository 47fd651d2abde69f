"""Windows of ten minutes in which proposed slots are told together."""

from __future__ import annotations

import itertools

from hypothesis import given
from hypothesis import strategies as st

from governance.domain.meetings.slot_windows import Windows, end, join
from governance.instants import Instant, shift

START = Instant("2027-03-01T09:00:00.000Z")
INSTANTS = st.lists(st.integers(0, 60 * 60), min_size=1, max_size=12).map(
    lambda seconds: [shift(START, seconds=offset) for offset in seconds]
)


def after(instants: list[Instant]) -> Windows:
    windows: Windows = ()
    for at in instants:
        windows = join(windows, at).windows
    return windows


@given(INSTANTS)
def test_in_the_order_of_time_a_window_begins_with_the_first_slot_that_no_window_holds(instants: list[Instant]) -> None:
    expected: list[Instant] = []
    for at in sorted(instants):
        if not expected or at >= shift(expected[-1], minutes=10):
            expected.append(at)
    assert [window.start for window in after(sorted(instants))] == expected


@given(INSTANTS)
def test_in_any_order_windows_do_not_overlap_and_every_slot_is_in_one(instants: list[Instant]) -> None:
    windows = after(instants)
    assert all(end(one) <= other.start for one, other in itertools.pairwise(windows))
    assert all(any(window.since <= at < end(window) for window in windows) for at in instants)


@given(INSTANTS)
def test_who_joins_again_joins_the_same_window_and_changes_nothing(instants: list[Instant]) -> None:
    for number, at in enumerate(instants):
        joined = join(after(instants[: number + 1]), at)
        assert join(joined.windows, at) == joined


def test_an_opened_draft_tells_all_slots_before_it_also_in_a_window_that_has_begun() -> None:
    joined = join(after([START]), shift(START, minutes=5), Instant(""))
    assert (joined.window.start, joined.window.since) == (START, "")
