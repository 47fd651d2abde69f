"""Fixtures for the tests of comments: meetings, documents and dashboards to comment on, and the comments on them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.harness.board_scenario import BoardScenario, Person

SUBJECTS = ("meeting", "document", "dashboard")
FIELD = {"fieldId": "arr", "isStub": False, "label": "ARR", "displayOrder": 1, "value": 1}
Make = Callable[[BoardScenario, Person], str]


def new_meeting(scenario: BoardScenario, by: Person, **members: Any) -> str:
    made = by.client.post(f"{scenario.path}/meetings", {"title": "Spring", "status": "scheduled", **members})
    return f"{scenario.path}/meetings/{made.data['id']}"


def new_document(scenario: BoardScenario, by: Person, **members: Any) -> str:
    made = by.client.post(f"{scenario.path}/documents", {"title": "Policy", **members})
    assert made.status == 201, made.text
    return f"{scenario.path}/documents/{made.data['id']}"


def new_dashboard(scenario: BoardScenario, by: Person, **members: Any) -> str:
    reports = f"{scenario.path}/reports"
    report = f"{reports}/{scenario.owner.client.post(reports, {'title': 'Q1'}).data['id']}"
    body = {"dashboardType": "uniform", "title": "Money", "uniform": {"fields": [FIELD]}, **members}
    made = scenario.owner.client.post(f"{report}/dashboards", body)
    path = f"{report}/dashboards/{made.data['id']}"
    if by is not scenario.owner:
        scenario.owner.client.post(f"{path}/ownership-transfer", {"userId": by.id})
    return path


MAKE: dict[str, Make] = {"meeting": new_meeting, "document": new_document, "dashboard": new_dashboard}


def write(by: Person, subject: str, text: str = "Why?", **members: Any) -> Any:
    made = by.client.post(f"{subject}/comments", {"text": text, **members})
    assert made.status == 201, made.text
    return made.data


@pytest.fixture(params=SUBJECTS)
def subject(request: pytest.FixtureRequest, scenario: BoardScenario) -> str:
    """The path of a meeting, a document or a dashboard of the owner."""
    return MAKE[request.param](scenario, scenario.owner)
