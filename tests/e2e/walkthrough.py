"""People on a board of a running service, and what reaches them: its audit log, their notifications and mails."""

from __future__ import annotations

import email
import email.policy
import os
import secrets
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from infra.stack import env_file
from tests.e2e.conftest import Response, Service

_PATIENCE_SECONDS = 60
_PAUSE_SECONDS = 0.1


def boardctl(service: Service, *words: str) -> str:
    """What the operator's command prints; it acts on this service."""
    command = [str(Path(sys.executable).parent / "boardctl"), *words]
    known = os.environ | env_file.read(service.state / "env")
    return subprocess.run(command, env=known, capture_output=True, text=True, check=True).stdout  # noqa: S603


@dataclass
class Someone:
    """A person with a session."""

    service: Service
    name: str
    address: str
    session: str
    id: str = ""

    def call(self, method: str, path: str, body: Any = None) -> Response:
        """A request that must go well."""
        response = self.service.call(method, path, self.session, body)
        assert response.status < 300, (method, path, response.body)
        return response

    def inbox(self) -> list[Any]:
        """The notifications, newest first."""
        return list(self.call("GET", "/api/notification/").json)


@dataclass
class Walk:
    """A board of olga's with its people; `expected` is whatever they should have been told so far, newest first."""

    service: Service
    people: dict[str, Someone] = field(default_factory=dict)
    board: str = ""
    expected: dict[str, list[str]] = field(default_factory=dict)
    audited: int = 0

    @property
    def path(self) -> str:
        """The board's address."""
        return f"/api/v1/boards/{self.board}"

    def meet(self, *names: str) -> None:
        """Whoever takes part: new users, each with an address that nobody had before."""
        mark = secrets.token_hex(4)
        for name in names:
            address = f"{name}.{mark}@example.com"
            who = Someone(self.service, name, address, boardctl(self.service, "session", address).strip())
            who.id = who.call("GET", "/api/v1/me").data["id"]
            self.people[name], self.expected[name] = who, []

    def member_id(self, name: str) -> str:
        """A member's membership."""
        members = self.people["olga"].call("GET", f"{self.path}/members?limit=100").data
        (found,) = [member["id"] for member in members if member["userId"] == self.people[name].id]
        return str(found)

    def log(self) -> list[Any]:
        """The audit log."""
        return list(self.people["olga"].call("GET", f"/api/auditlog/{self.board}").json)

    def follows(self, *actions: str, told: str = "", to: Sequence[str] = ()) -> None:
        """What just happened has left these audit entries at once, and tells these people soon."""
        new = [entry["action"] for entry in self.log()[self.audited :]]
        assert new == list(actions)
        self.audited += len(new)
        for name in to:
            self.expected[name].insert(0, told)
        for name in to:
            self.wait_for(name)

    def wait_for(self, name: str) -> None:
        """Until somebody has been told as often as is expected; more would show as well."""
        who, expected = self.people[name], self.expected[name]
        self.until(lambda: len(who.inbox()) >= len(expected), f"{name} was told nothing")
        assert [entry["type"] for entry in who.inbox()] == expected

    @staticmethod
    def until(holds: Callable[[], bool], otherwise: str) -> None:
        """Ask again and again; fails where it does not hold in good time."""
        end = time.monotonic() + _PATIENCE_SECONDS
        while not holds():
            assert time.monotonic() < end, otherwise
            time.sleep(_PAUSE_SECONDS)

    def mails(self) -> Counter[str]:
        """How many mails each of the people got."""
        letters = (file.read_bytes() for file in (self.service.state / "outbox").glob("*.eml"))
        to = [str(email.message_from_bytes(letter, policy=email.policy.default)["To"]) for letter in letters]
        names = {who.address: name for name, who in self.people.items()}
        return Counter(names[address] for address in to if address in names)
