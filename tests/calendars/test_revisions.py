"""Meetings that calendars move and cancel by mail: what counts as a change, and which revision may make it."""

from __future__ import annotations

import pytest

from governance.ids import membership_id
from governance.instants import Instant, shift
from governance.mail.received import Refusal
from governance.models.history.event import Event
from tests.calendars.calendar_invitation_mails import calendar_of, settle
from tests.calendars.invited import Invited, Target, notified, want_calendar_invitations
from tests.calendars.mails import deliver, itip, mail, moved, stamp
from tests.harness.board_scenario import BoardScenario
from tests.harness.client import Response
from tests.harness.fault_injection import meanwhile
from tests.harness.meeting_scenario import from_now, stored_events
from tests.harness.outbox import Outbox
from tests.harness.table_snapshot import TableSnapshot

pytestmark = pytest.mark.usefixtures("bucket")
STEP = 100


def next_sequence(invited: Invited, more: int = 1) -> str:
    return str(int(str(invited.event["sequence"])) + more)


@pytest.mark.parametrize("method", ["REQUEST", "CANCEL"])
def test_a_calendar_that_knows_no_newer_revision_changes_nothing(invited: Invited, method: str) -> None:
    before = TableSnapshot()
    assert invited.ask(method, *moved(), SEQUENCE=str(invited.event["sequence"])) == Refusal.OUTDATED
    assert before.changes() == {}


@pytest.mark.parametrize("method", ["REQUEST", "CANCEL"])
def test_no_calendar_gets_far_ahead_of_the_meeting(invited: Invited, method: str) -> None:
    before = TableSnapshot()
    assert invited.ask(method, *moved(), SEQUENCE=next_sequence(invited, STEP + 1)) == Refusal.BAD_CALENDAR
    assert before.changes() == {}
    assert invited.ask(method, *moved(), SEQUENCE=next_sequence(invited, STEP)) is None


@pytest.mark.parametrize("method", ["REQUEST", "CANCEL"])
def test_a_change_that_is_sent_again_after_a_later_one_changes_nothing(invited: Invited, method: str) -> None:
    calendar = itip(method, invited.event, *moved(), SEQUENCE=next_sequence(invited, STEP))
    raw = mail(invited.ben.email, invited.address, calendar)
    assert deliver(raw) == [None]
    assert invited.meeting.patch(startTime=from_now(days=9)).status == 200
    before = TableSnapshot()
    assert deliver(raw) == [Refusal.OUTDATED]
    assert before.changes() == {}


def test_our_own_cancellation_that_comes_back_cancels_nothing(invited: Invited) -> None:
    invited.meeting.patch(startTime=None, endTime=None)
    invited.refresh()
    ours = calendar_of(invited.outbox.last)
    assert str(ours["method"]) == "CANCEL"
    invited.meeting.patch(startTime=from_now(days=9))
    assert deliver(mail(invited.ben.email, invited.address, ours.to_ical().decode())) == [Refusal.OUTDATED]
    assert invited.times[0] is not None


def test_a_meeting_without_a_time_cannot_be_cancelled(invited: Invited) -> None:
    invited.meeting.patch(startTime=None, endTime=None)
    assert invited.ask("CANCEL", SEQUENCE="9") == Refusal.OUTDATED
    assert stored_events(invited.scenario, Event.MEETING_CANCELLED_BY_CALENDAR) == []


def test_a_move_to_the_time_that_the_meeting_has_is_no_event(invited: Invited) -> None:
    shown = Instant(str(invited.times[0]))
    start, end = stamp(shown), stamp(shift(shown, hours=1))
    before = TableSnapshot()
    for sequence in ("1", "2"):
        assert invited.ask("REQUEST", f"DTSTART:{start}", f"DTEND:{end}", SEQUENCE=sequence) is None
        assert invited.ask("REQUEST", f"DTSTART:{start}", SEQUENCE=sequence) is None
    assert before.changes() == {}


def test_a_meeting_that_is_moved_keeps_its_zone(invited: Invited) -> None:
    assert invited.meeting.confirm(invited.meeting.slot("2099-05-01T10:00:00Z")).status == 200
    invited.refresh()
    times = ("DTSTART;TZID=Asia/Tokyo:20990502T190000", "DTEND;TZID=Asia/Tokyo:20990502T200000")
    assert invited.ask("REQUEST", *times, SEQUENCE=next_sequence(invited)) is None
    assert invited.times[0] == "2099-05-02T10:00:00.000Z"
    (slot,) = invited.meeting.listed()
    assert invited.meeting.vote(invited.ben.client, slot).status == 200  # it is booked no more
    invited.refresh()
    assert invited.event["dtstart"].to_ical() == b"20990502T120000"
    assert invited.event["dtstart"].params["TZID"] == "Europe/Paris"


