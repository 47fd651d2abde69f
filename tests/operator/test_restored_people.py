"""What scrubs and merges of people without an account ended does not come back with what `boardctl restore` copies."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from governance.ids import BoardId, PersonId
from governance.instants import now, shift
from governance.store import due
from governance.store.members import unregistered_users
from governance.store.schema.keys import Item, Key
from governance.store.writes import key_of_write
from governance.usecases.members.merging import complete_merge, due_message
from infra.operator import address_removal, doctor, replay, restore
from infra.operator.address_removal import Wanted
from tests.harness.board_scenario import BoardScenario
from tests.harness.merge_scenario import ADDRESS, MergeScenario, begin_merge, new_merge_scenario, rows_naming
from tests.harness.restored_table import restored_table
from tests.harness.revocation_record import stream_changes
from tests.harness.stream import event_records, process_records
from tests.harness.table_snapshot import TableSnapshot
from tests.operator import torn_rows

pytestmark = pytest.mark.usefixtures("outbox")


@pytest.fixture
def merge(scenario: BoardScenario) -> MergeScenario:
    return new_merge_scenario(scenario)


def _board(merge: MergeScenario) -> BoardId:
    return BoardId(merge.board.board_id)


def _settle(merge: MergeScenario) -> None:
    assert process_records(event_records(_board(merge))) == []


def _scrub(merge: MergeScenario) -> None:
    assert merge.board.owner.client.post(f"{merge.path}/scrub").status == 200
    _settle(merge)
    assert _of_anna() == []


def _of_anna() -> list[tuple[str, str]]:
    """Returns the keys of the rows that hold the person's address, or the comment of their vote."""
    items = TableSnapshot().items.items()
    return [key for key, item in items if any(text in json.dumps([key, item], default=str) for text in _WORDS)]


_WORDS = (ADDRESS, "Gladly")


def _meeting_of(merge: MergeScenario) -> str:
    return merge.ahead.path.rpartition("/")[2]


def _person(merge: MergeScenario) -> dict[str, Any]:
    profile: dict[str, Any] = merge.board.owner.client.get(merge.path).data
    return profile


def _due_again(merge: MergeScenario) -> Key:
    """Returns the key of the row by which the merge of the person goes on."""
    person = unregistered_users.find(_board(merge), PersonId(merge.anna))
    assert person is not None
    assert person.merge is not None
    return key_of_write(due.put(due_message(person, person.merge)))


def test_a_meeting_that_comes_back_names_the_member_into_whom_a_person_was_merged_since(merge: MergeScenario) -> None:
    with restored_table() as earlier:
        assert merge.merge().status == 200
        before = merge.ahead.listed(), merge.board.owner.client.get(f"{merge.ahead.path}/agenda").data["items"]
        news = len(event_records(_board(merge)))
        for meeting in (merge.ahead, merge.running, merge.final):
            restore.restore_entity(earlier, _board(merge), "meeting", meeting.path.rpartition("/")[2])
    assert rows_naming(merge.anna) == []
    assert _person(merge)["status"] == "merged"
    assert len(event_records(_board(merge))) == news
    assert (merge.ahead.listed(), merge.board.owner.client.get(f"{merge.ahead.path}/agenda").data["items"]) == before
    assert doctor.examine(_board(merge)) == []


def test_a_meeting_that_comes_back_holds_no_address_of_whom_was_scrubbed_since(merge: MergeScenario) -> None:
    with restored_table() as earlier:
        _scrub(merge)
        restore.restore_entity(earlier, _board(merge), "meeting", _meeting_of(merge))
    assert _of_anna() == []
    assert [vote[1:] for vote in merge.votes(0)] == [(None, "ok")]
    assert doctor.examine(_board(merge)) == []


def test_a_board_that_comes_back_has_no_address_of_whom_was_scrubbed_since(merge: MergeScenario) -> None:
    with restored_table() as earlier:
        _scrub(merge)
        assert merge.board.owner.client.delete(merge.board.path).status == 200
        _settle(merge)
        restore.restore_board(earlier, _board(merge))
    assert _of_anna() == []
    person = _person(merge)
    assert (person["fullName"], person["status"]) == ("Former participant", "archived")
    assert doctor.examine(_board(merge)) == []


