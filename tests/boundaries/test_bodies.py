"""Values at the limits of each rule of a request body: accepted just inside, refused just outside."""

from __future__ import annotations

from typing import Any

import pytest

from tests.harness.board_scenario import BoardScenario

FIELD = {"fieldId": "a", "isStub": False, "label": "x", "displayOrder": 1, "value": None}
SLOT = {"startTime": "2099-01-01T00:00:00Z", "timezone": "UTC"}


def collection_paths(scenario: BoardScenario) -> dict[str, str]:
    """Creates the parent resources, and returns the path to POST to for each kind of resource."""
    owner, path = scenario.owner.client, scenario.path
    meeting = owner.post(f"{path}/meetings", {"title": "M", "status": "scheduled"}).data["id"]
    report = owner.post(f"{path}/reports", {"title": "R"}).data["id"]
    return {
        "boards": "/api/v1/boards",
        "my tokens": "/api/v1/me/tokens",
        "tokens": f"{path}/tokens",
        "invites": f"/api/invite/{scenario.board_id}",
        "documents": f"{path}/documents",
        "reports": f"{path}/reports",
        "meetings": f"{path}/meetings",
        "slots": f"{path}/meetings/{meeting}/slots",
        "action-items": f"{path}/meetings/{meeting}/action-items",
        "dashboards": f"{path}/reports/{report}/dashboards",
    }


# (kind of resource, request body, path of the invalid field)
REFUSED: list[tuple[str, Any, str]] = [
    ("meetings", {"title": "\u3000\t"}, "title"),
    ("meetings", {"title": "a\0"}, "title"),
    ("meetings", {"title": "a\x07"}, "title"),
    *(
        (kind, {**body, name: f"Approve {sign}1 million"}, name)
        for sign in "\u202a\u202e\u2066\u2069"
        for kind, body, name in (
            ("meetings", {}, "title"),
            ("documents", {}, "title"),
            ("reports", {}, "title"),
            ("dashboards", {"dashboardType": "uniform"}, "title"),
            ("action-items", {}, "title"),
            ("boards", {}, "name"),
            ("my tokens", {"preset": "read_only", "expiresInDays": 30}, "name"),
        )
    ),
    ("meetings", {"title": "a\r\nb"}, "title"),
    ("meetings", {"title": "a", "status": "finalized"}, "status"),
    ("meetings", {"title": "a", "virtualMeetingUrl": " JavaScript:alert(1)"}, "virtualMeetingUrl"),
    ("meetings", {"title": "a", "virtualMeetingUrl": "java\nscript:alert(1)"}, "virtualMeetingUrl"),
    ("meetings", {"title": "a", "virtualMeetingUrl": "DATA:text/html,x"}, "virtualMeetingUrl"),
    ("meetings", {"title": "a", "virtualMeetingUrl": "file:///etc/passwd"}, "virtualMeetingUrl"),
    ("documents", {"title": "a\x7f"}, "title"),
    ("reports", {"title": "a\x85"}, "title"),
    ("dashboards", {"dashboardType": "uniform", "title": "a\x1b"}, "title"),
    ("meetings", {"title": "a", "startTime": 1893456000}, "startTime"),
    ("meetings", {"title": "a", "startTime": "2030-01-01T00:00:00"}, "startTime"),
    ("meetings", {"title": "a", "startTime": "2030-02-29T00:00:00Z"}, "startTime"),
    ("meetings", {"title": "a", "startTime": "1969-12-31T23:59:59Z"}, "startTime"),
    ("meetings", {"title": "a", "startTime": "9999-12-31T23:59:59-18:00"}, "startTime"),
    (
        "meetings",
        {"title": "a", "startTime": "2030-01-01T01:00:00+01:00", "endTime": "2030-01-01T00:00:00Z"},
        "endTime",
    ),
    ("meetings", [], "body"),
    ("meetings", None, "body"),
    ("slots", {**SLOT, "startTime": "2020-01-01T00:00:00Z"}, "startTime"),
    ("slots", {**SLOT, "startTime": "9999-12-31T23:59:59Z"}, "startTime"),
    ("slots", {**SLOT, "timezone": "europe/paris"}, "timezone"),
    ("slots", {**SLOT, "timezone": "Factory"}, "timezone"),
    ("action-items", {"title": "a\nb"}, "title"),
    ("action-items", {"title": "a\x85"}, "title"),
    ("action-items", {"title": "a", "notes": {"a": "x" * 65_536}}, "notes"),
    ("action-items", {"title": "a", "assigneeUserId": "A" * 24}, "assigneeUserId"),
    ("action-items", {"title": "a", "assigneeUserId": "0" * 24}, "assigneeUserId"),
    ("documents", {"title": "a", "meetingIds": ["0" * 24]}, "meetingIds.0"),
    ("documents", {"title": "a", "committeeId": "0" * 24}, "committeeId"),
    ("reports", {"title": "a", "status": "published"}, "status"),
    ("dashboards", {"dashboardType": "historicalFundraising", "uniform": {}}, "uniform"),
    (
        "dashboards",
        {"dashboardType": "uniform", "uniform": {"reviewStatus": "ready_for_review"}},
        "uniform.reviewStatus",
    ),
    ("dashboards", {"dashboardType": "uniform", "uniform": {"dataAnchorDate": "2027-02-29"}}, "uniform.dataAnchorDate"),
    ("dashboards", {"dashboardType": "uniform", "uniform": {"fields": [FIELD, FIELD]}}, "uniform.fields"),
    (
        "dashboards",
        {"dashboardType": "uniform", "uniform": {"fields": [{**FIELD, "rogueId": "no.such"}]}},
        "uniform.fields.0.rogueId",
    ),
    (
        "dashboards",
        {"dashboardType": "uniform", "uniform": {"fields": [{**FIELD, "displayOrder": "1"}]}},
        "uniform.fields.0.displayOrder",
    ),
    ("invites", {"inviteeEmail": "ann@example"}, "inviteeEmail"),
    ("invites", {"inviteeEmail": "ann@bücher.example"}, "inviteeEmail"),
    ("invites", {"inviteeEmail": "ann@example.com\nBcc: eve@example.com"}, "inviteeEmail"),
    ("invites", {"inviteeEmail": "OLIVIA@example.com"}, "inviteeEmail"),
    ("invites", {"inviteeEmail": "a@example.com", "boardPositions": ["ceo", "ceo"]}, "boardPositions"),
    ("my tokens", {"name": " ", "preset": "read_only", "expiresInDays": 30}, "name"),
]

