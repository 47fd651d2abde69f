"""A change costs what it changes, not what is stored: write units by the documentation's rules (ADR table)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.harness.board_scenario import BoardScenario
from tests.harness.client import Response
from tests.harness.write_units import count_write_units

_TEXT = {"type": "text", "text": "x" * 60_000}
_NOTES = {"type": "doc", "content": [{"type": "paragraph", "content": [_TEXT]}]}
_LINKS = 33
Change = Callable[[BoardScenario], Callable[[], Response]]


def _meetings(scenario: BoardScenario, count: int = 1) -> list[str]:
    body = {"title": "Meeting", "status": "scheduled"}
    return [scenario.owner.client.post(f"{scenario.path}/meetings", body).data["id"] for _ in range(count)]


def _patch(scenario: BoardScenario, path: str, body: dict[str, Any], **options: Any) -> Callable[[], Response]:
    return lambda: scenario.owner.client.call("PATCH", f"{scenario.path}/{path}", body, **options)


def status_of_an_item_with_notes(scenario: BoardScenario) -> Callable[[], Response]:
    path = f"meetings/{_meetings(scenario)[0]}/action-items"
    item = {"title": "Item", "notes": _NOTES, "assigneeUserId": scenario.member("ben").id}
    created = scenario.owner.client.post(f"{scenario.path}/{path}", item).data["_id"]
    return _patch(scenario, f"{path}/{created}", {"status": "completed"})


def title_of_a_large_dashboard(scenario: BoardScenario) -> Callable[[], Response]:
    report = scenario.owner.client.post(f"{scenario.path}/reports", {"title": "Report"}).data["id"]
    body = {"dashboardType": "uniform", "title": "Dashboard", "uniform": {"narrative": "x" * 200_000}}
    path = f"reports/{report}/dashboards"
    created = scenario.owner.client.post(f"{scenario.path}/{path}", body).data["id"]
    return _patch(scenario, f"{path}/{created}", {"title": "New"})


def _linked_document(scenario: BoardScenario, **members: str) -> Callable[[], Response]:
    body = {"title": "Document", "meetingIds": _meetings(scenario, _LINKS), **members}
    created = scenario.owner.client.post(f"{scenario.path}/documents", body).data["id"]
    return _patch(scenario, f"documents/{created}", {"title": "New"})


def title_of_a_linked_document(scenario: BoardScenario) -> Callable[[], Response]:
    return _linked_document(scenario)


def title_of_a_linked_document_with_a_type(scenario: BoardScenario) -> Callable[[], Response]:
    return _linked_document(scenario, documentType="minutes")


def title_of_a_meeting(scenario: BoardScenario) -> Callable[[], Response]:
    return _patch(scenario, f"meetings/{_meetings(scenario)[0]}", {"title": "New"})


def status_of_a_meeting(scenario: BoardScenario) -> Callable[[], Response]:
    return _patch(scenario, f"meetings/{_meetings(scenario)[0]}", {"status": "completed"})


CASES: dict[Change, int] = {
    status_of_an_item_with_notes: 24,  # 244 with the notes in the item
    title_of_a_large_dashboard: 16,  # 494 with the payload in the item
    title_of_a_linked_document: 6 * _LINKS + 16,  # 410 with a copy in each link
    title_of_a_linked_document_with_a_type: 10 * _LINKS + 24,  # 682 with a copy in each link
    title_of_a_meeting: 14,
    status_of_a_meeting: 14 + 2 * 8 + 2,  # the state that guards keep
}


@pytest.mark.parametrize(("change", "most"), CASES.items(), ids=lambda value: getattr(value, "__name__", ""))
def test_a_change_costs_what_it_changes(scenario: BoardScenario, change: Change, most: int) -> None:
    send = change(scenario)
    with count_write_units() as units:
        assert send().status == 200
    assert units.total <= most
