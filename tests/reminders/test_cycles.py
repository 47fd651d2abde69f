"""Who is told of a cycle: the owners of its sections, the members when it is published, managers without a meeting."""

from __future__ import annotations

from typing import Any

import pytest

from governance.deliveries.notifications.reminders import send_reminder
from governance.domain.notifications.due import of_cycle
from governance.instants import Instant, now, shift
from governance.models.notifications.reminder import ReminderKind
from governance.queue import sending
from governance.queue.message import Message
from governance.store.reports import cycles
from tests.functions.reports.test_cycles import REVIEWED, Reporting
from tests.harness.board_scenario import Person
from tests.harness.meeting_scenario import leave
from tests.reminders.conftest import World


@pytest.fixture
def reporting(world: World) -> Reporting:
    return Reporting(world.board)


def cycle_due(reporting: Reporting, report: str, days: int = 10, **members: Any) -> str:
    return reporting.cycle(report, dueAt=shift(now(), days=days), **members)


def owners(reporting: Reporting, *names: str) -> tuple[str, list[Person], list[str]]:
    """Makes a report with a section of each of these new members; returns the sections' ids, too."""
    report = reporting.report()
    people = [reporting.board.member(name) for name in names]
    sections = [reporting.section(report, f"Of {name}") for name in names]
    for person, section in zip(people, sections, strict=True):
        path = f"{reporting.board.path}/reports/{report}/dashboards/{section}/ownership-transfer"
        assert reporting.client.post(path, {"userId": person.id}).status == 200
    return report, people, sections


def rows(person: Person, type_: str) -> list[dict[str, Any]]:
    return [row for row in person.client.get("/api/notification/").json if row["type"] == type_]


def test_a_dispatch_tells_the_owner_of_each_section(world: World, reporting: Reporting) -> None:
    report, (ben, cleo), (of_ben, _) = owners(reporting, "ben", "cleo")
    reporting.section(report, "Of Maya herself")
    path = cycle_due(reporting, report)
    world.deliver()
    assert world.told(ben, "section_dispatched") == []
    assert reporting.client.post(f"{path}/dispatch").status == 200
    assert world.told(cleo, "section_dispatched") == ["Maya Tester asks you for the section “Of cleo” of “Q3”."]
    assert world.told(reporting.manager, "section_dispatched") == []
    (row,) = rows(ben, "section_dispatched")
    assert row["cycleId"] == path.rpartition("/")[2]
    assert (row["sectionName"], row["dashboardType"]) == ("Of ben", "uniform")
    assert row["reportId"] == {"_id": report, "title": "Third quarter"}
    assert row["dashboardId"] == {"_id": of_ben, "title": None}
    mails = [str(mail["Subject"]) for mail in world.mails(ben)]
    assert any("section “Of ben”" in subject for subject in mails)


def test_owners_are_reminded_on_the_days_before_and_once_when_overdue(world: World, reporting: Reporting) -> None:
    report, (ben, cleo, dora), (_, of_cleo, of_dora) = owners(reporting, "ben", "cleo", "dora")
    reporting.review(report, of_cleo, "ready_for_review")
    reporting.review(report, of_dora, *REVIEWED)
    path = cycle_due(reporting, report)
    soon, late = "The section “Of ben” of “Q3” is due soon.", "The section “Of ben” of “Q3” is overdue."
    told = [(6.9, []), (0.2, [soon]), (1.8, [soon]), (0.2, [soon] * 2), (0.8, [soon] * 2), (0.2, [late, soon, soon])]
    for days, expected in told:
        world.pass_time(days=days)
        assert world.told(ben, "section_reminder") == expected
    world.pass_time(days=1)
    assert len(world.told(ben, "section_reminder")) == 3
    assert world.told(cleo, "section_reminder") == world.told(dora, "section_reminder") == []
    shown = reporting.client.get(path).data["sections"]
    assert [section["overdue"] for section in shown] == [True, False, False]
    assert len([mail for mail in world.mails(ben) if "section “Of ben”" in str(mail["Subject"])]) == 3


def planned(reporting: Reporting, path: str) -> list[Message]:
    """Returns the messages that a reminder of a cycle leads to, not yet delivered."""
    cycle = cycles.find(reporting.board.board_id, path.rpartition("/")[2])
    assert cycle is not None
    due = next(row for row in of_cycle(cycle, Instant("")) if row.kind is ReminderKind.SECTIONS)
    return list(send_reminder(due.item()))


