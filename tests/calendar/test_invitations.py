"""Invitations by mail: their recipients, when they are sent, what they say, and that none is mailed twice or lost."""

from __future__ import annotations

from email.message import EmailMessage
from typing import Any

import icalendar
import pytest

from governance.limits import NOTIFICATION_MAILS_PER_HOUR
from governance.store.table import client
from tests.calendar.conftest import want_invitations
from tests.calendar.feeds import fetch, subscribe
from tests.harness import queue
from tests.harness.board_scenario import BoardScenario, Person
from tests.harness.client import Client
from tests.harness.meeting_scenario import MeetingScenario, from_now, leave
from tests.harness.outbox import Outbox, text_of
from tests.harness.stream import event_records, process_records


def schedule(scenario: BoardScenario, client: Client | None = None, **members: Any) -> MeetingScenario:
    body = {"title": "Spring", "status": "scheduled", "startTime": from_now(days=3), **members}
    created = (client or scenario.owner.client).post(f"{scenario.path}/meetings", body)
    assert created.status == 201, created.text
    return MeetingScenario(scenario, f"{scenario.path}/meetings/{created.data['id']}")


def settle(scenario: BoardScenario) -> None:
    """Delivers every event of the board anew, as often as the queue asks for it."""
    assert process_records(event_records(scenario.board_id)) == []


def calendar_of(mail: EmailMessage) -> icalendar.Calendar:
    (inline,) = [part for part in mail.walk() if part.get_content_type() == "text/calendar"]
    (attached,) = [part for part in mail.walk() if part.get_content_type() == "application/ics"]
    text: Any = inline.get_payload(decode=True)
    assert text == attached.get_payload(decode=True)
    parsed = icalendar.Calendar.from_ical(text)
    assert isinstance(parsed, icalendar.Calendar)
    assert inline.get_param("method") == str(parsed["method"])
    return parsed


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
        with failing:
            process_records(records)
            queue.current.deliver()
        for _ in range(3):
            queue.current.now += queue.LONG_ENOUGH
            queue.current.deliver()
        assert [each[2] for each in told(outbox)].count(title) == 1, number
        if not failing.failed:
            break
        outbox.raw.clear()
        _forget_quotas(ben)
    else:
        raise AssertionError("a delivery took more calls than expected")
    assert number > 5


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
