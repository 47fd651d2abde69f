"""What disables a webhook, what does not, and what becomes of the deliveries that wait."""

from __future__ import annotations

from governance.domain.webhooks.webhook_delivery import AttemptResult
from tests.harness.board_scenario import BoardScenario
from tests.harness.meeting_scenario import stored_events
from tests.webhooks.sending import DAY, DOWN, OK, Sender, Sent, act, create, deliveries

GONE = AttemptResult(410, None, 5)
ELSEWHERE = {"url": "https://new.example.com/boards"}


def test_a_receiver_that_is_gone_is_disabled_and_the_owner_told(scenario: BoardScenario, sender: Sender) -> None:
    hook = create(scenario, name="CRM")
    sender.receivers.answer = lambda _: GONE
    sender.send_event(scenario)
    shown = scenario.owner.client.get(f"{scenario.path}/webhooks/{hook['id']}").data
    assert (shown["enabled"], shown["disabledReason"]) == (False, "gone")
    assert len(sender.receivers.sent) == 1
    assert {delivery["status"] for delivery in deliveries(scenario, hook["id"])} == {"failed"}
    sender.plan(scenario)
    (notification,) = [
        row for row in scenario.owner.client.get("/api/notification/").json if row["type"] == "board_update"
    ]
    reason = "“CRM” answers that its address no longer exists"
    assert notification["message"] == f"A webhook of the board “Board” was disabled: {reason}."
    assert [delivery["type"] for delivery in deliveries(scenario, hook["id"])].count("webhook.disabled") == 0
    (event,) = stored_events(scenario, "webhook.disabled")
    assert (event.refs, event.details) == ({"webhookId": hook["id"]}, {"id": hook["id"], "title": "CRM"})


def test_three_days_of_failures_disable_and_one_success_resets_them(scenario: BoardScenario, sender: Sender) -> None:
    hook = create(scenario, events=["meeting.created"])
    sender.receivers.answer = lambda _: DOWN
    sender.send_event(scenario)
    sender.pass_time(2 * DAY, step=3600)
    sender.receivers.answer = lambda _: OK
    scenario.owner.client.post(f"{scenario.path}/webhooks/{hook['id']}/test")
    sender.deliver(scenario)
    sender.receivers.answer = lambda _: DOWN
    sender.pass_time(2 * DAY, step=3600)
    path = f"{scenario.path}/webhooks/{hook['id']}"
    assert scenario.owner.client.get(path).data["enabled"] is True
    scenario.owner.client.post(f"{path}/test")
    sender.deliver(scenario)
    sender.pass_time(3.5 * DAY, step=3600)
    shown = scenario.owner.client.get(path).data
    assert (shown["enabled"], shown["disabledReason"]) == (False, "failing")
    enabled = scenario.owner.client.patch(path, {"enabled": True}).data
    assert (enabled["enabled"], enabled["disabledReason"]) == (True, None)


def test_the_answer_of_an_earlier_url_does_not_disable(scenario: BoardScenario, sender: Sender) -> None:
    path = f"{scenario.path}/webhooks/{create(scenario, events=['meeting.created'])['id']}"

    def move_and_be_gone(_: Sent) -> AttemptResult:
        assert scenario.owner.client.patch(path, ELSEWHERE).status == 200
        return GONE

    sender.receivers.answer = move_and_be_gone
    sender.send_event(scenario)
    assert len(sender.receivers.sent) == 1
    assert scenario.owner.client.get(path).data["enabled"] is True


def test_what_waits_for_a_disabled_webhook_is_given_up_and_can_be_asked_for_again(
    scenario: BoardScenario, sender: Sender
) -> None:
    hook = create(scenario, events=["meeting.created"])
    path = f"{scenario.path}/webhooks/{hook['id']}"
    act(scenario)
    sender.plan(scenario)
    scenario.owner.client.patch(path, {"enabled": False})
    sender.run()
    (delivery,) = deliveries(scenario, hook["id"])
    assert (delivery["status"], delivery["attempts"][0]["error"]) == ("failed", "webhook_disabled")
    assert sender.receivers.sent == []
    scenario.owner.client.patch(path, {"enabled": True})
    scenario.owner.client.post(f"{path}/deliveries/{delivery['id']}/redeliver")
    sender.deliver(scenario)
    assert len(sender.receivers.sent) == 1
    assert deliveries(scenario, hook["id"])[0]["status"] == "succeeded"
