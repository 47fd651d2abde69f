"""Rate limits: the window, its headers, and whose budget a call is counted in."""

from __future__ import annotations

import itertools
import random
import time
from collections.abc import Callable, Iterable, Iterator, Sequence

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from governance.domain import tokens
from governance.errors import ApiError
from governance.http import rate_limit
from governance.http.rate_limit import RateLease
from governance.ids import UserId, new_id
from governance.settings import settings as service_settings
from governance.store.schema.keys import Key
from tests.harness import engine
from tests.harness.board_scenario import BoardScenario, new_board_scenario
from tests.harness.client import Client, Response, session
from tests.harness.store_calls import InlinePool, count_store_calls

WHOAMI = "/api/v1/whoami"
STATUS, GUEST = "/api/v1/invite/status/x", "/api/v1/guest/x"
PRINCIPAL, ADDRESS, FLOOD = 20, 10, 5


class Watch:
    """The clock of the process, standing still at the beginning of a slice unless moved."""

    def __init__(self) -> None:
        self.now = time.time() // 30 * 30

    def time(self) -> float:
        return self.now


@pytest.fixture
def watch(monkeypatch: pytest.MonkeyPatch) -> Watch:
    stopped = Watch()
    monkeypatch.setattr(time, "time", stopped.time)
    return stopped


@pytest.fixture
def small(pool: InlinePool, watch: Watch) -> Iterator[None]:
    """A table with windows that are soon full."""
    del pool, watch
    with engine.fresh_table(
        RATE_LIMIT_PRINCIPAL=str(PRINCIPAL), RATE_LIMIT_ADDRESS=str(ADDRESS), RATE_LIMIT_FLOOD=str(FLOOD)
    ):
        yield


@pytest.fixture
def eve(small: None) -> Client:  # noqa: ARG001 - a fixture needs another
    """A user with a session."""
    return Client(session("eve@example.com"))


def figures(answer: Response) -> tuple[int, int]:
    return int(answer.headers["RateLimit-Limit"]), int(answer.headers["RateLimit-Remaining"])


def test_the_limit_is_exact_and_its_headers_count_down(eve: Client) -> None:
    for left in reversed(range(PRINCIPAL)):
        answer = eve.get(WHOAMI)
        assert answer.status == 200
        assert figures(answer) == (PRINCIPAL, left)
    refused = eve.get(WHOAMI)
    assert refused.failure == (429, "RATE_LIMITED")
    assert figures(refused) == (PRINCIPAL, 0)


def test_a_refusal_says_when_and_then_it_passes(eve: Client, watch: Watch) -> None:
    watch.now += 0.5  # whole seconds are stated: those that are not yet over count
    for _ in range(PRINCIPAL):
        eve.get(WHOAMI)
    refused = eve.get(WHOAMI)
    wait = int(refused.headers["Retry-After"])
    assert 0 < wait <= 330
    assert int(refused.headers["RateLimit-Reset"]) == wait
    watch.now += wait - 1
    assert eve.get(WHOAMI).status == 429
    watch.now += 1
    assert eve.get(WHOAMI).status == 200


def test_what_was_spent_counts_until_five_minutes_are_over_in_every_environment(eve: Client, watch: Watch) -> None:
    watch.now += 29
    for _ in range(PRINCIPAL):
        eve.get(WHOAMI)
    for passed, status in ((299, 429), (1, 429), (1, 200)):
        watch.now += passed
        engine.clear_rate_leases()
        assert eve.get(WHOAMI).status == status


