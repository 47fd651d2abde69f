"""A valid body for every route that takes one: the example of the API document, or what is said here."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Callable, Mapping
from typing import Any

from governance import instants
from infra.openapi.document import FILE
from tests.harness.client import ROUTES

LATER = "2099-01-01T09:00:00Z"
counter = itertools.count(1)
NEW_VERSION: dict[str, Any] = {"fileName": "Paper.pdf", "mimeType": "application/pdf", "size": 1, "sha256": "0" * 64}
SHEET = "rogueId,value,date\nrevenue.arr,4820000,2026-10-31\n"
"""The text of a spreadsheet that fills a dashboard."""
SERIES: dict[str, Any] = {
    "title": "Board meeting",
    "rule": "FREQ=MONTHLY;BYDAY=1TU",
    "start": "2098-01-07T09:00",
    "timezone": "Europe/Paris",
    "durationMinutes": 90,
}
"""On the first Tuesday of each month from January 2098 on, at nine in Paris."""
_BOARD = "/api/v1/boards/{boardId}"
_DASHBOARD = f"{_BOARD}/reports/{{reportId}}/dashboards/{{dashboardId}}"
_MEETING = f"{_BOARD}/meetings/{{meetingId}}"
_EVALUATION = {"action": {"name": "getMe"}, "resource": {"type": "route", "id": "/api/v1/me"}}
Resources = dict[str, str]
"""The resources in the path of a route, and those that its body names; `path_resources` creates them."""


def slot_start() -> str:
    return instants.shift(instants.Instant(LATER[:-1] + ".000Z"), minutes=next(counter))


_BODIES: Mapping[str, Callable[[Resources], Any]] = {
    "POST /api/v1/access/evaluation": lambda _: _EVALUATION,
    "POST /api/v1/access/evaluations": lambda _: {"evaluations": [_EVALUATION]},
    "POST /api/v1/me/tokens": lambda _: {"name": "robot", "expiresInDays": 30, "preset": "read_only"},
    f"POST {_BOARD}/tokens": lambda _: {"name": "robot", "expiresInDays": 30, "preset": "read_write"},
    f"PATCH {_BOARD}": lambda _: {"name": "Renamed"},
    f"PATCH {_BOARD}/members/{{memberId}}": lambda _: {"accessType": "guest"},
    f"POST {_BOARD}/committees": lambda _: {"name": f"Committee {next(counter)}", "memberIds": []},
    f"PATCH {_BOARD}/committees/{{committeeId}}": lambda _: {"name": f"Committee {next(counter)}"},
    f"POST {_BOARD}/documents/{{documentId}}/versions": lambda _: NEW_VERSION,
    f"POST {_BOARD}/meetings": lambda _: {"title": "Meeting", "status": "scheduled"},
    f"PATCH {_MEETING}": lambda _: {"title": "Renamed"},
    f"PATCH {_MEETING}/action-items/{{actionItemId}}": lambda _: {"order": 1},
    f"POST {_MEETING}/paper-requests": lambda resources: {
        "title": "Forecast",
        "from": {"userId": resources["asked"]},
        "dueAt": LATER,
    },
    f"PATCH {_MEETING}/paper-requests/{{paperRequestId}}": lambda _: {"title": "Outlook"},
    f"POST {_MEETING}/paper-requests/{{paperRequestId}}/versions": lambda _: NEW_VERSION,
    f"POST {_MEETING}/paper-requests/{{paperRequestId}}/delivery": lambda resources: {"documentId": resources["paper"]},
    f"PUT {_MEETING}/people": lambda _: {"unregisteredUserIds": []},
    f"PUT {_MEETING}/agenda": lambda _: {"items": [{"title": "Opening"}]},
    f"POST {_BOARD}/plan": lambda _: {"title": "Accounts", "months": [*range(1, 13)]},
    f"POST {_BOARD}/plan/{{planItemId}}/place": lambda resources: {"meetingId": resources["plannedMeetingId"]},
    f"PUT {_MEETING}/minutes": lambda _: {"items": [{"text": "Welcome"}]},
    "PUT /api/v1/boards/{boardId}/minutes-signers": lambda resources: {
        "signers": [{"userId": resources["signer"], "role": "Chair"}]
    },
    f"POST {_MEETING}/minutes/corrections": lambda _: {"items": [{"text": "Welcome again"}]},
    f"POST {_MEETING}/minutes/approval": lambda resources: {
        "manner": "as_presented",
        "inMeetingId": resources["inMeetingId"],
        "force": True,
    },
    f"PUT {_MEETING}/rsvp": lambda _: {"status": "tentative"},
    f"POST {_MEETING}/slots": lambda _: {"startTime": slot_start(), "timezone": "Europe/Paris"},
    f"PATCH {_DASHBOARD}": lambda _: {"title": "Renamed"},
    f"PUT {_DASHBOARD}/figures": lambda _: {"csv": SHEET},
    f"PUT {_BOARD}/resolutions/{{resolutionId}}/proxy": lambda resources: {"userId": resources["voter"]},
    f"POST {_BOARD}/series": lambda _: SERIES,
    f"PATCH {_BOARD}/series/{{seriesId}}": lambda _: {"title": "Renamed"},
    f"PUT {_BOARD}/series/{{seriesId}}/occurrences/{{key}}": lambda _: {"startTime": LATER},
    f"PATCH {_BOARD}/webhooks/{{webhookId}}": lambda _: {"name": "Renamed"},
    "POST /api/invite/{boardId}": lambda _: {"inviteeEmail": f"invited{next(counter)}@example.com"},
    "POST /api/v1/paper/{paperToken}/versions": lambda _: NEW_VERSION,
    "PUT /api/v1/guest/{token}/slots/{slotId}/vote": lambda _: {"email": "guest@example.org", "vote": "ok"},
}
"""Bodies of which a member is new in each request, or that change less than the example does."""
_TIME = re.compile(r"\d{4}-\d\d-\d\d")
_ID = re.compile(r"[0-9a-f]{24}")


def body_of(name: str, resources: Resources) -> Any:
    """Returns a valid body for a route. Creates the resources that it names; what is in time lies in the far future."""
    if name in _BODIES:
        return _BODIES[name](resources)
    return {member: _current(member, value, resources) for member, value in _EXAMPLES[name].items()}


def _current(member: str, value: Any, resources: Resources) -> Any:
    if isinstance(value, str) and _ID.fullmatch(value):
        return resources[member]
    return max(value, LATER[: len(value)]) if isinstance(value, str) and _TIME.match(value) else value


def _examples() -> Mapping[str, dict[str, Any]]:
    """Returns of the document's examples the members that are required; all where none is."""
    document = json.loads(FILE.read_text(encoding="utf-8"))
    examples = {}
    for route in ROUTES:
        content = document["paths"][route.path][route.method.lower()].get("requestBody", {}).get("content", {})
        for part in content.values():
            name = part["schema"]["$ref"].rpartition("/")[2]
            required = document["components"]["schemas"][name].get("required", [])
            example = part["example"]
            examples[f"{route.method} {route.path}"] = {member: example[member] for member in required} or example
    return examples


_EXAMPLES = _examples()
