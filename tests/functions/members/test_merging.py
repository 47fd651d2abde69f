"""Merging a person without an account into a member: what becomes the member's, what is dropped, what is refused."""

from __future__ import annotations

from contextlib import nullcontext
from types import SimpleNamespace

import pytest

from governance import deadline
from governance.errors import ApiError
from governance.ids import BoardId, PersonId, membership_id
from governance.instants import Instant, now, shift
from governance.limits import OPEN_ITEMS_PER_ASSIGNEE
from governance.models.meetings.rsvp import StoredUnregisteredRsvp
from governance.store import counters
from governance.store.meetings import rsvps
from governance.store.schema.entities import OPEN_ITEM_COUNT
from governance.store.transactions import transact
from governance.usecases.members.merging import complete_merge
from tests.harness.board_scenario import BoardScenario
from tests.harness.client import Client
from tests.harness.clock import Clock
from tests.harness.history import event_items
from tests.harness.meeting_scenario import from_now, leave, new_meeting_scenario
from tests.harness.merge_scenario import (
    ADDRESS,
    MergeScenario,
    begin_merge,
    new_merge_scenario,
    rows_naming,
    tell_of_an_answer,
    vote_as_guest,
)
from tests.harness.people import act, add, people, people_entries, reason
from tests.harness.store_calls import count_rounds
from tests.harness.table_snapshot import TableSnapshot

MOVED = {"agendaItems": 2, "attendances": 2, "actionItems": 1, "guestVotes": 1, "rsvps": 0}


@pytest.fixture
def merge(scenario: BoardScenario, clock: Clock) -> MergeScenario:
    """A person and a member; the time stands still, so that a merge is not too late on a busy machine."""
    made = new_merge_scenario(scenario)
    clock.stop()
    return made


def test_everything_of_theirs_becomes_the_members(merge: MergeScenario) -> None:
    owner, ann = merge.board.owner.client, merge.ann
    answer = merge.merge()
    assert answer.status == 200, answer.text
    assert answer.data == {
        "object": "merge",
        "unregisteredUserId": merge.anna,
        "memberId": merge.member_id,
        "dryRun": False,
        "moved": MOVED,
    }
    items = owner.get(f"{merge.ahead.path}/agenda").data["items"]
    named = [(item["presenterUserId"], item["presenterUnregisteredUserId"], item["presenterName"]) for item in items]
    assert named == [(ann.id, None, None), (None, None, "Bob"), (ann.id, None, None)]
    (template,), (waiting,) = (owner.all(f"{merge.board.path}/{kind}") for kind in ("agenda-templates", "backlog"))
    for item in (*template["items"], waiting):
        assert (item["presenterUserId"], item["presenterUnregisteredUserId"]) == (ann.id, None)
    for meeting in (merge.running, merge.final):
        assert [entry.get("userId") for entry in merge.attendance(meeting)] == [ann.id, merge.board.owner.id]
    (task,) = owner.get(f"{merge.ahead.path}/action-items").json["data"]
    assert (task["assigneeUserId"], task["assigneeName"]) == (ann.id, None)
    mine = ann.client.get("/api/action-items/my").json
    assert merge.task in str(mine)
    assert merge.votes(0) == [(ann.id, None, "ok")]


def test_a_vote_by_the_plain_link_under_their_address_stays_a_guests(scenario: BoardScenario) -> None:
    meeting, ann = new_meeting_scenario(scenario), scenario.member("ann")
    slot = meeting.slot(start=from_now(days=2))
    vote_as_guest(meeting, slot, ADDRESS, vote="cant", comment="Never")
    anna = add(scenario, email=ADDRESS)["id"]
    body = {"memberId": membership_id(scenario.board_id, ann.id)}
    assert scenario.owner.client.post(f"{people(scenario)}/{anna}/merge", body).data["moved"]["guestVotes"] == 0
    (shown,) = scenario.owner.client.get(f"{meeting.path}/slots").data
    cast = [(vote["userId"], vote["email"], vote["vote"]) for vote in shown["feedbacks"] if vote["comment"]]
    assert cast == [(None, ADDRESS, "cant")]


def test_on_one_slot_the_members_own_vote_stays_and_the_other_is_dropped_uncounted(merge: MergeScenario) -> None:
    before = guest_counts()
    merge.merge()
    assert merge.votes(1) == [(merge.ann.id, None, "challenging")]
    assert guest_counts() == {name: number - {"meeting": 2}.get(name, 1) for name, number in before.items()}


