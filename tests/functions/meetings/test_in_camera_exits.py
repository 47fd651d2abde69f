"""What is said in camera leaves the service for its audience alone, by every way out (ADR in-camera)."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from tests.exports import making
from tests.harness.actors import COLUMNS
from tests.harness.client import Client
from tests.harness.in_camera import CANARY, InCamera, new_in_camera
from tests.harness.outbox import Outbox
from tests.harness.path_resources import PARAMETER
from tests.harness.sample_requests import QUERIES, ROUTES_BY_NAME, sample_request
from tests.harness.stream import event_records, process_records
from tests.harness.table_snapshot import TableSnapshot

_BOARD = "/api/v1/boards/{boardId}"
_MINUTES = f"{_BOARD}/meetings/{{meetingId}}/minutes"
SAYING = {
    f"{_BOARD}/meetings/{{meetingId}}/agenda",
    _MINUTES,
    f"{_MINUTES}/corrections",
    f"{_MINUTES}/remarks",
    f"{_MINUTES}/versions",
    f"{_MINUTES}/versions/{{version}}",
    f"{_BOARD}/backlog",
    f"{_BOARD}/decisions",
}
"""The routes that show the items of agendas and minutes."""
_DOCUMENT = f"{_BOARD}/documents/{{documentId}}"
SAYING_PAPERS = {
    f"{_BOARD}/documents",
    _DOCUMENT,
    f"{_DOCUMENT}/comments",
    f"{_DOCUMENT}/versions",
    f"{_DOCUMENT}/versions/{{versionId}}",
    f"{_DOCUMENT}/versions/{{versionId}}/content",
}
"""The routes that show a paper."""
OUTSIDE = {*COLUMNS} - {"manager", "collaborator"}
CHANGING = sorted(name for name, route in ROUTES_BY_NAME.items() if route.method != "GET" and route.path.count("{") > 1)
READING = sorted(route.path for route in ROUTES_BY_NAME.values() if route.method == "GET")


def _named(scenario: InCamera, path: str) -> list[dict[str, str]]:
    """Returns the ids in a path to what is in camera, for each meeting; none if it names something else, too."""
    parameters, named = PARAMETER.findall(path), []
    for meeting in (scenario.meeting, scenario.later) if "meetingId" in parameters else (scenario.meeting,):
        ids = {**scenario.places, "meetingId": meeting.path.rpartition("/")[2]}
        named += [{name: ids[name] for name in parameters}] if {*parameters} <= {*ids} else []
    return named


def _paths(scenario: InCamera, route: str) -> Iterator[str]:
    """Yields the paths of a route to what is in camera, where it can name that, else one to another resource."""
    paths = [PARAMETER.sub(lambda found: ids[found[1]], route) for ids in _named(scenario, route)]  # noqa: B023
    yield from paths or [sample_request(f"GET {route}", scenario.actors.board).path]


def _saying(scenario: InCamera, clients: dict[str, Client]) -> dict[str, set[str]]:
    """Returns the routes whose response says the word, by the principals that get it."""
    found: dict[str, set[str]] = {name: set() for name in clients}
    for route in READING:
        for path in {*_paths(scenario, route)}:
            for name, client in clients.items():
                answer = client.call("GET", path, query=QUERIES.get(f"GET {route}", ""))
                if CANARY in answer.text:
                    found[name].add(route)
    return found


@pytest.mark.parametrize("audience", [("manager", "collaborator"), ("owner", "guest")])
def test_every_route_says_it_to_the_audience_alone(outbox: Outbox, audience: tuple[str, ...]) -> None:
    scenario = new_in_camera(*audience)
    process_records(event_records(scenario.actors.board.board_id))
    inside = {*audience} | ({"pat_read", "pat_full"} if "owner" in audience else set())
    found = _saying(scenario, scenario.actors.clients)
    assert {name for name, routes in found.items() if routes} == inside
    for name in inside:
        hidden = {f"{_MINUTES}/corrections"} if name == "guest" else set()
        told = {"/api/notification/"} if name == audience[-1] else set()
        assert found[name] == (SAYING | SAYING_PAPERS | told) - hidden, name
    assert outbox.raw
    assert not any(CANARY.encode() in mail for mail in outbox.raw)


@pytest.mark.usefixtures("store", "bucket")
def test_no_answer_to_a_change_says_it_to_others() -> None:
    scenario, said = new_in_camera("manager"), set()
    before, clients = TableSnapshot(), scenario.actors.clients
    for route in CHANGING:
        for named in _named(scenario, ROUTES_BY_NAME[route].path):
            for name in ("owner", "bat_write"):
                answer = sample_request(route, scenario.actors.board, None, **named).by(clients[name])
                said |= {(name, route)} if CANARY in answer.text else set()
                before.restore()
    assert said == set()


@pytest.mark.usefixtures("store")
def test_the_table_has_it_in_items_of_agendas_and_minutes_and_their_papers_alone() -> None:
    """So no event, entry of the log, notification, or meeting says it, and no record of an answer."""
    new_in_camera("manager")
    saying = {sort_key for (_, sort_key), row in TableSnapshot().items.items() if CANARY in str(row)}
    under_meeting = {f"MEETING##{kind}" for kind in ("AGENDA", "MINUTES", "MINUTES_CORRECTION")}
    many = {"MEETING##MINUTES_VERSION#", "MEETING##MINUTES_REMARK#", "BACKLOG#"}
    papers = {"DOCUMENT#", "DOCUMENT##VERSIONS", "DOCUMENT##COMMENT#"}
    assert {re.sub("[0-9a-f]{16,}|[0-9]{3,}", "", sort_key) for sort_key in saying} == under_meeting | many | papers


@pytest.mark.usefixtures("store", "bucket")
@pytest.mark.parametrize(("audience", "says"), [(("manager",), False), (("owner",), True)])
def test_an_export_holds_what_its_maker_sees(audience: tuple[str, ...], says: bool) -> None:
    scenario = new_in_camera(*audience)
    opened = making.export(scenario.actors.board.owner.client, making.of_board(scenario.actors.board))
    parts = {name for name in opened.namelist() if CANARY.encode() in opened.read(name)}
    of_minutes = {f"minutes{part}.ndjson" for part in ("", "_corrections", "_versions", "_remarks")}
    of_papers = {"documents.ndjson", "document_versions.ndjson", "comments.ndjson"}
    assert parts == ({"agendas.ndjson", "backlog.ndjson", *of_minutes, *of_papers} if says else set())
