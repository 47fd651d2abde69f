"""`make workflows`: runs the workflows that a service publishes in Redocly's `respect` and in `arazzo-runner`.

They work on boards that they make, as the user whose session SESSION is, by default the owner of the demo boards of
`make run`. All run in parallel, because most of the time is waiting. The address of the service may be another than
the documents name, such as that of a proxy.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from infra.openapi import arazzo
from infra.stack import env_file
from infra.stack.template import ROOT

REDOCLY = ROOT / ".local/npm-openapi/node_modules/.bin/redocly"
PYTHON = ROOT / ".venv-workflows/bin/python"
_STEP_BY_STEP = Path(__file__).with_name("step_by_step.py")
_OWNER = "olivia@"
_PROCESSES = 4
"""How many `respect` run at once: each takes a second of one core and 150 MB to read the API document."""
_LONGEST_SECONDS = 300


@dataclass(frozen=True)
class Outcome:
    """What a runner made of a workflow."""

    runner: str
    workflow: str
    failure: str
    """What it says of the step that failed; empty if every step succeeded."""
    seconds: float


def run(service: str, session: str, root_url: str) -> list[Outcome]:
    """Runs the documents that are served at `root_url` with the service at an address, in both runners."""
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(_PROCESSES + 1) as threads:
        files = [_downloaded(f"{root_url}{path}", Path(folder)) for path in arazzo.texts(root_url)]
        stepped = threads.submit(_step_by_step, files, service, session)
        respected = threads.map(lambda file: _respect(file, service, session), files)
        return [*respected, *stepped.result()]


def _downloaded(address: str, folder: Path) -> Path:
    file = folder / address.rpartition("/")[2]
    with urllib.request.urlopen(address, timeout=30) as response:  # noqa: S310 - http and https alone, see main
        file.write_bytes(response.read())
    return file


def _respect(file: Path, service: str, session: str) -> Outcome:
    """Runs a document in `respect`, which gets the session by its environment, where no list of processes shows it."""
    began = time.monotonic()
    environment = {
        **os.environ,
        "REDOCLY_TELEMETRY": "off",
        "REDOCLY_CLI_RESPECT_INPUT": json.dumps({"session": session}),
    }
    ended = subprocess.run(  # noqa: S603 - our own programs
        [str(REDOCLY), "respect", str(file), "--server", f"{arazzo.SOURCE}={service}"],
        env=environment,
        capture_output=True,
        text=True,
        timeout=_LONGEST_SECONDS,
        check=False,
    )
    said = (ended.stdout + ended.stderr).replace(session, "***")
    failure = "" if ended.returncode == 0 else said
    return Outcome("respect", _name(file), failure, time.monotonic() - began)


def _step_by_step(files: list[Path], service: str, session: str) -> Iterator[Outcome]:
    """Runs documents in `arazzo-runner`, which has an environment of its own."""
    ended = subprocess.run(  # noqa: S603 - our own programs
        [str(PYTHON), str(_STEP_BY_STEP), service, *map(str, files)],
        input=session,
        capture_output=True,
        text=True,
        timeout=_LONGEST_SECONDS,
        check=False,
    )
    lines = [json.loads(line) for line in ended.stdout.splitlines()]
    if ended.returncode != 0 or len(lines) != len(files):
        raise SystemExit(f"arazzo-runner ended early: {ended.stderr.replace(session, '***')}")
    for file, (failure, seconds) in zip(files, lines, strict=True):
        yield Outcome("arazzo-runner", _name(file), failure.replace(session, "***"), seconds)


def _name(file: Path) -> str:
    return file.name.removesuffix(".arazzo.json")


def _demo_session() -> str:
    """Returns the session of the demo boards' owner on the service that runs on this machine; empty if none does."""
    demo = env_file.state_of_service() / "demo.json"
    users = json.loads(demo.read_text(encoding="utf-8"))["users"] if demo.exists() else []
    return next((user["session"] for user in users if user["email"].startswith(_OWNER)), "")


def main(arguments: list[str]) -> int:
    """Runs the workflows of the service at the URL given and prints a line for each; returns the exit code."""
    service = arguments[0].rstrip("/") if arguments else env_file.read().get("ROOT_URL", "")
    session = os.environ.get("SESSION") or _demo_session()
    if not service.startswith(("http://", "https://")) or not session:
        print("Name the service and a session of a user: make workflows URL=https://… SESSION=…", file=sys.stderr)
        return 2
    began = time.monotonic()
    outcomes = run(service, session, service)
    for outcome in sorted(outcomes, key=lambda outcome: (outcome.workflow, outcome.runner)):
        print(
            f"{'failed' if outcome.failure else 'ok':7}{outcome.seconds:5.1f} s  {outcome.workflow:26}{outcome.runner}"
        )
    for outcome in outcomes:
        if outcome.failure:
            print(f"\n{outcome.workflow} in {outcome.runner}:\n{outcome.failure}")
    print(f"{len(outcomes)} runs in {time.monotonic() - began:.0f} s")
    return 1 if any(outcome.failure for outcome in outcomes) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
