"""Compares every route, for every principal and resource state, with the table in `authorization.txt`.

All requests go to one board, which is restored after each request that is granted. The tests also check that a refusal
changes nothing and that a hidden resource looks like an absent one.
"""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from tests.contract.access_table import format_rows
from tests.contract.shared_board import TABLE, Observation, SharedBoard, format_observations, observe
from tests.harness.actors import COLUMNS
from tests.harness.resource_states import STATES
from tests.harness.sample_requests import ROUTE_NAMES, ROUTES_BY_NAME

_ENDED = {"deleted-board", "closed", "replaced", "expired"}
_MISSED_EARLIER = {
    "GET /api/v1/boards/{boardId}/audit/{entryId}/proof": {"no-board", "deleted-board", "foreign-board"},
    "PATCH /api/board/{boardId}/action-items/{actionItemId}": {"no-board", "deleted-board", "foreign-board"},
    **{
        f"{method} /api/v1/boards/{{boardId}}/resolutions/{{resolutionId}}/recusals/{{userId}}": {"draft", "committee"}
        for method in ("DELETE", "PUT")
    },
    "POST /api/v1/boards/{boardId}/meetings/{meetingId}/minutes/signed-file/{versionId}/complete": {
        *("no-board", "deleted-board", "foreign-board", "draft"),
    },
    "PUT /api/v1/guest/{token}/slots/{slotId}/vote": {*_ENDED, "no-parent", "draft"},
    "GET /api/v1/paper/{paperToken}": {*_ENDED, "absent"},
    "POST /api/v1/paper/{paperToken}/versions": {*_ENDED, "absent"},
    "POST /api/v1/paper/{paperToken}/versions/{versionId}/complete": {*_ENDED, "no-parent"},
}
"""Routes that look the last resource up in a second step, with the states that never reach that step."""
_BOARD_STATES = frozenset({"no-board", "deleted-board", "foreign-board"})
"""States that end before a use case's prefetch, which follows the check of the board (ADR requests)."""

_IF_MEANT = (
    "if that is meant, change authorization.txt and what infra/openapi/reference says of who may call the route; "
    "the rows of its other states are compared by a slow test (pytest -m slow, with the path of this file)"
)


def test_the_table_lists_exactly_the_routes() -> None:
    assert sorted(TABLE) == ROUTE_NAMES


@pytest.mark.parametrize("route", ROUTE_NAMES)
def test_a_route_admits_the_callers_in_the_table(route: str, shared_board: SharedBoard) -> None:
    observed = format_observations(observe(shared_board, route, "valid"))
    assert observed == format_rows({"valid": TABLE[route]["valid"]}), _IF_MEANT


@pytest.mark.slow
@pytest.mark.parametrize("route", ROUTE_NAMES)
def test_a_route_responds_as_in_the_table_in_every_state(route: str, shared_board: SharedBoard) -> None:
    observed = observe(shared_board, route, *STATES)
    assert format_observations(observed) == format_rows(TABLE[route]), _IF_MEANT
    for column in COLUMNS:
        check_hidden_looks_absent({state: row[column] for state, row in observed.items()}, route, column)


def check_hidden_looks_absent(observed: Mapping[str, Observation], route: str, column: str) -> None:
    """Asserts that a caller's 404 responses are identical, and that hidden and absent resources cost the same calls."""
    costs: dict[str, set[str]] = {}
    unknown = {state: observation for state, observation in observed.items() if observation.response.status == 404}
    for state, observation in unknown.items():
        assert observation.visible == next(iter(unknown.values())).visible, (
            f"{route} by {column}: {state} has another body"
        )
        if state != "malformed":
            costs.setdefault(_step_that_misses(route, state), set()).add(str(observation.calls))
    assert all(len(calls) == 1 for calls in costs.values()), f"{route} by {column}: {costs}"


def _step_that_misses(route: str, state: str) -> str:
    if state in _MISSED_EARLIER.get(route, set()):
        return "parent"
    return "board" if state in _BOARD_STATES and ROUTES_BY_NAME[route].declared.prefetch else "resource"
