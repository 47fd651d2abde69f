"""What happens on the boards: the content of an example board, and what only the demo data have.

That is drafts, a committee with a document that the owner cannot see, a guest who votes, and a second board.
"""

from __future__ import annotations

from typing import Any

from governance import instants
from governance.ids import membership_id
from governance.models.boards.board import StoredBoard
from governance.models.committees.committee import CommitteeCreate
from governance.models.documents.document import DocumentCreate
from governance.models.meetings.agenda import AgendaBody
from governance.models.meetings.minutes import MinutesBody
from governance.models.meetings.slot import GuestVoteBody
from governance.models.planning.agenda_template import AgendaTemplateCreate
from governance.models.planning.backlog_item import BacklogItemCreate
from governance.models.planning.plan_item import PlanItemCreate
from governance.models.resolutions.ballot import BallotBody
from governance.models.resolutions.resolution import ResolutionCreate
from governance.store.schema.entities import BOARD, GUEST_LINK, MEETING, SLOT
from governance.store.table import read
from governance.usecases.boards.example_content import (
    CALL,
    POLLED,
    ROOM,
    ExampleMeeting,
    write_content,
    write_document,
    write_item,
    write_meeting,
)
from governance.usecases.committees import committees
from governance.usecases.context import Context
from governance.usecases.documents import documents
from governance.usecases.meetings import agendas, guests, minutes
from governance.usecases.planning import agenda_templates, backlog, plan
from governance.usecases.resolutions import ballots, opening, resolutions
from infra.local.demo.boards import HARBOR, NORTHWIND
from infra.local.demo.scenario import BoardAuthor, Scenario

_COMMITTEE = ("maya", "colin")
_GUEST = "guest@example.org"
_MEETINGS = {
    "strategy": (
        NORTHWIND,
        ExampleMeeting("olivia", "Strategy retreat (draft)", "draft", 40, {"locationType": "hybrid"}),
    ),
    "succession": (NORTHWIND, ExampleMeeting("colin", "Succession planning (draft)", "draft", 30, CALL)),
    "trustees": (HARBOR, ExampleMeeting("paul", "Trustees' spring meeting", "scheduled", 21, ROOM)),
    "grants": (HARBOR, ExampleMeeting("olivia", "Grant round (draft)", "draft")),
}
# board, author, days ago, title, type, the meeting it is linked to
_DOCUMENTS = (
    (NORTHWIND, "colin", 9, "Notes on succession", "minutes", "succession"),
    (HARBOR, "paul", 8, "Grant policy", "policy", "trustees"),
)


_AGENDAS = {
    "quarterly": [
        {"title": "Minutes of the last meeting", "minutes": 5, "kind": "decision"},
        {"title": "Results of the third quarter", "minutes": 40, "kind": "discussion", "presenterName": "Petra Lang"},
        {"title": "Any other business"},
    ],
    "audit": [{"title": "Report of the auditors", "minutes": 60, "kind": "discussion"}, {"title": "Next year's fees"}],
}
_TEMPLATES = (
    {
        "name": "Board meeting",
        "items": [
            {"title": "Minutes of the last meeting", "minutes": 5, "kind": "decision"},
            {"title": "Annual accounts", "minutes": 45, "kind": "decision", "months": [3]},
            {"title": "Any other business"},
        ],
    },
    {
        "name": "Committee meeting",
        "items": [{"title": "Minutes of the last meeting", "minutes": 5, "kind": "decision"}],
    },
)
_WAITING = (
    {"title": "A new site in Porto", "minutes": 30, "kind": "discussion"},
    {"title": "Travel policy", "minutes": 15, "kind": "decision"},
)
_PLAN = (
    {"title": "Approve the annual accounts", "months": [3], "kind": "decision", "minutes": 45, "source": "Bylaws § 12"},
    {"title": "Review the risk register", "months": [2, 5, 8, 11], "kind": "discussion", "minutes": 30},
    {"title": "Adopt the budget for the next year", "months": [11], "kind": "decision", "minutes": 60},
)
_SAID = {
    "text": "The committee discussed the findings of the auditors.",
    "decision": {"text": "The committee recommends the accounts to the board.", "result": "carried"},
}


_RESOLUTION = {
    "title": "Adopt the budget for 2027",
    "text": "The board adopts the budget for 2027 as presented by the treasurer.",
}


