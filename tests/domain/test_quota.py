"""Quotas: exact in every window."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from governance.domain.quota import Quota, counted_address
from governance.instants import Instant, shift

START = Instant("2030-01-01T00:00:00.000Z")
THREE = Quota("test_mails", 3, 60)


@settings(deadline=None)
@given(st.lists(st.integers(0, 1800), min_size=1, max_size=60), st.randoms(use_true_random=False))
def test_no_window_holds_more_uses_than_slots_and_no_open_slot_is_refused(pauses: list[int], chance: Random) -> None:
    used: dict[str, str] = {}
    taken: list[int] = []
    at = 0
    for pause in pauses:
        at += pause
        now = shift(START, seconds=at)
        recent = [use for use in taken if use > at - 3600]
        free = THREE.open_slots(used, now)
        assert len(free) == 3 - len(recent)
        if free:
            used[chance.choice(free)] = now
            taken.append(at)


def test_the_refusal_says_when_the_first_slot_is_open() -> None:
    used = {"u0": START, "u1": shift(START, minutes=1), "u2": shift(START, minutes=2)}
    now = shift(START, minutes=10)
    assert THREE.open_slots(used, now) == []
    wait = int(THREE.error(used, now).headers["Retry-After"])
    assert wait == 50 * 60
    assert THREE.open_slots(used, shift(now, seconds=wait - 1)) == []
    assert THREE.open_slots(used, shift(now, seconds=wait)) == ["u0"]


@pytest.mark.parametrize(
    ("address", "counted"),
    [
        ("ann@example.com", "ann@example.com"),
        ("ann+0@example.com", "ann@example.com"),
        ("ann+a+b@example.com", "ann@example.com"),
        ("ann+@example.com", "ann@example.com"),
        ("a.n.n@example.com", "a.n.n@example.com"),
        ("+tag@example.com", "+tag@example.com"),
    ],
)
def test_a_tag_does_not_make_another_recipient(address: str, counted: str) -> None:
    assert counted_address(address) == counted
