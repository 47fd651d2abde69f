"""The contract of a route: what it declares is what its use case takes and returns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, get_args, get_origin, get_type_hints

import pytest

from governance.http.route import Route
from governance.models.page import JsonArrayStream, Page
from governance.usecases.context import Context, Outcome
from tests.harness.sample_requests import ROUTE_NAMES, ROUTES_BY_NAME


@dataclass(frozen=True)
class Signature:
    """The types of a use case's parameters, in order, and of what it returns."""

    parameters: Sequence[Any]
    returned: Any


def signature(route: Route) -> Signature:
    hints = get_type_hints(route.usecase)
    returned = hints.pop("return")
    return Signature([*hints.values()], returned)


def response_of(returned: Any) -> Any:
    """What a use case answers, apart from the writes that make it true."""
    return get_args(returned)[0] if get_origin(returned) is Outcome else returned


@pytest.mark.parametrize("name", ROUTE_NAMES)
def test_a_use_case_takes_the_context_its_prefetches_the_body_and_the_query(name: str) -> None:
    route = ROUTES_BY_NAME[name]
    prefetched = [get_type_hints(read)["return"] for read in route.prefetch]
    declared = [part for part in (route.body, route.query) if part is not None]
    assert signature(route).parameters == [Context, *prefetched, *declared]


@pytest.mark.parametrize("name", ROUTE_NAMES)
def test_a_route_answers_what_its_use_case_returns(name: str) -> None:
    route = ROUTES_BY_NAME[name]
    response = response_of(signature(route).returned)
    if response is JsonArrayStream:
        assert route.shape in {"array", "bare"}
    elif get_origin(response) is Page:
        assert route.shape in {"array", "collection"}
        assert get_args(response) == (route.response_model,)
    else:
        assert route.shape in {"bare", "data"}
        assert response == route.response_model


@pytest.mark.parametrize("name", [name for name in ROUTE_NAMES if name.startswith("GET ")])
def test_a_route_that_reads_declares_no_body(name: str) -> None:
    assert ROUTES_BY_NAME[name].body is None
