"""The contract of a route: its use case takes what it declares, in one order, and returns what its shape answers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, get_args, get_origin, get_type_hints

from governance.instants import now
from governance.models.page import JsonArrayStream, Page
from governance.usecases.context import Context
from tests.harness.client import APIS
from tests.harness.sample_requests import ROUTES_BY_NAME


def test_a_use_case_takes_the_context_what_it_finds_what_it_prefetches_the_body_and_the_query() -> None:
    taken, supplied = {}, {}
    for name, route in ROUTES_BY_NAME.items():
        hints = get_type_hints(route.usecase)
        del hints["return"]
        taken[name] = [*hints.values()]
        given = [get_type_hints(supply)["return"] for supply in (*route.declared.finders, *route.declared.prefetch)]
        supplied[name] = [Context, *given, *(part for part in (route.body, route.query) if part is not None)]
    assert taken == supplied


def test_a_list_is_answered_as_a_list_and_one_resource_as_one() -> None:
    shapes = {Page: {"array", "collection"}, JsonArrayStream: {"array", "bare"}}
    wrong: dict[str, Any] = {}
    for name, route in ROUTES_BY_NAME.items():
        returned = get_type_hints(route.usecase)["return"]
        if route.shape not in shapes.get(get_origin(returned), {"bare", "data"}):
            wrong[name] = route.shape
        if route.response_model not in {returned, *get_args(returned)}:
            wrong[name] = route.response_model
    assert wrong == {}


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
