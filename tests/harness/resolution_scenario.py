"""A board on which resolutions are voted on: a manager, voters, and shortcuts for the requests."""

from __future__ import annotations

from typing import Any

from tests.harness.board_scenario import BoardScenario, Person
from tests.harness.client import Response
from tests.harness.meeting_scenario import from_now


class ResolutionScenario:
    """A board with a manager and three members who vote; the owner and the manager are voters only if named."""

    def __init__(self, board: BoardScenario) -> None:
        self.board = board
        self.manager = board.member("maya", access_type="manager")
        self.voters = [board.member(name) for name in ("ann", "ben", "cem")]
        self.ann, self.ben, self.cem = self.voters
        self.path = f"{board.path}/resolutions"

    def draft(self, by: Person | None = None, **members: Any) -> Response:
        """Drafts a resolution on which the three members vote by named ballots within a week."""
        named = [{"userId": voter.id} for voter in self.voters]
        body = {
            "title": "Adopt the budget",
            "text": "The board adopts it.",
            "voters": named,
            "closesAt": from_now(days=7),
        }
        return (by or self.manager).client.post(self.path, {**body, **members})

    def drafted(self, **members: Any) -> str:
        """Drafts a resolution, and returns its path."""
        response = self.draft(**members)
        assert response.status == 201, response.text
        return f"{self.path}/{response.data['id']}"

    def open(self, path: str, by: Person | None = None) -> Response:
        return (by or self.manager).client.post(f"{path}/open")

    def opened(self, **members: Any) -> str:
        """Drafts and opens a resolution, and returns its path."""
        path = self.drafted(**members)
        response = self.open(path)
        assert response.status == 200, response.text
        return path

    def vote(self, path: str, voter: Person, choice: str = "for", **members: Any) -> Response:
        return voter.client.put(f"{path}/ballot", {"choice": choice, **members})

    def take_back(self, path: str, voter: Person, **query: str) -> Response:
        return voter.client.call("DELETE", f"{path}/ballot", query=query)

    def give(self, path: str, giver: Person, holder: Person) -> Response:
        return giver.client.put(f"{path}/proxy", {"userId": holder.id})

    def recuse(self, path: str, voter: Person, by: Person | None = None) -> Response:
        body = {"reason": "Has an interest in it"}
        return (by or voter).client.put(f"{path}/recusals/{voter.id}", body)

    def close(self, path: str, by: Person | None = None) -> Response:
        return (by or self.manager).client.post(f"{path}/close")

    def withdraw(self, path: str, by: Person | None = None) -> Response:
        return (by or self.manager).client.post(f"{path}/withdraw", {"reason": "Came too early"})

    def get(self, path: str, by: Person | None = None) -> dict[str, Any]:
        response = (by or self.manager).client.get(path)
        assert response.status == 200, response.text
        shown: dict[str, Any] = response.data
        return shown

    def ballots(self, path: str, by: Person | None = None) -> list[dict[str, Any]]:
        response = (by or self.manager).client.get(f"{path}/ballots")
        assert response.status == 200, response.text
        return list(response.data)

    def voter(self, path: str, who: Person) -> dict[str, Any]:
        """Returns a voter as the resolution shows them."""
        return next(voter for voter in self.get(path)["voters"] if voter["userId"] == who.id)


def reason(response: Response) -> tuple[int, str]:
    """Returns the status of a refusal, and why."""
    assert response.status >= 400, response.text
    return response.status, (response.details or {}).get("reason", response.code)
