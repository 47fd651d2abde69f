"""A signed copy of minutes that is taken back rings as every version that is completed; one that is refused does not.

The sample request of its route repeats one that was done, and rings nobody (test_every_route.py).
"""

from __future__ import annotations

import pytest

from tests.functions.meetings.test_minutes_approval import approve, circulated, held
from tests.harness import sealing
from tests.harness.board_scenario import BoardScenario
from tests.harness.clock import Clock
from tests.harness.live import Channel
from tests.harness.uploads import send
from tests.live.reading import Readings
from tests.minutes_file.making import signed_elsewhere
from tests.minutes_file.test_signed_copies import complete, declare
from tests.minutes_file.test_worker import SPRING, SUMMER, asked, content, version, work

pytestmark = pytest.mark.usefixtures("bucket")


def test_who_reads_the_file_hears_of_a_copy_that_is_taken_back_alone(
    channel: Channel, scenario: BoardScenario, clock: Clock
) -> None:
    clock.stop()
    spring = circulated(scenario, SPRING)
    assert approve(spring, held(scenario, SUMMER, "in_progress")).status == 200
    sealing.seal(scenario.board_id)
    document = asked(spring)
    work()
    ours = content(version(spring, document), spring)
    guest = scenario.member("guest", access_type="guest")
    tab, path = channel.open(guest.client), f"{scenario.path}/documents/{document['id']}"
    assert tab.join(scenario.board_id)[0]["type"] == "joined"
    rung = {"document.updated", "document.version_added"}
    for copy, status, events in ((ours + b"more", 400, set()), (signed_elsewhere(ours), 200, rung)):
        declared = declare(spring, copy).data
        send(declared["upload"], copy)
        clock.move(1)
        tab.forget()
        readings = Readings({"guest": guest}, [path, f"{path}/versions"])
        with readings.watched(channel):
            assert complete(spring, declared["id"]).status == status
        assert {event for _, event in tab.rings()} == events
        assert bool(readings.changed) is bool(events)
