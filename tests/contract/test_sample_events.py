"""The sample events: one for each route, named after it, and accepted by it."""

from __future__ import annotations

import json
from pathlib import Path

from governance.instants import now
from tests.harness.client import APIS

EVENTS = Path(__file__).parents[2] / "events"
NAMED = [(group, route) for group, api in APIS.items() for route in api.routes]


def test_every_route_has_a_sample_event_that_matches_it() -> None:
    for group, route in NAMED:
        file = EVENTS / group / f"{route.usecase.__name__}.json"
        event = json.loads(file.read_text(encoding="utf-8"))
        http = event["requestContext"]["http"]
        assert event["version"] == "2.0", file
        assert event["rawPath"] == http["path"], file
        matched, _ = APIS[group].match(http["method"], event["rawPath"])
        assert matched is route, file
        if route.body is not None:
            route.body.model_validate(json.loads(event["body"]), context={"now": now()})


def test_every_sample_event_belongs_to_a_route() -> None:
    expected = {f"{group}/{route.usecase.__name__}.json" for group, route in NAMED}
    groups = {group for group, _ in NAMED}
    files = {str(file.relative_to(EVENTS)) for group in groups for file in (EVENTS / group).glob("*.json")}
    assert files == expected
