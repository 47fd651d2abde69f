"""`boardctl restore` brings back a board whose resolutions are decided, or are still voted on (ADR resolutions)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from governance import instants
from governance.deliveries.sweep import sweep
from governance.domain.resolutions.opening import record_due
from governance.ids import BoardId
from governance.instants import Instant, seconds_until
from infra.operator import doctor, restore
from infra.verify import certificate as checker
from tests.harness import queue, sealing
from tests.harness.board_scenario import BoardScenario
from tests.harness.clock import Clock
from tests.harness.history import event_items
from tests.harness.meeting_scenario import from_now
from tests.harness.outbox import Outbox
from tests.harness.resolution_scenario import ResolutionScenario
from tests.harness.restored_table import restored_table
from tests.harness.stream import event_records, process_records, record, send_to_queue
from tests.harness.table_snapshot import TableSnapshot

pytestmark = pytest.mark.usefixtures("bucket")
_KINDS = ("named", "hidden", "secret")


def voted(votes: ResolutionScenario, ballots: str) -> str:
    path = votes.opened(ballots=ballots, closesAt=from_now(days=5))
    for voter, choice in zip(votes.voters, ("for", "against", "for"), strict=True):
        assert votes.vote(path, voter, choice).status == 200
    return path


def seen(votes: ResolutionScenario, paths: Sequence[str]) -> list[Any]:
    readers = (votes.manager, votes.ann)
    of_each = [(votes.get(path, by), votes.ballots(path, by)) for path in paths for by in readers]
    return [*of_each, *(by.client.get(votes.path, sort="closedAt").json for by in readers)]


def test_a_restored_board_has_its_certificates_and_counts_what_is_still_open_by_the_clock(
    scenario: BoardScenario, clock: Clock, outbox: Outbox
) -> None:
    votes, board_id = ResolutionScenario(scenario), BoardId(scenario.board_id)
    closed, still_open = ([voted(votes, kind) for kind in _KINDS] for _ in range(2))
    for path in closed:
        assert votes.close(path).status == 200
    sealing.seal(board_id)
    assert process_records(event_records(board_id)) == []
    before = seen(votes, [*closed, *still_open])
    certificates = [votes.manager.client.get(f"{path}/certificate").text for path in closed]
    with restored_table() as earlier:
        assert scenario.owner.client.delete(scenario.path).status == 200
        assert process_records([record(item) for item in event_items(board_id)]) == []
        assert [key for key in TableSnapshot().items if key[0].startswith(f"PAYLOAD#{board_id}")] == []
        assert [event for event in event_items(board_id) if event["type"] == "resolution.closed"] == []
        restore.restore_board(earlier, board_id)
    assert doctor.examine(board_id) == []
    assert seen(votes, [*closed, *still_open]) == before
    assert [votes.manager.client.get(f"{path}/certificate").text for path in closed] == certificates
    assert [checker.report(text, sealing.key().text)[-1] for text in certificates] == 3 * ["Its signature holds."]
    _nobody_is_told_again(board_id, outbox)
    clock.move(seconds_until(record_due(Instant(votes.get(still_open[-1])["closesAt"])), instants.now()) + 1)
    sweep()
    queue.current.deliver()
    tallies = [(votes.get(path)["status"], votes.get(path)["tally"]["for"]) for path in still_open]
    assert tallies == 3 * [("carried", 2)]
    assert {votes.manager.client.get(f"{path}/certificate").status for path in still_open} == {200}


def _nobody_is_told_again(board_id: BoardId, outbox: Outbox) -> None:
    """The stream has the events that came back; what follows from one followed when it was new."""
    logged = [record(item) for item in event_items(board_id) if "leaf" in item]
    assert len(logged) == 6 * 5 + 3  # each was created, opened and voted on thrice, and three were closed
    mails = len(outbox.mails)
    assert send_to_queue(logged) == []
    assert [message for message in queue.current.messages if message.function in ("deliveries", "sealer")] == []
    assert len(outbox.mails) == mails