ACCEPTED: list[tuple[str, dict[str, Any]]] = [
    ("meetings", {"title": " a\n\tb ", "startTime": "1970-01-01T00:00:00Z"}),
    ("meetings", {"title": "a", "startTime": "9999-12-31T23:59:59.999Z"}),
    ("meetings", {"title": "a", "status": None, "location": None, "startTime": None, "endTime": None}),
    ("slots", {**SLOT, "durationInMinutes": 15}),
    ("slots", {**SLOT, "startTime": "2098-01-01T00:00:00Z", "durationInMinutes": 180}),
    ("action-items", {"title": "a", "notes": None, "assigneeUserId": None, "status": None, "order": None}),
    ("action-items", {"title": "a", "order": 0.1, "notes": {"": [1e308, -0.0, 10**30, None]}}),
    ("documents", {"title": "a", "documentType": "x" * 64, "meetingIds": None, "committeeId": None}),
    ("reports", {"title": "a", "status": None}),
    ("reports", {"title": "\u200f\u05d3\u05d7 2027 \u200e(Q1)"}),
    ("dashboards", {"dashboardType": "uniform", "uniform": {"fields": [{**FIELD, "value": [10**40, {"": 1.5}]}]}}),
    ("dashboards", {"dashboardType": "uniform", "uniform": None}),
    ("invites", {"inviteeEmail": " " + "a" * 64 + "@EXAMPLE.com ", "message": "&" * 500, "boardPositions": None}),
    ("tokens", {"name": "a", "preset": None, "expiresInDays": None}),
]


