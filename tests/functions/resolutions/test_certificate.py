"""Certificates and papers: what was decided, as it stood then, and the proof that the log has it (ADR resolutions)."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import pytest

from infra.verify import certificate as checker
from tests.harness import sealing
from tests.harness.board_scenario import BoardScenario
from tests.harness.client import Response
from tests.harness.history import event_items
from tests.harness.resolution_scenario import ResolutionScenario, reason
from tests.harness.uploads import PDF, declared, new_document

pytestmark = pytest.mark.usefixtures("bucket")


def decided(votes: ResolutionScenario, *choices: str, **members: Any) -> str:
    """Returns the path of a resolution that is closed after the first voters have chosen these."""
    path = votes.opened(**members)
    for voter, choice in zip(votes.voters, choices, strict=False):
        assert votes.vote(path, voter, choice).status == 200
    closed = votes.close(path)
    assert closed.status == 200, closed.text
    return path


def certificate(votes: ResolutionScenario, path: str) -> Response:
    response = votes.manager.client.get(f"{path}/certificate")
    assert response.status == 200, response.text
    return response


@pytest.mark.parametrize("ballots", ["named", "hidden", "secret"])
def test_a_stranger_recomputes_what_was_decided(votes: ResolutionScenario, ballots: str) -> None:
    path = decided(votes, "for", "against", "for", ballots=ballots)
    sealing.seal(votes.board.board_id)
    shown = certificate(votes, path)
    assert checker.report(shown.text, sealing.key().text)[:3] == [
        f"{shown.data['resolution']['number']} Adopt the budget: carried.",
        "For 2, against 1, abstained 0.",
        "3 of 3 voted.",
    ]
    if ballots == "secret":
        assert shown.data["ballots"] == ["against", "for", "for"]


def test_a_certificate_has_what_was_shown_at_the_close(votes: ResolutionScenario) -> None:
    path = decided(votes, "for", "for", "abstain")
    shown = certificate(votes, path).data
    assert [*shown] == ["ballots", "board", "object", "papers", "resolution", "tally", "textSha256", "version", "event"]
    assert shown["resolution"] == votes.get(path)
    assert shown["tally"] == shown["resolution"]["tally"]
    assert shown["board"] == {"id": votes.board.board_id, "name": votes.board.stored_board.name}
    assert shown["textSha256"] == hashlib.sha256(shown["resolution"]["text"].encode()).hexdigest()
    assert shown["papers"] == []
    voters = sorted(voter.id for voter in votes.voters)
    assert [ballot["userId"] for ballot in shown["ballots"]] == voters
    assert [*shown["ballots"][0]] == ["castByUserId", "choice", "userId", "weight"]
    assert (shown["event"]["index"], shown["event"]["proof"]) == (None, None)
    (closed,) = [event for event in event_items(votes.board.board_id) if event["type"] == "resolution.closed"]
    facts = {name: part for name, part in shown.items() if name != "event"}
    assert closed["details"]["certificateSha256"] == checker.sha256(checker.canonical(facts))
    assert shown["event"]["entryId"] == closed["id"]


def test_a_certificate_is_served_as_it_was_made(votes: ResolutionScenario) -> None:
    path = decided(votes, "for", "for")
    before = certificate(votes, path).data
    votes.board.owner.client.patch(votes.board.path, {"name": "Another name"})
    after = certificate(votes, path).data
    assert after == before
    assert after["board"]["name"] != "Another name"


def test_there_is_no_certificate_before_the_record_and_of_what_was_withdrawn(votes: ResolutionScenario) -> None:
    path = votes.opened()
    client = votes.manager.client
    assert reason(client.get(f"{path}/certificate")) == (409, "NOT_CLOSED")
    assert reason(client.post(f"{path}/certificate/document")) == (409, "NOT_CLOSED")
    assert votes.withdraw(path).status == 200
    assert reason(client.get(f"{path}/certificate")) == (409, "NOT_CLOSED")
    assert client.get(f"{votes.path}/{'0' * 24}/certificate").status == 404


def test_every_event_of_a_resolution_has_a_proof_for_who_may_see_it(votes: ResolutionScenario) -> None:
    decided(votes, "for", "for")
    board = votes.board
    sealing.seal(board.board_id)
    events = [event for event in event_items(board.board_id) if event["type"].startswith("resolution.")]
    kinds = [event["type"] for event in events if "draftOf" not in event or event["draftOf"] is None]
    assert sorted(kinds) == [
        "resolution.ballot_cast",
        "resolution.ballot_cast",
        "resolution.closed",
        "resolution.opened",
    ]
    for event in events:
        answer = board.owner.client.get(f"{board.path}/audit/{event['id']}/proof")
        assert answer.status == (404 if event["draftOf"] else 200)
        if answer.status == 200:
            leaf = hashlib.sha256(checker.decode(answer.data["salt"]) + answer.data["entry"].encode()).digest()
            assert sealing.verify_proof(answer.data["proof"], leaf)[0] == answer.data["index"]
            assert json.loads(answer.data["entry"])["id"] == event["id"]
        assert votes.ann.client.get(f"{board.path}/audit/{event['id']}/proof").status == 403


def test_events_of_other_kinds_have_no_proof(scenario: BoardScenario) -> None:
    scenario.token()
    (event,) = [item for item in event_items(scenario.board_id) if item["type"] == "token.created"]
    assert "salt" not in event
    assert scenario.owner.client.get(f"{scenario.path}/audit/{event['id']}/proof").status == 404


_LATER = PDF + b"later\n"


def papers(votes: ResolutionScenario, path: str, **query: Any) -> list[dict[str, Any]]:
    return list(votes.ben.client.all(f"{path}/papers", **query))


def test_the_version_that_opening_fixed_is_told_while_open_and_afterwards_and_can_be_read(
    votes: ResolutionScenario,
) -> None:
    paper, empty = (new_document(votes.board, votes.manager.client) for _ in range(2))
    fixed = paper.add()
    path = votes.opened(documentIds=[paper.document["id"], empty.document["id"]])
    paper.add(_LATER)
    told = [
        {
            "object": "resolution_paper",
            "documentId": paper.document["id"],
            "versionId": fixed["id"],
            "sha256": declared()["sha256"],
        },
        {"object": "resolution_paper", "documentId": empty.document["id"], "versionId": None, "sha256": None},
    ]
    told.sort(key=lambda paper: paper["documentId"])
    assert papers(votes, path) == papers(votes, path, limit=1) == told
    content = votes.ben.client.get(f"{paper.path}/versions/{fixed['id']}/content")
    assert content.status == 200
    assert fixed["id"] in content.data["url"]
    for voter in votes.voters:
        assert votes.vote(path, voter).status == 200
    assert votes.close(path).status == 200
    assert papers(votes, path) == told
    certified = votes.ben.client.get(f"{path}/certificate").data["papers"]
    assert sorted(certified, key=lambda paper: paper["documentId"]) == [
        {name: value for name, value in paper.items() if name != "object"} for paper in told
    ]


def test_nothing_of_a_draft_is_fixed(votes: ResolutionScenario) -> None:
    paper = new_document(votes.board, votes.manager.client)
    paper.add()
    path = votes.drafted(documentIds=[paper.document["id"]])
    assert votes.manager.client.get(f"{path}/papers").data == []
    assert votes.ben.client.get(f"{path}/papers").status == 404
