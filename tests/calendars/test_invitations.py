"""Invitations by mail: their recipients, when they are sent, and what they say."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest

from governance.usecases.operator import operator
from tests.calendars.calendar_invitation_mails import calendar_of, calendar_text, schedule, settle, told
from tests.calendars.feeds import fetch, subscribe
from tests.calendars.invited import want_calendar_invitations
from tests.calendars.test_times import by_ical_js
from tests.harness.board_scenario import BoardScenario, Person
from tests.harness.fault_injection import hooked
from tests.harness.meeting_scenario import from_now, leave
from tests.harness.outbox import Outbox, text_of
from tests.harness.stream import event_records, process_records


def test_only_members_of_the_day_who_want_invitations_get_them(
    scenario: BoardScenario, ben: Person, outbox: Outbox
) -> None:
    off, gone, suspended = (scenario.member(name) for name in ("off", "gone", "suspended"))
    for user in (off, gone, suspended):
        want_calendar_invitations(user)
    want_calendar_invitations(off, wanted=False)
    leave(scenario, gone)
    operator.set_user_status(suspended.id, "suspended")
    schedule(scenario)
    settle(scenario)
    assert told(outbox) == [(ben.email, "REQUEST", "Spring", 0)]


def test_settings_are_read_at_half_price(scenario: BoardScenario, ben: Person, outbox: Outbox) -> None:
    """Nobody waits for them: a setting of the last second may miss an event, and each invitation reads it again."""
    consistent: list[bool] = []

    def record(params: dict[str, Any], **_: Any) -> None:
        (table,) = params["RequestItems"].values()
        consistent.append(table["ConsistentRead"])

    schedule(scenario)
    events = event_records(scenario.board_id)
    with hooked("provide-client-params.dynamodb.BatchGetItem", record):
        process_records(events)
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
    for happened in event_records(scenario.board_id)[::order]:
        assert process_records([happened]) == []
    assert told(outbox)[1:] == [(ben.email, "CANCEL", "Spring", int(shown["sequence"]) + 1)]
    (event,) = calendar_of(outbox.last).walk("VEVENT")
    assert str(event["status"]) == "CANCELLED"


@pytest.mark.slow
@pytest.mark.parametrize("zone", ["Europe/Paris", "Australia/Lord_Howe"])
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


def test_a_mail_says_the_time_in_its_readers_zone_first_and_utc_only_to_those_without_any(
    scenario: BoardScenario, ben: Person, outbox: Outbox
) -> None:
    schedule(scenario, startTime="2098-03-10T08:00:00Z", endTime="2098-03-10T10:00:00Z")
    settle(scenario)
    assert "Monday, 10 March 2098, 08:00 to 10:00 (UTC)\n" in unix(text_of(outbox.last))
    assert ben.client.patch("/api/v1/me", {"timezone": "Europe/Berlin"}).status == 200
    meeting = schedule(scenario, startTime="2098-03-10T08:00:00Z", endTime="2098-03-10T10:00:00Z")
    settle(scenario)
    assert "Monday, 10 March 2098, 09:00 to 11:00 (Europe/Berlin)\n" in unix(text_of(outbox.last))
    meeting.confirm(meeting.slot("2098-03-11T08:00:00Z", timezone="Asia/Tokyo", durationInMinutes=60))
    settle(scenario)
    both = "Tuesday, 11 March 2098, 09:00 to 10:00 (Europe/Berlin); Tuesday, 11 March 2098, 17:00 (Asia/Tokyo)\n"
    assert both in unix(text_of(outbox.last))


@pytest.mark.usefixtures("ben")
def test_a_mail_about_another_time_says_that_it_has_changed(scenario: BoardScenario, outbox: Outbox) -> None:
    meeting = schedule(scenario)
    settle(scenario)
    assert meeting.patch(startTime="2098-03-02T09:00:00Z", endTime=None).status == 200
    settle(scenario)
    assert meeting.patch(startTime=None, endTime=None).status == 200
    settle(scenario)
    assert meeting.patch(startTime="2098-03-03T09:00:00Z", endTime=None).status == 200
    settle(scenario)
    kinds = [str(mail["Subject"]).partition(":")[0] for mail in outbox.mails]
    assert kinds == ["Invitation", "Changed", "Cancelled", "Invitation"]
    assert [text_of(mail).partition(" - ")[0] for mail in outbox.mails] == kinds


def unix(text: str) -> str:
    return text.replace("\r\n", "\n")
