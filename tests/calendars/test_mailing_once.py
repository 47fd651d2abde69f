"""No invitation is mailed twice, lost or of an earlier state, whatever fails or is read torn, whatever the quotas."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from botocore.exceptions import ReadTimeoutError

from governance.deliveries.calendars import mails
from governance.domain.quota import NOTIFICATION_MAILS_DAILY, NOTIFICATION_MAILS_HOURLY
from governance.limits import NOTIFICATION_MAILS_PER_HOUR
from governance.models.history.event import Event
from governance.store import quotas
from governance.store.client.errors import NoAnswerError
from governance.store.transactions import delete_all
from tests.calendars.calendar_invitation_mails import calendar_of, schedule, settle, told
from tests.calendars.mails import stamp
from tests.harness import queue
from tests.harness.board_scenario import BoardScenario, Person
from tests.harness.client import Response
from tests.harness.clock import Clock
from tests.harness.fault_injection import hooked
from tests.harness.meeting_scenario import MeetingScenario, from_now, leave, stored_events
from tests.harness.outbox import Outbox
from tests.harness.quota_usage import slots_in_use
from tests.harness.stream import event_records, process_records, record_of
from tests.interleavings.torn_reads import every_torn_read

MAIL_QUOTAS = (NOTIFICATION_MAILS_HOURLY, NOTIFICATION_MAILS_DAILY)


def test_an_invitation_over_the_hourly_quota_waits_and_is_not_lost(
    scenario: BoardScenario, ben: Person, outbox: Outbox, clock: Clock
) -> None:
    for number in range(NOTIFICATION_MAILS_PER_HOUR + 2):
        schedule(scenario, title=f"Meeting {number}")
    process_records(event_records(scenario.board_id))
    assert len(outbox.mails) == NOTIFICATION_MAILS_PER_HOUR
    clock.advance(hours=2)
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


def test_mails_of_one_number_are_in_the_order_in_which_they_were_claimed(
    scenario: BoardScenario, ben: Person, outbox: Outbox, clock: Clock
) -> None:
    """A worker may be slow between claim and mail; a calendar then takes the mail with the later DTSTAMP."""
    del ben
    clock.stop()
    schedule(scenario)
    committed: list[str] = []

    def be_slow(**_: Any) -> None:
        if not outbox.raw:
            committed.append(from_now())
        clock.move(300)

    records = event_records(scenario.board_id)
    with hooked("after-call.dynamodb.TransactWriteItems", be_slow):
        process_records(records)
    (event,) = calendar_of(outbox.last).walk("VEVENT")
    assert event["dtstamp"].to_ical() == stamp(committed[-1]).encode()


def test_a_refused_invitation_uses_no_quota_and_is_mailed_later(
    scenario: BoardScenario, ben: Person, outbox: Outbox
) -> None:
    schedule(scenario)
    outbox.failure = "MessageRejected"
    process_records(event_records(scenario.board_id))
    queue.current.deliver()
    assert outbox.mails == []
    assert [slots_in_use(quota, ben.email) for quota in MAIL_QUOTAS] == [[], []]
    outbox.failure = None
    queue.current.now += queue.LONG_ENOUGH
    queue.current.deliver()
    assert told(outbox) == [(ben.email, "REQUEST", "Spring", 0)]
    assert [len(slots_in_use(quota, ben.email)) for quota in MAIL_QUOTAS] == [1, 1]


def test_whichever_call_fails_an_invitation_is_mailed_once_at_most_and_a_repeat_mails_it(
    scenario: BoardScenario, ben: Person, outbox: Outbox
) -> None:
    """Every call of the store fails once, in turn, in the delivery of one change; the queue tries again."""
    meeting = schedule(scenario)
    settle(scenario)
    for number in range(1, 60):
        title = f"Title {number}"
        assert meeting.patch(title=title).status == 200
        records = event_records(scenario.board_id)[-1:]
        failed = _deliver_failing_at(number, records)
        assert [shown for _, _, shown, _ in told(outbox)].count(title) == 1, number
        if not failed:
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
        meeting = schedule(scenario, title=f"Title {number}")
        settle(scenario)
        leave(scenario, ben)
        failed = _deliver_failing_at(number, [record_of(stored_events(scenario, Event.MEMBER_LEFT)[-1])])
        assert told(outbox)[1:] == [(ben.email, "CANCEL", f"Title {number}", 1)]
        if not failed:
            break
        assert scenario.owner.client.delete(meeting.path).status == 200
        scenario.join(ben)
        outbox.raw.clear()
        _forget_quotas(ben)
    else:
        raise AssertionError("a delivery took more calls than expected")
    assert number > 5


def _deliver_failing_at(number: int, records: list[Any]) -> bool:
    """Delivers records, where the store is unreachable at its call of this number, and then what the queue tries again.

    Returns whether there was a call of this number.
    """
    calls = 0

    def fail(**_: Any) -> None:
        nonlocal calls
        calls += 1
        if calls == number:
            raise NoAnswerError("ConnectTimeout")

    with hooked("before-call.dynamodb.*", fail):
        process_records(records)
        queue.current.deliver()
    for _ in range(3):
        queue.current.now += queue.LONG_ENOUGH
        queue.current.deliver()
    return calls >= number


def _forget_quotas(user: Person) -> None:
    delete_all([quotas.key(quota, user.email) for quota in MAIL_QUOTAS])


CHANGES: dict[str, Callable[[MeetingScenario, Person], object]] = {
    "a new title": lambda meeting, _: meeting.patch(title="Summer"),
    "a new time": lambda meeting, _: meeting.patch(startTime=from_now(days=9)),
    "a draft": lambda meeting, _: meeting.patch(status="draft"),
    "left": lambda meeting, ben: leave(meeting.board, ben),
}


@pytest.mark.parametrize("change", CHANGES)
def test_no_mail_follows_that_is_about_an_earlier_state(
    scenario: BoardScenario, ben: Person, outbox: Outbox, monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    """A delivery that finds nothing new is interrupted by a change and its mail: it must not mail what was before."""
    meeting = schedule(scenario)
    settle(scenario)
    known, seen = len(outbox.raw), scenario.owner.client.get(meeting.path)
    body = {"boardId": scenario.board_id, "meetingId": meeting.path.rpartition("/")[2], "userId": ben.id}

    def deliver() -> Response:
        list(mails.mail_calendar_invitation(body))
        return seen

    def change_and_deliver() -> Response:
        CHANGES[change](meeting, ben)
        return deliver()

    for split, _, _ in every_torn_read(deliver, change_and_deliver, monkeypatch):
        assert len(outbox.raw) == known + 1, split
        del outbox.raw[known:]
