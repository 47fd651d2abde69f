"""Opening, closing and withdrawing resolutions, by a manager and by the clock."""

from __future__ import annotations

from typing import Any

import pytest

from governance import instants
from governance.deliveries.sweep import sweep
from governance.domain.resolutions.opening import record_due
from governance.ids import BoardId
from governance.instants import Instant, seconds_until
from governance.store.recorded_answers import answer_in
from governance.store.resolutions import certificates, resolutions, secret_choices
from governance.store.writes import StaleRead, Write
from governance.usecases.resolutions.closing import record_by_clock
from tests.functions.resolutions.test_drafts import UNKNOWN_ID
from tests.harness import queue
from tests.harness.clock import Clock
from tests.harness.meeting_scenario import from_now, leave, stored_events
from tests.harness.resolution_scenario import ResolutionScenario, reason
from tests.harness.stream import event_records, process_records
from tests.harness.table_snapshot import TableSnapshot


def meeting_of(votes: ResolutionScenario, status: str) -> str:
    path = f"{votes.board.path}/meetings"
    created = votes.board.owner.client.post(path, {"title": "March", "status": status})
    assert created.status == 201, created.text
    return str(created.data["id"])


def record(path: str, board_id: BoardId) -> None:
    record_by_clock(board_id, path.rpartition("/")[2])


def test_what_cannot_be_voted_on_is_not_opened(votes: ResolutionScenario) -> None:
    weighty = [{"userId": votes.ann.id, "weight": 2}]
    rule = {"proxies": True, "castingVoteUserId": UNKNOWN_ID}
    wrong = votes.drafted(ballots="secret", voters=weighty, rule=rule, closesAt=None)
    strange = votes.drafted(voters=[{"userId": UNKNOWN_ID}, {"userId": "0" * 23 + "1"}])
    for path, fields in (
        (wrong, {"voters", "rule.proxies", "rule.castingVoteUserId", "closesAt"}),
        (strange, {"voters.0.userId", "voters.1.userId"}),
    ):
        refused = votes.open(path)
        assert (refused.failure, set(refused.fields)) == ((400, "INVALID_REQUEST_BODY"), fields)
        assert votes.get(path)["status"] == "draft"


def test_its_creator_withdraws_a_resolution_and_no_other_voter(votes: ResolutionScenario) -> None:
    path = votes.drafted(by=votes.ann)
    assert votes.open(path).status == 200
    assert votes.withdraw(path, votes.ben).failure == (403, "FORBIDDEN")
    assert votes.withdraw(path, votes.ann).status == 200


def test_a_voter_may_see_every_paper(votes: ResolutionScenario) -> None:
    committee = votes.board.committee(votes.manager, votes.ann)
    documents = f"{votes.board.path}/documents"
    paper = votes.manager.client.post(documents, {"title": "Secret", "committeeId": committee}).data["id"]
    path = votes.drafted(documentIds=[paper])
    assert set(votes.open(path).fields) == {"documentIds.0"}
    assert votes.manager.client.patch(path, {"voters": [{"userId": votes.ann.id}]}).status == 200
    assert votes.open(path).data["documentIds"] == [paper]


def test_a_resolution_closes_when_all_have_voted_or_no_vote_that_is_missing_decides(votes: ResolutionScenario) -> None:
    path = votes.opened()
    assert reason(votes.close(path)) == (409, "VOTES_OPEN")
    votes.vote(path, votes.ann)
    assert reason(votes.close(path)) == (409, "VOTES_OPEN")
    votes.vote(path, votes.ben)
    closed = votes.close(path)
    assert (closed.status, closed.data["status"]) == (200, "carried")
    assert closed.data == votes.get(path)
    assert closed.data["tally"] == {
        "eligible": 3,
        "voted": 2,
        "for": 2,
        "against": 0,
        "abstain": 0,
        "quorumMet": True,
        "outcome": "carried",
    }
    assert reason(votes.close(path)) == reason(votes.vote(path, votes.cem)) == (409, "RESOLUTION_CLOSED")
    assert reason(votes.withdraw(path)) == (409, "RESOLUTION_CLOSED")


def test_by_the_clock_a_read_shows_the_result_before_it_is_recorded(votes: ResolutionScenario, clock: Clock) -> None:
    path = votes.opened()
    votes.vote(path, votes.ann)
    votes.vote(path, votes.ben)
    closes_at = votes.get(path)["closesAt"]
    clock.move(seconds_until(closes_at, instants.now()) + 5.1)
    shown = votes.get(path)
    assert (shown["status"], shown["closedAt"]) == ("carried", closes_at)
    assert reason(votes.vote(path, votes.cem)) == (409, "RESOLUTION_CLOSED")
    assert certificates.find(votes.board.board_id, path.rpartition("/")[2]) is None
    record(path, votes.board.board_id)
    assert votes.get(path) == shown
    assert certificates.find(votes.board.board_id, path.rpartition("/")[2]) is not None
    assert [resolution["id"] for resolution in votes.manager.client.all(votes.path, status="carried")] == [shown["id"]]