def test_an_invalid_field_is_refused_by_its_path(scenario: BoardScenario) -> None:
    paths, mismatches = collection_paths(scenario), []
    for kind, body, field in REFUSED:
        response = scenario.owner.client.call("POST", paths[kind], body, raw="null" if body is None else None)
        if response.status != 400 or response.code != "INVALID_REQUEST_BODY" or field not in response.fields:
            mismatches.append((kind, str(body)[:80], response.status, response.text[:200]))
    assert mismatches == []


TOGETHER: list[tuple[str, dict[str, Any], dict[str, str]]] = [
    (
        "meetings",
        {"title": " ", "startTime": "2030-01-02T00:00:00+02:00", "endTime": "2030-01-01T22:00:00Z", "extra": 1},
        {"title": "white", "endTime": "after `startTime`", "extra": "known"},
    ),
    ("meetings", {"title": "a", "startTime": "nonsense", "endTime": "2030-01-01T22:00:00Z"}, {"startTime": "RFC 3339"}),
    (
        "invites",
        {"inviteeEmail": "x", "boardPositions": ["ceo", "Chair", "ceo"]},
        {"inviteeEmail": "address", "boardPositions": "twice", "boardPositions.1": ""},
    ),
    (
        "dashboards",
        {"dashboardType": "uniform", "uniform": {"fields": [FIELD, {**FIELD, "displayOrder": True}]}},
        {"uniform.fields": "twice", "uniform.fields.1.displayOrder": "must be a number"},
    ),
]


def test_errors_between_members_are_named_with_the_others(scenario: BoardScenario) -> None:
    paths = collection_paths(scenario)
    for kind, body, errors in TOGETHER:
        fields = scenario.owner.client.post(paths[kind], body).fields
        assert fields.keys() == errors.keys()
        assert all(words in fields[name] for name, words in errors.items()), fields


def test_a_change_of_a_meeting_names_all_errors_at_once(scenario: BoardScenario) -> None:
    meetings = collection_paths(scenario)["meetings"]
    meeting = scenario.owner.client.post(meetings, {"title": "A"}).data["id"]
    body = {"title": "", "startTime": "2030-01-02T00:00:00Z", "endTime": "2030-01-02T00:00:00Z"}
    assert set(scenario.owner.client.patch(f"{meetings}/{meeting}", body).fields) == {"title", "endTime"}
    assert set(scenario.owner.client.patch(f"{meetings}/{'0' * 24}", body).fields) == {"title", "endTime"}


def test_a_value_at_the_limit_is_accepted_and_returned_unchanged(scenario: BoardScenario) -> None:
    paths, mismatches = collection_paths(scenario), []
    for kind, body in ACCEPTED:
        response = scenario.owner.client.post(paths[kind], body)
        if response.status not in {200, 201}:
            mismatches.append((kind, str(body)[:80], response.text[:200]))
            continue
        data = response.json.get("data", {})
        plain = {name: value for name, value in body.items() if isinstance(value, str | float) and "Time" not in name}
        mismatches += [(kind, name, "changed") for name, value in plain.items() if data.get(name, value) != value]
    assert mismatches == []


@pytest.mark.parametrize("value", [10**100, -0.0, 5e-324, "", [], {}, [[{"a": [None, True]}]], "é😀\u2028", {"": 1}])
def test_the_value_of_a_dashboard_field_is_any_json(scenario: BoardScenario, value: object) -> None:
    fields = [{**FIELD, "value": value}]
    body = {"dashboardType": "uniform", "uniform": {"fields": fields}}
    dashboards = collection_paths(scenario)["dashboards"]
    created = scenario.owner.client.post(dashboards, body).data
    read = scenario.owner.client.get(f"{dashboards}/{created['id']}").data
    assert created["uniform"]["fields"][0]["value"] == read["uniform"]["fields"][0]["value"] == value
