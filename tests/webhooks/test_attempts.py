"""When events are sent to webhooks, and when again: by the schedule, or because somebody asks for it."""

from __future__ import annotations

import itertools
import json
from typing import Any

import pytest
from standardwebhooks import Webhook as StandardWebhook
from standardwebhooks import WebhookVerificationError

from governance.domain.access.visibility import event_visibilities
from governance.domain.webhooks.webhook_delivery import RETRY_SECONDS, AttemptResult
from governance.instants import epoch, millis, now, shift
from governance.limits import WEBHOOK_ATTEMPT_SECONDS, WEBHOOK_OWNER_CONCURRENCY
from governance.models.history.event import Event
from governance.queue import sending
from governance.store.history import events
from governance.webhooks.planning import _message, plan_webhooks
from tests.harness import queue
from tests.harness.board_scenario import BoardScenario
from tests.harness.store_calls import InlinePool, count_store_calls
from tests.harness.stream import new_event
from tests.harness.table_snapshot import TableSnapshot
from tests.webhooks.sending import DOWN, OK, URL, Sender, Sent, act, create, deliveries


def test_an_event_arrives_signed_with_ids_only(scenario: BoardScenario, sender: Sender) -> None:
    hook = create(scenario, events=["meeting.created"], name="Secret name")
    meeting = act(scenario, "Secret title")
    sender.plan(scenario)
    waiting = [message for message in queue.current.messages if message.function == "webhook_sender"]
    assert {message.group for message in waiting} == {scenario.owner.id}, "fairness is between owners"
    sender.run()
    (sent,) = sender.receivers.sent
    assert sent.url == URL
    assert sent.headers["user-agent"] == "board-governance-webhooks"
    content = StandardWebhook(hook["secret"]).verify(sent.content.decode(), dict(sent.headers))
    assert content == json.loads(sent.content)
    assert content["type"] == "meeting.created"
    assert content["data"] == {"boardId": scenario.board_id, "meetingId": meeting}
    assert "Secret" not in sent.content.decode()
    (delivery,) = deliveries(scenario, hook["id"])
    assert (delivery["status"], delivery["eventId"]) == ("succeeded", sent.headers["webhook-id"])
    (attempt,) = delivery["attempts"]
    assert (attempt["statusCode"], attempt["error"]) == (204, None)
    with pytest.raises(WebhookVerificationError):
        StandardWebhook("whsec_" + "A" * 44).verify(sent.content.decode(), dict(sent.headers))


def test_nothing_arrives_that_an_admin_without_a_committee_would_not_see(
    scenario: BoardScenario, sender: Sender
) -> None:
    hook, client = create(scenario), scenario.owner.client
    draft = client.post(f"{scenario.path}/meetings", {"title": "Draft"}).data["id"]
    client.patch(f"{scenario.path}/meetings/{draft}", {"title": "Renamed"})
    own = next(member["id"] for member in client.all(f"{scenario.path}/members") if member["adminRole"] == "owner")
    committee = client.post(f"{scenario.path}/committees", {"name": "Audit", "memberIds": [own]}).data["id"]
    secret = client.post(f"{scenario.path}/documents", {"title": "Secret", "committeeId": committee}).data["id"]
    client.get(f"{scenario.path}/documents/{secret}")
    client.delete(f"{scenario.path}/documents/{secret}")
    sender.deliver(scenario)
    sent = "".join(request.content.decode() for request in sender.receivers.sent)
    assert draft not in sent
    assert secret not in sent
    feed = {event["id"] for event in _feed(scenario)}
    assert {delivery["eventId"] for delivery in deliveries(scenario, hook["id"])} == feed
    client.patch(f"{scenario.path}/meetings/{draft}", {"status": "scheduled"})
    sender.deliver(scenario)
    assert draft in sender.receivers.sent[-1].content.decode()


def _feed(scenario: BoardScenario) -> list[Any]:
    """What an admin in no committee sees in the feed, as the route reads it, up to now and not some seconds ago."""
    page, _ = events.list_page(
        scenario.board_id, event_visibilities(None, ()), shift(now(), days=-1), shift(now(), days=1), None, 100
    )
    return [event.item() for event in page]


def test_a_board_without_webhooks_costs_one_read(scenario: BoardScenario, sender: Sender, pool: InlinePool) -> None:
    event = new_event(scenario.board_id, Event.MEETING_CREATED, refs={"meetingId": "1" * 24})
    with count_store_calls(pool) as calls:
        assert plan_webhooks(event, now()) == []
    assert calls.sequential == ["BatchGetItem"]
    assert sender.run() == 0


def test_a_receiver_that_is_down_is_tried_at_the_times_of_the_schedule(scenario: BoardScenario, sender: Sender) -> None:
    hook = create(scenario, events=["meeting.created"])
    sender.receivers.answer = lambda _: DOWN
    sender.send_event(scenario)
    sender.pass_time(600, step=15)
    sender.pass_time(sum(RETRY_SECONDS) * 1.3, step=1800)
    (delivery,) = deliveries(scenario, hook["id"])
    assert delivery["status"] == "failed"
    times = [millis(attempt["at"]) / 1000 for attempt in delivery["attempts"]]
    waits = [later - earlier for earlier, later in itertools.pairwise(times)]
    assert len(waits) == len(RETRY_SECONDS)
    for wait, least in zip(waits, RETRY_SECONDS, strict=True):
        step = 15 if least < 600 else 2 * 1800
        assert least <= wait <= least * 1.2 + step, (wait, least)
    assert {attempt["statusCode"] for attempt in delivery["attempts"]} == {503}
    signed = [int(sent.headers["webhook-timestamp"]) for sent in sender.receivers.sent]
    assert signed == [epoch(attempt["at"]) for attempt in delivery["attempts"]], "each is signed with its own time"
    assert len({sent.headers["webhook-id"] for sent in sender.receivers.sent}) == 1
    assert len({sent.content for sent in sender.receivers.sent}) == 1


