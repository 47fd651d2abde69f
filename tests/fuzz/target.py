"""The service behind a port of its own, and schemathesis let loose on one route of it.

Ids in paths are mostly those of things that are there, made anew where a request may have removed them: otherwise
nearly every case would end at a 404.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import schemathesis
from schemathesis.config import SchemathesisConfig
from schemathesis.engine import events, from_schema

from infra.local.engine import free_port
from infra.local.gateway import Gateway
from infra.local.server import Server
from infra.local.template import Template
from infra.openapi.document import document
from tests.harness.routes import Things
from tests.harness.world import World

_LEFT_AS_IT_IS = 8
_SHARED_PATHS = ("/api/invite/all-boards", "/api/invite/sent", "/api/notification/preferences")
"""Paths that a route with an id in that place serves too, with methods that the document lists only there."""
_CHECKS = {
    # A value that fits its schema may still break a rule that no schema can say: an end before its start, a slot past.
    "positive_data_acceptance": {"enabled": False},
}


@dataclass
class Findings:
    """What the cases of a route were answered, and every failed check."""

    statuses: Counter[int] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)

    @property
    def cases(self) -> int:
        return sum(self.statuses.values())


@contextmanager
def serving() -> Iterator[str]:
    """The gateway and all handlers on a free port; its URL."""
    server = Server("127.0.0.1", free_port(), Gateway(Template()).handle)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.stop()
    thread.join()


def fuzz(url: str, route: str, world: World, bearer: str, *, examples: int, seed: int) -> Findings:
    """Examples, boundary values and random cases of one route, sound and unsound, under every check."""
    method, path = route.split(" ")
    config = {
        "base-url": url,
        "seed": seed,
        "checks": _CHECKS | ({"allow_header_conformance": {"enabled": False}} if path in _SHARED_PATHS else {}),
        "phases": {"stateful": {"enabled": False}},
        "generation": {"max-examples": examples},
    }
    schema = schemathesis.openapi.from_dict(document(), config=SchemathesisConfig.from_dict(config))
    schema.auth()(_bearer(bearer))
    _aim(Things(world, world.owner, route), method)
    findings = Findings()
    for event in from_schema(schema.include(path=path, method=method)).execute():
        _note(event, findings)
    return findings


def _bearer(token: str) -> type:
    class Bearer:
        def get(self, _case: Any, _context: Any) -> str:
            return token

        def set(self, case: Any, data: str, _context: Any) -> None:
            case.headers["Authorization"] = f"Bearer {data}"

    return Bearer


def _aim(things: Things, method: str) -> None:
    """Let most cases name things that are there; schemathesis takes such a hook for the whole process only."""
    schemathesis.hooks.unregister_all()
    seen = Counter[str]()

    @schemathesis.hook
    def before_call(_context: Any, case: Any, _kwargs: Any) -> None:
        seen["cases"] += 1
        if not case.path_parameters or seen["cases"] % _LEFT_AS_IT_IS == 0:
            return
        if method == "DELETE":
            things.clear()
        case.path_parameters = {name: things[name] for name in case.path_parameters}


def _note(event: Any, findings: Findings) -> None:
    if isinstance(event, events.NonFatalError | events.FatalError):
        findings.failures.append(repr(event))
    if not isinstance(event, events.ScenarioFinished):
        return
    for exchanged in event.recorder.interactions.values():
        if exchanged.response is not None:
            findings.statuses[exchanged.response.status_code] += 1
    for checks in event.recorder.checks.values():
        for check in checks:
            if check.failure_info is not None:
                failure = check.failure_info.failure
                findings.failures.append(f"{failure.title}: {failure.message}\n{check.failure_info.code_sample}")
