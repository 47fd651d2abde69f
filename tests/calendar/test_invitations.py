"""Invitations by mail: their recipients, when they are sent, what they say, and that none is mailed twice or lost."""

from __future__ import annotations

from datetime import datetime
from email.message import EmailMessage
from typing import Any

import icalendar
import pytest
from botocore.exceptions import ReadTimeoutError

from governance.delivery_queue import DeliveryKind, Message
from governance.errors import ApiError, unavailable
from governance.events import invitations
from governance.events.planning import plan_event
from governance.limits import NOTIFICATION_MAILS_PER_HOUR
from governance.models.event import Event
from governance.store.table import client
from governance.usecases import operator
from governance.usecases.cleanup import delete_leftovers
from tests.calendar.conftest import want_invitations
from tests.calendar.feeds import fetch, subscribe
from tests.calendar.test_times import by_ical_js
from tests.harness import queue
from tests.harness.board_scenario import BoardScenario, Person, new_board_scenario
from tests.harness.client import Client
from tests.harness.history import event_items
from tests.harness.meeting_scenario import MeetingScenario, from_now, leave, stored_events
from tests.harness.outbox import Outbox, text_of
from tests.harness.stream import event_records, new_event, process_records, record, record_of


def schedule(scenario: BoardScenario, client: Client | None = None, **members: Any) -> MeetingScenario:
    body = {"title": "Spring", "status": "scheduled", "startTime": from_now(days=3), **members}
    created = (client or scenario.owner.client).post(f"{scenario.path}/meetings", body)
    assert created.status == 201, created.text
    return MeetingScenario(scenario, f"{scenario.path}/meetings/{created.data['id']}")


def settle(scenario: BoardScenario) -> None:
    """Delivers every event of the board again, as often as the queue asks for it."""
    assert process_records(event_records(scenario.board_id)) == []


def calendar_of(mail: EmailMessage) -> icalendar.Calendar:
    parsed = icalendar.Calendar.from_ical(calendar_text(mail))
    assert isinstance(parsed, icalendar.Calendar)
    (inline,) = [part for part in mail.walk() if part.get_content_type() == "text/calendar"]
    assert inline.get_param("method") == str(parsed["method"])
    return parsed


def calendar_text(mail: EmailMessage) -> bytes:
    """Returns the calendar of a mail, which is a part to show and an attachment."""
    (inline,) = [part for part in mail.walk() if part.get_content_type() == "text/calendar"]
    (attached,) = [part for part in mail.walk() if part.get_content_type() == "application/ics"]
    text: Any = inline.get_payload(decode=True)
    assert text == attached.get_payload(decode=True)
    assert isinstance(text, bytes)
    return text


def told(outbox: Outbox) -> list[tuple[str, str, str, int]]:
    """What the mails say: recipient, method, title, sequence."""
    found = []
    for mail in outbox.mails:
        calendar = calendar_of(mail)
        (event,) = calendar.walk("VEVENT")
        found.append((str(mail["To"]), str(calendar["method"]), str(event["summary"]), int(str(event["sequence"]))))
    return found


def test_only_those_who_want_invitations_get_them(scenario: BoardScenario, ben: Person, outbox: Outbox) -> None:
    carl = scenario.member("carl")
    want_invitations(carl)
    want_invitations(carl, wanted=False)
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
    client().meta.events.register("provide-client-params.dynamodb.BatchGetItem", record)
    try:
        process_records(events)
    finally:
        client().meta.events.unregister("provide-client-params.dynamodb.BatchGetItem", record)
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


# -- the end of a membership


def lose(scenario: BoardScenario, user: Person, end: str) -> None:
    """Takes the board away from a member."""
    if end == "left":
        leave(scenario, user)
    elif end == "removed":
        members = scenario.owner.client.all(f"{scenario.path}/members")
        (own,) = [member["id"] for member in members if member["userId"] == user.id]
        assert scenario.owner.client.delete(f"{scenario.path}/members/{own}").status == 200
    else:
        assert scenario.owner.client.delete(scenario.path).status == 200


