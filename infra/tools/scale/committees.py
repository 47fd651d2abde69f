"""The rows of `make scale` about a member of many committees, whose lists are read with those of the board."""

from __future__ import annotations

from governance.domain.events.documents import DOCUMENT_DELETED, OfDocument
from governance.ids import new_id
from governance.limits import MEMBER_COMMITTEES
from governance.models.boards.board import StoredBoard
from governance.models.documents.document import StoredDocument
from governance.store.documents import documents
from governance.store.history import events
from infra.tools.scale.preparation import Request, get, make_event, owned_board, stamps
from infra.tools.scale.world import Caller, World, earlier

PAGE = 10
_OF_EACH = 3
"""Documents, or events, of each committee; the board has a page of its own."""


def documents_page(world: World, size: int) -> Request:
    """Returns the first page of the documents that a member of the given number of committees sees."""
    owner, board, path = owned_board(world)
    world.fill(
        write
        for number, committee_id in enumerate(_subjects(world, owner, board, size))
        for write in documents.create(
            StoredDocument.model_validate(
                {**stamps(board, owner, earlier(number)), "title": "Document", "committee_id": committee_id}
            )
        )
    )
    return get(owner, f"{path}/documents?limit={PAGE}")


def events_page(world: World, size: int) -> Request:
    """Returns the first page of the events that a member of the given number of committees sees."""
    owner, board, path = owned_board(world)
    world.fill(
        events.put(
            make_event(
                owner, board, DOCUMENT_DELETED, earlier(number + 1), OfDocument(document_id=new_id())
            ).model_copy(update={"committee_id": committee_id})
        )
        for number, committee_id in enumerate(_subjects(world, owner, board, size))
    )
    return get(owner, f"{path}/events?limit={PAGE}")


def _subjects(world: World, owner: Caller, board: StoredBoard, size: int) -> list[str | None]:
    """Creates committees that the owner is in; returns whose the documents are, newest first (None: the board's)."""
    path = f"/api/v1/boards/{board.id}"
    own = owner.data("GET", f"{path}/members")[0]["id"]
    body = {"memberIds": [own]}
    ids: list[str | None] = [
        owner.data("POST", f"{path}/committees", {"name": f"Committee {world.number()}", **body})["id"]
        for _ in range(min(size, MEMBER_COMMITTEES))
    ]
    return [*[None] * PAGE, *(ids * _OF_EACH)]