@pytest.mark.parametrize("ended", ["archive", "another address"])
def test_what_a_person_voted_by_their_link_is_not_replaced_by_the_plain_one(
    scenario: BoardScenario, ended: str
) -> None:
    merging = new_merge_scenario(scenario, rich=False)
    meeting, slot, owner = merging.ahead, merging.slots[0], scenario.owner.client
    if ended == "archive":
        assert act(scenario, merging.anna, "archive").status == 200
    else:
        assert owner.patch(merging.path, {"email": "other@example.org"}).status == 200
    link = owner.post(f"{meeting.path}/guest-link").data["token"]
    refused = Client().put(f"/api/v1/guest/{link}/slots/{slot['id']}/vote", {"email": ADDRESS, "vote": "cant"})
    assert set(refused.fields) == {"email"}
    assert [vote for _, _, vote in merging.votes(0)] == ["ok"]
    assert merging.merge().data["moved"]["guestVotes"] == 1
    assert merging.votes(0) == [(merging.ann.id, None, "ok")]


def guest_counts() -> dict[str, int]:
    """Returns the counts of guests' votes by what they count."""
    counts = {
        sk: item["count"]
        for (pk, sk), item in TableSnapshot().items.items()
        if pk.startswith("GUESTS#") and "#COUNT" in sk
    }
    return {("meeting" if sk.endswith("#COUNT") else sk): number for sk, number in counts.items()}


def test_final_minutes_keep_their_texts_and_their_quorum(merge: MergeScenario) -> None:
    before = merge.board.owner.client.get(f"{merge.final.path}/minutes").data
    merge.merge()
    after = merge.board.owner.client.get(f"{merge.final.path}/minutes").data
    assert (after["status"], after["quorum"], after["items"]) == ("final", before["quorum"], before["items"])
    assert after["attendance"][0]["present"] == "remote"


def test_the_person_is_merged_and_their_id_stands_nowhere_else(merge: MergeScenario) -> None:
    assert rows_naming(merge.anna) != []
    merge.merge()
    person = merge.board.owner.client.get(merge.path).data
    assert (person["status"], person["mergedIntoMemberId"]) == ("merged", merge.member_id)
    assert rows_naming(merge.anna) == []
    leave(merge.board, merge.ann)
    assert merge.board.owner.client.get(merge.path).data["mergedIntoMemberId"] is None


def test_a_dry_run_counts_the_same_and_writes_nothing(merge: MergeScenario) -> None:
    before = TableSnapshot()
    answer = merge.merge(dryRun=True)
    assert (answer.data["dryRun"], answer.data["moved"]) == (True, MOVED)
    assert before.changes() == {}
    assert merge.merge().data["moved"] == MOVED


def test_a_merge_is_one_update_of_the_status_and_one_event(merge: MergeScenario) -> None:
    entries, events = people_entries(merge.board), event_items(merge.board.board_id)
    merge.merge()
    (entry,) = people_entries(merge.board)[len(entries) :]
    assert entry["action"] == "boardUserUnregisteredUpdate"
    assert entry["details"] == {"id": merge.anna, "fields": ["status"]}
    (event,) = event_items(merge.board.board_id)[len(events) :]
    assert event["type"] == "unregistered_user.merged"
    assert event["refs"] == {"unregisteredUserId": merge.anna, "userId": merge.ann.id}


@pytest.mark.parametrize("dry_run", [False, True])
def test_two_entries_in_one_attendance_refuse_the_merge_and_nothing_moves(merge: MergeScenario, dry_run: bool) -> None:
    entries = [*merge.attendance(merge.running), {"userId": merge.ann.id, "present": "absent"}]
    written = [{name: value for name, value in entry.items() if value is not None} for entry in entries]
    assert merge.board.owner.client.put(f"{merge.running.path}/minutes", {"attendance": written}).status == 200
    before = TableSnapshot()
    refused = merge.merge(dryRun=dry_run)
    assert reason(refused) == (409, "BOTH_ATTENDED")
    assert refused.details["meetingIds"] == [merge.running.path.rpartition("/")[2]]
    assert before.changes() == {}


def test_who_would_have_too_many_open_tasks_is_not_merged_into(merge: MergeScenario) -> None:
    key = OPEN_ITEM_COUNT.key_for(boardId=merge.board.board_id, userId=merge.ann.id)
    transact([counters.set_number(key, None, OPEN_ITEMS_PER_ASSIGNEE)])
    before = TableSnapshot()
    assert reason(merge.merge()) == (409, "LIMIT_REACHED")
    assert before.changes() == {}


