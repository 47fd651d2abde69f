"""The benchmark refuses to measure contestants that return different responses."""

import json
from pathlib import Path
from typing import Any, Self, cast

import pytest

from infra.bench import agreement
from infra.bench.contestants import Contestant
from infra.bench.scenario import CREATE, GET, LIST, ROUTES, SESSION, Scenario, case

REJECTED = "expired session"
Responses = dict[tuple[str, str], tuple[int, str]]


class FakeScenario:
    def events(self) -> dict[str, dict[str, Any]]:
        return {}

    def rejected(self) -> dict[str, dict[str, Any]]:
        return {REJECTED: {}}


def check(*names: str, routes: tuple[str, ...] = ROUTES) -> int:
    contestants = [Contestant(name, Path(name), routes=routes) for name in names]
    return agreement.check(contestants, {}, cast("Scenario", FakeScenario()))


@pytest.fixture
def responses(monkeypatch: pytest.MonkeyPatch) -> Responses:
    """Responses by contestant and request, where they are not the usual ones."""
    unusual: Responses = {}

    class FakeWorker:
        def __init__(self, contestant: Contestant, *_: object) -> None:
            self.name = contestant.name

        def __enter__(self) -> Self:
            return self

        def __exit__(self, *_: object) -> None:
            return None

        def response(self, request: str) -> tuple[int, str]:
            usual = (401, "{}") if request == REJECTED else (200, '{"data": {"title": "A"}}')
            return unusual.get((self.name, request), usual)

    monkeypatch.setattr(agreement, "Worker", FakeWorker)
    return unusual


@pytest.mark.usefixtures("responses")
@pytest.mark.parametrize("routes", [ROUTES, (GET,)])
def test_a_contestant_is_sent_its_routes_with_each_credential_and_all_that_it_must_reject(
    routes: tuple[str, ...],
) -> None:
    assert check("ours", "floor", routes=routes) == 2 * (2 * len(routes) + 1)


@pytest.mark.parametrize("response", [(404, "{}"), (200, '{"data": {"title": "B"}}'), (200, '{"data": {}}')])
def test_another_response_than_the_first_contestants_stops_the_benchmark(
    responses: Responses, response: tuple[int, str]
) -> None:
    responses["floor", case(GET, SESSION)] = response
    with pytest.raises(agreement.Disagreement, match="floor, get-one, RS256 session"):
        check("ours", "floor")


def test_a_contestant_that_accepts_a_credential_that_all_must_reject_stops_the_benchmark(responses: Responses) -> None:
    responses["ours", REJECTED] = (200, "{}")
    with pytest.raises(agreement.Disagreement, match="ours, expired session"):
        check("ours", "floor")


def _page(meeting_id: str, cursor: str) -> dict[str, Any]:
    return {"data": [{"id": meeting_id}], "meta": {"nextCursor": cursor}}


def test_generated_values_may_differ_but_not_be_absent() -> None:
    first, second = ({"data": {"id": number, "title": "A", "createdAt": number}} for number in ("1", "2"))
    name = case(CREATE, SESSION)
    assert agreement.comparable(name, json.dumps(first)) == agreement.comparable(name, json.dumps(second))
    del second["data"]["id"]
    assert agreement.comparable(name, json.dumps(first)) != agreement.comparable(name, json.dumps(second))


def test_ids_of_what_is_read_must_be_equal_and_cursors_need_not_be() -> None:
    name = case(LIST, SESSION)
    first, second = (_page("1", cursor) for cursor in ("x", "y"))
    assert agreement.comparable(name, json.dumps(first)) == agreement.comparable(name, json.dumps(second))
    second = _page("2", "y")
    assert agreement.comparable(name, json.dumps(first)) != agreement.comparable(name, json.dumps(second))
