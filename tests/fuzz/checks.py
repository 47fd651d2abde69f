"""Runs schemathesis on one route, or on chains of routes, with all of its checks."""

from __future__ import annotations

import itertools
import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from schemathesis.config import SchemathesisConfig
from schemathesis.engine import events, from_schema

from governance.http.route import Route
from tests.fuzz.actors import Actors
from tests.fuzz.targeting import TargetResources, target_chains, target_route
from tests.fuzz.transport import Load
from tests.harness.sample_requests import ROUTES_BY_NAME

_PEERS = ["owner", "stranger"]
"""Callers who must not see each other's resources; members of one board may."""
_CHAINS, _STEPS = 12, 40
_WITHOUT_JOINING = {"path_regex": "^(?!/api/invite/join/|.*/rsvp$|.*/due$|.*/bounce-flag$)"}
"""In chains the stranger does not join: the owner may see what a member creates. Nor does anybody take an answer to a
meeting back: the list of answers has an address that begins like the answer's, and goes on
existing. A due date has no address that could be read, and a person who was just added has no flag to dismiss."""
_SHARED_PATHS = ("/api/invite/all-boards", "/api/invite/sent", "/api/notification/preferences")
_STATES = ["2xx", "3xx", "401", "403", "404", "409", "412", "429", "5xx"]
"""What a valid request may get besides success, by the state that it meets."""
_RULES_BEYOND_SCHEMAS = ["2xx", "3xx", "400", "401", "403", "404", "409", "412", "429"]
_REFUSALS = ["400", "401", "403", "404", "405", "409", "412", "413", "429"]
"""What an invalid request gets; one with very many items or characters is too large before it is read."""


def _checks(route: Route | None) -> dict[str, Any]:
    """Returns the configuration of the checks, with the reason for every restriction."""
    collected: dict[str, Any] = {"negative_data_rejection": {"expected-statuses": _REFUSALS}}
    if route is not None and not _takes_input(route):
        collected["positive_data_acceptance"] = {"expected-statuses": _STATES}
    else:
        # A value can match its schema and break a rule that no schema expresses: an end before its start, a cursor.
        collected["positive_data_acceptance"] = {"expected-statuses": _RULES_BEYOND_SCHEMAS}
    if route is None or route.path in _SHARED_PATHS:
        # Another route with an id in that position serves the path too; the document lists its methods only there.
        collected["allow_header_conformance"] = {"enabled": False}
    return collected


def _takes_input(route: Route) -> bool:
    """Returns whether a request may be refused for what it says; the generator writes numbers into headers for tags."""
    return route.body is not None or route.query is not None or route.tagged or route.current is not None


@dataclass
class Findings:
    """What each route answered, and every failed check."""

    statuses: Counter[tuple[str, int]] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)

    @property
    def cases(self) -> int:
        return sum(self.statuses.values())

    def add(self, other: Findings) -> None:
        self.statuses += other.statuses
        self.failures += other.failures


def fuzz(
    load: Load, route: str, actors: Actors, caller: str, *, examples: int, seed: int, boundaries: bool = True
) -> Findings:
    """Sends examples and random cases of one route, valid and invalid, and the values at its boundaries."""
    method, path = route.split(" ")
    phases: dict[str, Any] = {"stateful": {"enabled": False}, "coverage": {"enabled": boundaries}}
    if not _takes_input(ROUTES_BY_NAME[route]):
        # Only the credential could be invalid, and the boundary values cover that.
        phases["fuzzing"] = {"generation": {"mode": "positive"}}
    config = {"checks": _checks(ROUTES_BY_NAME[route]), "phases": phases, "generation": {"max-examples": examples}}
    target_route(TargetResources(actors, caller, route))
    return _run(load, config | {"seed": seed}, actors.bearers, caller, {"path": path, "method": method})


def fuzz_chains(load: Load, actors: Actors, caller: str, *, cases: int, seed: int) -> Findings:
    """Sends chains of requests along the document's links: one request creates what the next ones read or change.

    A run ends early if a response depends on more than its chain, so runs repeat until `cases` requests were sent.
    """
    phases = {
        **{name: {"enabled": False} for name in ("examples", "coverage", "fuzzing")},
        "stateful": {
            "max-steps": _STEPS,
            # Invalid requests are tested route by route; in a chain they would only end it.
            "generation": {"mode": "positive"},
            # The document declares the links; inferred ones would connect unrelated operations.
            "inference": {"algorithms": []},
        },
    }
    config = {"checks": _checks(None), "phases": phases, "generation": {"max-examples": _CHAINS}}
    target_chains(TargetResources(actors, caller, ""))
    collected = Findings()
    for run in itertools.count():
        collected.add(_run(load, config | {"seed": seed + run}, actors.bearers, caller, _WITHOUT_JOINING))
        if collected.failures or collected.cases >= cases:
            return collected
    raise AssertionError


def _run(load: Load, config: dict[str, Any], bearers: Mapping[str, str], caller: str, only: dict[str, str]) -> Findings:
    findings = Findings()
    with TemporaryDirectory() as folder:
        users = Path(folder) / "users.json"
        users.write_text(json.dumps({"auth": [_user(name, bearer) for name, bearer in bearers.items()]}))
        auth = {"wfc": {"path": str(users), "user": caller, "peers": _PEERS}}
        schema = load(SchemathesisConfig.from_dict(config | {"auth": auth}))
    for event in from_schema(schema.include(**only)).execute():
        _record(event, findings)
    return findings


def _user(name: str, bearer: str) -> dict[str, Any]:
    return {"name": name, "fixedHeaders": [{"name": "Authorization", "value": f"Bearer {bearer}"}]}


def _record(event: Any, findings: Findings) -> None:
    if isinstance(event, events.NonFatalError | events.FatalError):
        findings.failures.append(repr(event))
    if not isinstance(event, events.ScenarioFinished):
        return
    for case_id, exchanged in event.recorder.interactions.items():
        if exchanged.response is not None:
            route = event.recorder.cases[case_id].value.operation.label
            findings.statuses[(route, exchanged.response.status_code)] += 1
    for checks in event.recorder.checks.values():
        for check in checks:
            if check.failure_info is not None:
                failure = check.failure_info.failure
                findings.failures.append(f"{failure.title}: {failure.message}\n{check.failure_info.code_sample}")
