"""Makes meetings and reads their feeds as a calendar program does."""

from __future__ import annotations

import base64
import gzip
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import icalendar

from tests.calendars.calendar_invitation_mails import schedule
from tests.harness.board_scenario import BoardScenario, Person
from tests.harness.client import FUNCTIONS, Client, Response, gateway_event, load
from tests.harness.privileges import acting_as

_handler = load(FUNCTIONS / "calendar" / "handler.py").lambda_handler


@dataclass(frozen=True)
class Reply:
    """The answer to a request for a feed; `body` is as it travels."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def text(self) -> str:
        return (gzip.decompress(self.body) if self.headers.get("content-encoding") == "gzip" else self.body).decode()

    @property
    def calendar(self) -> icalendar.Calendar:
        parsed = icalendar.Calendar.from_ical(self.text)
        assert isinstance(parsed, icalendar.Calendar)
        return parsed

    @property
    def events(self) -> dict[str, Any]:
        """The events by the id of their meeting or slot."""
        return {str(event["uid"]).partition("@")[0]: event for event in self.calendar.walk("VEVENT")}


def fetch(url: str, method: str = "GET", **headers: str) -> Reply:
    """Requests a calendar by its address."""
    path = urlsplit(url).path
    sent = {"x-viewer-address": "203.0.113.9"} | {n.replace("_", "-"): v for n, v in headers.items()}
    with acting_as("calendar"):
        reply = _handler(gateway_event(method, path, "", sent, None), None)
    body = base64.b64decode(reply["body"]) if reply["isBase64Encoded"] else reply["body"].encode()
    return Reply(reply["statusCode"], reply["headers"], body)


def subscribe(user: Person, **body: Any) -> str:
    """Creates a feed and returns its address."""
    response: Response = user.client.post("/api/v1/me/calendar-feeds", body)
    assert response.status == 201, response.text
    return str(response.data["url"])


def meeting(scenario: BoardScenario, client: Client | None = None, **members: Any) -> str:
    """Creates a scheduled meeting and returns its id."""
    return schedule(scenario, client, **{"title": "Meeting", **members}).path.rpartition("/")[2]
