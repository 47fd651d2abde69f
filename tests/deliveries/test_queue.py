"""The queue of deliveries: bounded messages, growing delays, dead letters; nothing waits, and nothing is dropped."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from types import SimpleNamespace
from typing import Any

import pytest

from governance import telemetry
from governance.deliveries import following, worker
from governance.deliveries.notifications import mailing, notifying, plans
from governance.deliveries.notifications.consequences import notifications_of
from governance.deliveries.notifications.emails import NotificationEmail
from governance.deliveries.notifications.planned import recipients_message
from governance.mail import sender
from governance.mail.sender import EmailThrottled
from governance.models.history.event import StoredEvent
from governance.models.notifications.recipients import Addressees
from governance.models.queue import DeliveryKind
from governance.queue import sending
from governance.queue.frame import worst
from governance.queue.message import Message
from governance.store.writes import StaleRead
from tests.harness import queue
from tests.harness.board_scenario import BoardScenario, new_board_scenario, person
from tests.harness.client import FUNCTIONS
from tests.harness.crash_injection import create_members, email_counts, notification_counts, report_published_event
from tests.harness.logs import lines
from tests.harness.meeting_scenario import leave
from tests.harness.outbox import Outbox
from tests.harness.queue import QueuedMessage
from tests.harness.stream import process_records, record_of, send_to_queue

_MAILS_PER_SECOND = 7


def waiting(kind: DeliveryKind) -> list[QueuedMessage]:
    return [message for message in queue.current.messages if message.content["kind"] == kind]


@pytest.fixture
def mail_rate() -> Iterator[Counter[float]]:
    """Makes the mail service take fourteen e-mails a second, by the queue's clock. Counts them by second."""
    taken: Counter[float] = Counter()

    def throttle(**_: Any) -> Any:
        taken[queue.current.now] += 1
        return sender_throttled if taken[queue.current.now] > _MAILS_PER_SECOND else None

    sender_throttled = (SimpleNamespace(status_code=400), {"Error": {"Code": "TooManyRequestsException"}})
    events = sender.client().meta.events
    events.register_first("before-call.sesv2.SendEmail", throttle)
    yield taken
    events.unregister("before-call.sesv2.SendEmail", throttle)


