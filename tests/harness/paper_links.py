"""A person without an account who is asked for a paper, and what they do with the link in their mails."""

from __future__ import annotations

import re
from dataclasses import dataclass
from email.message import EmailMessage
from typing import Any

from tests.harness import queue
from tests.harness.client import Client, Response
from tests.harness.outbox import Outbox, text_of
from tests.harness.paper_scenario import Papers
from tests.harness.people import add
from tests.harness.stream import event_records, send_to_queue
from tests.harness.uploads import PDF, declared, send

ANNA = "anna@example.com"


@dataclass
class AskedPerson:
    """Anna, who has no account, and the papers that she is asked for."""

    papers: Papers
    outbox: Outbox
    id: str

    def ask(self, **members: Any) -> str:
        """Asks her for a paper; returns the path of the request."""
        return self.papers.request(**{"from": {"unregisteredUserId": self.id}}, **members)

    def mails(self) -> list[EmailMessage]:
        """Returns the mails to her, oldest first, after all that happened was delivered."""
        assert send_to_queue(event_records(self.papers.board.board_id)) == []
        queue.current.deliver()
        return [mail for mail in self.outbox.mails if mail["To"] == ANNA]

    def token(self) -> str:
        """Returns the token of the link in her last mail."""
        found = re.search(r"/paper/([A-Za-z0-9_-]{80})\s", text_of(self.mails()[-1]))
        assert found is not None, text_of(self.mails()[-1])
        return found[1]


def asked_person(papers: Papers, outbox: Outbox, **members: Any) -> AskedPerson:
    """Adds Anna to the board."""
    return AskedPerson(papers, outbox, add(papers.board, lastName="Berg", email=ANNA, **members)["id"])


def slot(token: str) -> Response:
    """Reads what the link shows."""
    return Client().get(f"/api/v1/paper/{token}")


def declare(token: str, content: bytes = PDF, **members: Any) -> Response:
    """Declares a file by the link."""
    return Client().post(f"/api/v1/paper/{token}/versions", declared(content, **members))


def complete(token: str, version: str) -> Response:
    """Completes the upload of a file by the link."""
    return Client().post(f"/api/v1/paper/{token}/versions/{version}/complete")


def upload(token: str, content: bytes = PDF, **members: Any) -> str:
    """Declares a file by the link and sends it; returns its id."""
    version = declare(token, content, **members)
    assert version.status == 201, version.text
    send(version.data["upload"], content)
    return str(version.data["id"])


def deliver(token: str, content: bytes = PDF, **members: Any) -> Any:
    """Delivers a file by the link; returns what completing it answers."""
    completed = complete(token, upload(token, content, **members))
    assert completed.status == 200, completed.text
    return completed.data