def test_an_event_that_is_planned_again_is_sent_once_and_tried_again_no_earlier(
    scenario: BoardScenario, sender: Sender
) -> None:
    create(scenario, events=["meeting.created"])
    for answer, sent in ((OK, 1), (DOWN, 2)):
        sender.receivers.answer = lambda _, answer=answer: answer  # type: ignore[misc]
        act(scenario)
        for _ in range(4):
            sender.deliver(scenario)
        assert len(sender.receivers.sent) == sent
    sender.clock.move(7)
    sender.run()
    assert len(sender.receivers.sent) == 3


def test_while_an_attempt_takes_as_long_as_it_may_no_other_begins(scenario: BoardScenario, sender: Sender) -> None:
    hook = create(scenario, events=["meeting.created"])
    act(scenario)
    sender.plan(scenario)
    sender.plan(scenario)
    handled = []

    def slow(_: Sent) -> AttemptResult:
        sender.receivers.answer = lambda _: OK
        sender.clock.move(WEBHOOK_ATTEMPT_SECONDS)
        handled.append(sender.run())
        return DOWN

    sender.receivers.answer = slow
    sender.run()
    (delivery,) = deliveries(scenario, hook["id"])
    assert (len(handled), len(delivery["attempts"]), len(sender.receivers.sent)) == (1, 1, 1)
    assert handled[0] > 0


def test_a_deleted_webhook_gets_nothing_and_its_rows_go(scenario: BoardScenario, sender: Sender) -> None:
    hook = create(scenario)
    act(scenario)
    sender.plan(scenario)
    scenario.owner.client.delete(f"{scenario.path}/webhooks/{hook['id']}")
    sender.run()
    assert sender.receivers.sent == []
    sender.plan(scenario)
    assert not [pk for pk, _ in TableSnapshot().items if pk.startswith(("DELIVERIES#", "WEBHOOK#"))]


def test_a_webhook_that_is_deleted_during_its_attempts_blocks_no_other(scenario: BoardScenario, sender: Sender) -> None:
    for _ in range(WEBHOOK_OWNER_CONCURRENCY):
        hook = create(scenario, events=["meeting.created"])
        act(scenario)
        sender.plan(scenario)

        def delete(_: Sent, path: str = f"{scenario.path}/webhooks/{hook['id']}") -> AttemptResult:
            assert scenario.owner.client.delete(path).status == 200
            return OK

        sender.receivers.answer = delete
        sender.run()
    hook = create(scenario, events=["meeting.created"])
    act(scenario)
    sender.plan(scenario)
    sender.receivers.answer = lambda _: OK
    sender.run()
    assert {delivery["status"] for delivery in deliveries(scenario, hook["id"])} == {"succeeded"}


def test_a_test_of_one_webhook_is_an_event_for_the_others(scenario: BoardScenario, sender: Sender) -> None:
    other, tested = create(scenario), create(scenario)
    assert scenario.owner.client.post(f"{scenario.path}/webhooks/{tested['id']}/test").status == 201
    sender.deliver(scenario)
    for hook in (other, tested):
        assert [delivery["type"] for delivery in deliveries(scenario, hook["id"])].count("webhook.tested") == 1


def test_a_webhook_gets_what_it_asks_for_after_a_change(scenario: BoardScenario, sender: Sender) -> None:
    path = f"{scenario.path}/webhooks/{create(scenario, events=['report.*'])['id']}"
    sender.send_event(scenario)
    assert sender.receivers.sent == []
    assert scenario.owner.client.patch(path, {"events": ["meeting.*"]}).status == 200
    sender.send_event(scenario)
    assert sender.receivers.sent != []


def test_a_redelivery_waits_for_the_request_that_is_being_made_and_follows_it(
    scenario: BoardScenario, sender: Sender
) -> None:
    hook = create(scenario, events=["meeting.created"])
    running: list[Sent] = []
    most = 0

    def answer(sent: Sent) -> AttemptResult:
        nonlocal most
        running.append(sent)
        most = max(most, len(running))
        if len(sender.receivers.sent) == 1:
            (delivery,) = deliveries(scenario, hook["id"])
            path = f"{scenario.path}/webhooks/{hook['id']}/deliveries/{delivery['id']}/redeliver"
            assert scenario.owner.client.post(path).status == 201
            sending.send([_message(scenario.owner.id, scenario.board_id, hook["id"], delivery["id"])])
            sender.run()
        running.remove(sent)
        return OK

    sender.receivers.answer = answer
    sender.send_event(scenario)
    assert most == 1
    assert len(sender.receivers.sent) == 2, "the second request follows the first at once"
    sender.clock.move(queue.LONG_ENOUGH)
    sender.run()
    assert len(sender.receivers.sent) == 2
    (delivery,) = deliveries(scenario, hook["id"])
    assert (delivery["status"], len(delivery["attempts"])) == ("succeeded", 2)
