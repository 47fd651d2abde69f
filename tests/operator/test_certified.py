"""What was certified stands after a restore to any instant of its vote, and nobody votes on it again (ADR restore)."""

from __future__ import annotations

from typing import Any

import boto3
import pytest

from governance.ids import BoardId
from infra.operator import doctor, replay, restore
from infra.verify import certificate as checker
from tests.harness import queue, sealing
from tests.harness.board_scenario import BoardScenario
from tests.harness.engine import clear_caches
from tests.harness.history import event_items
from tests.harness.meeting_scenario import from_now
from tests.harness.outbox import Outbox
from tests.harness.resolution_scenario import ResolutionScenario, reason
from tests.harness.restored_table import restored_table
from tests.harness.revocation_record import BUCKET
from tests.harness.stream import process_records, record
from tests.harness.table_snapshot import TableSnapshot

pytestmark = pytest.mark.usefixtures("revocation_record", "outbox")
_CHOICES = ("for", "against", "for")


@pytest.fixture
def votes(scenario: BoardScenario) -> ResolutionScenario:
    return ResolutionScenario(scenario)


def told(board: BoardScenario, since: TableSnapshot) -> None:
    """Passes the events that were recorded since a moment through the stream."""
    new = [event for event in event_items(board.board_id) if (event["PK"], event["SK"]) not in since.items]
    assert not new or process_records([record(event) for event in new]) == []


def certificate(votes: ResolutionScenario, path: str) -> Any:
    return votes.manager.client.get(f"{path}/certificate")


def entries(votes: ResolutionScenario, path: str) -> Any:
    """Returns what the minute book has in the year of a resolution."""
    year = votes.get(path)["number"].partition("-")[0]
    return votes.manager.client.get(f"{votes.board.path}/minute-book/{year}").data["entries"]


def kept() -> list[str]:
    client = boto3.client("s3")
    listed = client.list_objects_v2(Bucket=BUCKET, Prefix="certificates/").get("Contents", [])
    return [client.get_object(Bucket=BUCKET, Key=entry["Key"])["Body"].read().decode() for entry in listed]


def voted(votes: ResolutionScenario, **members: Any) -> tuple[str, list[TableSnapshot]]:
    """Votes on a resolution, closes it and seals the log; returns its path, and the table at every step before."""
    moments = [TableSnapshot()]
    path = votes.drafted(closesAt=from_now(days=5), **members)
    moments.append(TableSnapshot())
    assert votes.open(path).status == 200
    moments.append(TableSnapshot())
    for voter, choice in zip(votes.voters, _CHOICES, strict=True):
        assert votes.vote(path, voter, choice).status == 200
    moments.append(TableSnapshot())
    assert votes.close(path).status == 200
    moments.append(TableSnapshot())
    told(votes.board, moments[0])
    sealing.seal(votes.board.board_id)
    return path, moments


@pytest.mark.parametrize(
    "ballots", ["named", *(pytest.param(kind, marks=pytest.mark.slow) for kind in ("hidden", "secret"))]
)
def test_what_was_certified_stands_after_a_restore_to_any_instant_of_its_vote(
    votes: ResolutionScenario, ballots: str, outbox: Outbox
) -> None:
    board = votes.board
    meeting = board.owner.client.post(f"{board.path}/meetings", {"title": "M", "status": "scheduled"}).data["id"]
    path, moments = voted(votes, ballots=ballots, meetingId=meeting)
    shown, proven, entered = votes.get(path), certificate(votes, path).text, entries(votes, path)
    assert [entry["id"] for entry in entered] == [shown["id"]]
    listed = votes.manager.client.call("GET", votes.path, query={"meetingId": meeting}).data
    mails = len(outbox.mails)
    for moment in moments:
        moment.restore()
        queue.current.messages.clear()
        assert replay.replay() == (1, [])
        assert votes.get(path) == shown
        assert certificate(votes, path).text == proven
        assert entries(votes, path) == entered
        assert votes.manager.client.call("GET", votes.path, query={"meetingId": meeting}).data == listed
        assert reason(votes.vote(path, votes.ann, "against")) == (409, "RESOLUTION_CLOSED")
        assert reason(votes.close(path)) == (409, "RESOLUTION_CLOSED")
        assert [row for _, row in TableSnapshot().items if row.startswith("CHOICE#")] == []
        assert doctor.examine(BoardId(board.board_id)) == []
        told(board, moment)
        assert queue.current.messages == []
        assert len(outbox.mails) == mails
        assert replay.replay() == (0, [])
        assert votes.get(votes.opened())["number"] == shown["number"].replace("-1", "-2")
    assert checker.report(proven, sealing.key().text)[-1] == "Its signature holds."