def test_a_section_that_is_finished_after_the_sweep_reminds_nobody(world: World, reporting: Reporting) -> None:
    report, (ben, cleo), (of_ben, _) = owners(reporting, "ben", "cleo")
    path = cycle_due(reporting, report)
    world.move(days=7)
    messages = planned(reporting, path)
    assert len(messages) == 2
    reporting.review(report, of_ben, "ready_for_review")
    sending.send(messages)
    assert world.told(ben, "section_reminder") == []
    assert len(world.told(cleo, "section_reminder")) == 1


@pytest.mark.parametrize("end", ["deleted", "published", "moved"])
@pytest.mark.parametrize("is_planned", [True, False], ids=["planned", "swept"])
def test_a_cycle_that_ends_or_moves_after_the_sweep_reminds_nobody(
    world: World, reporting: Reporting, *, is_planned: bool, end: str
) -> None:
    report, (ben,), _ = owners(reporting, "ben")
    path = cycle_due(reporting, report)
    world.move(days=7)
    if is_planned:
        sending.send(planned(reporting, path))
    assert world.sweep() == 1
    if end == "deleted":
        ended = reporting.client.delete(path)
    elif end == "published":
        ended = reporting.client.post(f"{path}/publish", {"force": True})
    else:
        ended = reporting.client.patch(path, {"dueAt": shift(now(), days=20)})
    assert ended.status == 200, ended.text
    assert world.told(ben, "section_reminder") == []


def test_who_owns_a_section_then_is_reminded_and_who_left_is_not(world: World, reporting: Reporting) -> None:
    report, (ben, cleo), (of_ben, of_cleo) = owners(reporting, "ben", "cleo")
    cycle_due(reporting, report)
    handed = f"{reporting.board.path}/reports/{report}/dashboards/{of_ben}/ownership-transfer"
    assert reporting.client.post(handed, {"userId": cleo.id}).status == 200
    leave(world.board, ben)
    world.pass_time(days=7)
    assert len(world.told(cleo, "section_reminder")) == 2
    assert world.told(ben, "section_reminder") == []
    assert of_cleo != of_ben


def test_the_members_are_told_of_the_package_in_place_of_the_report(world: World, reporting: Reporting) -> None:
    guest = world.board.member("gus", access_type="guest")
    path = cycle_due(reporting, reporting.report())
    assert reporting.client.post(f"{path}/publish").status == 200
    message = "Maya Tester published the report “Third quarter”."
    for member in (guest, world.board.owner):
        assert world.told(member, "package_published", "report_published") == [message]
        assert any(message in str(mail["Subject"]) for mail in world.mails(member))
    assert world.told(reporting.manager, "package_published") == []
    assert rows(guest, "package_published")[0]["cycleId"] == path.rpartition("/")[2]


def test_managers_but_the_publisher_are_told_to_plan_a_meeting_if_there_is_none_ahead(
    world: World, reporting: Reporting
) -> None:
    other = world.board.member("moe", access_type="manager")
    collaborator = world.board.member("cole")
    meetings = f"{world.board.path}/meetings"
    draft = {"title": "D", "startTime": shift(now(), days=2)}
    past = {"title": "P", "status": "scheduled", "startTime": shift(now(), days=-1)}
    for body in (draft, past):
        assert reporting.client.post(meetings, body).status == 201
    assert reporting.client.post(f"{cycle_due(reporting, reporting.report())}/publish").status == 200
    suggested = "Maya Tester published the report “Third quarter”, and no meeting is scheduled. Schedule one."
    for manager in (other, world.board.owner):
        assert world.told(manager, "meeting_creation_suggestion") == [suggested]
    (row,) = rows(other, "meeting_creation_suggestion")
    assert row["meetingLink"] == f"{meetings.removeprefix('/api/v1')}/new"
    assert world.told(reporting.manager, "meeting_creation_suggestion") == []
    assert world.told(collaborator, "meeting_creation_suggestion") == []
    ahead = {"title": "Next", "status": "scheduled", "startTime": shift(now(), days=3)}
    assert reporting.client.post(meetings, ahead).status == 201
    assert reporting.client.post(f"{cycle_due(reporting, reporting.report())}/publish").status == 200
    assert len(world.told(other, "package_published")) == 2
    assert len(world.told(other, "meeting_creation_suggestion")) == 1
