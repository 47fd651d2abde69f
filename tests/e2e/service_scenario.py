"""A board on a running service with its people, and what they receive: audit log, notifications and e-mails."""

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

_TIMEOUT_SECONDS = 60
_PAUSE_SECONDS = 0.1


def boardctl(service: Service, *words: str) -> str:
    """Runs `boardctl` against this service and returns its output."""
    command = [str(Path(sys.executable).parent / "boardctl"), *words]
    known = os.environ | env_file.read(service.state / "env")
    return subprocess.run(command, env=known, capture_output=True, text=True, check=True).stdout  # noqa: S603


@dataclass
class Actor:
    """A person with a session."""

    service: Service
    name: str
    address: str
    session: str
    id: str = ""

    def call(self, method: str, path: str, body: Any = None) -> Response:
        """Sends a request that must succeed."""
        response = self.service.call(method, path, self.session, body)
        assert response.status < 300, (method, path, response.body)
        return response

    def inbox(self) -> list[Any]:
        """Returns the notifications, newest first."""
        return list(self.call("GET", "/api/notification/").json)


@dataclass
class ServiceScenario:
    """A board that olga owns, with its people. `expected` holds each person's expected notifications, newest first."""

    service: Service
    people: dict[str, Actor] = field(default_factory=dict)
    board: str = ""
    expected: dict[str, list[str]] = field(default_factory=dict)
    audited: int = 0

    @property
    def path(self) -> str:
        """The board's path."""
        return f"/api/v1/boards/{self.board}"

    def add_people(self, *names: str) -> None:
        """Creates users, each with an unused e-mail address."""
        mark = secrets.token_hex(4)
        for name in names:
            address = f"{name}.{mark}@example.com"
            actor = Actor(self.service, name, address, boardctl(self.service, "session", address).strip())
            actor.id = actor.call("GET", "/api/v1/me").data["id"]
            self.people[name], self.expected[name] = actor, []

    def member_id(self, name: str) -> str:
        """Returns the id of a person's membership."""
        members = self.people["olga"].call("GET", f"{self.path}/members?limit=100").data
        (member_id,) = [member["id"] for member in members if member["userId"] == self.people[name].id]
        return str(member_id)

    def log(self) -> list[Any]:
        """Returns the audit log, oldest entry first."""
        return list(self.people["olga"].call("GET", f"/api/auditlog/{self.board}").json)

    def expect(self, *actions: str, notified: str = "", to: Sequence[str] = ()) -> None:
        """Asserts that the last request wrote these audit entries, and waits until it notified these people."""
        new = [entry["action"] for entry in self.log()[self.audited :]]
        assert new == list(actions)
        self.audited += len(new)
        for name in to:
            self.expected[name].insert(0, notified)
        for name in to:
            self.wait_for(name)

    def wait_for(self, name: str) -> None:
        """Waits until a person has the expected notifications; an unexpected one fails.

        Notifications of one event have one instant, so their order is not asserted.
        """
        actor, expected = self.people[name], self.expected[name]
        self.until(lambda: len(actor.inbox()) >= len(expected), f"{name} was not notified")
        assert sorted(entry["type"] for entry in actor.inbox()) == sorted(expected)

    @staticmethod
    def until(condition: Callable[[], bool], message: str) -> None:
        """Polls a condition; fails with the message if it does not become true in time."""
        end = time.monotonic() + _TIMEOUT_SECONDS
        while not condition():
            assert time.monotonic() < end, message
            time.sleep(_PAUSE_SECONDS)

    def mails(self) -> Counter[str]:
        """Returns how many e-mails each person received."""
        files = (file.read_bytes() for file in (self.service.state / "outbox").glob("*.eml"))
        recipients = [str(email.message_from_bytes(content, policy=email.policy.default)["To"]) for content in files]
        names = {actor.address: name for name, actor in self.people.items()}
        return Counter(names[address] for address in recipients if address in names)
