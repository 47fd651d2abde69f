"""The OpenAPI document against the service: no 5xx, no undocumented answer, no unsound request accepted."""

from __future__ import annotations

import pytest

from tests.fuzz.target import fuzz, serving
from tests.harness.outbox import Outbox, outbox
from tests.harness.routes import ROUTE_NAMES
from tests.harness.world import World, new_world

__all__ = ["outbox"]
pytestmark = pytest.mark.slow


@pytest.mark.parametrize("route", ROUTE_NAMES)
@pytest.mark.parametrize("user", ["owner", "stranger"])
def test_a_route_answers_as_documented_whatever_is_sent(route: str, user: str, world: World, outbox: Outbox) -> None:
    del outbox
    bearer = world.owner.client.bearer if user == "owner" else new_world("oscar").owner.client.bearer
    assert bearer is not None
    with serving() as url:
        findings = fuzz(url, route, world, bearer, examples=4 if user == "owner" else 1, seed=7)
    assert findings.failures == []
    assert findings.cases > 0
