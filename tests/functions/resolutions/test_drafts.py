"""Drafts of resolutions: who sees and changes them, what they may refer to, and the list."""

from __future__ import annotations

from typing import Any

import pytest

from governance import limits
from tests.harness.resolution_scenario import ResolutionScenario

UNKNOWN_ID = "0" * 24


def test_a_draft_has_the_fields_that_were_given_and_the_default_rule(votes: ResolutionScenario) -> None:
    created = votes.draft(voters=None, closesAt=None)
    assert created.status == 201
    data = created.data
    assert data == {
        **dict.fromkeys(data),
        "object": "resolution",
        "id": data["id"],
        "boardId": votes.board.board_id,
        "title": "Adopt the budget",
        "text": "The board adopts it.",
        "status": "draft",
        "documentIds": [],
        "rule": {
            "majority": "simple",
            "base": "cast",
            "quorumPercent": 50,
            "castingVoteUserId": None,
            "proxies": False,
        },
        "ballots": "named",
        "voters": [],
        "createdByUserId": votes.manager.id,
        "createdAt": data["createdAt"],
        "updatedAt": data["createdAt"],
    }
    assert votes.get(f"{votes.path}/{data['id']}") == data


def test_a_draft_is_listed_for_its_creator_and_managers_and_for_nobody_else(votes: ResolutionScenario) -> None:
    votes.drafted(by=votes.ann)
    assert [len(reader.client.get(votes.path).data) for reader in (votes.ann, votes.manager, votes.ben)] == [1, 1, 0]


def test_a_draft_is_changed_by_its_creator_or_a_manager(votes: ResolutionScenario) -> None:
    path = votes.drafted(by=votes.ann)
    changed = votes.ann.client.patch(path, {"title": "Adopt it", "rule": {"majority": "two_thirds"}, "voters": None})
    assert votes.get(path) == changed.data
    shown = (changed.data["title"], changed.data["rule"]["majority"], changed.data["voters"])
    assert shown == ("Adopt it", "two_thirds", [])
    text = votes.manager.client.patch(path, {"text": "Another text"})
    assert votes.get(path) == text.data == {**changed.data, "text": "Another text", "updatedAt": text.data["updatedAt"]}


@pytest.mark.parametrize(
    ("members", "field"),
    [
        ({"committeeId": UNKNOWN_ID}, "committeeId"),
        ({"meetingId": UNKNOWN_ID}, "meetingId"),
        ({"agendaItemId": UNKNOWN_ID}, "agendaItemId"),
        ({"documentIds": [UNKNOWN_ID]}, "documentIds.0"),
        ({"supersedesId": UNKNOWN_ID}, "supersedesId"),
        ({"voters": [{"userId": UNKNOWN_ID}] * 2}, "voters"),
    ],
)
def test_what_a_draft_refers_to_exists_and_a_voter_is_named_once(
    votes: ResolutionScenario, members: dict[str, Any], field: str
) -> None:
    response = votes.draft(**members)
    assert response.failure == (400, "INVALID_REQUEST_BODY")
    assert set(response.fields) == {field}


def test_a_committees_resolution_is_voted_on_and_listed_by_that_committee_alone(votes: ResolutionScenario) -> None:
    committee = votes.board.committee(votes.manager, votes.ann)
    path = votes.opened(committeeId=committee, voters=None)
    assert {voter["userId"] for voter in votes.get(path)["voters"]} == {votes.manager.id, votes.ann.id}
    assert [len(reader.client.get(votes.path).data) for reader in (votes.ann, votes.ben)] == [1, 0]


def test_the_list_has_filters_and_two_orders_and_pages(votes: ResolutionScenario) -> None:
    meeting = votes.board.owner.client.post(f"{votes.board.path}/meetings", {"title": "March", "status": "scheduled"})
    of_meeting = votes.opened(meetingId=meeting.data["id"])
    decided = votes.opened(title="Decided")
    for voter in votes.voters:
        assert votes.vote(decided, voter).status == 200
    assert votes.close(decided).status == 200
    draft = votes.drafted(meetingId=meeting.data["id"])
    ids = {name: path.rpartition("/")[2] for name, path in (("m", of_meeting), ("d", decided), ("f", draft))}
    names = {id_: name for name, id_ in ids.items()}

    def listed(**query: Any) -> str:
        return "".join(names[resolution["id"]] for resolution in votes.manager.client.all(votes.path, limit=1, **query))

    assert listed() == "fdm"
    assert listed(order="asc") == "mdf"
    assert listed(sort="closedAt")[0] == "d"
    assert sorted(listed(sort="closedAt")[1:]) == ["f", "m"]
    assert listed(status="open") == "m"
    assert listed(status="draft") == "f"
    assert listed(status="carried") == "d"
    assert listed(status="carried", sort="closedAt") == "d"
    assert listed(meetingId=meeting.data["id"]) == "fm"
    assert listed(meetingId=meeting.data["id"], status="open") == "m"
    assert listed(meetingId=meeting.data["id"], status="draft", sort="closedAt") == "f"
    assert listed(meetingId="nonsense") == listed(committeeId=UNKNOWN_ID) == ""
    every = votes.manager.client.all(votes.path)
    assert every == [votes.get(f"{votes.path}/{resolution['id']}") for resolution in every]
    assert votes.manager.client.get(votes.path, status="nonsense").failure == (400, "INVALID_QUERY_PARAMETER")


def test_opening_gives_numbers_without_gaps(votes: ResolutionScenario) -> None:
    paths = [votes.drafted() for _ in range(3)]
    assert votes.manager.client.delete(paths[1]).status == 200
    opened = [votes.open(path).data for path in (paths[0], paths[2])]
    years = [resolution["openedAt"][:4] for resolution in opened]
    second = 1 + (years[0] == years[1])
    assert [resolution["number"] for resolution in opened] == [f"{years[0]}-1", f"{years[1]}-{second}"]


def test_a_page_of_long_texts_ends_before_it_outgrows_an_answer(votes: ResolutionScenario) -> None:
    text = "\N{GRINNING FACE}" * limits.RESOLUTION_TEXT
    drafted = {votes.drafted(text=text).rpartition("/")[2] for _ in range(20)}
    first = votes.manager.client.call("GET", votes.path, query={"limit": "100"})
    assert first.status == 200, first.text[:300]
    assert 0 < len(first.data) < len(drafted)
    listed = votes.manager.client.all(votes.path)
    assert {resolution["id"] for resolution in listed} == drafted
