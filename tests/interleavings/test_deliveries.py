"""One event, delivered twice at once (a stream repeats itself): in every order of their store calls, one mail each."""

from __future__ import annotations

from collections import Counter

import pytest

from governance.events.delivery import deliver
from governance.instants import now
from governance.store.writes import StaleRead
from tests.harness.board_scenario import BoardScenario
from tests.harness.client import Response
from tests.harness.crash_injection import crowd, mailed, notified, published
from tests.harness.outbox import Outbox, outbox
from tests.harness.privileges import acting
from tests.interleavings.schedules import every_interleaving

__all__ = ["outbox"]
pytestmark = pytest.mark.slow
_PATIENCE_SECONDS = 0.0


def test_two_deliveries_of_one_event_notify_and_mail_once(
    scenario: BoardScenario, outbox: Outbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    (member,) = crowd(scenario, 1)
    event = published(scenario)
    monkeypatch.setattr("governance.events.delivery._portrayed", lambda _: False)  # no bucket here

    def delivery() -> Response:
        with acting("events"):
            try:
                deliver(event, now(), _PATIENCE_SECONDS)
            except StaleRead:  # the other was first to write; the stream comes again
                deliver(event, now(), _PATIENCE_SECONDS)
        return Response(200, {}, "{}")

    schedules = 0
    for responses, _ in every_interleaving(delivery, delivery):
        schedules += 1
        assert len(responses) == 2, "one of them failed"
        assert notified([member]) == Counter({member: 1})
        assert sorted(mailed(outbox).values()) == [1], f"schedule {schedules}"
        outbox.raw.clear()
    assert schedules >= 6, "they never met"
