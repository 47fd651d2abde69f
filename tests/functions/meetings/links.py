"""Opens guest links and votes by them."""

from __future__ import annotations

from typing import Any

from tests.harness.client import Client, Response
from tests.harness.meeting_scenario import MeetingScenario

GUEST = Client()


def open_link(meeting: MeetingScenario, caller: Client | None = None) -> str:
    response = (caller or meeting.board.owner.client).post(f"{meeting.path}/guest-link")
    assert response.status == 201, response.text
    return f"/api/v1/guest/{response.data['token']}"


def vote(link: str, slot: dict[str, Any], email: str = "gwen@example.org", choice: str = "ok", **more: Any) -> Response:
    return GUEST.put(f"{link}/slots/{slot['id']}/vote", {"email": email, "vote": choice, **more})