@pytest.mark.parametrize("ballots", ["named", "hidden", "secret"])
@pytest.mark.parametrize("seconds", [3, 2.99, 1, 0.02])
def test_what_arrives_before_the_end_counts_and_the_outcome_is_shown_five_seconds_after_it(
    votes: ResolutionScenario, clock: Clock, ballots: str, seconds: float
) -> None:
    path = votes.opened(ballots=ballots)
    closes_at = votes.get(path)["closesAt"]
    clock.stop()
    clock.move(seconds_until(closes_at, instants.now()) - seconds)
    assert [votes.vote(path, voter).status for voter in votes.voters] == [200, 200, 200]
    for until in (0, 4.999):
        clock.move(seconds_until(closes_at, instants.now()) + until)
        shown = votes.get(path)
        assert (shown["status"], shown["closedAt"], (shown["tally"] or {}).get("outcome")) == ("open", None, None)
        assert [one["id"] for one in votes.manager.client.all(votes.path, status="open")] == [shown["id"]]
        assert reason(votes.vote(path, votes.ann)) == reason(votes.close(path)) == (409, "RESOLUTION_CLOSED")
        record(path, votes.board.board_id)
        assert certificates.find(votes.board.board_id, path.rpartition("/")[2]) is None
    clock.move(0.001)
    shown = votes.get(path)
    assert (shown["status"], shown["closedAt"], shown["tally"]["for"]) == ("carried", closes_at, 3)


