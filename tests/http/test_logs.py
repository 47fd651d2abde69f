"""What a request leaves in the log: its line, never what it held."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from governance.http import admission
from tests.harness import engine, logs
from tests.harness.board_scenario import BoardScenario, new_board_scenario
from tests.harness.client import Client, session
from tests.harness.store_calls import InlinePool

CANARY = "canary7f3a"


@pytest.fixture
def scenario(pool: InlinePool) -> Iterator[BoardScenario]:
    """A board, on a service that writes all it would ever write."""
    del pool
    with engine.fresh_table(POWERTOOLS_LOG_LEVEL="DEBUG", POWERTOOLS_METRICS_DISABLED="false"):
        yield new_board_scenario()


def calls(scenario: BoardScenario) -> None:
    """Requests that hold the canary in path, query, body, headers and claims; sound ones and refused ones."""
    owner = scenario.owner.client
    tweety = Client(session(f"{CANARY}@example.com", given_name=CANARY))
    tweety.get("/api/v1/me")
    owner.post(f"{scenario.path}/meetings", {"title": CANARY})
    owner.post(f"{scenario.path}/meetings", {"title": 7, CANARY: CANARY})
    owner.get(f"{scenario.path}/meetings", cursor=CANARY, **{CANARY: CANARY})
    owner.get(f"/api/v1/boards/{CANARY}")
    owner.get(f"/api/v1/guest/{CANARY}")
    owner.get(f"/api/v1/invite/status/{CANARY}", i=CANARY)
    owner.get(f"/api/v1/{CANARY}")
    owner.call("POST", f"{scenario.path}/meetings", raw=f'{{"{CANARY}')
    owner.call("GET", "/api/v1/me", headers={"x-forwarded-for": CANARY, "user-agent": CANARY, "cookie": CANARY})
    owner.call("POST", f"{scenario.path}/meetings", {"title": "A"}, headers={"idempotency-key": CANARY})
    for bearer in (CANARY, f"svc_pat_{CANARY}", f"{CANARY}.{CANARY}.{CANARY}"):
        Client(bearer).get("/api/v1/me")


def test_the_line_of_a_request_has_these_members_and_the_clients_request_id(
    scenario: BoardScenario, capfd: pytest.CaptureFixture[str]
) -> None:
    capfd.readouterr()
    answer = scenario.owner.client.get(scenario.path)
    *calls, request = logs.lines(capfd.readouterr().out)
    assert request.pop("correlation_id") == answer.headers["x-request-id"]
    assert request.pop("timestamp").endswith("+00:00")
    assert request.pop("ms") >= 0
    assert request == {
        "level": "INFO",
        "message": "request",
        "service": "board-governance",
        "cold_start": False,
        "method": "GET",
        "route": "/api/v1/boards/{boardId}",
        "status": 200,
        "principal": "jwt",
    }
    assert {call["message"] for call in calls} == {"store call"}
    assert {call["correlation_id"] for call in calls} == {answer.headers["x-request-id"]}


def written(capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture) -> str:
    out, err = capfd.readouterr()
    return out + err + caplog.text + repr([record.__dict__ for record in caplog.records])


def test_no_log_line_holds_what_a_request_held(
    scenario: BoardScenario, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    token = scenario.personal_token(scenario.owner).bearer or ""
    Client(token).get("/api/v1/me")
    calls(scenario)
    text = written(capfd, caplog)
    assert "/api/v1/boards/{boardId}/meetings" in text
    for secret in (
        CANARY,
        token,
        scenario.owner.client.bearer or "-",
        scenario.board_id,
        scenario.owner.email,
        "203.0.113.7",
    ):
        assert secret not in text


def test_a_crash_is_a_500_whose_message_nobody_sees(
    scenario: BoardScenario,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
) -> None:
    def crash(*_: Any) -> None:
        raise RuntimeError(CANARY)

    monkeypatch.setattr(admission, "check_account", crash)
    answer = scenario.owner.client.get(scenario.path)
    assert answer.failure == (500, "INTERNAL_ERROR")
    assert answer.json["error"]["requestId"] == answer.headers["x-request-id"]
    text = written(capfd, caplog)
    assert "RuntimeError" in text
    assert CANARY not in text + answer.text
    (metric,) = (json.loads(line) for line in text.splitlines() if '"Crashes":' in line)
    assert (metric["Crashes"], metric["route"]) == ([1.0], "/api/v1/boards/{boardId}")


def test_a_request_over_its_limit_is_counted(scenario: BoardScenario, capfd: pytest.CaptureFixture[str]) -> None:
    with engine.fresh_table(RATE_LIMIT_PRINCIPAL="0", POWERTOOLS_METRICS_DISABLED="false"):
        assert scenario.owner.client.get("/api/v1/me").status == 429
    (metric,) = logs.metrics(capfd.readouterr().out)
    assert (metric["RequestsThrottled"], metric["principal"]) == ([1.0], "none")
