"""Two concurrent deliveries of one event, in every order of their store calls, send one e-mail to each recipient."""

from __future__ import annotations

from collections import Counter

import pytest

from governance.events.delivery import deliver
from governance.instants import now
from governance.store import avatars
from governance.store.writes import StaleRead
from tests.harness.board_scenario import BoardScenario
from tests.harness.client import Response
from tests.harness.crash_injection import create_members, email_counts, notification_counts, report_published_event
from tests.harness.outbox import Outbox, outbox
from tests.harness.privileges import acting_as
from tests.interleavings.schedules import every_interleaving

__all__ = ["outbox"]
pytestmark = pytest.mark.slow
_PATIENCE_SECONDS = 0.0


def test_two_deliveries_of_one_event_notify_and_mail_once(
    scenario: BoardScenario, outbox: Outbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    (member,) = create_members(scenario, 1)
    event = report_published_event(scenario)
    monkeypatch.setattr(avatars, "put", lambda _name, _drawing: False)  # this test has no bucket

    def delivery() -> Response:
        with acting_as("events"):
            try:
                deliver(event, now(), _PATIENCE_SECONDS)
            except StaleRead:  # the other delivery wrote first; the stream retries
                deliver(event, now(), _PATIENCE_SECONDS)
        return Response(200, {}, "{}")

    schedules = 0
    for responses, _ in every_interleaving(delivery, delivery):
        schedules += 1
        assert len(responses) == 2, "a delivery failed"
        assert notification_counts([member]) == Counter({member: 1})
        assert sorted(email_counts(outbox).values()) == [1], f"schedule {schedules}"
        outbox.raw.clear()
    assert schedules >= 6, "the two deliveries never overlapped"