def test_an_unknown_member_is_a_400(merge: MergeScenario) -> None:
    for member_id in ("f" * 24, "nobody", "", merge.ann.id):
        answer = merge.board.owner.client.post(f"{merge.path}/merge", {"memberId": member_id})
        assert (answer.status, {*answer.fields}) == (400, {"memberId"})


def test_what_was_merged_changes_no_more(merge: MergeScenario) -> None:
    merge.merge()
    assert reason(merge.merge()) == (409, "MERGED")
    assert reason(merge.board.owner.client.patch(merge.path, {"firstName": "A"})) == (409, "MERGED")
    assert reason(act(merge.board, merge.anna, "scrub")) == (409, "MERGED")


def test_a_person_who_stands_nowhere_is_merged(scenario: BoardScenario) -> None:
    ann, anna = scenario.member("ann"), add(scenario)
    body = {"memberId": membership_id(scenario.board_id, ann.id)}
    moved = scenario.owner.client.post(f"{people(scenario)}/{anna['id']}/merge", body).data["moved"]
    assert set(moved.values()) == {0}


def test_a_merge_of_a_person_who_stands_nowhere_takes_eight_rounds_of_store_calls(
    merge: MergeScenario, monkeypatch: pytest.MonkeyPatch
) -> None:
    board = merge.board
    member_ids = [membership_id(board.board_id, board.member(f"member-{number}").id) for number in range(3)]
    ben = add(board, email="ben@example.org")
    with count_rounds(monkeypatch) as counted:
        answer = board.owner.client.post(f"{people(board)}/{ben['id']}/merge", {"memberId": member_ids[0]})
    assert set(answer.data["moved"].values()) == {0}
    assert counted.rounds <= 8


@pytest.mark.parametrize(
    ("seconds", "ends"), [(deadline.STORE_ATTEMPT_SECONDS + 1, True), (deadline.STORE_ATTEMPT_SECONDS + 0.9, False)]
)
def test_a_merge_goes_on_while_there_is_time_for_a_transaction(
    seconds: float, ends: bool, merge: MergeScenario, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin_merge(merge)
    body = {"boardId": merge.board.board_id, "unregisteredUserId": merge.anna}
    monkeypatch.setattr(deadline, "time", SimpleNamespace(monotonic=lambda: 1000.0))  # a clock that stands still
    with deadline.at_most(seconds), nullcontext() if ends else pytest.raises(ApiError, match="SERVICE_UNAVAILABLE"):
        complete_merge(body)
    assert (rows_naming(merge.anna) == []) == ends


def test_what_a_member_was_told_of_the_person_names_the_member_whom_they_turned_out_to_be(merge: MergeScenario) -> None:
    tell_of_an_answer(merge)
    assert merge.merge().status == 200
    (told,) = [entry for entry in merge.ann.client.get("/api/notification/").json if "accepted" in entry["message"]]
    assert told["triggeringUserId"]["_id"] == merge.ann.id
    assert rows_naming(merge.anna) == []


def _answered(merge: MergeScenario, at: Instant) -> None:
    """Stores the person's answer to the meeting ahead, as a reply by mail does."""
    answer = StoredUnregisteredRsvp(
        board_id=BoardId(merge.board.board_id),
        meeting_id=merge.ahead.path.rpartition("/")[2],
        unregistered_user_id=PersonId(merge.anna),
        status="declined",
        comment="Away",
        updated_at=at,
        stamped_at=at,
    )
    transact([rsvps.put(None, answer)])


@pytest.mark.parametrize(
    ("own", "hours", "stays", "moved"),
    [("accepted", 1, "declined", 1), ("accepted", -1, "accepted", 0), (None, -1, "declined", 1)],
)
def test_of_two_answers_the_newer_stays(
    own: str | None, hours: int, stays: str, moved: int, merge: MergeScenario
) -> None:
    path = f"{merge.ahead.path}/rsvp"
    if own is not None:
        assert merge.ann.client.put(path, {"status": own}).status == 200
    _answered(merge, shift(now(), minutes=60 * hours))
    for dry_run in (True, False):
        assert merge.merge(dryRun=dry_run).data["moved"]["rsvps"] == moved
    answers = merge.board.owner.client.get(f"{merge.ahead.path}/rsvps").data
    assert [answer["status"] for answer in answers if answer["userId"] == merge.ann.id] == [stays]
    assert rows_naming(merge.anna) == []