def test_a_message_is_for_so_many_recipients_or_a_few_mails(
    scenario: BoardScenario, outbox: Outbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert plans._RECIPIENTS_PER_MESSAGE == 100
    monkeypatch.setattr(plans, "_RECIPIENTS_PER_MESSAGE", 10)
    monkeypatch.setattr(notifying, "_EMAILS_PER_MESSAGE", 4)
    create_members(scenario, 23)
    assert send_to_queue([record_of(report_published_event(scenario))]) == []
    (planned,) = queue.current.messages
    queue.invoke_deliveries(planned)
    sizes = [len(message.content["body"]["userIds"]) for message in waiting(DeliveryKind.NOTIFICATIONS)]
    assert sizes == [10, 10, 3]
    assert outbox.mails == []
    for message in waiting(DeliveryKind.NOTIFICATIONS):
        queue.invoke_deliveries(message)
    assert outbox.mails == []
    sizes = [len(message.content["body"]["userIds"]) for message in waiting(DeliveryKind.EMAILS)]
    assert sizes == [4, 4, 2, 4, 4, 2, 3]
    assert {message.group for message in queue.current.messages} == {scenario.board_id}


def test_every_mail_is_sent_once_whatever_the_rate_of_the_mail_service(
    scenario: BoardScenario, outbox: Outbox, mail_rate: Counter[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    """No invocation waits for the mail service: that is the queue's business."""
    monkeypatch.setattr("time.sleep", lambda _: pytest.fail("a function waits"))
    monkeypatch.setattr(notifying, "_EMAILS_PER_MESSAGE", 10)
    members = create_members(scenario, 28)
    assert process_records([record_of(report_published_event(scenario))])
    assert notification_counts(members) == Counter(dict.fromkeys(members, 1))
    assert len(outbox.mails) == _MAILS_PER_SECOND
    while queue.current.messages:
        queue.current.now = min(message.visible_at for message in queue.current.messages)
        queue.current.deliver()
    assert set(email_counts(outbox).values()) == {1}
    assert (len(outbox.mails), queue.current.messages, queue.current.dead) == (28, [], [])
    assert max(mail_rate.values()) <= 2 * _MAILS_PER_SECOND, "a batch stops at the first e-mail that is throttled"


def test_the_pause_of_throttled_mails_grows_only_while_none_gets_through(
    scenario: BoardScenario, outbox: Outbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    members = create_members(scenario, 3)
    event = report_published_event(scenario)
    (plan,) = notifications_of(event, event.created_at)
    sending.send([recipients_message(DeliveryKind.NOTIFICATIONS, plan, Addressees(members))])
    queue.invoke_deliveries(queue.current.messages.pop())
    (body,) = (message.content["body"] for message in queue.current.messages)
    sent: list[str] = []

    def takes(number: int) -> Callable[[NotificationEmail], None]:
        def send_once(email: NotificationEmail) -> None:
            if len(sent) == number:
                raise EmailThrottled
            sent.append(email.notification.user_id)

        return send_once

    for number, throttled in ((0, 1), (0, 2), (1, 1), (1, 2), (2, 1)):
        monkeypatch.setattr(mailing, "send_once", takes(number))
        (rest,) = mailing.send_due_emails(body)
        body = rest.body
        assert body["throttled"] == throttled
    assert (sent, outbox.mails) == (members[:2], [])


def test_ten_busy_boards_do_not_slow_an_eleventh(store: str, outbox: Outbox) -> None:
    """While the mail service takes nothing, their messages only go back to the queue; each names its board."""
    del store
    busy = [new_board_scenario(f"owner{number}") for number in range(10)]
    eleventh, ben = new_board_scenario("eleanor"), person("ben")
    outbox.failure = "TooManyRequestsException"
    for scenario in busy:
        scenario.join(ben)
        send_to_queue([record_of(report_published_event(scenario))])
    queue.current.deliver()
    assert len(waiting(DeliveryKind.EMAILS)) == 10
    eleventh.join(ben)
    before = notification_counts([ben.id])[ben.id]
    queue.current.now += queue.LONG_ENOUGH
    assert send_to_queue([record_of(report_published_event(eleventh))]) == []
    queue.current.deliver()
    assert notification_counts([ben.id])[ben.id] == before + 1
    assert {message.group for message in queue.current.messages} == {
        *(scenario.board_id for scenario in busy),
        eleventh.board_id,
    }


def test_a_failed_message_is_tried_again_after_growing_delays_and_kept_whole_in_the_end(
    store: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    del store
    monkeypatch.setattr("random.randint", lambda _, highest: highest)
    sending.send([Message(DeliveryKind.EVENT, "b", {"boardId": "b", "nonsense": True})])
    delays = []
    while queue.current.messages:
        started = queue.current.now
        if queue.current.deliver() == 0:
            break
        queue.current.now = queue.current.messages[0].visible_at
        delays.append(queue.current.now - started)
    assert delays == [5, 10, 20, 40, 80, 160, 320, 640, 900, 900, 900, 900]
    assert sum(delays) > 3600
    (dead,) = queue.current.dead
    assert dead.content == {"kind": "event", "group": "b", "body": {"boardId": "b", "nonsense": True}}


@pytest.mark.usefixtures("store")
@pytest.mark.parametrize("body", ["{", "[]", '{"kind": "poem", "group": "g", "body": {}}', '{"kind": "event"}'])
def test_what_is_no_message_fails_alone(body: str, capsys: pytest.CaptureFixture[str]) -> None:
    message = QueuedMessage("m-1", "g", body, 0, receives=1)
    assert queue.invoke_deliveries(message) == ["m-1"]
    assert '"kind":"unknown"' in capsys.readouterr().out


@pytest.mark.parametrize(("error", "levels", "failures"), [(StaleRead(), [], 0), (ValueError(), ["ERROR"], 1)])
@pytest.mark.usefixtures("store")
def test_what_is_tried_again_by_design_is_no_error_in_the_log(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    error: Exception,
    levels: list[str],
    failures: int,
) -> None:
    def fail(_: Mapping[str, Any]) -> Any:
        raise error

    monkeypatch.setattr(worker, "HANDLERS", {**worker.HANDLERS, DeliveryKind.EMAILS: fail})
    counted: list[Any] = []
    monkeypatch.setattr(telemetry, "count", lambda *named: counted.append(named))
    message = QueuedMessage("m-1", "b", json.dumps({"kind": "emails", "group": "b", "body": {}}), 0, receives=1)
    assert queue.invoke_deliveries(message) == ["m-1"]
    assert [line["level"] for line in lines(capsys.readouterr().out) if line["level"] != "INFO"] == levels
    assert len(counted) == failures


def test_a_failure_is_told_also_where_something_else_is_tried_again() -> None:
    stale, failure = StaleRead(), ValueError()
    assert worst([stale, failure, KeyError()]) is failure
    assert worst([stale, StaleRead()]) is stale


def test_a_long_delay_is_several(store: str, monkeypatch: pytest.MonkeyPatch) -> None:
    del store
    handled: list[float] = []

    def handle(_: Mapping[str, Any]) -> list[Message]:
        handled.append(queue.current.now)
        return []

    monkeypatch.setattr(worker, "HANDLERS", {DeliveryKind.CLEANUP: handle})
    sending.send([Message(DeliveryKind.CLEANUP, "g", {}, delay_seconds=7200)])
    while queue.current.deliver():
        queue.current.now += 100
    assert len(handled) == 1
    assert 7200 <= handled[0] <= 7300


def test_a_throttled_mail_of_any_kind_waits_in_a_new_message(store: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is not a failure, so that no number of attempts ends it."""
    del store

    def throttled(_: Mapping[str, Any]) -> list[Message]:
        raise EmailThrottled

    monkeypatch.setattr(worker, "HANDLERS", {DeliveryKind.CLEANUP: throttled})
    sending.send([Message(DeliveryKind.CLEANUP, "g", {"a": 1})])
    for _ in range(2 * queue.RECEIVES):
        assert queue.current.deliver() == 1
        (message,) = queue.current.messages
        assert (message.receives, message.content["body"]) == (0, {"a": 1})
        assert message.visible_at >= queue.current.now + 80
        queue.current.now = message.visible_at
    assert queue.current.dead == []


def test_a_message_without_time_hands_the_rest_back(scenario: BoardScenario, outbox: Outbox) -> None:
    members = create_members(scenario, 3)
    event = report_published_event(scenario)
    (plan,) = notifications_of(event, event.created_at)
    sending.send([recipients_message(DeliveryKind.NOTIFICATIONS, plan, Addressees(members))])
    queue.invoke_deliveries(queue.current.messages.pop())
    (emails,) = queue.current.messages
    context = SimpleNamespace(get_remaining_time_in_millis=lambda: 12_000)
    assert queue.invoke_deliveries(emails, context) == []
    queue.current.messages.remove(emails)
    (rest,) = queue.current.messages
    assert (outbox.mails, rest.content["body"]) == ([], emails.content["body"])
    assert queue.current.deliver() == 0
    assert len(outbox.mails) == 3


def test_one_plan_that_fails_keeps_no_other_from_its_messages(
    scenario: BoardScenario, outbox: Outbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(_: StoredEvent) -> list[Message]:
        raise RuntimeError

    create_members(scenario, 1)
    monkeypatch.setattr(following, "ALWAYS", (broken, *following.ALWAYS))
    assert len(process_records([record_of(report_published_event(scenario))])) == 1
    assert len(outbox.mails) == 1


@pytest.mark.parametrize("is_told", [False, True], ids=["late message", "mail that was due"])
def test_who_has_left_since_is_neither_told_by_a_late_message_nor_gets_a_mail_that_was_due(
    scenario: BoardScenario, outbox: Outbox, *, is_told: bool
) -> None:
    ben, eve = scenario.member("ben"), scenario.member("eve")
    send_to_queue([record_of(report_published_event(scenario))])
    queue.invoke_deliveries(queue.current.messages.pop())
    if is_told:
        for message in waiting(DeliveryKind.NOTIFICATIONS):
            queue.invoke_deliveries(message)
            queue.current.messages.remove(message)
        assert len(waiting(DeliveryKind.EMAILS)) == 1
    leave(scenario, ben)
    assert queue.current.deliver() == 0
    assert notification_counts([ben.id, eve.id]) == Counter({ben.id: int(is_told), eve.id: 1})
    assert list(email_counts(outbox)) == [eve.email]


def test_the_sample_event_is_one_that_the_function_takes(store: str) -> None:
    del store
    sample = json.loads((FUNCTIONS.parent / "events" / "deliveries" / "queue.json").read_text())
    (record,) = sample["Records"]
    assert queue.invoke_deliveries(QueuedMessage("m-1", "g", record["body"], 0, receives=1)) == []
