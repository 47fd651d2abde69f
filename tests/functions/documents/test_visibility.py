"""Listing, paging and reading agree on visibility, for random committees, documents and callers."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.harness.board_scenario import BoardScenario, Person, new_board_scenario, person
from tests.harness.client import Client
from tests.harness.engine import fresh_table

PEOPLE = ("olivia", "ada", "ben")
COMMITTEES = (0, 1)
TYPES = ("minutes", "agenda")

seats = st.fixed_dictionaries({committee: st.sets(st.sampled_from(PEOPLE)) for committee in COMMITTEES})
papers = st.lists(
    st.tuples(st.sampled_from((None, *COMMITTEES)), st.sampled_from((None, *TYPES)), st.booleans()), max_size=4
)
moves = st.lists(st.tuples(st.integers(0, 3), st.sampled_from((None, *COMMITTEES))), max_size=2)


class Board:
    """A board with committees and documents, and the model of who sees them."""

    def __init__(self, seated: dict[int, set[str]]) -> None:
        self.board: BoardScenario = new_board_scenario()
        self.people: dict[str, Person] = {"olivia": self.board.owner} | {name: person(name) for name in PEOPLE[1:]}
        for name in PEOPLE[1:]:
            self.board.join(self.people[name], admin_role="admin" if name == "ada" else "member")
        self.seated = seated
        self.committees = {
            number: self.board.committee(*map(self.people.__getitem__, sorted(seated[number]))) for number in COMMITTEES
        }
        self.meeting = self._post("olivia", "meetings", {"title": "M", "status": "scheduled"})["id"]
        self.expected: dict[str, dict[str, Any]] = {}

    def _post(self, name: str, noun: str, body: dict[str, Any]) -> Any:
        response = self.people[name].client.post(f"{self.board.path}/{noun}", body)
        assert response.status == 201, response.text
        return response.data

    def add(self, committee: int | None, kind: str | None, linked: bool) -> None:
        writer = "olivia" if committee is None else min(self.seated[committee], default=None)
        if writer is None:
            return
        body = {
            "title": "T",
            "documentType": kind,
            "committeeId": None if committee is None else self.committees[committee],
            "meetingIds": [self.meeting] if linked else [],
        }
        document = self._post(writer, "documents", body)
        self.expected[document["id"]] = {"committee": committee, "type": kind, "linked": linked}

    def move(self, place: int, committee: int | None) -> None:
        """Moves a document as the owner, and checks that this succeeds only if the owner may see both."""
        if place >= len(self.expected):
            return
        document_id = list(self.expected)[place]
        body = {"committeeId": None if committee is None else self.committees[committee]}
        response = self.board.owner.client.patch(f"{self.board.path}/documents/{document_id}", body)
        seen = self.sees("olivia", document_id)
        allowed = seen and (committee is None or "olivia" in self.seated[committee])
        assert response.status == (200 if allowed else 400 if seen else 404)
        if allowed:
            self.expected[document_id]["committee"] = committee

    def sees(self, name: str | None, document_id: str) -> bool:
        committee = self.expected[document_id]["committee"]
        return committee is None or (name is not None and name in self.seated[committee])

    def callers(self) -> list[tuple[str | None, Client]]:
        return [(None, self.board.token("read_only")), *((name, user.client) for name, user in self.people.items())]


@pytest.mark.slow
@pytest.mark.usefixtures("pool")
@settings(max_examples=6, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seated=seats, added=papers, moved=moves)
def test_listing_paging_and_reading_agree_on_visibility(
    seated: dict[int, set[str]], added: list[tuple[int | None, str | None, bool]], moved: list[Any]
) -> None:
    with fresh_table():
        agree(Board(seated), added, moved)


def agree(board: Board, added: list[tuple[int | None, str | None, bool]], moved: list[Any]) -> None:
    for paper in added:
        board.add(*paper)
    for move in moved:
        board.move(*move)
    documents = f"{board.board.path}/documents"
    for name, caller in board.callers():
        visible = {known for known in board.expected if board.sees(name, known)}
        listed = caller.all(documents)
        assert {entry["id"] for entry in listed} == visible
        assert caller.all(documents, limit=1, order="asc") == listed[::-1]
        for document_id in board.expected:
            assert caller.get(f"{documents}/{document_id}").status == (200 if document_id in visible else 404)
        for query in ({"documentType": "minutes"}, {"meetingId": board.meeting}):
            both = {**query, "documentType": "minutes"}
            assert caller.all(documents, **query) == [entry for entry in listed if matches(entry, query)]
            assert caller.all(documents, limit=1, **both) == [entry for entry in listed if matches(entry, both)]


def matches(document: dict[str, Any], query: dict[str, str]) -> bool:
    of_type = query.get("documentType", document["documentType"]) == document["documentType"]
    return of_type and ("meetingId" not in query or query["meetingId"] in document["meetingIds"])
