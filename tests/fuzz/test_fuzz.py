"""Tests the service against its OpenAPI document: no 5xx, no undocumented response, no invalid request accepted.

All tests together send at least 6,000 cases; a case is one request, including those that a check repeats.
`make fuzz` continues with other seeds.
"""

from __future__ import annotations

import itertools
import math

import pytest

from tests.fuzz.actors import CALLERS, new_actors
from tests.fuzz.checks import Findings, fuzz, fuzz_chains
from tests.fuzz.transport import TRANSPORTS
from tests.harness.bucket import fresh_bucket
from tests.harness.engine import WITHOUT_RATE_LIMIT, fresh_table
from tests.harness.sample_requests import ROUTE_NAMES

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("engine")]

_CASES = 6_000
_EXAMPLES = 8
_CHAIN_CASES = 200
_ROUTE_CASES = math.ceil((_CASES - len(CALLERS) * _CHAIN_CASES) / len(ROUTE_NAMES))
_NEEDS_A_PACK = "POST /api/v1/boards/{boardId}/meetings/{meetingId}/pack/publication"
"""No worker makes a pack here; tests/packs/test_publication.py reaches it."""
_OF_BUCKETS = {"AWS_ACCESS_KEY_ID": "local", "AWS_SECRET_ACCESS_KEY": "local"}
"""What the engine's buckets ask for."""
_MOST_ROUNDS = 9
"""After so many a route that never succeeded is one that no random request reaches."""
_FOR_INVITEES = ("accept/{boardInviteId}", "decline/{boardInviteId}", "join/{inviteCode}")
_SECOND_CALLER = {
    route: "stranger" if route.endswith(_FOR_INVITEES) else CALLERS[1 + position % 3]
    for position, route in enumerate(ROUTE_NAMES)
}
"""The caller after the owner: each of the others has a third of the routes."""


@pytest.mark.parametrize("route", ROUTE_NAMES)
def test_a_route_responds_as_documented(route: str) -> None:
    """The owner sends the boundary values too, over HTTP for every second route; they are judged before the caller."""
    findings = Findings()
    transports = sorted(TRANSPORTS, reverse=bool(ROUTE_NAMES.index(route) % 2))
    for seed, (caller, transport) in enumerate(
        itertools.cycle(zip(("owner", _SECOND_CALLER[route]), transports, strict=True))
    ):
        with fresh_table(**WITHOUT_RATE_LIMIT, **_OF_BUCKETS), fresh_bucket(), TRANSPORTS[transport]() as load:
            findings.add(fuzz(load, route, new_actors(), caller, examples=_EXAMPLES, seed=seed, boundaries=seed == 0))
        assert findings.failures == []
        is_reached = any(status < 300 for name, status in findings.statuses if name == route)
        if seed and findings.cases >= _ROUTE_CASES and (is_reached or seed >= _MOST_ROUNDS):
            break
    assert is_reached or route == _NEEDS_A_PACK, f"never reached: {findings.statuses}"


@pytest.mark.parametrize(("caller", "transport"), list(zip(CALLERS, itertools.cycle(TRANSPORTS), strict=False)))
def test_chains_of_requests_respond_as_documented(caller: str, transport: str) -> None:
    with fresh_table(**WITHOUT_RATE_LIMIT, **_OF_BUCKETS), fresh_bucket(), TRANSPORTS[transport]() as load:
        findings = fuzz_chains(load, new_actors(), caller, cases=_CHAIN_CASES, seed=1)
    assert findings.failures == []
