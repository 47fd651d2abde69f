"""The rows of `make scale` about papers that are asked for."""

from __future__ import annotations

from typing import Any

from governance.domain.paper_requests import paper_link
from governance.ids import PersonId
from governance.instants import now, shift
from governance.models.boards.board import StoredBoard
from governance.models.paper_requests.paper_request import AskedFor, StoredPaperRequest
from governance.settings import Secret, settings
from governance.store.members import unregistered_users
from governance.store.paper_requests import paper_requests
from infra.tools.scale.preparation import Request, get, owned_board, stamps
from infra.tools.scale.world import Caller, World, earlier

_PAGE = 10


def _a_request(board: StoredBoard, owner: Caller, meeting: str, number: int, asked: AskedFor) -> StoredPaperRequest:
    fields: dict[str, Any] = {**stamps(board, owner, earlier(number)), "meeting_id": meeting.rpartition("/")[2]}
    return StoredPaperRequest.model_validate(
        {**fields, "title": "Paper", "asked": asked, "due_at": shift(now(), days=30)}
    )


def _requests(world: World, size: int) -> tuple[Caller, StoredBoard, str]:
    """Creates a meeting with the given number of paper requests to a member; returns its path."""
    owner, board, _ = owned_board(world)
    meeting, asked = world.meeting(owner, board), AskedFor(user_id=owner.id)
    made = (_a_request(board, owner, meeting, number, asked) for number in range(size))
    world.fill(write for request in made for write in paper_requests.create(request))
    return owner, board, meeting


def requests_page(world: World, size: int) -> Request:
    """Returns the first page of the paper requests of a meeting with the given number of them."""
    owner, _, meeting = world.shared(_requests, size)
    return get(owner, f"{meeting}/paper-requests?limit={_PAGE}")


def slot(world: World, size: int) -> Request:
    """Returns what the link of a person without an account shows, beside the given number of other requests."""
    owner, board, meeting = world.shared(_requests, size)
    body = {"firstName": "Ada", "lastName": "Berg", "email": f"asked{world.number()}@example.com"}
    person_id = PersonId(owner.data("POST", f"/api/v1/boards/{board.id}/unregistered-users", body)["id"])
    (person,) = unregistered_users.get_many(board.id, [person_id]).values()
    request = _a_request(board, owner, meeting, size, AskedFor(unregistered_user_id=person_id))
    token = paper_link.token(settings().secret(Secret.INVITE_LINK), person, request)
    world.fill(paper_requests.create(paper_link.linked(request, token, person)))
    return get(owner, f"/api/v1/paper/{token}")
