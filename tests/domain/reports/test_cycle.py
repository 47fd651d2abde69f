"""The rules of reporting cycles."""

from __future__ import annotations

from typing import Any

import pytest

from governance.domain.notifications import due
from governance.domain.reports import cycle as cycle_rules
from governance.ids import UserId
from governance.instants import Instant, shift
from governance.models.notifications.reminder import ReminderKind
from governance.models.reports.cycle import CycleCreate, CyclePatch, Section, StoredCycle
from governance.models.reports.dashboard import StoredDashboard, UniformHead
from tests.domain.samples import refusal
from tests.store.stored_items import BOARD, DASHBOARD, ONE, REPORT

NOW = Instant("2027-01-01T00:00:00.000Z")
DUE = shift(NOW, days=10)
LATER = shift(NOW, days=1)
OWNER = UserId("a" * 24)
CLOSED = (409, "CONFLICT", {"reason": "INVALID_TRANSITION"})


def a_cycle(**members: Any) -> StoredCycle:
    body = {"name": "Q3", "reportId": REPORT, "dueAt": DUE, **members}
    return cycle_rules.created(BOARD, CycleCreate.model_validate(body, context={"now": NOW}), NOW)


def patched(cycle: StoredCycle, **members: Any) -> StoredCycle:
    return cycle_rules.patched(cycle, CyclePatch.model_validate(members, context={"now": NOW}), LATER)


def dashboard(id_: str = ONE, review: str = "working", name: str = "", title: str | None = None) -> StoredDashboard:
    head = UniformHead.model_validate(
        {"source_section_name": name, "is_ad_hoc": False, "review_status": review, "data_anchor_date": None}
    )
    return DASHBOARD.model_copy(update={"id": id_, "uniform": head, "title": title})


def shown(cycle: StoredCycle, *dashboards: StoredDashboard, now: Instant = NOW, **flags: int) -> tuple[Section, ...]:
    return cycle_rules.sections(cycle, dashboards, {ONE: OWNER}, {ONE: flags["flags"]} if flags else {}, now)


def test_a_new_cycle_is_open_and_reminds_three_days_and_a_day_before() -> None:
    cycle = a_cycle()
    assert (cycle_rules.status(cycle), cycle.remind_days_before) == ("open", (3, 1))
    assert a_cycle(remindDaysBefore=[]).remind_days_before == ()


def test_a_cycle_goes_from_open_to_dispatched_to_published() -> None:
    sent = cycle_rules.dispatched(a_cycle(), LATER)
    assert (cycle_rules.status(sent), sent.dispatched_at, sent.version) == ("dispatched", LATER, 2)
    assert refusal(cycle_rules.dispatched, sent, LATER) == CLOSED
    done = cycle_rules.published(sent, [], force=False, now=LATER)
    assert (cycle_rules.status(done), done.published_at, done.version) == ("published", LATER, 3)
    assert cycle_rules.status(cycle_rules.published(a_cycle(), [], force=False, now=LATER)) == "published"
    assert refusal(cycle_rules.dispatched, done, LATER) == CLOSED
    assert refusal(lambda: cycle_rules.published(done, [], force=True, now=LATER)) == CLOSED


def test_a_change_moves_the_version_and_the_same_values_change_nothing() -> None:
    cycle = a_cycle()
    assert patched(cycle, name="Q3", remindDaysBefore=[1, 3]) is cycle
    changed = patched(cycle, name="Q4")
    assert (changed.name, changed.version, changed.updated_at) == ("Q4", 2, LATER)


def test_only_an_open_cycle_gets_another_report_and_a_published_one_changes_no_more() -> None:
    cycle = a_cycle()
    assert patched(cycle, reportId="9" * 24).report_id == "9" * 24
    sent = cycle_rules.dispatched(cycle, NOW)
    assert refusal(patched, sent, reportId="9" * 24) == CLOSED
    assert patched(sent, reportId=REPORT, name="Q4").name == "Q4"
    assert refusal(patched, cycle_rules.published(sent, [], force=False, now=NOW), name="Q3") == CLOSED


def test_a_section_is_named_by_its_source_or_else_its_title() -> None:
    names = [
        cycle_rules.section_name(dashboard(name=name, title=title))
        for name, title in (("S", "T"), ("", "T"), ("S", None), ("", None))
    ]
    assert names == ["S", "T", "S", ""]


@pytest.mark.parametrize(
    ("review", "finished"),
    [("working", False), ("changes_requested", False), ("ready_for_review", True), ("internally_reviewed", True)],
)
def test_a_section_is_overdue_from_the_instant_on_unless_it_is_finished(review: str, finished: bool) -> None:
    section = dashboard(review=review)
    assert cycle_rules.is_finished(section) is finished
    cycle = a_cycle()
    assert [shown(cycle, section, now=now)[0].overdue for now in (shift(DUE, seconds=-1), DUE)] == [False, not finished]
    assert not shown(cycle_rules.published(cycle, [], force=True, now=NOW), section, now=DUE)[0].overdue


def test_sections_are_the_uniform_dashboards_by_creation_with_their_owners_and_flags() -> None:
    first = dashboard()
    second = dashboard("2" * 24).model_copy(update={"created_at": shift(first.created_at, days=1)})
    history = first.model_copy(update={"id": "3" * 24, "uniform": None})
    sections_shown = shown(a_cycle(), second, history, first, flags=2)
    assert [(section.dashboard_id, section.owner_user_id, section.open_flags) for section in sections_shown] == [
        (ONE, OWNER, 2),
        ("2" * 24, None, 0),
    ]


@pytest.mark.parametrize(
    ("review", "flags", "complete"),
    [("internally_reviewed", 0, True), ("internally_reviewed", 1, False), ("ready_for_review", 0, False)],
)
def test_a_report_is_published_when_its_sections_are_reviewed_without_open_flags(
    review: str, flags: int, complete: bool
) -> None:
    cycle = a_cycle()
    sections_shown = shown(cycle, dashboard(review=review), flags=flags)
    assert [cycle_rules.is_complete(section) for section in sections_shown] == [complete]
    assert cycle_rules.status(cycle_rules.published(cycle, sections_shown, force=True, now=NOW)) == "published"
    if complete:
        assert cycle_rules.status(cycle_rules.published(cycle, sections_shown, force=False, now=NOW)) == "published"
    else:
        refused = refusal(lambda: cycle_rules.published(cycle, sections_shown, force=False, now=NOW))
        assert refused == (409, "CONFLICT", {"reason": "SECTIONS_OPEN", "sections": [ONE]})


def test_nothing_is_late_once_it_is_published() -> None:
    (late,) = shown(a_cycle(), dashboard(), now=DUE)
    (section,) = cycle_rules.without_lateness([late])
    assert (late.overdue, section.overdue) == (True, False)


def test_a_cycle_is_due_on_the_days_before_and_when_it_is_due() -> None:
    cycle = a_cycle(remindDaysBefore=[10, 2])
    kinds = [(row.kind, row.due_at, row.cycle_id) for row in due.of_cycle(cycle, NOW)]
    assert kinds == [
        (ReminderKind.SECTIONS, shift(DUE, days=-2), cycle.id),
        (ReminderKind.SECTIONS_OVERDUE, DUE, cycle.id),
    ]
    assert due.of_cycle(cycle, DUE) == []
    assert due.of_cycle(cycle_rules.published(cycle, [], force=True, now=NOW), NOW) == []
