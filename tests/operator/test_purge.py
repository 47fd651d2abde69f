"""A purge leaves neither an address nor a name in the table, is recorded once, and can be killed at any call."""

from __future__ import annotations

import json
from collections import Counter
from contextlib import suppress
from typing import Any

import pytest

from governance.errors import ApiError
from governance.ids import BoardId, UserId, new_id
from governance.instants import now
from governance.models.invite import StoredInvite
from governance.store import action_items, board_lists, invites, purges, recorded_answers, users
from governance.store.dynamodb import client
from governance.store.recorded_answers import to_members
from governance.store.schema import usage
from governance.store.schema.keys import Range, make_item
from governance.store.table import query, read_one
from governance.store.transactions import transact
from governance.store.writes import Put
from governance.usecases import purge
from governance.usecases.operator import set_user_status
from infra.operator import address_removal
from infra.operator.address_removal import Wanted
from infra.operator.purging import MOST_USERS, purge_users
from tests.harness.board_scenario import BoardScenario, new_board_scenario, person
from tests.harness.client import Client, session
from tests.harness.crash_injection import ProcessKilled, crash_at
from tests.harness.history import audit_items, event_items
from tests.harness.meeting_scenario import new_meeting_scenario
from tests.harness.store_calls import InlinePool, count_store_calls
from tests.harness.table_snapshot import TableSnapshot
from tests.operator.purge_scenario import NAME, NEW, OLD, fill, new_scenarios, person_with_a_former_address, rows_with

pytestmark = pytest.mark.usefixtures("bucket", "outbox")


def recorded(board_id: BoardId) -> list[str]:
    """Returns the actions in a board's audit log."""
    return [json.loads(item["entry"])["action"] for item in audit_items(board_id)]


def purge_events(board_id: BoardId) -> int:
    return len([item for item in event_items(board_id) if item["type"] == "user.purged"])


def invite_links() -> list[tuple[str, str]]:
    """Returns the keys of the rows that lead from a link to its pending invite, which name nobody."""
    return [(pk, sk) for pk, sk in rows_with("") if pk.startswith("CODE#") and sk.startswith("INVITE#")]


def test_nothing_in_the_table_names_a_purged_user(store: str) -> None:
    del store
    scenario, other = new_scenarios()
    bart = fill(scenario, other)
    kinds = {(pk.partition("#")[0], sk.partition("#")[0]) for pk, sk in rows_with(NAME)}
    assert {pk for pk, _ in kinds} == {
        "ALLOWANCE",
        "BOARD",
        "EMAIL",
        "EVENTS",
        "GUESTS",
        "IDEMPOTENCY",
        "INVITE",
        "MEETINGS",
        "USER",
    }
    assert {("BOARD", "ACTION"), ("BOARD", "INVITE"), ("MEETINGS", "MEETING"), ("BOARD", "PENDING_INVITE")} <= kinds
    assert ("USER", "SENT") in kinds
    trail = recorded(scenario.board_id)
    assert len(invite_links()) == 1
    purge_users([bart.id])
    assert rows_with(NAME) == []
    assert invite_links() == []
    assert recorded(scenario.board_id) == [*trail, "userHardPurge"]
    assert NEW in json.dumps(audit_items(scenario.board_id))
    assert [row for part in usage.idempotency_partitions(bart.id) for row in query(Range(part))] == []
    own = [(pk.partition("#")[0], sk) for pk, sk in rows_with("") if pk.endswith(f"#{bart.id}")]
    assert [row for row in own if row[0] in {"BOARDS", "DELIVERED", "USER"}] == [
        ("BOARDS", f"BOARD#{scenario.board_id}"),
        ("USER", "COUNT#BOARDS"),
        ("USER", "USER"),
    ]


def test_a_compressed_answer_that_holds_an_address_is_deleted(store: str) -> None:
    del store
    kept, named = (usage.idempotency_record_key(new_id(), digest) for digest in ("kept", "named"))
    for key, address in ((kept, "other@example.com"), (named, OLD)):
        answer = json.dumps({"email": address, "text": "x" * 5000})
        members = to_members(answer)
        assert recorded_answers.COMPRESSED in members
        transact([Put(make_item(key, members))])
        address_removal._remove(key, Wanted(frozenset([OLD]), frozenset()))
    assert (read_one(kept) is None, read_one(named) is None) == (False, True)


def test_what_others_have_stays(store: str) -> None:
    del store
    scenario, other = new_scenarios()
    bart = fill(scenario, other)
    purge_users([bart.id])
    listed = scenario.owner.client.get(f"/api/invite/{scenario.board_id}/invites").json
    assert sorted((invite["inviteeEmail"], invite["inviteMessage"]) for invite in listed) == [
        ("closed@example.com", None),
        ("next@example.com", None),
    ]
    assert {invite["inviterId"] for invite in listed} == {bart.id}
    (item,) = scenario.owner.client.get(f"/api/board/{scenario.board_id}/action-items").json["actionItems"]
    stored = action_items.find(scenario.board_id, item["_id"])
    assert stored is not None
    assert (stored.title, stored.assignee_user_id, stored.assignee_name) == ("Sign", bart.id, None)
    assert len(rows_with("guest@example.org")) == 1


