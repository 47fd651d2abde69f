"""Documents of the board, and one of a committee that the owner is not a member of."""

from __future__ import annotations

from typing import Any

from governance.ids import membership_id
from governance.models.committee import CommitteeCreate
from governance.models.document import DocumentCreate
from governance.usecases import committees, documents
from infra.local.demo.boards import HARBOR, NORTHWIND
from infra.local.demo.scenario import Scenario

_COMMITTEE = ("maya", "colin")
# board, author, days ago, title, type, the meeting it is linked to
_DOCUMENTS = (
    (NORTHWIND, "adam", 30, "Articles of association", "policy", None),
    (NORTHWIND, "olivia", 12, "Agenda of the quarterly meeting", "agenda", "quarterly"),
    (NORTHWIND, "maya", 10, "Board pack, quarterly meeting", "board_pack", "quarterly"),
    (NORTHWIND, "colin", 9, "Notes on succession", "minutes", "succession"),
    (HARBOR, "paul", 8, "Grant policy", "policy", "trustees"),
)


def seed(scenario: Scenario) -> None:
    """Creates the documents that all members see, the audit committee and its document."""
    for board, author, days, title, kind, meeting in _DOCUMENTS:
        links = [scenario.meetings[meeting]] if meeting else []
        _create(scenario, board, author, days, {"title": title, "documentType": kind, "meetingIds": links})
    board_id = scenario.boards[NORTHWIND]
    member_ids = [membership_id(board_id, scenario.people[name]) for name in _COMMITTEE]
    audit = CommitteeCreate.model_validate({"name": "Audit committee", "memberIds": member_ids})
    committee = scenario.call("adam", committees.create_committee, audit, at=scenario.ago(days=25), boardId=board_id)
    body = {
        "title": "Findings of the auditors",
        "committeeId": committee.id,
        "meetingIds": [scenario.meetings["audit"]],
    }
    _create(scenario, NORTHWIND, "maya", 7, body)


def _create(scenario: Scenario, board: str, author: str, days: int, body: dict[str, Any]) -> None:
    document = DocumentCreate.model_validate({"mimeType": "application/pdf", **body})
    scenario.call(
        author, documents.create_document, document, at=scenario.ago(days=days), boardId=scenario.boards[board]
    )
