"""The OpenAPI document against the service: no 5xx, no undocumented answer, no unsound request accepted.

At least 10,000 cases, whoever runs which part; a case is a request, one that a check repeats included. `make fuzz`
goes on with other seeds.
"""

from __future__ import annotations

import itertools
import math

import pytest

from tests.fuzz.actors import CALLERS, new_actors
from tests.fuzz.checks import Findings, fuzz, fuzz_chains
from tests.fuzz.rounds import UNLIMITED
from tests.fuzz.transport import WIRES
from tests.harness.engine import fresh_table
from tests.harness.sample_requests import ROUTE_NAMES

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("engine")]

_CASES = 10_000
_EXAMPLES = 24
_CASES_OF_CHAINS = 500
_CASES_OF_ROUTE = math.ceil((_CASES - len(CALLERS) * _CASES_OF_CHAINS) / len(ROUTE_NAMES))
_FOR_INVITEES = ("accept/{boardInviteId}", "decline/{boardInviteId}", "join/{inviteCode}")
_SECOND = {
    route: "stranger" if route.endswith(_FOR_INVITEES) else CALLERS[1 + place % 3]
    for place, route in enumerate(ROUTE_NAMES)
}
"""Who comes after the owner: everybody has his third of the routes."""


@pytest.mark.parametrize("route", ROUTE_NAMES)
def test_a_route_answers_as_documented_whatever_is_sent(route: str) -> None:
    found = Findings()
    for seed, (caller, wire) in enumerate(itertools.cycle(zip(("owner", _SECOND[route]), WIRES, strict=True))):
        with fresh_table(**UNLIMITED), WIRES[wire]() as load:
            found.add(fuzz(load, route, new_actors(), caller, examples=_EXAMPLES, seed=seed))
        assert found.failures == []
        if seed and found.cases >= _CASES_OF_ROUTE:
            break
    assert any(status < 300 for name, status in found.statuses if name == route), f"never reached: {found.statuses}"


@pytest.mark.parametrize(("caller", "wire"), list(zip(CALLERS, itertools.cycle(WIRES), strict=False)))
def test_chains_of_requests_answer_as_documented(caller: str, wire: str) -> None:
    with fresh_table(**UNLIMITED), WIRES[wire]() as load:
        found = fuzz_chains(load, new_actors(), caller, cases=_CASES_OF_CHAINS, seed=1)
    assert found.failures == []
