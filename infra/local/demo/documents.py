"""Documents of the board, one of a committee that not even the owner is in."""

from __future__ import annotations

from typing import Any

from governance.ids import membership_id
from governance.models.committee import CommitteeCreate
from governance.models.document import DocumentCreate
from governance.usecases import committees, documents
from infra.local.demo.boards import HARBOR, NORTHWIND
from infra.local.demo.stage import Stage

_COMMITTEE = ("maya", "colin")
# board, author, days ago, title, type, the meeting it is linked to
_STORY = (
    (NORTHWIND, "adam", 30, "Articles of association", "policy", None),
    (NORTHWIND, "olivia", 12, "Agenda of the quarterly meeting", "agenda", "quarterly"),
    (NORTHWIND, "maya", 10, "Board pack, quarterly meeting", "board_pack", "quarterly"),
    (NORTHWIND, "colin", 9, "Notes on succession", "minutes", "succession"),
    (HARBOR, "paul", 8, "Grant policy", "policy", "trustees"),
)


def seed(stage: Stage) -> None:
    """The audit committee, its one document, and everybody's."""
    for board, author, days, title, kind, meeting in _STORY:
        links = [stage.meetings[meeting]] if meeting else []
        _create(stage, board, author, days, {"title": title, "documentType": kind, "meetingIds": links})
    board_id = stage.boards[NORTHWIND]
    seats = [membership_id(board_id, stage.people[name]) for name in _COMMITTEE]
    wanted = CommitteeCreate.model_validate({"name": "Audit committee", "memberIds": seats})
    committee = stage.act("adam", committees.create_committee, wanted, at=stage.ago(days=25), boardId=board_id)
    body = {"title": "Findings of the auditors", "committeeId": committee.id, "meetingIds": [stage.meetings["audit"]]}
    _create(stage, NORTHWIND, "maya", 7, body)


def _create(stage: Stage, board: str, author: str, days: int, body: dict[str, Any]) -> None:
    wanted = DocumentCreate.model_validate({"mimeType": "application/pdf", **body})
    stage.act(author, documents.create_document, wanted, at=stage.ago(days=days), boardId=stage.boards[board])