def test_the_window_slides(eve: Client, watch: Watch) -> None:
    for _ in range(PRINCIPAL // 2):
        eve.get(WHOAMI)
    watch.now += 150
    for _ in range(PRINCIPAL // 2):
        assert eve.get(WHOAMI).status == 200
    assert eve.get(WHOAMI).status == 429
    watch.now += 180
    for _ in range(PRINCIPAL // 2):
        assert eve.get(WHOAMI).status == 200
    assert eve.get(WHOAMI).status == 429


def test_a_window_that_is_full_asks_the_store_for_nothing_more(eve: Client, pool: InlinePool) -> None:
    for _ in range(PRINCIPAL + 1):
        eve.get(WHOAMI)
    with count_store_calls(pool) as calls:
        assert eve.get(WHOAMI).status == 429
    assert "UpdateItem" not in calls.sequential + calls.concurrent


def test_a_users_tokens_and_sessions_share_a_window(eve: Client) -> None:
    body = {"name": "t", "preset": "read_only", "expiresInDays": None}
    token = Client(eve.post("/api/v1/me/tokens", body).data["secret"])
    assert figures(token.get(WHOAMI))[1] == figures(eve.get(WHOAMI))[1] + 1


def test_a_board_token_has_a_window_of_its_own(eve: Client) -> None:
    board = eve.post("/api/v1/boards", {"name": "Board"}).data["id"]
    body = {"name": "t", "preset": "read_only", "expiresInDays": None}
    token = Client(eve.post(f"/api/v1/boards/{board}/tokens", body).data["secret"])
    assert figures(token.get(WHOAMI)) == (PRINCIPAL, PRINCIPAL - 1)


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize(
    ("bearer", "limit"),
    [
        (None, FLOOD),
        ("svc_pat_broken", ADDRESS),
        (tokens.mint("personal", UserId("5f1d7a3c9b2e4d6081a7c3e1")), ADDRESS),  # well-formed, and of nobody
        ("x.y.z", ADDRESS),
    ],
    ids=["none", "malformed", "unknown", "no session"],
)
def test_calls_without_a_credential_that_holds_count_for_their_address(bearer: str | None, limit: int) -> None:
    stranger = Client(bearer, address="198.51.100.9")
    for left in reversed(range(limit)):
        answer = stranger.get(WHOAMI)
        assert answer.status == 401
        assert figures(answer) == (limit, left)
    assert stranger.get(WHOAMI).failure == (429, "RATE_LIMITED")
    assert Client(bearer, address="198.51.100.10").get(WHOAMI).status == 401


@pytest.mark.parametrize("bearer", [None, "svc_pat_broken"])
def test_a_good_credential_passes_from_an_address_that_is_refused(eve: Client, bearer: str | None) -> None:
    for _ in range(ADDRESS + 1):
        Client(bearer).get(WHOAMI)
    assert Client(bearer).get(WHOAMI).status == 429
    assert eve.get(WHOAMI).status == 200


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("path", [STATUS, GUEST])
def test_calls_of_public_routes_are_calls_without_a_credential(path: str) -> None:
    for left in reversed(range(FLOOD)):
        assert figures(Client("svc_pat_broken").get(path)) == (FLOOD, left)
    assert Client("svc_pat_broken").get(path).failure == (429, "RATE_LIMITED")
    assert Client().get(WHOAMI).status == 429


@pytest.mark.usefixtures("small")
def test_calls_without_a_credential_leave_those_with_a_bad_one_their_window() -> None:
    for _ in range(FLOOD + 1):
        Client().get(WHOAMI)
    assert figures(Client("svc_pat_broken").get(WHOAMI)) == (ADDRESS, ADDRESS - 1)


@pytest.mark.usefixtures("store")
def test_fewer_calls_without_a_credential_than_with_a_bad_one_are_admitted() -> None:
    found = service_settings()
    assert (found.rate_limit_principal, found.rate_limit_address, found.rate_limit_flood) == (3000, 300, 150)


@pytest.mark.usefixtures("small")
def test_only_the_cdns_word_for_an_address_counts() -> None:
    liar = Client(headers={"x-forwarded-for": "192.0.2.1", "x-real-ip": "192.0.2.2", "forwarded": "for=192.0.2.3"})
    for _ in range(FLOOD):
        assert liar.get(WHOAMI).status == 401
    liar.headers["x-forwarded-for"] = "192.0.2.77"
    assert liar.get(WHOAMI).status == 429


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize(
    ("first", "second", "is_same"),
    [
        ("2001:db8:0:1::1", "2001:db8:0:1:ffff:ffff:ffff:ffff", True),
        ("2001:db8:0:1::1", "2001:db8:0:2::1", False),
        ("::ffff:192.0.2.7", "192.0.2.7", True),
        ("::ffff:192.0.2.7", "::ffff:192.0.2.8", False),
        ("192.0.2.7", "192.0.2.8", False),
    ],
)
def test_an_ipv6_address_counts_as_its_network(first: str, second: str, is_same: bool) -> None:
    remaining = [figures(Client(headers={"x-viewer-address": address}).get(WHOAMI))[1] for address in (first, second)]
    assert remaining == ([FLOOD - 1, FLOOD - 2] if is_same else [FLOOD - 1, FLOOD - 1])


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


def test_every_answer_carries_the_figures(eve: Client) -> None:
    for answer in (
        eve.get("/api/v1/me"),
        eve.get("/api/v1/nowhere"),
        eve.call("PUT", "/api/v1/me"),
        eve.get("/api/v1/boards/x"),
        eve.get("/api/v1/boards", limit=0),
        Client().get(WHOAMI),
    ):
        assert {"RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset", "x-request-id"} <= answer.headers.keys()
        assert int(answer.headers["RateLimit-Reset"]) > 0


def test_the_tokens_of_a_board_share_one_window(scenario: BoardScenario) -> None:
    first, second = scenario.token("read_only"), scenario.token("read_only")
    other = new_board_scenario("otto")
    spent = [int(caller.get(scenario.path).headers["RateLimit-Remaining"]) for caller in (first, second, first, second)]
    assert spent == [spent[0] - number for number in range(4)]
    assert int(other.token().get(other.path).headers["RateLimit-Remaining"]) == spent[0]
