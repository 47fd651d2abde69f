"""The workflows that a service publishes run as they are written, in two runners of other makes (`make workflows`)."""

from __future__ import annotations

import json
import re
from collections import Counter
from functools import cache
from typing import Any

import pytest

from infra.openapi.document import FILE
from infra.openapi.workflow import workflows
from infra.tools.workflows import run
from tests.e2e.conftest import Service
from tests.e2e.proxy import proxy_of
from tests.harness.programs import packages, program

pytestmark = pytest.mark.slow
_BOTH = {(runner, name) for runner in ("respect", "arazzo-runner") for name in workflows()}
_CALLS = Counter(step.call for workflow in workflows().values() for step in workflow.steps)
_SPOILED = {
    name: [step for step in workflow.steps if _CALLS[step.call] == 1 and not step.wait][-1]
    for name, workflow in workflows().items()
}
"""The last step of each workflow that is not repeated and calls what no other step does."""


@pytest.fixture(autouse=True)
def _runners() -> None:
    program("node")
    packages(run.REDOCLY.parents[2])
    program(str(run.PYTHON))


@cache
def _addresses() -> list[tuple[str, str]]:
    """Returns the method of each spoiled operation and the pattern of its path."""
    called = {step.call for step in _SPOILED.values()}
    return [
        (method.upper(), re.sub(r"\{\w+\}", "[^/]+", path))
        for path, item in json.loads(FILE.read_text())["paths"].items()
        for method, operation in item.items()
        if method != "parameters" and operation["operationId"] in called
    ]


def _wrong(value: Any) -> Any:
    """Returns a value of the same shape whose texts read backwards and whose truths are lies."""
    if isinstance(value, dict):
        return {name: _wrong(part) for name, part in value.items()}
    if isinstance(value, list):
        return [_wrong(part) for part in value]
    if isinstance(value, bool):
        return not value
    return value[::-1] if isinstance(value, str) else value


def _spoil(method: str, path: str, body: bytes) -> bytes:
    bare = path.partition("?")[0]
    spoiled = any(method == other and re.fullmatch(pattern, bare) for other, pattern in _addresses())
    return json.dumps(_wrong(json.loads(body))).encode() if spoiled else body


def test_every_workflow_succeeds_in_both_runners(service: Service) -> None:
    outcomes = run.run(service.url, service.session("olivia"), service.url)
    assert {outcome: outcome.failure for outcome in outcomes if outcome.failure} == {}
    assert {(outcome.runner, outcome.workflow) for outcome in outcomes} == _BOTH


def test_one_spoiled_answer_fails_a_workflow_in_both_runners_and_the_step_is_named(service: Service) -> None:
    with proxy_of(service.url, spoil=_spoil) as address:
        outcomes = run.run(address, service.session("olivia"), service.url)
    assert {(outcome.runner, outcome.workflow) for outcome in outcomes} == _BOTH
    for outcome in outcomes:
        step = _SPOILED[outcome.workflow].name
        assert re.search(rf"^(\s*✗ .* step )?{step}\b", outcome.failure, re.MULTILINE), outcome
        assert service.session("olivia") not in outcome.failure
