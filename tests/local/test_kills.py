"""`make run` and its engine, killed together again and again under writes: nothing that is five seconds old is lost.

KILLS says how often (3); SEED makes a run repeatable in what it draws. Every other kill is at a change of a file, which
may be one of a start; the others are at a random instant.
"""

from __future__ import annotations

import http.client
import json
import os
import random
import secrets
import signal
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from contextlib import suppress
from dataclasses import dataclass, field
from http import HTTPStatus
from pathlib import Path
from typing import Any

import pytest

from infra.stack import env_file
from tests.harness import local_run
from tests.harness.local_run import Run

KILLS = int(os.environ.get("KILLS", "3"))
SEED = int(os.environ.get("SEED", "1"))
KEPT_SECONDS = 5.0
_MOST_MEETINGS = 12
"""A user gets twenty mails in an hour, some of them by the demo data."""
_MOST_CHANGES = 300
_MOST_SECONDS = 8.0
_IDLE_SECONDS = 120
"""Seconds in which a service handles something, on a busy machine too."""
_SCHEDULED = {"status": "scheduled", "startTime": "2098-03-03T09:00:00Z", "endTime": "2098-03-03T10:00:00Z"}
_KILLER = Path(__file__).with_name("killed")
_LIMITS = dict.fromkeys(("RATE_LIMIT_PRINCIPAL", "RATE_LIMIT_ADDRESS", "RATE_LIMIT_FLOOD"), "1000000")


@dataclass
class Writer:
    """A user who writes as fast as the service answers, and what was acknowledged when."""

    state: Path
    token: str
    board: str
    boards: dict[str, float] = field(default_factory=dict)
    meetings: dict[str, float] = field(default_factory=dict)
    run: Run | None = None
    ended: threading.Event = field(default_factory=threading.Event)

    def call(self, path: str, body: Any = None) -> Any:
        """Returns the data of an answer. Raises `OSError`, or `HTTPException` for half an answer, if there is none."""
        assert self.run is not None
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.run.port}{path}",
            None if body is None else json.dumps(body).encode(),
            {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"},
        )
        with urllib.request.urlopen(request, timeout=30) as answer:  # noqa: S310
            return json.load(answer)

    def write(self) -> None:
        """Makes boards, and first a meeting, of which the members of its board are told by mail."""
        with suppress(OSError, ValueError, http.client.HTTPException):
            for number in range(1_000_000):
                if self.ended.is_set():
                    return
                if number == 0 and len(self.meetings) < _MOST_MEETINGS:
                    title = f"Kept {secrets.token_hex(4)}"
                    self.call(f"/api/v1/boards/{self.board}/meetings", {"title": title, **_SCHEDULED})
                    self.meetings[title] = time.monotonic()
                board = self.call("/api/v1/boards", {"name": f"Kept {number}"})["data"]["id"]
                self.boards[board] = time.monotonic()

    def forget_after(self, instant: float) -> None:
        """Forgets what was acknowledged too late before a kill: it may be lost."""
        for kept in (self.boards, self.meetings):
            for name in [name for name, at in kept.items() if at > instant]:
                del kept[name]

    def lost(self) -> list[str]:
        """Returns the boards that are not there."""
        return [board for board in self.boards if not self._is_there(board)]

    def _is_there(self, board: str) -> bool:
        try:
            return bool(self.call(f"/api/v1/boards/{board}"))
        except urllib.error.HTTPError as error:
            if error.code != HTTPStatus.NOT_FOUND:
                raise
            return False


def start(state: Path, armed: Path, at_change: int) -> Run:
    paths = os.pathsep.join(filter(None, (str(_KILLER), os.environ.get("PYTHONPATH"))))
    killing = {"KILL_AT": str(at_change), "KILL_ARMED": str(armed), "PYTHONPATH": paths}
    return local_run.start(state, **(killing if at_change else {}), **_LIMITS)


def kill(run: Run) -> float:
    """Kills what is left of a service and its engine at once; returns when it began to."""
    began = time.monotonic()  # the signals may be sent seconds before a busy machine lets this go on
    pids: list[int] = []
    with suppress(OSError):
        pids = json.loads((run.state / "engine.json").read_text())["pids"]
    for pid in pids:
        with suppress(ProcessLookupError):
            os.killpg(pid, signal.SIGKILL)
    run.process.kill()
    run.process.communicate()
    return began


def killed_at(armed: Path, ended: float) -> float:
    """Returns when a service was killed, by itself or by the test: a busy machine lets the test run seconds later."""
    return float((armed.exists() and armed.read_text()) or ended)


def verify(state: Path) -> str:
    """Returns what `boardctl log verify` finds; nothing if the log holds all."""
    known = os.environ | env_file.read(state / "env")
    command = [str(Path(sys.executable).parent / "boardctl"), "log", "verify"]
    done = subprocess.run(command, env=known, capture_output=True, text=True, check=False)  # noqa: S603
    return done.stderr if done.returncode else ""


def left_over(names: dict[str, str]) -> int:
    """Waits as long as the queues get emptier; returns how many messages nobody handles."""
    least, end = local_run.waiting(names), time.monotonic() + _IDLE_SECONDS
    while least and time.monotonic() < end:
        time.sleep(1)
        if (now := local_run.waiting(names)) < least:
            least, end = now, time.monotonic() + _IDLE_SECONDS
    return least


def mails(state: Path) -> str:
    return "\n".join(file.read_text(errors="replace") for file in (state / "outbox").glob("*.eml"))


@pytest.mark.slow
@pytest.mark.usefixtures("seeded")
def test_nothing_that_is_five_seconds_old_is_lost_however_often_all_is_killed(state: Path, tmp_path: Path) -> None:
    drawn, armed = random.Random(SEED), tmp_path / "armed"  # noqa: S311 - a repeatable order, no secret
    demo = json.loads((state / "demo.json").read_text())
    writer = Writer(state, demo["users"][0]["session"], demo["boards"][0]["id"])
    for number in range(KILLS):
        is_at_change, is_at_start = number % 2 == 1, number % 4 == 3
        armed.unlink(missing_ok=True)
        if is_at_start:
            armed.touch()
        began = time.monotonic()
        run = start(state, armed, drawn.randint(1, _MOST_CHANGES if not is_at_start else 40) if is_at_change else 0)
        serves = local_run.LAST_LINE in run.output
        assert serves or run.process.wait(60) == -signal.SIGKILL, (number, run.output)
        writer.run = run
        if serves:
            threads = [threading.Thread(target=writer.write) for _ in range(2)]
            writer.ended.clear()
            for thread in threads:
                thread.start()
            armed.touch()
            with suppress(subprocess.TimeoutExpired):
                run.process.wait(drawn.uniform(0, _MOST_SECONDS))
        ended = kill(run)
        writer.ended.set()
        if serves:
            for thread in threads:
                thread.join()
        writer.forget_after(killed_at(armed, ended) - KEPT_SECONDS)
        counts = f"{len(writer.boards)} boards, {len(writer.meetings)} meetings"
        print(f"kill {number}: {time.monotonic() - began:.1f} s, {counts} kept", flush=True)
    writer.run = run = start(state, armed, 0)
    try:
        assert local_run.LAST_LINE in run.output, run.output
        assert "log cannot go on" not in run.output
        assert writer.lost() == []
        assert left_over(env_file.read(state / "env")) == 0
        sent = mails(state)
        assert [title for title in writer.meetings if f"Subject: Invitation: {title}" not in sent] == []
        assert verify(state) == ""
    finally:
        kill(run)