def seed(scenario: Scenario) -> None:
    """Creates all of it."""
    author = BoardAuthor(scenario, NORTHWIND)
    content = write_content(author)
    scenario.meetings.update(content.meetings)
    for name, (board, meeting) in _MEETINGS.items():
        scenario.meetings[name] = write_meeting(BoardAuthor(scenario, board), meeting)
    for board, writer, days, title, kind, about in _DOCUMENTS:
        write_document(BoardAuthor(scenario, board), writer, days, title, kind, [scenario.meetings[about]])
    write_item(author, scenario.meetings["strategy"], "olivia", "olivia", "Find a venue for the retreat", "in_progress")
    _write_committee(author)
    _write_agendas(scenario)
    _plan_ahead(author)
    _open_resolution(author)
    params = {"boardId": scenario.boards[NORTHWIND], "meetingId": scenario.meetings[POLLED]}
    token = scenario.call("colin", guests.open_guest_link, None, **params).token
    _vote_as_guest(scenario, {**params, "token": token, "slotId": content.slots[0]})
    scenario.examples = {**params, "slots": content.slots, "guest": token, "actionItemId": content.items[0]}


def _write_committee(author: BoardAuthor) -> None:
    board_id = author.scenario.boards[NORTHWIND]
    members = [membership_id(board_id, author.person(name)) for name in _COMMITTEE]
    audit = CommitteeCreate.model_validate({"name": "Audit committee", "memberIds": members})
    findings = {
        "title": "Findings of the auditors",
        "committeeId": author.write("adam", committees.create_committee, audit, days_ago=25),
        "meetingIds": [author.scenario.meetings["audit"]],
        "mimeType": "application/pdf",
    }
    author.write("maya", documents.create_document, DocumentCreate.model_validate(findings), days_ago=7)


def _write_agendas(scenario: Scenario) -> None:
    """Creates the agenda of the next meeting, and the agenda and the minutes of the one of the audit committee."""
    board = {"boardId": scenario.boards[NORTHWIND]}
    for name, items in _AGENDAS.items():
        body = AgendaBody.model_validate({"items": items})
        agenda = scenario.call("maya", agendas.put_agenda, body, **board, meetingId=scenario.meetings[name])
    attendance = [
        {"userId": scenario.people["maya"], "present": "in_person"},
        {"userId": scenario.people["colin"], "present": "remote"},
        {"name": "Petra Lang", "present": "in_person"},
    ]
    said = {**_SAID, "agendaItemId": agenda.items[0].id}
    minuted = MinutesBody.model_validate({"attendance": attendance, "items": [said]})
    scenario.call("maya", minutes.put_minutes, minuted, **board, meetingId=scenario.meetings["audit"])


def _plan_ahead(author: BoardAuthor) -> None:
    """Creates agenda templates, items that wait for a meeting, and the work plan."""
    for items in _TEMPLATES:
        template = AgendaTemplateCreate.model_validate(items)
        author.write("maya", agenda_templates.create_agenda_template, template, days_ago=12)
    for waiting in _WAITING:
        author.write("maya", backlog.create_backlog_item, BacklogItemCreate.model_validate(waiting), days_ago=6)
    for planned in _PLAN:
        matter = PlanItemCreate.model_validate({**planned, "ownerUserId": author.person("colin")})
        author.write("adam", plan.create_plan_item, matter, days_ago=12)


def _open_resolution(author: BoardAuthor) -> None:
    """Opens a resolution on which one member has voted."""
    scenario, voters = author.scenario, ("olivia", "adam", "maya", "colin")
    drafted = ResolutionCreate.model_validate(
        {**_RESOLUTION, "closesAt": instants.shift(author.now, days=7)}
        | {"voters": [{"userId": author.person(name)} for name in voters]}
    )
    resolution_id = author.write("maya", resolutions.create_resolution, drafted, days_ago=2)
    named: dict[str, Any] = {"boardId": scenario.boards[author.board], "resolutionId": resolution_id}
    scenario.call("maya", opening.open_resolution, None, **named)
    scenario.call("adam", ballots.put_ballot, BallotBody.model_validate({"choice": "for"}), **named)


def _vote_as_guest(scenario: Scenario, params: dict[str, str]) -> None:
    loaded = read(entity.key_for(**params) for entity in (BOARD, MEETING, GUEST_LINK, SLOT))
    board = StoredBoard.model_validate(loaded[BOARD.key_for(**params)])
    context = Context(now=scenario.now, params=params, known_board=board, loaded=loaded)
    body = GuestVoteBody.model_validate({"email": _GUEST, "vote": "ok", "comment": "By telephone"})
    scenario.commit(guests.vote_on_slot_as_guest(context, body).writes)
