"""Two concurrent deliveries of one event, in every order of their store calls, send one e-mail to each recipient."""

from __future__ import annotations

from collections import Counter

import pytest

from governance.deliveries.notifications.mailing import send_due_emails
from governance.deliveries.notifications.notifying import notify_recipients
from governance.deliveries.series.opening import open_due_occurrences
from governance.domain.series.composition import MOVES
from governance.models.notifications.recipients import RecipientBatch
from governance.store.account import avatars
from tests.harness.board_scenario import BoardScenario
from tests.harness.client import Response
from tests.harness.crash_injection import (
    create_members,
    email_counts,
    notification_counts,
    report_published_event,
)
from tests.harness.outbox import Outbox
from tests.harness.privileges import acting_as
from tests.harness.sample_bodies import SERIES
from tests.interleavings.schedules import every_interleaving

pytestmark = pytest.mark.slow


def test_two_deliveries_of_one_event_notify_and_mail_once(
    scenario: BoardScenario, outbox: Outbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    (member,) = create_members(scenario, 1)
    event = report_published_event(scenario)
    batch = RecipientBatch(event=event, user_ids=(member,)).model_dump(mode="json")
    monkeypatch.setattr(avatars, "put", lambda _name, _drawing: False)  # this test has no bucket

    def delivery() -> Response:
        with acting_as("deliveries"):
            for message in notify_recipients(batch):
                assert list(send_due_emails(message.body)) == []
        return Response(200, {}, "{}")

    schedules = 0
    for responses, _ in every_interleaving(delivery, delivery):
        schedules += 1
        assert len(responses) == 2, "a delivery failed"
        assert notification_counts([member]) == Counter({member: 1})
        assert sorted(email_counts(outbox).values()) == [1], f"schedule {schedules}"
        outbox.raw.clear()
    assert schedules > 2, "the two deliveries never overlapped"


def test_two_deliveries_of_one_opening_move_each_item_once(scenario: BoardScenario) -> None:
    client, names = scenario.owner.client, [f"Waiting {number}" for number in range(MOVES + 1)]
    for name in names:
        assert client.post(f"{scenario.path}/backlog", {"title": name}).status == 201
    series = client.post(f"{scenario.path}/series", SERIES).data["id"]
    meeting = client.post(f"{scenario.path}/series/{series}/occurrences/{SERIES['start']}/open").data["id"]

    def delivery() -> Response:
        with acting_as("deliveries"):
            assert open_due_occurrences({"boardId": scenario.board_id, "meetingId": meeting}) == []
        return Response(200, {}, "{}")

    schedules = 0
    for responses, _ in every_interleaving(delivery, delivery):
        schedules += 1
        assert len(responses) == 2, "a delivery failed"
        items = client.get(f"{scenario.path}/meetings/{meeting}/agenda").data["items"]
        assert [item["title"] for item in items] == names, f"schedule {schedules}"
        assert client.get(f"{scenario.path}/backlog").data == []
    assert schedules > 2, "the two deliveries never overlapped"
