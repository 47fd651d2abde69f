"""Selects the route of the HTTP API for a request: the most specific one that matches (ADR api).

A full match wins over a greedy one, and a greedy one over `$default`. Among equals, a literal segment wins over a
variable, and a route of the request's method over one of any method.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from urllib.parse import unquote

from infra.stack.template import DEFAULT_ROUTE, Route

_LITERAL, _VARIABLE, _GREEDY = 0, 1, 2


@dataclass(frozen=True)
class Match:
    """The route of a request, and the values of its path variables."""

    route: Route
    parameters: dict[str, str]


def select(routes: Iterable[Route], method: str, path: str) -> Match | None:
    """Returns the match for a method and an undecoded path, or None if no route matches."""
    segments = [unquote(segment) for segment in path.split("/")]
    matches = [(rank, route, parameters) for route in routes for rank, parameters in _match(route, method, segments)]
    if not matches:
        return None
    _, route, parameters = min(matches, key=lambda entry: entry[0])
    return Match(route, parameters)


Rank = tuple[bool, bool, list[int], bool]


def _match(route: Route, method: str, segments: list[str]) -> list[tuple[Rank, dict[str, str]]]:
    """Returns the rank (lower wins) and the variables of a route that matches, in a list that is empty otherwise."""
    if route.method not in {"ANY", method}:
        return []
    any_method = route.method == "ANY"
    if route.path == DEFAULT_ROUTE:
        return [((True, True, [], any_method), {})]
    parts, kinds = _shape(route.path)
    greedy = _GREEDY in kinds
    if len(segments) < len(parts) if greedy else len(segments) != len(parts):
        return []
    parameters: dict[str, str] = {}
    for at, (part, kind) in enumerate(zip(parts, kinds, strict=True)):
        value = "/".join(segments[at:]) if kind == _GREEDY else segments[at]
        if value != part if kind == _LITERAL else not value:
            return []
        if kind != _LITERAL:
            parameters[part.strip("{}+")] = value
    return [((False, greedy, kinds, any_method), parameters)]


@cache
def _shape(path: str) -> tuple[list[str], list[int]]:
    """Returns the segments of a pattern with their kinds."""
    parts = path.split("/")
    return parts, [_kind(part) for part in parts]


def _kind(part: str) -> int:
    if not part.startswith("{"):
        return _LITERAL
    return _GREEDY if part.endswith("+}") else _VARIABLE
