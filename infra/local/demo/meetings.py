"""Meetings in every state, among them drafts that only their creators see."""

from __future__ import annotations

from typing import Any

from governance.models.meeting import MeetingCreate, MeetingPatch
from governance.usecases import meetings
from infra.local.demo.boards import HARBOR, NORTHWIND
from infra.local.demo.stage import Stage

_ROOM = {"locationType": "in_person", "location": "Board room, 3rd floor"}
_CALL = {"locationType": "virtual", "virtualMeetingUrl": "https://meet.example.com/northwind"}
# name, board, creator, title, status, days until the start (None: not set), where
_STORY: tuple[tuple[str, str, str, str, str, int | None, dict[str, str]], ...] = (
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


def seed(stage: Stage) -> None:
    """Every meeting of the story."""
    for name, board, creator, title, status, days, where in _STORY:
        first = "completed" if status == "finalized" else status
        body = {"title": title, "status": first, **where, **_times(stage, days)}
        params = {"boardId": stage.boards[board]}
        wanted = MeetingCreate.model_validate(body)
        made = stage.act(creator, meetings.create_meeting, wanted, at=stage.ago(days=45), **params)
        stage.meetings[name] = made.id
        if status == "finalized":
            final = MeetingPatch.model_validate({"status": status})
            stage.act(creator, meetings.update_meeting, final, at=stage.ago(days=44), **params, meetingId=made.id)


def _times(stage: Stage, days: int | None) -> dict[str, Any]:
    if days is None:
        return {}
    return {"startTime": stage.ahead(days=days), "endTime": stage.ahead(days=days, hours=2)}
