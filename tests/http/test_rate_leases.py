"""Leases of a rate limit: what an environment reserves of a shared window, keeps, gives back and lets expire."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterable, Sequence

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from governance.domain.account import tokens
from governance.errors import ApiError
from governance.http import rate_limit
from governance.http.rate_limit import RateLease
from governance.ids import UserId, new_id
from governance.store.schema.keys import Key
from tests.harness import engine
from tests.harness.client import Client, session
from tests.harness.store_calls import InlinePool, count_store_calls
from tests.http.conftest import PRINCIPAL, WHOAMI, Watch


def test_another_environment_knows_what_this_one_took(eve: Client) -> None:
    for _ in range(PRINCIPAL):
        eve.get(WHOAMI)
    engine.clear_rate_leases()
    assert eve.get(WHOAMI).status == 429


def test_blocks_grow_so_that_a_busy_window_costs_few_updates(store: str, pool: InlinePool) -> None:
    del store
    eve = Client(session("eve@example.com"))
    with count_store_calls(pool) as calls:
        for _ in range(600):
            assert eve.get(WHOAMI).status == 200
    assert (calls.sequential + calls.concurrent).count("UpdateItem") <= 65


@pytest.mark.usefixtures("store")
def test_neither_many_addresses_nor_forged_tokens_displace_the_lease_of_a_user(
    pool: InlinePool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rate_limit, "_MAX_LEASES", 3)
    eve = Client(session("eve@example.com"))
    assert eve.get(WHOAMI).status == 200
    for number in range(4):
        assert Client(address=f"198.51.100.{number}").get(WHOAMI).status == 401
        assert Client(tokens.mint("personal", UserId(new_id()))).get(WHOAMI).status == 401
    with count_store_calls(pool) as calls:
        assert eve.get(WHOAMI).status == 200
    assert "UpdateItem" not in calls.sequential + calls.concurrent


@pytest.mark.usefixtures("store")
def test_the_lease_used_longest_ago_is_dropped_first(pool: InlinePool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rate_limit, "_MAX_LEASES", 2)
    ann, ben, cem = (Client(session(f"{name}@example.com")) for name in ("ann", "ben", "cem"))
    for client in (ann, ben, ann, cem):
        assert client.get(WHOAMI).status == 200
    for client, updates in ((ann, 0), (ben, 1)):
        with count_store_calls(pool) as calls:
            assert client.get(WHOAMI).status == 200
        assert (calls.sequential + calls.concurrent).count("UpdateItem") == updates


@pytest.fixture
def background(monkeypatch: pytest.MonkeyPatch) -> list[Callable[[], object]]:
    """Calls that were started in the background; none has run yet."""
    started: list[Callable[[], object]] = []
    monkeypatch.setattr(rate_limit, "run_async", started.append)
    return started


@pytest.fixture
def shared_window(
    monkeypatch: pytest.MonkeyPatch, watch: Watch, background: list[Callable[[], object]]
) -> dict[str, int]:
    """The item of one subject's window, shared by all environments; an update is atomic."""
    del watch, background
    item: dict[str, int] = {}

    def increment(_: Key, name: str, amount: int, __: int, forget: Sequence[str] = ()) -> dict[str, int]:
        for old in forget:
            item.pop(old, None)
        item[name] = item.get(name, 0) + amount
        return dict(item)

    monkeypatch.setattr(rate_limit, "increment", increment)
    return item


def spend_until_refused(turns: Iterable[RateLease]) -> int:
    """How many requests pass before the first is refused."""
    for passed, lease in enumerate(turns):
        try:
            lease.spend()
        except ApiError:
            return passed
    return -1


@pytest.mark.usefixtures("shared_window")
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(), environments=st.integers(1, 50), skew=st.floats(0, 3))
def test_fifty_environments_refuse_nobody_below_nine_tenths_of_the_limit(
    shared_window: dict[str, int], seed: int, environments: int, skew: float
) -> None:
    shared_window.clear()
    leases = [RateLease("eve", 3000) for _ in range(environments)]
    weights = [1 / (number + 1) ** skew for number in range(environments)]
    chance = random.Random(seed)  # noqa: S311 - drawn again from its seed
    passed = spend_until_refused(chance.choices(leases, weights)[0] for _ in range(3001))
    assert 2700 <= passed <= 3000


@pytest.mark.usefixtures("shared_window")
def test_environments_that_stop_at_the_worst_moment_hold_back_less_than_a_tenth() -> None:
    idle = [RateLease("eve", 3000) for _ in range(49)]
    busy = RateLease("eve", 3000)
    turns = itertools.chain(idle, itertools.repeat(busy, 3000))
    assert 2700 <= spend_until_refused(turns) <= 3000


@pytest.mark.usefixtures("shared_window")
def test_what_an_idle_environment_reserved_is_not_spent_in_a_later_window(watch: Watch) -> None:
    idle, busy = RateLease("eve", 3000), RateLease("eve", 3000)
    idle.spend()
    watch.now += 360
    assert spend_until_refused(itertools.chain(itertools.repeat(busy, 3000), itertools.repeat(idle, 5))) == 3000


@pytest.mark.usefixtures("shared_window")
def test_what_does_not_fit_is_given_back_to_the_last_request(
    shared_window: dict[str, int], background: list[Callable[[], object]]
) -> None:
    lease = RateLease("eve", 505)
    lease.spent = 10_000  # so it reserves blocks of 10, and the last does not fit
    assert spend_until_refused(itertools.repeat(lease, 600)) == 505
    for call in background:
        call()
    assert sum(shared_window.values()) == 505
