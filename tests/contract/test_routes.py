"""The contract of a route: its use case takes what it declares, in one order, and returns what its shape answers."""

from __future__ import annotations

from typing import Any, get_args, get_origin, get_type_hints

from governance.models.page import JsonArrayStream, Page
from governance.usecases.context import Context
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
