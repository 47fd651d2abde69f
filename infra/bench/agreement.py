"""Checks that all contestants return the same responses, before anything is measured."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from infra.bench.contestants import Contestant
from infra.bench.scenario import CREATE, CREDENTIALS, Scenario, case
from infra.bench.warm import Worker

_UNAUTHORIZED = 401
_ALWAYS_OWN = frozenset({"nextCursor"})
_CREATED_OWN = _ALWAYS_OWN | {"id", "createdAt", "updatedAt"}


class Disagreement(Exception):
    """A contestant returned another response than the others."""


def check(contestants: Iterable[Contestant], environment: Mapping[str, str], scenario: Scenario) -> int:
    """Sends the requests that it serves and every credential to reject to each contestant; returns how many were sent.

    Raises `Disagreement` with the contestant, the request and both responses.
    """
    events, rejected = scenario.events(), scenario.rejected()
    expected: dict[str, Any] = dict.fromkeys(rejected, _UNAUTHORIZED)
    sent = 0
    for contestant in contestants:
        with Worker(contestant, environment, events | rejected) as worker:
            for name in (*_cases(contestant), *rejected):
                status, body = worker.response(name)
                response = status if name in rejected else (status, comparable(name, body))
                if response != expected.setdefault(name, response):
                    raise Disagreement(f"{contestant.name}, {name}: {response}, expected {expected[name]}")
                sent += 1
    return sent


def _cases(contestant: Contestant) -> list[str]:
    return [case(route, credential) for route in contestant.routes for credential in CREDENTIALS]


def comparable(name: str, body: str) -> Any:
    """Returns a response's content; values that each contestant generates itself are replaced by their types."""
    return _without(_CREATED_OWN if name.startswith(CREATE) else _ALWAYS_OWN, json.loads(body))


def _without(own: frozenset[str], value: Any) -> Any:
    if isinstance(value, list):
        return [_without(own, one) for one in value]
    if isinstance(value, dict):
        return {name: type(one) if name in own else _without(own, one) for name, one in value.items()}
    return value
