"""Reporting cycles: who writes them, what they show of their sections, dispatch and publication (ADR reports)."""

from __future__ import annotations

from itertools import chain
from typing import Any

import pytest

from governance.limits import CYCLES_PAGE_SECTIONS
from governance.store import counters
from governance.store.schema.entities import DASHBOARD_COUNT
from governance.store.schema.keys import make_item
from governance.store.transactions import transact
from governance.store.writes import Put
from tests.harness.board_scenario import BoardScenario, Person
from tests.harness.client import Client, Response
from tests.harness.fault_injection import meanwhile
from tests.harness.meeting_scenario import audit_entries, from_now, stored_events
from tests.harness.table_snapshot import TableSnapshot

UNKNOWN_ID = "0" * 24
LATER = from_now(days=60)


class Reporting:
    """A board with a manager, and the reports and cycles that they make."""

    def __init__(self, scenario: BoardScenario) -> None:
        self.board = scenario
        self.manager = scenario.member("maya", access_type="manager")
        self.client: Client = self.manager.client
        self.path = f"{scenario.path}/cycles"

    def report(self) -> str:
        return str(self.client.post(f"{self.board.path}/reports", {"title": "Third quarter"}).data["id"])

    def section(self, report: str, name: str = "", by: Person | None = None, **members: Any) -> str:
        path = f"{self.board.path}/reports/{report}/dashboards"
        body = {"dashboardType": "uniform", "uniform": {"sourceSectionName": name}, **members}
        created = (by or self.manager).client.post(path, body)
        assert created.status == 201, created.text
        return str(created.data["id"])

    def review(self, report: str, section: str, *statuses: str) -> None:
        path = f"{self.board.path}/reports/{report}/dashboards/{section}"
        for status in statuses:
            assert self.client.patch(path, {"uniform": {"reviewStatus": status}}).status == 200

    def create(self, report: str, **members: Any) -> Response:
        return self.client.post(self.path, {"name": "Q3", "reportId": report, "dueAt": LATER, **members})

    def cycle(self, report: str, **members: Any) -> str:
        created = self.create(report, **members)
        assert created.status == 201, created.text
        return f"{self.path}/{created.data['id']}"


@pytest.fixture
def reporting(scenario: BoardScenario) -> Reporting:
    return Reporting(scenario)


REVIEWED = ("ready_for_review", "internally_reviewed")


def reason(response: Response) -> tuple[int, str]:
    return response.status, response.details["reason"]


def section(dashboard: str, name: str, owner: Person, status: str) -> dict[str, Any]:
    stated = {"dashboardId": dashboard, "sectionName": name, "ownerUserId": owner.id, "reviewStatus": status}
    return {**stated, "openFlags": 0, "overdue": False}


def test_a_cycle_shows_the_sections_of_its_report(reporting: Reporting) -> None:
    report = reporting.report()
    first = reporting.section(report, "Finance", title="Figures")
    second = reporting.section(report, by=reporting.board.owner, title="People")
    reporting.section(report, dashboardType="historicalFundraising", uniform=None)
    reporting.review(report, second, "ready_for_review")
    created = reporting.create(report)
    assert created.status == 201
    assert created.data == {
        "object": "cycle",
        "id": created.data["id"],
        "boardId": reporting.board.board_id,
        "name": "Q3",
        "reportId": report,
        "dueAt": LATER,
        "remindDaysBefore": [3, 1],
        "status": "open",
        "sections": [
            section(first, "Finance", reporting.manager, "working"),
            section(second, "People", reporting.board.owner, "ready_for_review"),
        ],
        "dispatchedAt": None,
        "publishedAt": None,
        "createdAt": created.data["createdAt"],
        "updatedAt": created.data["createdAt"],
    }
    assert reporting.client.get(f"{reporting.path}/{created.data['id']}").data == created.data
    assert reporting.client.get(reporting.path).data == [created.data]


@pytest.mark.parametrize(
    ("members", "field"),
    [
        ({"reportId": UNKNOWN_ID}, "reportId"),
        ({"dueAt": "2020-01-01T00:00:00Z"}, "dueAt"),
        ({"remindDaysBefore": [1, 1]}, "remindDaysBefore"),
    ],
)
def test_what_a_cycle_cannot_be_is_refused_and_changes_nothing(
    reporting: Reporting, members: dict[str, Any], field: str
) -> None:
    path = reporting.cycle(reporting.report())
    before = TableSnapshot()
    for refused in (reporting.create(reporting.report(), **members), reporting.client.patch(path, members)):
        assert (refused.status, list(refused.fields)) == (400, [field])
    assert len(reporting.client.get(reporting.path).data) == 1
    assert not [change for change in before.changes() if path.rpartition("/")[2] in change]


def test_a_report_is_in_one_cycle_that_is_not_published(reporting: Reporting) -> None:
    report, other = reporting.report(), reporting.report()
    path = reporting.cycle(report)
    assert reason(reporting.create(report)) == (409, "CYCLE_OPEN")
    second = reporting.cycle(other)
    assert reason(reporting.client.patch(second, {"reportId": report})) == (409, "CYCLE_OPEN")
    assert reporting.client.post(f"{path}/publish").status == 200
    assert reporting.client.patch(second, {"reportId": report}).data["reportId"] == report
    assert reporting.client.delete(second).status == 200
    assert reporting.create(report).status == 201
    assert reporting.create(other).status == 201


