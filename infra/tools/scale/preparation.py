"""What the rows of `make scale` have in common: boards with many entries, and what is put on them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from governance.domain.events.kind import EventKind, P
from governance.ids import UserId, new_id, time_ordered_id
from governance.instants import Instant, millis
from governance.models.boards.board import StoredBoard
from governance.models.documents.document import StoredDocument
from governance.models.documents.document_version import StoredVersion, StoredVersions
from governance.models.history.event import StoredEvent
from governance.models.meetings.meeting import StoredMeeting
from governance.store.documents import documents
from governance.store.meetings import meetings
from infra.tools.scale.world import Caller, World, earlier

Request = Callable[[], object]
PAYLOAD_BYTES, NOTES_BYTES = 24, 6
"""For each unit of size: 240 KB and 60 KB at ten thousand."""


def get(caller: Caller, target: str) -> Request:
    """Returns a `GET` of a target."""
    return lambda: caller.send("GET", target, None)


def owned_board(world: World) -> tuple[Caller, StoredBoard, str]:
    """Creates a user with a board; returns them with the path of the board."""
    owner = world.caller()
    board = world.board(owner)
    return owner, board, f"/api/v1/boards/{board.id}"


def stamps(board: StoredBoard, caller: Caller, created_at: Instant) -> dict[str, Any]:
    """Returns the id, the board, the creator and the instants of an entry."""
    by = {"creator_id": caller.id, "created_by_user_id": caller.id}
    return {"id": new_id(), "board_id": board.id, **by, "created_at": created_at, "updated_at": created_at}


def board_with_members(world: World, size: int) -> tuple[Caller, StoredBoard, list[UserId]]:
    """Creates a board with the given number of members; returns its owner, the board and the members."""
    owner, board, _ = owned_board(world)
    return owner, board, world.join(board, size)


def fill_meetings(world: World, owner: Caller, board: StoredBoard, size: int) -> list[str]:
    """Creates the given number of meetings; returns their ids."""
    common = {"status": "scheduled", "title": "Meeting"}
    made = [
        StoredMeeting.model_validate({**stamps(board, owner, earlier(number)), **common, "start_time": earlier(number)})
        for number in range(size)
    ]
    world.fill(write for meeting in made for write in meetings.create(meeting))
    return [meeting.id for meeting in made]


def fill_documents(world: World, owner: Caller, board: StoredBoard, size: int, links: int) -> list[str]:
    """Creates the given number of documents; returns their ids.

    A hundred in succession have no linked meeting in common.
    """
    linkable = fill_meetings(world, owner, board, min(size, 100) * links)
    made = [
        StoredDocument.model_validate(
            {
                **stamps(board, owner, earlier(number)),
                "title": "Document",
                "meeting_ids": tuple(linkable[number % 100 * links :][:links]),
            }
        )
        for number in range(size)
    ]
    world.fill(write for document in made for write in documents.create(document))
    return [document.id for document in made]


def files_of(board: StoredBoard, owner: Caller, document_id: str, size: int) -> StoredVersions:
    """Returns the given number of files of a document."""
    files = tuple(
        StoredVersion(
            id=time_ordered_id(millis(earlier(number))),
            file_name="Figures of the quarter.pdf",
            mime_type="application/pdf",
            size=1,
            sha256="0" * 64,
            status="ready",
            created_by_user_id=owner.id,
            created_at=earlier(number),
        )
        for number in range(size)
    )
    return StoredVersions(board_id=board.id, document_id=document_id, versions=files)


def make_event(owner: Caller, board: StoredBoard, kind: EventKind[P], created_at: Instant, payload: P) -> StoredEvent:
    """Returns an event of a board."""
    parts = payload.parts()
    return StoredEvent(
        id=time_ordered_id(millis(created_at)),
        board_id=board.id,
        type=kind.event_type,
        actor_user_id=owner.id,
        created_via="web",
        created_at=created_at,
        refs=parts.refs,
        details=parts.details,
        delivery_data=parts.delivery_data,
    )


def create_dashboard(owner: Caller, board_path: str, size: int) -> tuple[str, str]:
    """Creates a dashboard in a report of its own, with a payload that grows with the size."""
    report = owner.data("POST", f"{board_path}/reports", {"title": "Report"})["id"]
    body = {"dashboardType": "uniform", "title": "D", "uniform": {"narrative": "n" * (PAYLOAD_BYTES * size)}}
    return report, owner.data("POST", f"{board_path}/reports/{report}/dashboards", body)["id"]