@pytest.mark.parametrize("end", ["left", "removed", "deleted"])
def test_who_loses_the_board_has_its_coming_meetings_cancelled(
    scenario: BoardScenario, ben: Person, outbox: Outbox, end: str
) -> None:
    elsewhere = new_board_scenario("oscar")
    elsewhere.join(ben)
    schedule(elsewhere, title="Elsewhere")
    schedule(scenario, title="Over", startTime=from_now(days=-3))
    meeting = schedule(scenario)
    settle(elsewhere)
    settle(scenario)
    before, known = len(outbox.mails), event_items(scenario.board_id)
    lose(scenario, ben, end)
    (happened,) = [item for item in event_items(scenario.board_id) if item not in known]
    assert process_records([record(happened)]) == []
    assert told(outbox)[before:] == [(ben.email, "CANCEL", "Spring", 1)]
    settle(scenario)
    assert len(outbox.mails) == before + 1
    if end != "deleted":
        assert meeting.patch(title="Autumn").status == 200
        settle(scenario)
        assert len(outbox.mails) == before + 1


def test_a_cancellation_says_nothing_that_came_after(scenario: BoardScenario, ben: Person, outbox: Outbox) -> None:
    meeting = schedule(scenario, location="Room 3")
    settle(scenario)
    leave(scenario, ben)
    assert scenario.owner.client.patch(scenario.path, {"name": "Secret"}).status == 200
    assert meeting.patch(title="Secret", location="Secret", startTime=from_now(days=9)).status == 200
    settle(scenario)
    assert [method for _, method, *_ in told(outbox)] == ["REQUEST", "CANCEL"]
    (asked, cancelled) = (calendar_of(mail).walk("VEVENT")[0] for mail in outbox.mails)
    for name in ("uid", "dtstart", "dtend", "summary", "location", "description", "url"):
        assert cancelled[name].to_ical() == asked[name].to_ical()
    assert "Secret" not in text_of(outbox.last) + str(outbox.last["Subject"]) + str(cancelled["organizer"].params)


@pytest.mark.parametrize("wanted", [True, False])
def test_one_who_switched_invitations_off_gets_no_cancellations(
    scenario: BoardScenario, ben: Person, outbox: Outbox, wanted: bool
) -> None:
    schedule(scenario)
    settle(scenario)
    want_invitations(ben, wanted)
    leave(scenario, ben)
    settle(scenario)
    assert len(outbox.mails) == 1 + wanted


def test_one_who_switches_invitations_off_gets_none_that_was_planned(
    scenario: BoardScenario, ben: Person, outbox: Outbox
) -> None:
    meeting_id = schedule(scenario).path.rpartition("/")[2]
    want_invitations(ben, wanted=False)
    body = {"boardId": scenario.board_id, "meetingId": meeting_id, "userId": ben.id}
    assert list(invitations.mail_invitation(body)) == []
    assert outbox.mails == []


def test_a_cancellation_that_follows_the_cleanup_of_the_board_has_a_higher_number_too(
    scenario: BoardScenario, ben: Person, outbox: Outbox
) -> None:
    schedule(scenario)
    settle(scenario)
    assert scenario.owner.client.delete(scenario.path).status == 200
    assert delete_leftovers(new_event(scenario.board_id, Event.BOARD_DELETED))
    for message in invitations.withdraw_invitations({"boardId": scenario.board_id, "userId": ben.id}):
        assert list(invitations.mail_invitation(message.body)) == []
    assert told(outbox)[1:] == [(ben.email, "CANCEL", "Spring", 1)]