def test_a_members_vote_stays_without_what_they_wrote_with_it(scenario: BoardScenario) -> None:
    ben, meeting = scenario.member("ben"), new_meeting_scenario(scenario)
    slot = meeting.slot()
    for voter in (ben, scenario.owner):
        assert meeting.vote(voter.client, slot, "challenging", comment="On a train").status == 200
    purge_users([ben.id])
    (listed,) = meeting.listed()
    votes = {each["userId"]: (each["vote"], each["comment"]) for each in listed["feedbacks"]}
    assert votes == {ben.id: ("challenging", None), scenario.owner.id: ("challenging", "On a train")}


def test_an_address_that_another_user_has_stays(scenario: BoardScenario) -> None:
    bart = person_with_a_former_address()
    twin = Client(session(OLD, "twin"))
    assert twin.get("/api/v1/me").data["email"] == OLD
    for address in (OLD, NEW):
        body = {"inviteeEmail": address}
        invite = scenario.owner.client.post(f"/api/invite/{scenario.board_id}", body).json["inviteId"]
        if address == OLD:
            kept = invite
    purge_users([bart.id])
    assert rows_with(NEW) == []
    assert twin.put(f"/api/invite/accept/{kept}").status == 200


def test_an_address_is_kept_as_a_former_one_when_the_claim_changes(store: str) -> None:
    del store
    assert users.former_addresses(person_with_a_former_address().id) == [OLD]


def _invited_by(board_id: BoardId, senders: int, status: str) -> StoredInvite:
    """Stores an invite to an address that many users sent."""
    inviter, *others = (UserId(new_id()) for _ in range(senders))
    invite = StoredInvite(
        id=new_id(),
        board_id=board_id,
        invitee_email=NEW,
        inviter_id=inviter,
        also_invited_by=tuple(others),
        message=None,
        board_positions=("observer",),
        created_at=now(),
        updated_at=now(),
    )
    transact(invites.create(invite))
    for start in range(0, len(others), 50):
        transact([invites.add_to_sent_list(invite, sender) for sender in others[start : start + 50]])
    if status != "pending":
        transact(invites.close(invite, invite.model_copy(update={"status": status}), None))
    return invite


@pytest.mark.parametrize("status", ["pending", "declined"])
def test_a_purge_forgets_an_address_that_two_hundred_people_invited(scenario: BoardScenario, status: str) -> None:
    bart = person_with_a_former_address()
    _invited_by(scenario.board_id, 200, status)
    assert len(rows_with(NEW)) > 200
    purge_users([bart.id])
    assert rows_with(NAME) == []


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
        with crash_at(call) as crash:
            with suppress(ProcessKilled):
                purge_users([ben.id])
            done = crash.calls_made < call
        purge_users([ben.id])
        assert [recorded(board.board_id).count("userHardPurge") for board in joined] == [1] * 5, f"call {call}"
        assert [purge_events(board.board_id) for board in joined] == [1] * 5, f"call {call}"
        before.restore()
        call += 3


def test_no_transaction_of_a_purge_is_larger_than_the_store_takes() -> None:
    assert 2 * purge._BOARDS_PER_TRANSACTION + 1 <= 100


@pytest.mark.slow
def test_killed_at_every_call_and_begun_again_it_finishes(store: str, monkeypatch: pytest.MonkeyPatch) -> None:
    del store
    monkeypatch.setattr(address_removal, "_PAGE", 60)
    scenario, other = new_scenarios()
    bart = fill(scenario, other)
    table, call, done = TableSnapshot(), 1, False
    while not done:
        with crash_at(call) as crash:
            with suppress(ProcessKilled):
                purge_users([bart.id])
            done = crash.calls_made < call
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


def test_a_session_brings_no_address_back_while_a_purge_is_interrupted(scenario: BoardScenario) -> None:
    ben = scenario.member("ben")
    assert purge.begin(ben.id) is not None
    fresh = Client(session("ben.newest@example.com", "ben@example.com"))
    assert fresh.get("/api/v1/me").failure == (403, "ACCOUNT_INACTIVE")
    purge_users([ben.id])
    assert rows_with("ben.newest") == rows_with("ben@example.com") == []


def test_an_account_that_is_closed_before_the_commit_gets_no_board(store: str) -> None:
    """A request that was admitted before the account was closed commits nothing after it."""
    del store
    ben = person("ben")
    events, closings = client().meta.events, iter([ben.id])

    def close(**_: Any) -> None:
        for user_id in closings:
            set_user_status(user_id, "inactive")

    events.register_first("before-call.dynamodb.TransactWriteItems", close)
    try:
        answer = ben.client.post("/api/v1/boards", {"name": "Late"})
    finally:
        events.unregister("before-call.dynamodb.TransactWriteItems", close)
    assert answer.status == 403
    assert board_lists.board_ids_of(ben.id) == []


def _calls_of_a_purge(pool: InlinePool, *user_ids: UserId) -> Counter[str]:
    with count_store_calls(pool) as calls:
        purge_users(user_ids)
    return Counter(calls.sequential)


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
    together = _calls_of_a_purge(pool, bart.id, *(each.id for each in others))["Scan"]
    assert alone > 3
    assert together <= alone + 1, "their own progress may take another page"
    assert rows_with(NAME) == []
    assert [rows_with(each.email) for each in others] == [[]] * len(others)
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


def test_an_owner_among_them_keeps_all_from_being_purged(scenario: BoardScenario) -> None:
    ben = scenario.member("ben")
    with pytest.raises(ApiError, match="INVALID_REQUEST_BODY"):
        purge_users([ben.id, scenario.owner.id])
    assert ben.client.get("/api/v1/me").data["email"] == ben.email


def test_the_progress_of_all_fits_into_one_transaction() -> None:
    assert MOST_USERS <= 100
