"""Meetings in every status, including drafts that only their creators see."""

from __future__ import annotations

from typing import Any

from governance.models.meeting import MeetingCreate, MeetingPatch
from governance.usecases import meetings
from infra.local.demo.boards import HARBOR, NORTHWIND
from infra.local.demo.scenario import Scenario

_ROOM = {"locationType": "in_person", "location": "Board room, 3rd floor"}
_CALL = {"locationType": "virtual", "virtualMeetingUrl": "https://meet.example.com/northwind"}
# name, board, creator, title, status, days until the start (None: no start yet), location
_MEETINGS: tuple[tuple[str, str, str, str, str, int | None, dict[str, str]], ...] = (
    ("annual", NORTHWIND, "olivia", "Annual general meeting", "finalized", -80, _ROOM),
    ("audit", NORTHWIND, "maya", "Audit committee", "completed", -20, _CALL),
    ("today", NORTHWIND, "adam", "Weekly stand-up of the officers", "in_progress", 0, _CALL),
    ("quarterly", NORTHWIND, "olivia", "Quarterly board meeting", "scheduled", 14, _ROOM),
    ("budget", NORTHWIND, "colin", "Budget workshop", "scheduled", None, {}),
    ("strategy", NORTHWIND, "olivia", "Strategy retreat (draft)", "draft", 40, {"locationType": "hybrid"}),
    ("succession", NORTHWIND, "colin", "Succession planning (draft)", "draft", 30, _CALL),
    ("trustees", HARBOR, "paul", "Trustees' spring meeting", "scheduled", 21, _ROOM),
    ("grants", HARBOR, "olivia", "Grant round (draft)", "draft", None, {}),
)


def seed(scenario: Scenario) -> None:
    """Creates the meetings."""
    for name, board, creator, title, status, days, location in _MEETINGS:
        first = "completed" if status == "finalized" else status
        body = {"title": title, "status": first, **location, **_times(scenario, days)}
        params = {"boardId": scenario.boards[board]}
        created = MeetingCreate.model_validate(body)
        meeting = scenario.call(creator, meetings.create_meeting, created, at=scenario.ago(days=45), **params)
        scenario.meetings[name] = meeting.id
        if status == "finalized":
            patch, params["meetingId"] = MeetingPatch.model_validate({"status": status}), meeting.id
            scenario.call(creator, meetings.update_meeting, patch, at=scenario.ago(days=44), **params)


def _times(scenario: Scenario, days: int | None) -> dict[str, Any]:
    if days is None:
        return {}
    return {"startTime": scenario.ahead(days=days), "endTime": scenario.ahead(days=days, hours=2)}