def test_a_withdrawal_names_coming_meetings_of_its_board_only(
    scenario: BoardScenario, ben: Person, outbox: Outbox
) -> None:
    elsewhere = new_board_scenario("oscar")
    elsewhere.join(ben)
    meetings = [schedule(board) for board in (elsewhere, scenario)]
    schedule(scenario, startTime=from_now(days=-3))
    for board in (elsewhere, scenario):
        settle(board)
    assert len(outbox.mails) == 3
    messages = list(invitations.withdraw_invitations({"boardId": scenario.board_id, "userId": ben.id}))
    assert [message.body["meetingId"] for message in messages] == [meetings[1].path.rpartition("/")[2]]


@pytest.mark.usefixtures("ben")
def test_no_cleanup_of_a_board_begins_before_its_invitations_are_withdrawn(
    scenario: BoardScenario, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The cleanup deletes the list of members, so a failure to read it must keep the cleanup back."""
    deleted = new_event(scenario.board_id, Event.BOARD_DELETED)
    assert [each.kind for each in plan_event(deleted.item())] == [DeliveryKind.WITHDRAWAL, DeliveryKind.CLEANUP]
    sent: list[Message] = []
    monkeypatch.setattr("governance.delivery_queue.send", sent.extend)
    monkeypatch.setattr("governance.store.boards.roster", _unreadable)
    with pytest.raises(ApiError):
        plan_event(deleted.item())
    assert DeliveryKind.CLEANUP not in {each.kind for each in sent}


def _unreadable(_board_id: str) -> None:
    raise unavailable()


def test_who_does_not_want_invitations_is_not_planned_for(scenario: BoardScenario, ben: Person) -> None:
    carl = scenario.member("carl")
    created = new_event(scenario.board_id, Event.MEETING_CREATED, refs={"meetingId": "a" * 24}, data={"title": "x"})
    planned = [each.body for each in plan_event(created.item()) if each.kind == DeliveryKind.INVITATION]
    assert [body["userId"] for body in planned] == [ben.id]
    left = new_event(scenario.board_id, Event.MEMBER_LEFT, refs={"userId": carl.id})
    assert DeliveryKind.WITHDRAWAL not in {each.kind for each in plan_event(left.item())}


def test_one_who_rejoined_keeps_the_meetings(scenario: BoardScenario, ben: Person, outbox: Outbox) -> None:
    schedule(scenario)
    settle(scenario)
    leave(scenario, ben)
    scenario.join(ben)
    settle(scenario)
    assert told(outbox) == [(ben.email, "REQUEST", "Spring", 0)]


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


def test_an_invitation_over_the_hourly_quota_waits_and_is_not_lost(
    scenario: BoardScenario, ben: Person, outbox: Outbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    from governance import instants
    from governance.events import invitations

    for number in range(NOTIFICATION_MAILS_PER_HOUR + 2):
        schedule(scenario, title=f"Meeting {number}")
    process_records(event_records(scenario.board_id))
    assert len(outbox.mails) == NOTIFICATION_MAILS_PER_HOUR
    later = instants.shift(instants.now(), hours=2)
    monkeypatch.setattr(invitations, "now", lambda: later)
    monkeypatch.setattr("governance.delivery_queue.instants.now", lambda: later)
    queue.current.now += queue.LONG_ENOUGH
    queue.current.deliver()
    assert len({title for _, _, title, _ in told(outbox)}) == NOTIFICATION_MAILS_PER_HOUR + 2
    assert ben.email in {to for to, *_ in told(outbox)}


def test_an_invitation_whose_answer_was_lost_is_not_mailed_again(
    scenario: BoardScenario, ben: Person, outbox: Outbox
) -> None:
    """The mail service took the mail, but its answer did not arrive."""
    meeting = schedule(scenario)
    outbox.failure = ReadTimeoutError(endpoint_url="https://email.test")
    process_records(event_records(scenario.board_id))
    outbox.failure = None
    for _ in range(2):
        queue.current.now += queue.LONG_ENOUGH
        queue.current.deliver()
        settle(scenario)
    assert outbox.mails == []
    assert meeting.patch(title="Autumn").status == 200
    settle(scenario)
    assert told(outbox) == [(ben.email, "REQUEST", "Autumn", 0)]


def test_a_suspended_user_gets_nothing(scenario: BoardScenario, ben: Person, outbox: Outbox) -> None:
    operator.set_user_status(ben.id, "suspended")
    schedule(scenario)
    settle(scenario)
    assert outbox.mails == []


def test_a_refused_invitation_is_mailed_later(scenario: BoardScenario, ben: Person, outbox: Outbox) -> None:
    schedule(scenario)
    outbox.failure = "MessageRejected"
    process_records(event_records(scenario.board_id))
    queue.current.deliver()
    assert outbox.mails == []
    outbox.failure = None
    queue.current.now += queue.LONG_ENOUGH
    queue.current.deliver()
    assert told(outbox) == [(ben.email, "REQUEST", "Spring", 0)]


def test_whichever_call_fails_an_invitation_is_mailed_once_at_most_and_a_repeat_mails_it(
    scenario: BoardScenario, ben: Person, outbox: Outbox
) -> None:
    """Every call of the store fails once, in turn, in the delivery of one change; the queue tries again."""
    meeting = schedule(scenario)
    settle(scenario)
    for number in range(1, 60):
        failing = _FailingCall(number)
        title = f"Title {number}"
        assert meeting.patch(title=title).status == 200
        records = event_records(scenario.board_id)[-1:]
        _deliver_with(failing, records)
        assert [each[2] for each in told(outbox)].count(title) == 1, number
        if not failing.failed:
            break
        outbox.raw.clear()
        _forget_quotas(ben)
    else:
        raise AssertionError("a delivery took more calls than expected")
    assert number > 5


@pytest.mark.slow
def test_whichever_call_fails_a_member_who_left_gets_each_cancellation_once(
    scenario: BoardScenario, ben: Person, outbox: Outbox
) -> None:
    for number in range(1, 60):
        failing = _FailingCall(number)
        meeting = schedule(scenario, title=f"Title {number}")
        settle(scenario)
        leave(scenario, ben)
        _deliver_with(failing, [record_of(stored_events(scenario, Event.MEMBER_LEFT)[-1])])
        assert told(outbox)[1:] == [(ben.email, "CANCEL", f"Title {number}", 1)]
        if not failing.failed:
            break
        assert scenario.owner.client.delete(meeting.path).status == 200
        scenario.join(ben)
        outbox.raw.clear()
        _forget_quotas(ben)
    else:
        raise AssertionError("a delivery took more calls than expected")
    assert number > 5


def _deliver_with(failing: _FailingCall, records: list[Any]) -> None:
    """Delivers records once with a failing call, and then what the queue tries again."""
    with failing:
        process_records(records)
        queue.current.deliver()
    for _ in range(3):
        queue.current.now += queue.LONG_ENOUGH
        queue.current.deliver()


class _FailingCall:
    """Makes one call of the store fail, chosen by its number, as if the store were unreachable."""

    def __init__(self, number: int) -> None:
        self.left = number
        self.failed = False

    def __enter__(self) -> None:
        client().meta.events.register("before-call.dynamodb.*", self._count)

    def __exit__(self, *_: object) -> None:
        client().meta.events.unregister("before-call.dynamodb.*", self._count)

    def _count(self, **_: Any) -> None:
        from botocore.exceptions import EndpointConnectionError

        self.left -= 1
        if self.left == 0:
            self.failed = True
            raise EndpointConnectionError(endpoint_url="https://dynamodb.test")


def _forget_quotas(user: Person) -> None:
    from governance.domain.quota import NOTIFICATION_MAILS_DAILY, NOTIFICATION_MAILS_HOURLY
    from governance.store import quotas
    from governance.store.table import delete_all

    for quota in (NOTIFICATION_MAILS_HOURLY, NOTIFICATION_MAILS_DAILY):
        delete_all([quotas.key(quota, user.email)])