def test_a_scrub_that_was_under_way_is_completed_on_the_board_that_comes_back(merge: MergeScenario) -> None:
    assert merge.board.owner.client.post(f"{merge.path}/scrub").status == 200
    with restored_table() as earlier:
        assert merge.board.owner.client.delete(merge.board.path).status == 200
        _settle(merge)
        restore.restore_board(earlier, _board(merge))
    assert _of_anna() == []


def test_a_merge_that_was_under_way_goes_on_on_the_board_that_comes_back(merge: MergeScenario) -> None:
    begin_merge(merge)
    with restored_table() as earlier:
        assert merge.board.owner.client.delete(merge.board.path).status == 200
        _settle(merge)
        restore.restore_board(earlier, _board(merge))
    (message,) = [
        message
        for messages in due.due_before(shift(now(), minutes=2), 100)
        for message in messages.values()
        if message.kind == "merge"
    ]
    assert list(complete_merge(message.body)) == []
    assert rows_naming(merge.anna) == []
    assert doctor.examine(_board(merge)) == []


@pytest.mark.usefixtures("revocation_record")
def test_a_table_that_was_restored_has_no_address_of_whom_was_scrubbed_since(merge: MergeScenario) -> None:
    backup = TableSnapshot()
    _scrub(merge)
    stream_changes(backup, TableSnapshot())
    backup.restore()
    assert replay.replay() == (1, [])
    assert _of_anna() == []
    assert replay.replay() == (0, [])


def _address(merge: MergeScenario, person_id: str = "ACTIVE") -> Key:
    return Key(f"EMAIL#{ADDRESS}", f"UNREGISTERED#{merge.board.board_id}#{person_id}")


def _rests(merge: MergeScenario) -> None:
    begin_merge(merge)
    torn_rows.lose(*_due_again(merge))


def _leading(merge: MergeScenario, person_id: str = "ACTIVE") -> Item:
    return {**_address(merge, person_id).attributes, "boardId": merge.board.board_id}


TORN: dict[str, tuple[Callable[[MergeScenario], None], str]] = {
    "the address leads nowhere": (lambda merge: torn_rows.lose(*_address(merge)), "does not lead to its person"),
    "the address leads to another": (
        lambda merge: torn_rows.put({**_leading(merge), "unregisteredUserId": "f" * 24}),
        "does not lead to its person",
    ),
    "the address leads to one who has it no more": (
        lambda merge: torn_rows.put(_leading(merge, merge.anna)),
        "leads to a person who does not have this address now",
    ),
    "nothing goes on with a merge": (_rests, "is missing: nothing goes on with the merge of a person"),
}


@pytest.mark.parametrize("torn", TORN)
def test_the_doctor_finds_and_mends_what_leads_to_people(torn: str, merge: MergeScenario) -> None:
    tear, problem = TORN[torn]
    assert torn_rows.assert_mended(_board(merge), lambda: tear(merge)) == [problem]


def test_while_a_person_cannot_be_read_no_address_is_taken_away(merge: MergeScenario) -> None:
    sort_key = f"UNREGISTERED#{merge.anna}"
    torn_rows.put({**torn_rows.stored(sort_key), "links": "?"})
    (problem,) = doctor.mend(_board(merge))
    assert (problem.key.sk, problem.mend) == (sort_key, None)


def test_a_purge_finds_the_address_of_somebody_who_is_called_as_a_scrub_calls_people(scenario: BoardScenario) -> None:
    body = {"firstName": "Former participant", "email": ADDRESS}
    assert scenario.owner.client.post(f"{scenario.path}/unregistered-users", body).status == 201
    (row,) = [item for item in TableSnapshot().items.values() if item.get("firstName") == body["firstName"]]
    assert address_removal.concerns(row, Wanted(frozenset({ADDRESS}), frozenset()))
