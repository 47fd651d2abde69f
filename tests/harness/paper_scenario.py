"""A meeting with an agenda item, and the people around a paper of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tests.harness.board_scenario import BoardScenario, Person
from tests.harness.client import Client, Response
from tests.harness.meeting_scenario import MeetingScenario, new_meeting_scenario
from tests.harness.stored_versions import ready_version
from tests.harness.uploads import PDF, declared, send

DUE = "2098-03-31T12:00:00.000Z"


@dataclass
class Papers:
    """A meeting with an agenda item, and the people around a paper of it."""

    board: BoardScenario
    meeting: MeetingScenario
    asked: Person
    reviewer: Person
    collaborator: Person
    guest: Person
    item: str

    @property
    def path(self) -> str:
        return f"{self.meeting.path}/paper-requests"

    @property
    def owner(self) -> Client:
        return self.board.owner.client

    def create(self, **members: Any) -> Response:
        body = {"title": "Forecast", "from": {"userId": self.asked.id}, "dueAt": DUE, **members}
        return self.owner.post(self.path, body)

    def request(self, **members: Any) -> str:
        created = self.create(**members)
        assert created.status == 201, created.text
        return f"{self.path}/{created.data['id']}"

    def document(self, client: Client | None = None, **members: Any) -> str:
        body = {"title": "Paper", **members}
        document = (client or self.owner).post(f"{self.board.path}/documents", body).data["id"]
        ready_version(self.board.board_id, document, client or self.owner)
        return str(document)

    def deliver(self, request: str, document: str | None = None) -> Response:
        return self.asked.client.post(f"{request}/delivery", {"documentId": document or self.document()})

    def declare(self, request: str, content: bytes = PDF, **members: Any) -> Response:
        """Declares a file for a request, as who is asked."""
        return self.asked.client.post(f"{request}/versions", declared(content, **members))

    def upload(self, request: str, content: bytes = PDF, **members: Any) -> str:
        """Declares a file and sends it; returns the path of the version."""
        version = self.declare(request, content, **members)
        assert version.status == 201, version.text
        send(version.data["upload"], content)
        return f"{request}/versions/{version.data['id']}"

    def send(self, request: str, content: bytes = PDF, **members: Any) -> Any:
        """Delivers a file by the request; returns its version."""
        completed = self.asked.client.post(f"{self.upload(request, content, **members)}/complete")
        assert completed.status == 200, completed.text
        return completed.data

    def decide(self, request: str, decision: str = "approved", client: Client | None = None, **more: Any) -> Response:
        return (client or self.owner).post(f"{request}/decision", {"decision": decision, **more})

    def agenda(self) -> dict[str, Any]:
        agenda: dict[str, Any] = self.owner.get(f"{self.meeting.path}/agenda").data
        return agenda


def new_paper_scenario(scenario: BoardScenario) -> Papers:
    """Creates a meeting with an agenda of one item, and the people."""
    meeting = new_meeting_scenario(scenario)
    agenda = scenario.owner.client.put(f"{meeting.path}/agenda", {"items": [{"title": "Budget"}]})
    return Papers(
        scenario,
        meeting,
        scenario.member("adam", access_type="guest"),
        scenario.member("rita"),
        scenario.member("carl"),
        scenario.member("gail", access_type="guest"),
        agenda.data["items"][0]["id"],
    )