def test_a_certificate_is_shown_once_it_is_kept_outside_the_table(votes: ResolutionScenario) -> None:
    before, path = TableSnapshot(), votes.opened()
    for voter in votes.voters:
        votes.vote(path, voter)
    assert votes.close(path).status == 200
    assert reason(certificate(votes, path)) == (409, "NOT_CLOSED")
    assert reason(votes.manager.client.post(f"{path}/certificate/document")) == (409, "NOT_CLOSED")
    told(votes.board, before)
    assert certificate(votes, path).status == 200
    assert len(kept()) == 1


def test_the_book_has_what_was_certified_and_not_what_was_closed_after_a_restore(votes: ResolutionScenario) -> None:
    before, path = TableSnapshot(), votes.opened()
    opened = TableSnapshot()
    for choice, told_of_it, number in (("against", True, 0), ("for", False, 1)):
        opened.restore()
        for voter in votes.voters:
            assert votes.vote(path, voter, choice).status == 200
        assert votes.close(path).status == 200
        assert len(entries(votes, path)) == number
        if told_of_it:
            told(votes.board, before)
    assert replay.replay() == (1, [])
    assert (votes.get(path)["status"], entries(votes, path)) == ("rejected", [])


def test_a_number_has_one_certificate_even_where_nobody_replayed(votes: ResolutionScenario) -> None:
    first, moments = voted(votes)
    proven = certificate(votes, first).text
    moments[1].restore()
    again = votes.opened()
    for voter in votes.voters:
        votes.vote(again, voter, "against")
    assert votes.close(again).data["number"] == "-".join((votes.get(again)["number"][:4], "1"))
    new = [event for event in event_items(votes.board.board_id) if event["type"] == "resolution.closed"]
    assert process_records([record(event) for event in new]) != []
    queue.current.messages.clear()
    assert reason(certificate(votes, again)) == (409, "NOT_CLOSED")
    assert len(kept()) == 1
    assert replay.replay() == (1, [])
    assert certificate(votes, first).text == proven


def test_what_was_certified_replaces_what_was_decided_again_and_never_shown(votes: ResolutionScenario) -> None:
    path, moments = voted(votes)
    shown, proven = votes.get(path), certificate(votes, path).text
    moments[2].restore()
    for voter in votes.voters:
        votes.vote(path, voter, "against")
    assert votes.close(path).data["status"] == "rejected"
    assert replay.replay() == (1, [])
    assert (votes.get(path), certificate(votes, path).text) == (shown, proven)


def test_what_was_shown_without_the_bucket_is_left_to_the_operator(
    votes: ResolutionScenario, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, moments = voted(votes)
    moments[2].restore()
    for voter in votes.voters:
        votes.vote(path, voter, "against")
    with monkeypatch.context() as without:
        without.setenv("REVOCATIONS_BUCKET", "")
        clear_caches()
        assert votes.close(path).data["status"] == "rejected"
    clear_caches()
    ended, left = replay.replay()
    assert (ended, len(left)) == (0, 1)


def test_what_a_resolution_supersedes_is_superseded_after_a_restore_too(votes: ResolutionScenario) -> None:
    first, moments = voted(votes)
    second, _ = voted(votes, supersedesId=first.rpartition("/")[2])
    moments[0].restore()
    assert replay.replay() == (2, [])
    assert votes.get(first)["supersededById"] == votes.get(second)["id"]


def test_a_board_that_comes_back_from_an_earlier_hour_has_what_was_certified_since(votes: ResolutionScenario) -> None:
    board_id = BoardId(votes.board.board_id)
    path = votes.opened()
    with restored_table() as earlier:
        before = TableSnapshot()
        for voter in votes.voters:
            votes.vote(path, voter)
        votes.close(path)
        told(votes.board, before)
        proven = certificate(votes, path).text
        assert votes.board.owner.client.delete(votes.board.path).status == 200
        assert process_records([record(event) for event in event_items(board_id)]) == []
        restore.restore_board(earlier, board_id)
    assert votes.get(path)["status"] == "carried"
    assert certificate(votes, path).text == proven


def test_what_is_kept_has_no_comment_and_joins_no_secret_choice_to_a_name(votes: ResolutionScenario) -> None:
    named, before = votes.opened(), TableSnapshot()
    for voter in votes.voters:
        votes.vote(named, voter, comment="Between ourselves")
    votes.close(named)
    told(votes.board, before)
    assert not any("Between ourselves" in text for text in kept())
    texts = []
    for order in (("for", "against", "abstain"), ("abstain", "for", "against")):
        path, before = votes.opened(ballots="secret"), TableSnapshot()
        for voter, choice in zip(votes.voters, order, strict=True):
            votes.vote(path, voter, choice)
        votes.close(path)
        told(votes.board, before)
        texts.append(kept()[-1])
    assert [text.count('"choice": null') for text in texts] == [3, 3]
    assert [text.count('"updatedAt": null') for text in texts] == [3, 3]
    assert ['["abstain","against","for"]' in text.replace("\\", "") for text in texts] == [True, True]
