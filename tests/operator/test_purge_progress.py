"""A purge is recorded once, can be killed at any call and begun again, and shares its passes with others."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from governance.errors import ApiError
from governance.ids import BoardId, UserId
from governance.limits import TRANSACTION_WRITES
from governance.store.account import purges
from governance.usecases.operator import purge
from infra.operator import address_removal
from infra.operator.purging import MOST_USERS, purge_users
from tests.harness.board_scenario import BoardScenario, new_board_scenario, person
from tests.harness.crash_injection import ProcessKilled, crash_at, ends_before
from tests.harness.history import event_items
from tests.harness.meeting_scenario import new_meeting_scenario
from tests.harness.store_calls import InlinePool, count_store_calls, requests_to
from tests.harness.table_snapshot import TableSnapshot
from tests.operator.purge_scenario import NAME, fill, new_scenarios, recorded, rows_with

pytestmark = pytest.mark.usefixtures("bucket", "outbox")


def purge_events(board_id: BoardId) -> int:
    return len([item for item in event_items(board_id) if item["type"] == "user.purged"])


@pytest.mark.slow
def test_a_member_of_many_boards_is_recorded_once_on_each(
    scenario: BoardScenario, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(purge, "_BOARDS_PER_TRANSACTION", 2)
    ben = person("ben")
    paths = [scenario.owner.client.post("/api/v1/boards", {"name": f"B{n}"}).data["id"] for n in range(5)]
    joined = [BoardScenario(scenario.owner, board_id) for board_id in paths]
    for board in joined:
        board.join(ben)
    before = TableSnapshot()
    call, done = 1, False
    while not done:
        done = ends_before(call, lambda: purge_users([ben.id]))
        purge_users([ben.id])
        assert [recorded(board.board_id).count("userHardPurge") for board in joined] == [1] * 5, f"call {call}"
        assert [purge_events(board.board_id) for board in joined] == [1] * 5, f"call {call}"
        before.restore()
        call += 3
    assert call > 10


def test_no_transaction_of_a_purge_is_larger_than_the_store_takes() -> None:
    assert 2 * purge._BOARDS_PER_TRANSACTION + 1 <= TRANSACTION_WRITES
    assert MOST_USERS <= TRANSACTION_WRITES, "the progress of all"


@pytest.mark.slow
def test_killed_at_every_call_and_begun_again_it_finishes(store: str, monkeypatch: pytest.MonkeyPatch) -> None:
    del store
    monkeypatch.setattr(address_removal, "_PAGE", 60)
    scenario, other = new_scenarios()
    bart = fill(scenario, other)
    table, call, done = TableSnapshot(), 1, False
    while not done:
        done = ends_before(call, lambda: purge_users([bart.id]))
        purge_users([bart.id])
        assert rows_with(NAME) == [], f"call {call}"
        assert Counter(recorded(scenario.board_id))["userHardPurge"] == 1, f"call {call}"
        assert purge_events(scenario.board_id) == 1, f"call {call}"
        assert purges.find(bart.id) is None
        table.restore()
        call += 1
    assert call > 30


def _purge_that_crashes_at_its_fourth_page(pool: InlinePool, user_id: UserId) -> int:
    """Returns how many pages a whole purge reads."""
    before = TableSnapshot()
    with count_store_calls(pool) as whole:
        purge_users([user_id])
    before.restore()
    scans = [call for call, name in enumerate(whole.sequential, 1) if name == "Scan"]
    with crash_at(scans[3]), pytest.raises(ProcessKilled):
        purge_users([user_id])
    return len(scans)


def test_a_search_goes_on_with_the_page_that_it_was_at(
    store: str, pool: InlinePool, monkeypatch: pytest.MonkeyPatch
) -> None:
    del store
    monkeypatch.setattr(address_removal, "_PAGE", 10)
    scenario, other = new_scenarios()
    bart = fill(scenario, other)
    scans = _purge_that_crashes_at_its_fourth_page(pool, bart.id)
    with count_store_calls(pool) as rest:
        purge_users([bart.id])
    assert rest.sequential.count("Scan") == scans - 3
    assert rows_with(NAME) == []


def test_two_purges_of_one_user_do_not_run_side_by_side(scenario: BoardScenario) -> None:
    ben = scenario.member("ben")
    progress = purge.begin(ben.id)
    assert progress is not None
    purge.record(progress)
    with pytest.raises(ApiError, match="CONFLICT"):
        purge.record(progress)
    assert recorded(scenario.board_id).count("userHardPurge") == 1
    purge_users([ben.id])
    assert recorded(scenario.board_id).count("userHardPurge") == 1


def _calls_of_a_purge(pool: InlinePool, *user_ids: UserId) -> Counter[str]:
    with count_store_calls(pool) as calls:
        purge_users(user_ids)
    return Counter(calls.sequential)


def test_a_purge_reads_every_row_of_the_table_once_and_says_how_far_it_is(
    store: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    del store
    monkeypatch.setattr(address_removal, "_PAGE", 5)
    bart = fill(*new_scenarios())
    rows = len(TableSnapshot().items)
    with requests_to("dynamodb.Scan") as scans:
        purge_users([bart.id])
    starts = [json.dumps(scan.get("ExclusiveStartKey")) for scan in scans]
    assert len(starts) == len({*starts}) <= rows / 5 + 2
    assert not [scan for scan in scans if "FilterExpression" in scan], "the local engine takes five times as long"
    lines = [line for line in capsys.readouterr().err.splitlines() if line.startswith("Searched ")]
    assert lines[0] == "Searched 50 rows; the search goes on."
    assert len(lines) == len(scans) // 10


def test_many_purges_share_one_pass_through_the_table(
    store: str, pool: InlinePool, monkeypatch: pytest.MonkeyPatch
) -> None:
    del store
    monkeypatch.setattr(address_removal, "_PAGE", 20)
    scenario, other = new_scenarios()
    bart, others = fill(scenario, other), [scenario.member(f"member{number}") for number in range(5)]
    before = TableSnapshot()
    alone = _calls_of_a_purge(pool, bart.id)["Scan"]
    before.restore()
    together = _calls_of_a_purge(pool, bart.id, *(other.id for other in others))["Scan"]
    assert alone > 3
    assert together <= alone + 1, "their own progress may take another page"
    assert rows_with(NAME) == []
    assert [rows_with(other.email) for other in others] == [[]] * len(others)
    assert Counter(recorded(scenario.board_id))["userHardPurge"] == 1 + len(others)


def test_a_pass_reads_no_row_that_concerns_nobody(store: str, pool: InlinePool) -> None:
    """Beside the pages of the table, a purge costs the same with few boards of others and with many."""
    del store
    scenario, other = new_scenarios()
    bart = fill(scenario, other)
    before = TableSnapshot()
    few = _calls_of_a_purge(pool, bart.id)
    before.restore()
    for number in range(6):
        board = new_board_scenario(f"stranger{number}")
        for guest in range(4):
            body = {"inviteeEmail": f"guest{guest}@example.com"}
            assert (
                board.owner.client.post(f"/api/invite/{board.board_id}", body, idempotency_key=f"{guest}").status == 200
            )
        meeting = new_meeting_scenario(board)
        assert board.owner.client.put(f"{meeting.path}/rsvp", {"status": "accepted"}).status == 200
    many = _calls_of_a_purge(pool, bart.id)
    assert rows_with(NAME) == []
    del few["Scan"], many["Scan"]
    assert many == few


def test_purges_that_are_not_as_far_as_each_other_go_on_where_they_were(
    store: str, pool: InlinePool, monkeypatch: pytest.MonkeyPatch
) -> None:
    del store
    monkeypatch.setattr(address_removal, "_PAGE", 10)
    scenario, other = new_scenarios()
    bart, ben = fill(scenario, other), scenario.member("ben")
    scans = _purge_that_crashes_at_its_fourth_page(pool, bart.id)
    both = _calls_of_a_purge(pool, bart.id, ben.id)["Scan"]
    assert scans < both < 2 * scans, "a pass each, one of them begun"
    assert rows_with(NAME) == []
    assert rows_with(ben.email) == []
