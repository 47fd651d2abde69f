"""Paper requests, and the links to them, stored as routes and deliveries do."""

from __future__ import annotations

from governance import instants
from governance.domain.paper_requests import paper_link
from governance.ids import BoardId, PersonId, UserId, new_id
from governance.models.meetings.slot import StoredPersonalLink
from governance.models.paper_requests.paper_request import AskedFor, StoredPaperRequest
from governance.settings import Secret, settings
from governance.store.members import unregistered_users
from governance.store.paper_requests import paper_requests
from governance.store.transactions import transact
from tests.harness.board_scenario import BoardScenario
from tests.store.stored_items import PAPER_REQUEST


def store_request(board: BoardScenario, meeting_id: str, asked: UserId, delivered: str | None = None) -> str:
    """Stores a request for a paper of a member, with the document that was delivered; returns its id."""
    now = instants.now()
    request = PAPER_REQUEST.model_copy(
        update={
            "id": new_id(),
            "board_id": board.board_id,
            "meeting_id": meeting_id,
            "agenda_item_id": None,
            "asked": AskedFor(user_id=asked),
            "reviewer_user_id": None,
            "due_at": instants.shift(now, days=30),
            "status": "delivered" if delivered else "requested",
            "document_id": delivered,
            "delivered_at": now if delivered else None,
            "created_by_user_id": board.owner.id,
            "created_at": now,
            "updated_at": now,
        }
    )
    transact(paper_requests.create(request))
    return request.id


def link_to(board_id: BoardId, request_id: str, person_id: PersonId) -> str:
    """Lets a person be who is asked by a request; returns the token of their link to it."""
    request, person = paper_requests.find(board_id, request_id), unregistered_users.find(board_id, person_id)
    assert request is not None
    assert person is not None
    asked = request.model_copy(update={"asked": AskedFor(unregistered_user_id=person_id)})
    token = paper_link.token(settings().secret(Secret.INVITE_LINK), person, asked)
    transact(paper_requests.replace(request, paper_link.linked(asked, token, person), instants.now()))
    return token


def change_link(board_id: BoardId, request_id: str, **changes: str) -> None:
    """Stores a request with another link."""
    request = paper_requests.find(board_id, request_id)
    assert request is not None
    assert request.link is not None
    _store(request, request.link.model_copy(update=changes))


def _store(request: StoredPaperRequest, link: StoredPersonalLink) -> None:
    new = request.model_copy(update={"link": link, "version": request.version + 1})
    transact(paper_requests.replace(request, new, instants.now()))
