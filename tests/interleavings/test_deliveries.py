"""Two concurrent deliveries of one event, in every order of their store calls, send one e-mail to each recipient."""

from __future__ import annotations

from collections import Counter
from functools import partial

import pytest

from governance.events.delivery import deliver
from governance.instants import now
from governance.models.event import StoredEvent
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


def _without_bucket(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(avatars, "put", lambda _name, _drawing: False)


def _deliver(event: StoredEvent) -> Response:
    with acting_as("events"):
        try:
            deliver(event, now(), _PATIENCE_SECONDS)
        except StaleRead:  # the other delivery wrote first; the stream retries
            deliver(event, now(), _PATIENCE_SECONDS)
    return Response(200, {}, "{}")


def test_two_deliveries_of_one_event_notify_and_mail_once(
    scenario: BoardScenario, outbox: Outbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    (member,) = create_members(scenario, 1)
    event = report_published_event(scenario)
    _without_bucket(monkeypatch)

    schedules = 0
    for responses, _ in every_interleaving(partial(_deliver, event), partial(_deliver, event)):
        schedules += 1
        assert len(responses) == 2, "a delivery failed"
        assert notification_counts([member]) == Counter({member: 1})
        assert sorted(email_counts(outbox).values()) == [1], f"schedule {schedules}"
        outbox.raw.clear()
    assert schedules >= 6, "the two deliveries never overlapped"


def test_two_events_about_one_report_send_one_mail_in_ten_minutes(
    scenario: BoardScenario, outbox: Outbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    (member,) = create_members(scenario, 1)
    first = report_published_event(scenario)
    second = report_published_event(scenario, report_id=first.refs["reportId"])
    _without_bucket(monkeypatch)
    schedules = 0
    for responses, _ in every_interleaving(partial(_deliver, first), partial(_deliver, second)):
        schedules += 1
        assert len(responses) == 2, "a delivery failed"
        assert notification_counts([member]) == Counter({member: 2})
        assert sorted(email_counts(outbox).values()) == [1], f"schedule {schedules}"
        outbox.raw.clear()
    assert schedules >= 6, "the two deliveries never overlapped"
