"""Invitations by mail: their recipients, when they are sent, and what they say."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest

from governance.deliveries.planning import plan_event
from governance.models.event import Event
from governance.models.meetings.due import DeliveryKind
from governance.usecases.operator import operator
from tests.calendar.calendar_invitation_mails import calendar_of, calendar_text, schedule, settle, told
from tests.calendar.feeds import fetch, subscribe
from tests.calendar.invited import want_calendar_invitations
from tests.calendar.test_times import by_ical_js
from tests.harness.board_scenario import BoardScenario, Person
from tests.harness.meeting_scenario import from_now, leave, stored_events
from tests.harness.observed_table import events as table_events
from tests.harness.outbox import Outbox, text_of
from tests.harness.stream import deliver, event_records, new_event, process_records


def test_only_those_who_want_invitations_get_them(scenario: BoardScenario, ben: Person, outbox: Outbox) -> None:
    carl = scenario.member("carl")
    want_calendar_invitations(carl)
    want_calendar_invitations(carl, wanted=False)
    schedule(scenario)
    settle(scenario)
    assert told(outbox) == [(ben.email, "REQUEST", "Spring", 0)]


def test_a_booking_is_mailed_by_its_own_event(scenario: BoardScenario, ben: Person, outbox: Outbox) -> None:
    """A first invitation would be mailed by any later event, so this one has its first before."""
    meeting = schedule(scenario)
    settle(scenario)
    meeting.confirm(meeting.slot(from_now(days=5)))
    (booking,) = stored_events(scenario, "meeting.updated")
    deliver(booking)
    assert told(outbox) == [(ben.email, "REQUEST", "Spring", sequence) for sequence in (0, 1)]


def test_settings_are_read_at_half_price(scenario: BoardScenario, ben: Person, outbox: Outbox) -> None:
    """Nobody waits for them: a setting of the last second may miss an event, and each invitation reads it again."""
    consistent: list[bool] = []

    def record(params: dict[str, Any], **_: Any) -> None:
        (table,) = params["RequestItems"].values()
        consistent.append(table["ConsistentRead"])

    schedule(scenario)
    events = event_records(scenario.board_id)
    table_events.register("provide-client-params.dynamodb.BatchGetItem", record)
    try:
        process_records(events)
    finally:
        table_events.unregister("provide-client-params.dynamodb.BatchGetItem", record)
    assert consistent.count(False) == len(events)
    assert [to for to, *_ in told(outbox)] == [ben.email]


def test_an_invitation_says_what_the_feed_says(scenario: BoardScenario, ben: Person, outbox: Outbox) -> None:
    meeting = schedule(scenario, location="Room 3")
    meeting.confirm(meeting.slot(from_now(days=5)))
    settle(scenario)
    (mail,) = outbox.mails
    (event,) = calendar_of(mail).walk("VEVENT")
    shown = fetch(subscribe(ben)).events[meeting.path.rpartition("/")[2]]
    for name in ("uid", "sequence", "dtstart", "dtend", "summary", "location", "url", "status"):
        assert event[name].to_ical() == shown[name].to_ical()
    assert event["dtstart"].params["TZID"] == "Europe/Paris"
    assert str(event["attendee"]) == f"mailto:{ben.email}"
    assert event["attendee"].params["PARTSTAT"] == "NEEDS-ACTION"
    organizer = str(event["organizer"]).removeprefix("mailto:")
    assert str(mail["Reply-To"]) == organizer
    assert organizer.startswith("meetings+")
    assert len(organizer.partition("@")[0]) <= 64
    assert "Room 3" in text_of(mail)
    assert "(Europe/Paris)" in text_of(mail)


def test_each_change_of_time_place_or_title_is_one_mail(scenario: BoardScenario, ben: Person, outbox: Outbox) -> None:
    meeting = schedule(scenario)
    steps: list[dict[str, Any]] = [
        {"startTime": from_now(days=4)},
        {"location": "Room 1"},
        {"title": "Autumn"},
        {"status": "in_progress"},
        {"startTime": None},
        {"startTime": from_now(days=6)},
    ]
    settle(scenario)
    for step in steps:
        assert meeting.patch(**step).status == 200
        settle(scenario)
        settle(scenario)
    assert told(outbox) == [
        (ben.email, "REQUEST", "Spring", 0),
        (ben.email, "REQUEST", "Spring", 1),
        (ben.email, "REQUEST", "Spring", 2),
        (ben.email, "REQUEST", "Autumn", 2),
        (ben.email, "CANCEL", "Autumn", 4),
        (ben.email, "REQUEST", "Autumn", 5),
    ]
    assert len({str(mail["Reply-To"]) for mail in outbox.mails}) == 1


@pytest.mark.parametrize("end", ["delete", "draft"])
def test_a_meeting_that_is_gone_is_cancelled(scenario: BoardScenario, ben: Person, outbox: Outbox, end: str) -> None:
    meeting = schedule(scenario)
    settle(scenario)
    if end == "delete":
        assert scenario.owner.client.delete(meeting.path).status == 200
    else:
        assert meeting.patch(status="draft").status == 200
    settle(scenario)
    assert told(outbox) == [(ben.email, "REQUEST", "Spring", 0), (ben.email, "CANCEL", "Spring", 1)]
    (event,) = calendar_of(outbox.last).walk("VEVENT")
    assert str(event["status"]) == "CANCELLED"


@pytest.mark.parametrize("order", [1, -1], ids=["in order", "last event first"])
def test_a_cancellation_has_a_number_above_that_of_the_feed(
    scenario: BoardScenario, ben: Person, outbox: Outbox, order: int
) -> None:
    meeting = schedule(scenario)
    settle(scenario)
    for status in ("in_progress", "scheduled", "completed"):
        assert meeting.patch(status=status).status == 200
    (shown,) = fetch(subscribe(ben)).events.values()
    assert scenario.owner.client.delete(meeting.path).status == 200
    for each in event_records(scenario.board_id)[::order]:
        assert process_records([each]) == []
    assert told(outbox)[1:] == [(ben.email, "CANCEL", "Spring", int(shown["sequence"]) + 1)]


@pytest.mark.usefixtures("ben")
def test_a_new_name_of_the_board_is_no_reason_for_a_mail(scenario: BoardScenario, outbox: Outbox) -> None:
    meeting = schedule(scenario, location="Room 3", virtualMeetingUrl="https://meet.example.com/a")
    settle(scenario)
    assert scenario.owner.client.patch(scenario.path, {"name": "New"}).status == 200
    assert meeting.patch(status="in_progress").status == 200
    settle(scenario)
    assert len(outbox.mails) == 1
    assert meeting.patch(virtualMeetingUrl="https://meet.example.com/b").status == 200
    settle(scenario)
    assert [sequence for *_, sequence in told(outbox)] == [0, 2]
    assert "meet.example.com/b" in str(calendar_of(outbox.last).walk("VEVENT")[0]["description"])


def test_who_does_not_want_invitations_is_not_planned_for(scenario: BoardScenario, ben: Person) -> None:
    carl = scenario.member("carl")
    want_calendar_invitations(carl, wanted=False)
    created = new_event(
        scenario.board_id, Event.MEETING_CREATED, refs={"meetingId": "a" * 24}, delivery_data={"title": "x"}
    )
    planned = [each.body for each in plan_event(created.item()) if each.kind == DeliveryKind.CALENDAR_INVITATION]
    assert [body["userId"] for body in planned] == [ben.id]
    left = new_event(scenario.board_id, Event.MEMBER_LEFT, refs={"userId": carl.id})
    assert DeliveryKind.CALENDAR_WITHDRAWAL not in {each.kind for each in plan_event(left.item())}


@pytest.mark.slow
@pytest.mark.parametrize("zone", ["Europe/Paris", "Australia/Lord_Howe", "America/Sao_Paulo", "Africa/Casablanca"])
@pytest.mark.parametrize("start", ["2040-01-15T09:00:00Z", "2040-07-15T09:00:00Z"])
def test_a_reader_of_another_family_understands_request_and_cancel(
    scenario: BoardScenario, ben: Person, outbox: Outbox, zone: str, start: str
) -> None:
    meeting = schedule(scenario)
    meeting.confirm(meeting.slot(start, timezone=zone, durationInMinutes=45))
    settle(scenario)
    assert scenario.owner.client.delete(meeting.path).status == 200
    settle(scenario)
    begin = datetime.fromisoformat(start).timestamp()
    for mail, method, status, sequence in zip(
        outbox.mails, ("REQUEST", "CANCEL"), ("CONFIRMED", "CANCELLED"), (1, 2), strict=True
    ):
        (read,) = by_ical_js(calendar_text(mail))
        assert (read["method"], read["status"], read["sequence"]) == (method, status, sequence)
        assert (read["start"], read["end"]) == (begin, begin + 45 * 60)
        assert read["organizer"] == f"mailto:{mail['Reply-To']}"
        assert read["attendees"] == [f"mailto:{ben.email}"]


def test_a_draft_is_nobodys_business_until_it_is_opened(scenario: BoardScenario, ben: Person, outbox: Outbox) -> None:
    draft = schedule(scenario, ben.client, status="draft")
    settle(scenario)
    assert outbox.mails == []
    assert ben.client.patch(draft.path, {"status": "scheduled"}).status == 200
    settle(scenario)
    assert told(outbox) == [(ben.email, "REQUEST", "Spring", 1)]


def test_an_answer_is_in_the_next_mail(scenario: BoardScenario, ben: Person, outbox: Outbox) -> None:
    meeting = schedule(scenario)
    assert ben.client.put(f"{meeting.path}/rsvp", {"status": "declined"}).status == 200
    settle(scenario)
    (event,) = calendar_of(outbox.last).walk("VEVENT")
    assert event["attendee"].params["PARTSTAT"] == "DECLINED"


def test_one_who_left_gets_nothing(scenario: BoardScenario, ben: Person, outbox: Outbox) -> None:
    leave(scenario, ben)
    schedule(scenario)
    settle(scenario)
    assert outbox.mails == []


def test_a_suspended_user_gets_nothing(scenario: BoardScenario, ben: Person, outbox: Outbox) -> None:
    operator.set_user_status(ben.id, "suspended")
    schedule(scenario)
    settle(scenario)
    assert outbox.mails == []


def test_an_invitation_is_in_the_language_of_its_recipient(
    scenario: BoardScenario, ben: Person, outbox: Outbox
) -> None:
    assert ben.client.patch("/api/v1/me", {"language": "de", "timezone": "Europe/Berlin"}).status == 200
    meeting = schedule(scenario)
    settle(scenario)
    assert outbox.last["Subject"] == "Einladung: Spring"
    assert " Uhr (Europe/Berlin)" in text_of(outbox.last)
    scenario.owner.client.delete(meeting.path)
    settle(scenario)
    assert outbox.last["Subject"] == "Abgesagt: Spring"
    assert "Diese Sitzung findet zu dieser Zeit nicht mehr statt." in text_of(outbox.last)
