"""What the evaluation of access says equals what the routes do: every cell of `authorization.txt`, both directions.

`test_authorization.py` shows that the table is what the routes do. Every use case of an item declares what finds it.
"""

from __future__ import annotations

import re

import pytest

from governance.http.route import Access
from infra.openapi.links import operation_id
from tests.contract.access_table import Row, format_cell
from tests.contract.shared_board import TABLE, RouteInState, SharedBoard
from tests.harness.actors import COLUMNS
from tests.harness.client import Client, Response
from tests.harness.resource_states import STATES
from tests.harness.sample_requests import ROUTE_NAMES, ROUTES_BY_NAME, SampleRequest
from tests.harness.store_calls import count_store_calls

CANNOT_ASK = {"anonymous", "broken", "suspended", "inactive"}
"""Who gets 401 or 403 from the evaluation itself; a public route does not look at them."""
ENDED_WITH_THE_BOARD = {"bat_read", "bat_write"}
"""Whose token is unknown once the board is deleted."""
REFUSALS = {
    "U": "UNAUTHENTICATED",
    "B": "BILLING_RESTRICTED",
    "C": "INVALID_INVITE_CODE",
    "403": "FORBIDDEN",
    "404": "RESOURCE_NOT_FOUND",
}
ADMITTED = {"200", "201", "M", "N", "R", "D", "V", "P", "O", "L", "K", "J", "Q"}
"""Success, the conflicts, and a year that is none: neither the state of a resource nor a value is checked."""
SAMPLE = {
    "DELETE /api/v1/boards/{boardId}/documents/{documentId}": ("valid", "absent", "committee", "restricted"),
    "DELETE /api/v1/boards/{boardId}/members/{memberId}": ("valid", "self", "restricted-self"),
    "GET /api/v1/guest/{token}": ("valid", "closed"),
    "PATCH /api/action-items/{actionItemId}/status": ("valid", "draft"),
    "POST /api/v1/boards/{boardId}/meetings/{meetingId}/slots/{slotId}/confirm": ("valid", "draft", "finalized"),
    "PUT /api/invite/join/{inviteCode}": ("valid", "code-off"),
}


def ask(route: str, request: SampleRequest, client: Client) -> Response:
    action, resource = {"name": operation_id(ROUTES_BY_NAME[route])}, {"type": "route", "id": request.path}
    return client.post("/api/v1/access/evaluation", {"action": action, "resource": resource})


def said(response: Response) -> str:
    """What an evaluation said: as in the table, or the code of the refusal."""
    if response.status != 200:
        return format_cell(response)
    answer = response.json
    assert answer["decision"] is (answer["context"] is None)
    return "admitted" if answer["decision"] else str(answer["context"]["code"])


def expected(cell: str) -> str:
    return "admitted" if cell in ADMITTED else REFUSALS.get(cell, cell)


def cells(route: str, state: str) -> Row:
    """The cells that a path without its query has: a link of an invitation without its token is as any other."""
    return TABLE[route]["valid" if state == "linked" else state]


def check(shared_board: SharedBoard, route: str, state: str) -> None:
    try:
        _check(shared_board, route, state)
    finally:
        shared_board.before.restore()


def _check(shared_board: SharedBoard, route: str, state: str) -> None:
    case = RouteInState(shared_board, route, state)
    if case.shared is None:
        assert state not in TABLE[route]
        return
    unable = CANNOT_ASK | (ENDED_WITH_THE_BOARD if state == "deleted-board" else set())
    skipped = unable if ROUTES_BY_NAME[route].admission.scope is Access.PUBLIC else set()
    hidden = set()
    for number, column in enumerate(COLUMNS):
        if column in skipped:
            continue
        request = case.own.get(column) or case.shared
        with count_store_calls(shared_board.pool) as calls:
            response = ask(route, request, shared_board.actors.clients[column])
        cell = cells(route, state)[number]
        wanted = cell if column in CANNOT_ASK else expected(cell)
        place = f"{route}, {state}, {column}: the route's row in tests/contract/authorization.txt says {cell}"
        assert said(response) == wanted, place
        assert "TransactWriteItems" not in calls.sequential + calls.concurrent
        if response.status == 200 and (response.json["context"] or {}).get("status") == 404:
            hidden.add(str(response.json["context"]))
    assert len(hidden) <= 1, f"{route}, {state}: {hidden}"


@pytest.mark.parametrize(("route", "state"), [(route, state) for route, states in SAMPLE.items() for state in states])
def test_an_evaluation_says_what_the_route_does(route: str, state: str, shared_board: SharedBoard) -> None:
    check(shared_board, route, state)


@pytest.mark.slow
@pytest.mark.parametrize("route", ROUTE_NAMES)
def test_an_evaluation_says_what_the_route_does_in_every_cell(route: str, shared_board: SharedBoard) -> None:
    for state in STATES:
        check(shared_board, route, state)


_PARAMETER = re.compile(r"\{(\w+)\}")
OF_THE_PATH = {"boardId", "inviteCode"}
"""What the steps before the use case find."""


def test_a_route_that_names_an_item_declares_its_finders() -> None:
    naming = {name for name in ROUTE_NAMES if {*_PARAMETER.findall(name)} - OF_THE_PATH}
    assert [name for name in naming if not ROUTES_BY_NAME[name].declared.finders] == []


def test_an_item_that_is_found_with_its_board_is_what_its_use_case_receives() -> None:
    declared = [ROUTES_BY_NAME[name].declared for name in ROUTE_NAMES]
    with_board = [use_case for use_case in declared if use_case.resolve_board]
    assert with_board
    assert all(use_case.find_with_board is use_case.finders[0] for use_case in with_board)
