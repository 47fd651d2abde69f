"""Runs Arazzo documents in `arazzo-runner`, step by step; stands alone, since it runs in an environment of its own.

`step_by_step.py SERVICE FILE…` reads the session from its input and writes a line of JSON for each file: what failed,
or an empty text, and the seconds it took. The program's own command goes on after a step whose repetitions have all
failed, and exits with 0; and it takes an output that is missing for null.
"""

from __future__ import annotations

import json
import logging
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import requests
from arazzo_runner import ArazzoRunner, WorkflowExecutionStatus

_SECONDS = 30
"""Longest wait for an answer."""


class _Http(requests.Session):
    """Sends requests, each of which may take so long at most."""

    def request(self, *arguments: Any, **named: Any) -> requests.Response:
        return super().request(*arguments, **{"timeout": _SECONDS, **named})


class _Run:
    """A run of one document's workflow."""

    def __init__(self, document: dict[str, Any], api: dict[str, Any], session: str) -> None:
        (source,), (self._workflow,) = document["sourceDescriptions"], document["workflows"]
        self._runner = ArazzoRunner(document, {source["name"]: api}, http_client=_Http())
        given = self._workflow["inputs"]["properties"]
        defaults = {name: schema["default"] for name, schema in given.items() if "default" in schema}
        self._execution = self._runner.start_workflow(self._workflow["workflowId"], {**defaults, "session": session})
        self._state = self._runner.execution_states[self._execution]

    def failure(self) -> str:
        """Returns what failed first; an empty text after the last step."""
        return next(filter(None, map(self._step, self._workflow["steps"])), "")

    def _step(self, step: dict[str, Any]) -> str:
        """Runs a step, as often as it may be repeated, and returns why it failed, or an empty text."""
        result = self._next()
        for _ in range(_repetitions(step)):
            if result["status"] != WorkflowExecutionStatus.RETRY:
                break
            time.sleep(result["retry_after"])
            self._state.goto_step_id = step["stepId"]
            result = self._next()
        outputs = self._state.step_outputs.get(step["stepId"], {})
        if result["status"] != WorkflowExecutionStatus.STEP_COMPLETE or not result["success"]:
            return f"{step['stepId']}: {result.get('error', result['status'])} {outputs}"
        missing = [name for name in step.get("outputs", ()) if outputs.get(name) is None]
        return f"{step['stepId']}: the answer has no {', '.join(missing)}" if missing else ""

    def _next(self) -> dict[str, Any]:
        result: dict[str, Any] = self._runner.execute_next_step(self._execution)
        return result


def _repetitions(step: dict[str, Any]) -> int:
    return sum(action["retryLimit"] for action in step.get("onFailure", ()))


def _run(file: Path, service: str, session: str) -> tuple[str, float]:
    began = time.monotonic()
    document = json.loads(file.read_text(encoding="utf-8"))
    api = _Http().get(document["sourceDescriptions"][0]["url"]).json()
    failure = _Run(document, {**api, "servers": [{"url": service}]}, session).failure()
    return failure, time.monotonic() - began


def main(service: str, files: list[str]) -> None:
    """Runs all files in parallel."""
    logging.disable(logging.CRITICAL)
    session = sys.stdin.read()
    with ThreadPoolExecutor(len(files)) as threads:
        for outcome in threads.map(lambda file: _run(Path(file), service, session), files):
            print(json.dumps(outcome))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
