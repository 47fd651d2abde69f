"""Deliveries that are asked for again, also while a request is being made."""

from __future__ import annotations

from governance import delivery_queue
from governance.domain.webhooks.webhook_delivery import AttemptResult
from governance.webhooks.planning import _message
from tests.harness import queue
from tests.harness.board_scenario import BoardScenario
from tests.webhooks.sending import OK, Sender, Sent, create, deliveries


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
            delivery_queue.send([_message(scenario.owner.id, scenario.board_id, hook["id"], delivery["id"])])
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