def test_a_report_in_a_cycle_is_not_deleted_and_a_finalized_one_is_in_none(reporting: Reporting) -> None:
    report = reporting.report()
    path, of_report = reporting.cycle(report), f"{reporting.board.path}/reports/{report}"
    reporting.section(report)
    assert reason(reporting.client.delete(of_report)) == (409, "CYCLE_OPEN")
    assert reporting.client.post(f"{path}/publish", {"force": True}).status == 200
    assert reporting.client.delete(of_report).status == 200
    assert reporting.client.get(path).data["sections"] == []
    assert reporting.client.delete(path).status == 200
    final = reporting.report()
    for status in ("published", "finalized"):
        reporting.client.patch(f"{reporting.board.path}/reports/{final}", {"status": status})
    assert reason(reporting.create(final)) == (409, "REPORT_FINALIZED")


def test_a_cycle_does_not_move_to_a_report_that_is_finalized_meanwhile(reporting: Reporting) -> None:
    path, other = reporting.cycle(reporting.report()), reporting.report()
    of_other = f"{reporting.board.path}/reports/{other}"
    assert reporting.client.patch(of_other, {"status": "published"}).status == 200
    with meanwhile(lambda: reporting.client.patch(of_other, {"status": "finalized"})):
        assert reason(reporting.client.patch(path, {"reportId": other})) == (409, "REPORT_FINALIZED")


def test_a_cycle_is_dispatched_once(reporting: Reporting) -> None:
    report = reporting.report()
    path = reporting.cycle(report)
    sent = reporting.client.post(f"{path}/dispatch")
    assert (sent.status, sent.data["status"]) == (200, "dispatched")
    assert sent.data["dispatchedAt"] == sent.data["updatedAt"]
    assert reporting.client.get(path).data == sent.data
    assert reason(reporting.client.post(f"{path}/dispatch")) == (409, "INVALID_TRANSITION")
    assert reason(reporting.client.patch(path, {"reportId": reporting.report()})) == (409, "INVALID_TRANSITION")
    assert reporting.client.patch(path, {"name": "Third"}).data["name"] == "Third"


def test_a_report_is_published_when_every_section_is_reviewed_or_by_force(reporting: Reporting) -> None:
    report = reporting.report()
    done, ready, working = (reporting.section(report, name) for name in ("A", "B", "C"))
    reporting.review(report, done, *REVIEWED)
    reporting.review(report, ready, "ready_for_review")
    path = reporting.cycle(report)
    refused = reporting.client.post(f"{path}/publish", {})
    assert reason(refused) == (409, "SECTIONS_OPEN")
    assert refused.details["sections"] == [ready, working]
    assert reporting.client.get(f"{reporting.board.path}/reports/{report}").data["status"] == "draft"
    published = reporting.client.post(f"{path}/publish", {"force": True})
    assert (published.status, published.data["status"]) == (200, "published")
    shown = reporting.client.get(f"{reporting.board.path}/reports/{report}").data
    assert (shown["status"], shown["publishedAt"]) == ("published", published.data["publishedAt"])
    (entry,) = audit_entries(reporting.board, "reportStatusChange")
    assert entry["details"] == {"from": "draft", "to": "published"}


def test_a_report_that_was_published_by_itself_stays_as_it_is(reporting: Reporting) -> None:
    report = reporting.report()
    path, of_report = reporting.cycle(report), f"{reporting.board.path}/reports/{report}"
    published = reporting.client.patch(of_report, {"status": "published"}).data
    assert reporting.client.post(f"{path}/publish").status == 200
    assert reporting.client.get(of_report).data == published
    assert len(stored_events(reporting.board, "report.status_changed")) == 1


def test_a_page_ends_early_where_sections_are_many_and_nothing_is_left_out(reporting: Reporting) -> None:
    paths = []
    for number in range(5):
        report = reporting.report()
        paths.append(reporting.cycle(report))
        key = DASHBOARD_COUNT.key_for(boardId=reporting.board.board_id, reportId=report)
        many = CYCLES_PAGE_SECTIONS + 1 if number == 2 else CYCLES_PAGE_SECTIONS // 2
        transact([counters.set_number(key, None, many)])
    pages = [[cycle["id"] for cycle in page] for page in reporting.client.pages(reporting.path, limit=3)]
    assert [len(page) for page in pages] == [2, 1, 2]
    assert list(chain.from_iterable(pages)) == [path.rpartition("/")[2] for path in reversed(paths)]


@pytest.mark.parametrize("named", [(), (0,), (0, 1, UNKNOWN_ID), (0, UNKNOWN_ID)], ids=str)
def test_sections_are_complete_where_an_earlier_release_counted_dashboards_without_their_ids(
    reporting: Reporting, named: tuple[int | str, ...]
) -> None:
    report = reporting.report()
    path, created = reporting.cycle(report), [reporting.section(report, name) for name in "AB"]
    key = DASHBOARD_COUNT.key_for(boardId=reporting.board.board_id, reportId=report)
    ids = {created[place] if isinstance(place, int) else place for place in named}
    stored = {"count": 2, "changes": 2, **({"ids": frozenset(ids)} if ids else {})}
    transact([Put(make_item(key, stored))])
    shown = reporting.client.get(path).data["sections"]
    assert [section["dashboardId"] for section in shown] == created
