"""Rate limits: the window, its headers, and whose budget a call is counted in."""

from __future__ import annotations

import pytest

from governance.domain.account import tokens
from governance.ids import UserId
from tests.harness import engine
from tests.harness.board_scenario import BoardScenario, new_board_scenario
from tests.harness.client import Client, Response
from tests.harness.store_calls import InlinePool, count_store_calls
from tests.http.conftest import ADDRESS, FLOOD, PRINCIPAL, WHOAMI, Watch

STATUS, GUEST = "/api/v1/invite/status/x", "/api/v1/guest/x"


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


def test_a_window_that_is_full_asks_the_store_for_nothing_more(eve: Client, pool: InlinePool) -> None:
    for _ in range(PRINCIPAL + 1):
        eve.get(WHOAMI)
    with count_store_calls(pool) as calls:
        assert eve.get(WHOAMI).status == 429
    assert "UpdateItem" not in calls.sequential + calls.concurrent


def test_a_users_tokens_and_sessions_share_a_window_and_a_board_token_has_its_own(eve: Client) -> None:
    board = eve.post("/api/v1/boards", {"name": "Board"}).data["id"]
    body = {"name": "t", "preset": "read_only", "expiresInDays": None}
    own, of_board = (Client(eve.post(f"/api/v1/{of}/tokens", body).data["secret"]) for of in ("me", f"boards/{board}"))
    assert figures(own.get(WHOAMI))[1] == figures(eve.get(WHOAMI))[1] + 1
    assert figures(of_board.get(WHOAMI)) == (PRINCIPAL, PRINCIPAL - 1)


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
