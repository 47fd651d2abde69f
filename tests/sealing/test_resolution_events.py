"""The events of resolutions are entries of the log like those of the audit log, and verified with them."""

from __future__ import annotations

import json

import pytest

from governance.store.history import leaves
from governance.store.schema.keys import Item, key_of
from governance.store.transactions import transact
from governance.store.writes import EXISTS, Update
from infra.operator import log
from tests.harness import queue, sealing, stream
from tests.harness.board_scenario import BoardScenario
from tests.harness.history import event_items
from tests.harness.resolution_scenario import ResolutionScenario

pytestmark = pytest.mark.usefixtures("bucket")


def logged(scenario: BoardScenario) -> list[Item]:
    """Returns the rows of a board's events that are entries of the log, after one resolution was voted on."""
    votes = ResolutionScenario(scenario)
    path = votes.opened()
    assert votes.vote(path, votes.ann).status == 200
    return [event for event in event_items(scenario.board_id) if leaves.TEXT in event]


def test_the_stream_asks_for_a_delivery_and_for_a_seal_and_tells_no_delivery_the_salt(scenario: BoardScenario) -> None:
    (*_, event) = logged(scenario)
    assert stream.send_to_queue([stream.record(event)]) == []
    sent = {message.function: json.loads(message.body) for message in queue.current.messages}
    assert set(sent) == {"deliveries", "sealer"}
    assert event["salt"] in json.dumps(event)
    assert event["salt"] not in json.dumps(sent)
    assert sent["deliveries"]["body"]["id"] == event["id"]


def test_a_sealed_event_has_its_place_and_is_sealed_once(scenario: BoardScenario) -> None:
    before = logged(scenario)
    assert [event["type"] for event in before if "leaf" in event] == []
    sealing.seal(scenario.board_id)
    size = sealing.checkpoint().checkpoint.size
    places = [event["leaf"] for event in event_items(scenario.board_id) if leaves.TEXT in event]
    assert len({*places}) == len(before) == 3
    sealing.seal(scenario.board_id)
    assert sealing.checkpoint().checkpoint.size == size


@pytest.mark.parametrize("is_one_board", [True, False])
def test_an_event_that_was_changed_since_it_was_logged_is_found(scenario: BoardScenario, *, is_one_board: bool) -> None:
    event = logged(scenario)[0]
    sealing.seal(scenario.board_id)

    def differences() -> list[str]:
        entries = log.verified_entries(sealing.public, sealing.key())[1]
        return [*log.unlike(log.rows_of_board(scenario.board_id) if is_one_board else log.logged_rows(), entries)]

    assert differences() == []
    text = event[leaves.TEXT].replace("resolution.", "resolutions.")
    transact([Update(key_of(event), "SET #e = :e", {"#e": leaves.TEXT}, {":e": text}, EXISTS)])
    (line,) = differences()
    assert event["id"] in line