def test_what_arrives_in_time_and_waits_for_a_slow_store_counts_or_is_answered_503(
    votes: ResolutionScenario, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = votes.opened(rule={"proxies": True})
    closes_at, take = votes.get(path)["closesAt"], resolutions.replace_group
    clock.stop()
    clock.move(seconds_until(closes_at, instants.now()) - 0.02)
    waits = iter([2, 2.1, 0.1, 0])

    def replace_group(*args: Any) -> Write:
        clock.move(next(waits))
        if len(tried) == 2:  # another wrote meanwhile: what is tried again arrived in time
            tried.append(0)
            raise StaleRead
        return take(*args)

    monkeypatch.setattr(resolutions, "replace_group", replace_group)
    tried: list[int] = []
    for voter in votes.voters:
        clock.move(seconds_until(closes_at, instants.now()) - 0.02)
        tried.append(votes.vote(path, voter).status)
    assert tried == [200, 503, 0, 200]
    clock.move(10)
    assert votes.get(path)["tally"]["voted"] == 2


def test_who_leaves_after_the_end_is_counted_as_one_who_did_not_vote(votes: ResolutionScenario, clock: Clock) -> None:
    path = votes.opened()
    clock.move(seconds_until(votes.get(path)["closesAt"], instants.now()) + 5.1)
    shown = votes.get(path)
    leave(votes.board, votes.ann)
    record(path, votes.board.board_id)
    assert votes.get(path) == shown
    assert (shown["status"], shown["tally"]["eligible"], shown["tally"]["quorumMet"]) == ("lapsed", 3, False)


@pytest.mark.parametrize("ballots", ["named", "hidden", "secret"])
def test_the_sweep_records_the_result_on_a_restricted_board_too(
    votes: ResolutionScenario, clock: Clock, ballots: str
) -> None:
    path = votes.opened(ballots=ballots)
    for voter in votes.voters:
        assert votes.vote(path, voter).status == 200
    votes.board.set_billing_state("CANCELLED")
    clock.move(seconds_until(record_due(Instant(votes.get(path)["closesAt"])), instants.now()) + 1)
    sweep()
    queue.current.deliver()
    assert votes.get(path)["status"] == "carried"
    events = stored_events(votes.board, "resolution.closed")
    assert [event.actor_user_id for event in events] == [None]
    assert events[0].details["certificateSha256"]
    process_records(event_records(votes.board.board_id))
    queue.current.deliver()
    assert secret_choices.keys(votes.board.board_id, path.rpartition("/")[2]) == []


def test_a_carried_resolution_supersedes_another_once(votes: ResolutionScenario) -> None:
    first = votes.opened()
    for voter in votes.voters:
        votes.vote(first, voter)
    old = votes.close(first).data["id"]
    seconds = [votes.opened(supersedesId=old) for _ in range(2)]
    for path in seconds:
        for voter in votes.voters:
            votes.vote(path, voter)
        assert votes.close(path).status == 200
    assert votes.get(first)["supersededById"] == seconds[0].rpartition("/")[2]
    again = votes.drafted(supersedesId=old)
    assert set(votes.open(again).fields) == {"supersedesId"}


@pytest.mark.parametrize("ballots", ["named", "secret"])
def test_what_the_clock_has_carried_can_be_superseded_before_its_record(
    votes: ResolutionScenario, clock: Clock, ballots: str
) -> None:
    carried, lapsed = (votes.opened(ballots=ballots, closesAt=from_now(days=1)) for _ in range(2))
    for voter in votes.voters:
        votes.vote(carried, voter)
    drafts = [votes.drafted(supersedesId=path.rpartition("/")[2]) for path in (carried, lapsed)]
    assert [set(votes.open(draft).fields) for draft in drafts] == 2 * [{"supersedesId"}]
    clock.move(seconds_until(votes.get(lapsed)["closesAt"], instants.now()) + 5.1)
    assert votes.open(drafts[0]).status == 200
    assert set(votes.open(drafts[1]).fields) == {"supersedesId"}
    for voter in votes.voters:
        votes.vote(drafts[0], voter)
    assert votes.close(drafts[0]).data["status"] == "carried"
    shown = votes.get(carried)
    record(carried, votes.board.board_id)
    assert votes.get(carried) == shown
    assert (shown["status"], shown["supersededById"]) == ("carried", drafts[0].rpartition("/")[2])


def test_opening_tells_nothing_of_a_committees_resolution_that_the_opener_does_not_see(
    votes: ResolutionScenario,
) -> None:
    owner, told = votes.board.owner, []
    committee = votes.board.committee(owner, votes.ann)
    for choice in ("for", "against"):
        voters = [{"userId": owner.id}]
        decided = votes.drafted(by=owner, committeeId=committee, voters=voters)
        assert votes.open(decided, owner).status == 200
        votes.vote(decided, owner, choice)
        assert votes.close(decided, owner).status == 200
        draft = votes.drafted(by=owner, supersedesId=decided.rpartition("/")[2])
        told.append(votes.open(draft).fields)
    assert votes.manager.client.patch(draft, {"supersedesId": UNKNOWN_ID}).status == 400
    assert told[0] == told[1] == {"supersedesId": "must be a resolution that is carried and not superseded"}


def test_what_an_open_resolution_is_about_cannot_be_deleted(votes: ResolutionScenario) -> None:
    owner, meeting = votes.board.owner.client, meeting_of(votes, "completed")
    agenda = f"{votes.board.path}/meetings/{meeting}/agenda"
    item = owner.put(agenda, {"items": [{"title": "Budget"}, {"title": "Other"}]}).data["items"]
    committee = votes.board.committee(votes.manager, votes.ann)
    of_meeting = votes.opened(meetingId=meeting, agendaItemId=item[0]["id"])
    of_committee = votes.opened(committeeId=committee, voters=None)
    kept = {"id": item[0]["id"], "title": "The budget"}
    assert reason(owner.delete(f"{votes.board.path}/meetings/{meeting}")) == (409, "IN_USE")
    assert reason(owner.patch(f"{votes.board.path}/meetings/{meeting}", {"status": "finalized"})) == (409, "IN_USE")
    assert reason(owner.put(agenda, {"items": []})) == (409, "IN_USE")
    assert owner.put(agenda, {"items": [kept]}).status == 200
    assert reason(owner.delete(f"{votes.board.path}/committees/{committee}")) == (409, "IN_USE")
    assert votes.withdraw(of_meeting).status == votes.withdraw(of_committee).status == 200
    assert owner.patch(f"{votes.board.path}/meetings/{meeting}", {"status": "finalized"}).status == 200
    assert owner.delete(f"{votes.board.path}/committees/{committee}").status == 200
    assert votes.get(of_meeting)["meetingId"] == meeting


@pytest.mark.parametrize("action", ["close", "withdraw"])
def test_a_repeat_of_an_end_shows_the_voters_though_they_are_too_many_to_be_recorded(
    votes: ResolutionScenario, action: str
) -> None:
    path = votes.opened()
    why = {"reason": "\N{GRINNING FACE}" * 500}
    assert votes.ann.client.put(f"{path}/recusals/{votes.ann.id}", why).status == 200
    for voter in (votes.ben, votes.cem):
        assert votes.vote(path, voter).status == 200
    body = {"reason": "Came too early"} if action == "withdraw" else None
    first, second = (
        votes.manager.client.call("POST", f"{path}/{action}", body, headers={"idempotency-key": "k"}) for _ in range(2)
    )
    assert first.status == second.status == 200
    assert "Idempotent-Replayed" in second.headers
    assert second.text == first.text
    (recorded,) = [row for key, row in TableSnapshot().items.items() if key[0].startswith("IDEMPOTENCY#") and key[1]]
    assert why["reason"] not in answer_in(recorded)