def test_a_reply_is_neither_of_a_later_revision_than_the_meeting_nor_of_a_later_time_than_its_arrival(
    invited: Invited,
) -> None:
    assert invited.answer("ACCEPTED", SEQUENCE="999999999", DTSTAMP=stamp(from_now(days=300))) is None
    assert invited.answer("DECLINED", DTSTAMP=stamp(from_now(seconds=2))) is None
    assert invited.rsvp[0] == "declined"


def test_a_higher_sequence_moves_the_meeting(invited: Invited) -> None:
    assert invited.ask("REQUEST", *moved(), SEQUENCE="1") is None
    assert invited.times == ("2099-03-01T09:00:00.000Z", "2099-03-01T10:30:00.000Z")
    invited.refresh()
    assert int(str(invited.event["sequence"])) == 1
    told = invited.scenario.owner.client.get("/api/notification/").json
    assert ["“Spring”" in row["message"] for row in told if row["type"] == "meeting_updated_from_calendar"] == [True]
    entries = invited.scenario.owner.client.get(f"/api/auditlog/{invited.scenario.board_id}").json
    assert entries[-1]["action"] == "meetingUpdate"
    assert entries[-1]["details"] == {"fields": ["startTime", "endTime"]}


def test_a_cancellation_takes_the_time_away(invited: Invited) -> None:
    invited.meeting.confirm(invited.meeting.slot(from_now(days=4)))
    invited.refresh()
    assert invited.ask("CANCEL", SEQUENCE=str(int(str(invited.event["sequence"])) + 1)) is None
    assert invited.times == (None, None)
    slot = invited.meeting.listed()[0]
    assert invited.meeting.vote(invited.ben.client, slot).status == 200  # it is booked no more
    invited.refresh()
    assert str(calendar_of(invited.outbox.last)["method"]) == "CANCEL"
    assert "meeting_cancelled_from_calendar" in notified(invited.scenario.owner)


@pytest.mark.parametrize(
    ("method", "kind"), [("REQUEST", Event.MEETING_MOVED_BY_CALENDAR), ("CANCEL", Event.MEETING_CANCELLED_BY_CALENDAR)]
)
def test_nobody_is_told_of_a_draft_that_its_creator_moves_or_cancels(
    scenario: BoardScenario, outbox: Outbox, method: str, kind: Event
) -> None:
    other = scenario.member("eve")
    want_calendar_invitations(scenario.owner)
    want_calendar_invitations(other, False)
    own = Invited(scenario, scenario.owner, outbox)
    assert own.meeting.patch(status="draft").status == 200
    assert own.ask(method, *moved(), SEQUENCE=next_sequence(own, 2)) is None
    (event,) = stored_events(scenario, kind)
    assert event.draft_of == scenario.owner.id
    settle(scenario)
    assert kind.replace(".", "_") not in notified(other)


def test_a_move_that_makes_no_sense_is_set_aside(target: Target) -> None:
    for lines in (
        moved(DTEND="20980101T000000Z"),
        moved(DTEND="20990301T090000Z"),
        ["DTSTART;VALUE=DATE:20990301"],
        ["DTSTART:20990301T100000"],
        [],
    ):
        calendar = itip("REQUEST", target.invited.event, *lines, SEQUENCE="1")
        assert target.send(target.of(calendar)) == Refusal.BAD_CALENDAR, lines


def make_guest(invited: Invited) -> Response:
    """Takes from Ben the right to edit meetings."""
    path = f"{invited.scenario.path}/members/{membership_id(invited.scenario.board_id, invited.ben.id)}"
    return invited.scenario.owner.client.patch(path, {"accessType": "guest"})


@pytest.mark.parametrize("method", ["REQUEST", "CANCEL"])
def test_only_those_who_may_edit_move_a_meeting(invited: Invited, method: str) -> None:
    assert make_guest(invited).status == 200
    before = invited.times
    assert invited.ask(method, *moved(), SEQUENCE="1") == Refusal.NOT_ALLOWED
    assert invited.times == before
    assert invited.answer("ACCEPTED") is None


@pytest.mark.parametrize("method", ["REQUEST", "CANCEL"])
def test_who_loses_the_right_before_the_commit_moves_no_meeting(invited: Invited, method: str) -> None:
    before = invited.times
    with meanwhile(lambda: make_guest(invited)):
        assert invited.ask(method, *moved(), SEQUENCE=next_sequence(invited)) == Refusal.NOT_ALLOWED
    assert invited.times == before


def test_a_finalized_meeting_stays_as_it_is(invited: Invited) -> None:
    invited.meeting.finalize()
    before = TableSnapshot()
    assert invited.answer("ACCEPTED") == Refusal.NOT_ALLOWED
    for method in ("REQUEST", "CANCEL"):
        assert invited.ask(method, *moved(), SEQUENCE="9") == Refusal.NOT_ALLOWED
    assert before.changes() == {}
