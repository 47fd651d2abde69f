"""The answer to a PATCH has the entity tag that a GET right after it has, so a client need not read again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from governance.domain.entity_tags import entity_tag
from tests.harness.board_scenario import BoardScenario
from tests.harness.client import ROUTES, Client
from tests.harness.sample_bodies import LATER
from tests.harness.sample_requests import sample_request

TAGGED = sorted(f"{route.method} {route.path}" for route in ROUTES if route.answers_current)
_FIGURES = [
    *(0, -1, 1.0, -0.5, 1e22, 1e-7, 2**53 + 1, 123456789012345678901234567890),
    *("é\u2028\U0001f600", None, {"b": 1}),
]
_FIELDS = [
    {"fieldId": f"f{n}", "isStub": False, "label": "Figure", "displayOrder": n / 2, "value": [value], "widget": None}
    for n, value in enumerate(_FIGURES)
]
_UNIFORM = {"narrative": "Rising.\nFast.", "fields": _FIELDS, "dataAnchorDate": "2027-03-31", "isAdHoc": True}
Bodies = Callable[[BoardScenario], list[dict[str, Any]]]
BODIES: dict[str, Bodies] = {
    "PATCH /api/v1/me": lambda _: [
        {"firstName": "Ada", "lastName": "Lovelace", "language": "fr", "avatarUrl": "https://example.com/ä.png"},
        {"firstName": None, "lastName": None, "language": None, "avatarUrl": None, "timezone": None},
    ],
    "PATCH /api/v1/boards/{boardId}": lambda _: [
        {"name": "Ünï", "description": "Line\nline", "inviteCodeEnabled": False},
        {"description": None, "inviteCodeEnabled": True},
    ],
    "PATCH /api/v1/boards/{boardId}/members/{memberId}": lambda _: [
        {"adminRole": "admin", "accessType": "manager", "boardPositions": ["chair", "x"], "isInternalMgmt": True},
        {"adminRole": "member", "accessType": "guest", "boardPositions": [], "isInternalMgmt": False},
    ],
    "PATCH /api/v1/boards/{boardId}/meetings/{meetingId}": lambda _: [
        {"startTime": LATER, "location": "Room", "locationType": "hybrid", "virtualMeetingUrl": "https://example.com"},
        {"startTime": "2099-01-01T11:00:00.5+02:00", "endTime": "2099-01-02T00:00:00Z", "status": "in_progress"},
        {"startTime": None, "endTime": None, "location": None, "locationType": None, "virtualMeetingUrl": None},
        {"status": "completed"},
        {"status": "finalized"},
    ],
    "PATCH /api/v1/boards/{boardId}/documents/{documentId}": lambda scenario: [
        {"title": "Ü", "mimeType": "text/plain", "latestVersionId": "v1", "meetingIds": _meetings(scenario)},
        {"committeeId": _committee(scenario), "meetingIds": _meetings(scenario)},
        {"committeeId": None, "documentType": None, "mimeType": None, "latestVersionId": None, "meetingIds": []},
    ],
    "PATCH /api/v1/boards/{boardId}/reports/{reportId}": lambda _: [
        {"title": "Ü"},
        {"title": "Ü"},
        {"status": "published"},
        {"status": "draft"},
        {"status": "published"},
        {"status": "finalized"},
    ],
    "PATCH /api/v1/boards/{boardId}/reports/{reportId}/dashboards/{dashboardId}": lambda _: [
        {"title": "Ü", "uniform": _UNIFORM},
        {"title": "Ü", "uniform": _UNIFORM},
        {"title": None, "uniform": {"reviewStatus": "ready_for_review"}},
        {"uniform": {"narrative": None, "fields": [], "dataAnchorDate": None}},
    ],
    "PATCH /api/v1/boards/{boardId}/cycles/{cycleId}": lambda _: [
        {"name": "Ü", "remindDaysBefore": [1, 30]},
        {"dueAt": "2099-02-01T11:00:00.5+02:00", "remindDaysBefore": []},
    ],
    "PATCH /api/v1/boards/{boardId}/bets/{betId}": lambda scenario: [
        {"title": "Ü", "hypothesis": "é\n\u2028", "target": {"atLeast": 1e22 / 1e8}, "status": "lost"},
        {"ownerUserId": scenario.owner.id, "rogueId": "revenue.arr", "target": {"atMost": -0.0}, "dueOn": LATER[:10]},
        {"ownerUserId": None, "rogueId": None, "target": None, "hypothesis": None, "status": "open"},
    ],
    "PATCH /api/v1/boards/{boardId}/agenda-templates/{templateId}": lambda scenario: [
        {
            "name": "Ü",
            "items": [{"title": "é", "notes": "\u2028", "months": [12, 1], "presenterUserId": scenario.owner.id}],
        },
        {"items": [{"title": "T", "presenterName": "A", "minutes": 600, "kind": "decision"}]},
    ],
    "PATCH /api/v1/boards/{boardId}/plan/{planItemId}": lambda scenario: [
        {"title": "Ü", "notes": "é\n\u2028", "months": [12, 1], "ownerUserId": scenario.owner.id, "source": "§ 12"},
        {"notes": None, "ownerUserId": None, "source": None, "kind": "discussion", "minutes": 1},
    ],
    "PATCH /api/v1/boards/{boardId}/resolutions/{resolutionId}": lambda scenario: [
        {"title": "Ü", "text": "é\n\u2028", "ballots": "secret", "rule": {"majority": "unanimous", "proxies": True}},
        {"voters": [{"userId": scenario.owner.id, "weight": 3}], "closesAt": "2099-02-01T11:00:00.5+02:00"},
        {"voters": None, "closesAt": None, "rule": None, "ballots": None, "documentIds": []},
    ],
    "PATCH /api/v1/boards/{boardId}/series/{seriesId}": lambda scenario: [
        {"title": "Ü", "start": "2098-01-14T08:15", "rule": "FREQ=WEEKLY;INTERVAL=2", "timezone": "UTC", "count": 9},
        {"committeeId": _committee(scenario), "location": "Ü", "durationMinutes": 5, "opensDaysBefore": 180},
        {"committeeId": None, "location": None, "endsOn": "2098-12-31"},
    ],
    "PATCH /api/v1/boards/{boardId}/unregistered-users/{unregisteredUserId}": lambda _: [
        {"firstName": "Ü", "lastName": "é", "email": "a@example.com", "boardPositions": ["x"], "receivesMail": False},
        {"lastName": None, "email": None, "boardPositions": [], "receivesMail": True},
    ],
    "PATCH /api/v1/boards/{boardId}/webhooks/{webhookId}": lambda _: [
        {"name": "Ü", "url": "https://hooks.example.com/a?b=%C3%A4", "events": ["*"], "enabled": False},
        {"name": None, "events": ["meeting.*", "board.changed"], "enabled": True},
    ],
}
"""Changes to make one after the other beside the sample: they set and clear what is written in many ways."""


def _meetings(scenario: BoardScenario) -> list[str]:
    """Creates two meetings and returns their ids, the second one first."""
    path, client = f"{scenario.path}/meetings", scenario.owner.client
    return [client.post(path, {"title": title, "status": "scheduled"}).data["id"] for title in "ab"][::-1]


def _committee(scenario: BoardScenario) -> str:
    """Creates a committee with the owner on it and returns its id."""
    client = scenario.owner.client
    (member,) = (entry["id"] for entry in client.get(f"{scenario.path}/members").data if entry["adminRole"] == "owner")
    return str(client.post(f"{scenario.path}/committees", {"name": "Own", "memberIds": [member]}).data["id"])


def check(client: Client, path: str, body: dict[str, Any]) -> None:
    """Makes a change and compares its answer with that of a GET right after it."""
    changed = client.patch(path, body)
    assert changed.status == 200, changed.text
    read = client.get(path)
    assert (changed.headers["etag"], changed.text) == (read.headers["etag"], read.text)
    assert changed.headers["etag"] == entity_tag(changed.text)


@pytest.mark.parametrize("name", TAGGED)
def test_the_tag_of_a_change_is_that_of_a_read_after_it(name: str, scenario: BoardScenario) -> None:
    request = sample_request(name, scenario)
    client = scenario.owner.client
    for body in (request.body, *(BODIES[name](scenario) if name in BODIES else ())):
        check(client, request.path, body)


def test_a_change_of_a_document_with_a_link_that_the_caller_does_not_see(scenario: BoardScenario) -> None:
    member = scenario.member("mira").client
    draft = member.post(f"{scenario.path}/meetings", {"title": "Draft", "status": "draft"}).data["id"]
    links = [draft, *_meetings(scenario)]
    path = f"{scenario.path}/documents/{member.post(f'{scenario.path}/documents', {'title': 'D'}).data['id']}"
    check(member, path, {"meetingIds": links})
    check(scenario.owner.client, path, {"title": "E"})
    check(scenario.owner.client, path, {"meetingIds": links[1:2]})
    check(member, path, {"title": "F"})


def test_no_other_change_has_a_tag(scenario: BoardScenario) -> None:
    """A PUT must not have one unless its body is stored as it was sent (RFC 9110, section 9.3.4)."""
    client = scenario.owner.client
    assert "etag" not in client.put("/api/v1/me/calendar", {"invitations": True}).headers
    assert "etag" not in client.post("/api/v1/boards", {"name": "Another"}).headers
    assert "etag" not in client.delete(scenario.path).headers


def test_every_patch_of_what_can_be_read_is_checked() -> None:
    assert BODIES.keys() <= set(TAGGED)
    assert set(TAGGED) == {f"PATCH {route.path}" for route in ROUTES if route.method == "PATCH" and route.current}
