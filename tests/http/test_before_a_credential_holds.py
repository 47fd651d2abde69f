"""Before a credential has proved valid, nothing is read but single items, nothing is written, no window is touched."""

from __future__ import annotations

import time
from typing import Any

import pytest

from governance.domain.account import tokens
from governance.domain.meetings import guest_link
from governance.http import recent_admissions as recent_admissions_module
from governance.http.recent_admissions import RecentAdmissions
from governance.http.route import Access
from tests.harness import engine
from tests.harness.board_scenario import BoardScenario
from tests.harness.client import Client
from tests.harness.observed_table import events as table_events
from tests.harness.sample_requests import ROUTE_NAMES, ROUTES_BY_NAME, sample_request
from tests.harness.store_calls import InlinePool, count_store_calls

WITH_CREDENTIAL = [name for name in ROUTE_NAMES if ROUTES_BY_NAME[name].admission.scope is not Access.PUBLIC]
GUEST_ROUTES = [name for name in ROUTE_NAMES if "/guest/{token}" in name]
LEGACY_SESSION_ONLY = "/api/invite/sent"


@pytest.mark.parametrize("name", WITH_CREDENTIAL)
def test_a_forged_token_reads_single_items_only(name: str, scenario: BoardScenario, pool: InlinePool) -> None:
    sample_request(name, scenario, scenario.owner).by(scenario.owner.client)
    request = sample_request(name, scenario, scenario.owner)
    for forged in (tokens.mint("personal", scenario.owner.id), tokens.mint("board", scenario.board_id)):
        with count_store_calls(pool) as calls:
            response = request.by(Client(forged))
        assert response.failure == (401, "INVALID_API_TOKEN")
        assert calls.concurrent == []
        assert set(calls.sequential) <= {"BatchGetItem"}


@pytest.mark.parametrize("name", GUEST_ROUTES)
def test_a_forged_guest_token_reads_single_items_only(name: str, scenario: BoardScenario, pool: InlinePool) -> None:
    request = sample_request(name, scenario, scenario.owner)
    genuine = request.path.split("/guest/")[1].split("/")[0]
    parsed = guest_link.parse(genuine)
    assert parsed is not None
    forged = request.path.replace(genuine, guest_link.mint(parsed.board_id, parsed.meeting_id))
    with count_store_calls(pool) as calls:
        response = Client().call(ROUTES_BY_NAME[name].method, forged, request.body)
    assert response.status == 404
    assert calls.concurrent == []
    assert set(calls.sequential) <= {"BatchGetItem"}


def test_a_board_token_of_another_board_reads_single_items_only(scenario: BoardScenario, pool: InlinePool) -> None:
    token = scenario.token()
    token.get(scenario.path)
    other = scenario.owner.client.post("/api/v1/boards", {"name": "Other"}).data["id"]
    with count_store_calls(pool) as calls:
        response = token.get(f"/api/board/{other}/action-items")
    assert response.failure == (404, "RESOURCE_NOT_FOUND")
    assert [name for name in calls.sequential + calls.concurrent if name != "UpdateItem"] == ["BatchGetItem"]


def test_forged_tokens_take_nothing_from_the_victims_window(scenario: BoardScenario) -> None:
    victim = scenario.personal_token(scenario.owner, "read_only")
    remaining = int(victim.get("/api/v1/whoami").headers["RateLimit-Remaining"])
    for _ in range(60):
        engine.clear_rate_leases()
        engine.clear_recent_admissions()
        forged = Client(tokens.mint("personal", scenario.owner.id))
        assert forged.get("/api/v1/whoami").status == 401
    engine.clear_rate_leases()
    after = int(victim.get("/api/v1/whoami").headers["RateLimit-Remaining"])
    assert remaining - after <= 8  # what this environment leased before it was forgotten


def test_a_401_for_an_access_token_on_a_session_only_route_counts(scenario: BoardScenario) -> None:
    robot = scenario.personal_token(scenario.owner, "full_access")
    before = int(robot.get("/api/v1/whoami").headers["RateLimit-Remaining"])
    for _ in range(3):
        assert robot.get(LEGACY_SESSION_ONLY).failure == (401, "UNAUTHENTICATED")
    assert int(robot.get("/api/v1/whoami").headers["RateLimit-Remaining"]) == before - 4


def reads(client: Client, path: str) -> list[str]:
    calls: list[str] = []

    def record(model: Any, **_: Any) -> None:
        calls.append(model.name)

    table_events.register("before-call.dynamodb.*", record)
    try:
        assert client.get(path).status == 200
    finally:
        table_events.unregister("before-call.dynamodb.*", record)
    return [name for name in calls if name in {"BatchGetItem", "Query"}]


def test_only_a_credential_that_was_admitted_lately_starts_its_reads_early(scenario: BoardScenario) -> None:
    member, path = scenario.member("ben").client, f"{scenario.path}/members"
    assert reads(member, path) == ["BatchGetItem", "Query", "BatchGetItem"]
    assert reads(member, path) == ["Query", "BatchGetItem", "BatchGetItem"]


def test_an_admission_is_for_one_credential_and_one_board_and_is_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    memory = RecentAdmissions()
    memory.remember("digest", "board")
    assert memory.includes("digest", "board")
    assert not memory.includes("digest", "other")
    assert not memory.includes("other", "board")
    monkeypatch.setattr("governance.http.recent_admissions.time", _Later)
    assert not memory.includes("digest", "board")


def test_calls_of_many_public_paths_displace_no_admission(
    scenario: BoardScenario, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recent_admissions_module, "_LIMIT", 3)
    member, path = scenario.member("ben").client, f"{scenario.path}/members"
    assert member.get(path).status == 200
    for number in range(4):
        assert Client().get(f"/api/v1/invite/status/00000000-0000-4000-8000-{number:012}").status == 200
    assert reads(member, path)[0] == "Query"


class _Later:
    """A clock that runs five minutes ahead."""

    @staticmethod
    def monotonic() -> float:
        return time.monotonic() + 301
