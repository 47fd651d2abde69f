"""Each way that an effect of a request takes in a running service: the audit entry at once, all else a moment later.

`contract/test_event_effects.py` has what follows from every kind of event.
"""

from __future__ import annotations

import email
import email.policy
import os
import secrets
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import boto3
import pytest

from infra.stack import env_file
from tests.e2e.conftest import Service
from tests.harness.meeting_scenario import from_now

pytestmark = pytest.mark.slow
_TIMEOUT_SECONDS = 180


def boardctl(service: Service, *words: str) -> str:
    """Runs `boardctl` against this service and returns its output."""
    command = [str(Path(sys.executable).parent / "boardctl"), *words]
    known = os.environ | env_file.read(service.state / "env")
    return subprocess.run(command, env=known, capture_output=True, text=True, check=True).stdout  # noqa: S603


def until(condition: Callable[[], bool], message: str) -> None:
    """Polls a condition; fails with the message if it does not become true in time."""
    end = time.monotonic() + _TIMEOUT_SECONDS
    while not condition():
        assert time.monotonic() < end, message
        time.sleep(0.1)


@dataclass
class Person:
    """A user with an e-mail address that no other test uses."""

    service: Service
    address: str
    session: str

    def call(self, method: str, path: str, body: Any = None) -> Any:
        """Sends a request that must succeed; returns its answer."""
        response = self.service.call(method, path, self.session, body)
        assert response.status < 300, (method, path, response.body)
        return response.json

    def notified(self, *types: str) -> list[Any]:
        """Waits until these are all notifications of the person, whatever their order; returns them."""
        until(lambda: len(self.call("GET", "/api/notification/")) >= len(types), f"not notified of {types}")
        inbox: list[Any] = self.call("GET", "/api/notification/")
        assert sorted(entry["type"] for entry in inbox) == sorted(types)
        return inbox

    def mails(self) -> int:
        """Returns how many mails went to the person."""
        files = [file.read_bytes() for file in (self.service.state / "outbox").glob("*.eml")]
        mails = [email.message_from_bytes(content, policy=email.policy.default) for content in files]
        return [str(mail["To"]) for mail in mails].count(self.address)


def person(service: Service, name: str) -> Person:
    """Returns a user who has called once: an invite to an address that has not is mailed, and in no one's list."""
    address = f"{name}.{secrets.token_hex(4)}@example.com"
    known = Person(service, address, boardctl(service, "session", address).strip())
    known.call("GET", "/api/v1/me")
    return known


@pytest.fixture
def olga(service: Service) -> Person:
    return person(service, "olga")


@pytest.fixture
def board(olga: Person) -> str:
    """A new board that olga owns."""
    return str(olga.call("POST", "/api/v1/boards", {"name": "Events"})["data"]["id"])


@pytest.fixture
def max_(service: Service, olga: Person, board: str) -> Person:
    """A member of the board, who was invited and has joined by its code."""
    member = person(service, "max")
    olga.call("POST", f"/api/invite/{board}", {"inviteeEmail": member.address})
    code = olga.call("GET", f"/api/invite/{board}/code")["inviteCode"]
    member.call("PUT", f"/api/invite/join/{code}")
    return member


def test_each_way_is_walked_to_its_end(service: Service, olga: Person, board: str, max_: Person) -> None:
    path = f"/api/v1/boards/{board}"
    report = olga.call("POST", f"{path}/reports", {"title": "Q3"})["data"]["id"]
    olga.call("PATCH", f"{path}/reports/{report}", {"status": "published"})
    meeting = f"{path}/meetings/" + olga.call("POST", f"{path}/meetings", {"title": "Poll"})["data"]["id"]
    olga.call("POST", f"{meeting}/slots", {"startTime": from_now(days=30), "timezone": "Europe/Berlin"})
    olga.call("PATCH", meeting, {"status": "scheduled"})
    token = olga.call("POST", f"{meeting}/guest-link")["data"]["token"]
    assert service.call("GET", f"/api/v1/guest/{token}").status == 200
    boardctl(service, "billing", "set", board, "PAID_ACTIVE")
    assert [entry["action"] for entry in olga.call("GET", f"/api/auditlog/{board}")] == [
        *("memberChange", "reportStatusChange", "meetingCreate", "meetingStatusChange", "meetingGuestSlotsViewed"),
        "billingPlanOverride",
    ]
    olga.notified("membership_accepted")
    (*_, entry) = max_.notified("report_published", "slot_proposed", "board_invite")
    with urllib.request.urlopen(entry["avatar"]) as picture:  # noqa: S310 - the bucket's own address
        assert picture.headers["Content-Type"] == "image/svg+xml"
    until(lambda: max_.mails() == 1, "the report was not mailed")
    boardctl(service, "user", "purge", max_.call("GET", "/api/v1/me")["data"]["id"], "--yes")
    assert olga.call("GET", f"/api/auditlog/{board}")[-1]["action"] == "userHardPurge"


def test_a_poison_record_is_set_aside_and_other_events_are_delivered(
    service: Service, olga: Person, board: str, max_: Person
) -> None:
    names = env_file.read(service.state / "env")
    local: dict[str, Any] = {
        "region_name": names["AWS_REGION"],
        "aws_access_key_id": names["AWS_ACCESS_KEY_ID"],
        "aws_secret_access_key": names["AWS_SECRET_ACCESS_KEY"],
    }
    endpoint = names["AWS_ENDPOINT_URL"]
    client = boto3.client("dynamodb", endpoint_url=names.get("AWS_ENDPOINT_URL_DYNAMODB") or endpoint, **local)
    queue = boto3.client("sqs", endpoint_url=endpoint, **local)
    olga.call("PATCH", f"/api/v1/boards/{board}", {"name": "Before"})
    sort_key = {"S": f"BOARD#poison#{board}"}
    poison: dict[str, Any] = {"PK": {"S": f"EVENTS#{board}"}, "SK": sort_key, "nonsense": {"BOOL": True}}
    client.put_item(TableName=names["TABLE_NAME"], Item=poison)
    olga.call("PATCH", f"/api/v1/boards/{board}", {"name": "After"})
    max_.notified("board_update", "board_update", "board_invite")

    def waiting() -> int:
        answer = queue.get_queue_attributes(QueueUrl=names["DELIVERIES_QUEUE_URL"], AttributeNames=["All"])
        counts = answer["Attributes"]
        return int(counts["ApproximateNumberOfMessages"]) + int(counts["ApproximateNumberOfMessagesNotVisible"])

    until(lambda: waiting() == 1, "the poison record does not wait in the queue")
