"""Removes members who left from what names them: as the owners of bets and matters, and the reviewers of papers (ADR
cleanup)."""

from __future__ import annotations

from collections.abc import Iterator

from governance import deadline
from governance.domain.events.members import LosesRights
from governance.domain.paper_requests import paper_request as paper_request_rules
from governance.domain.planning import plan_item as plan_rules
from governance.domain.reports import bet as bet_rules
from governance.ids import UserId
from governance.instants import now
from governance.models.history.event import StoredEvent
from governance.store.paper_requests import paper_requests
from governance.store.planning import plan
from governance.store.reports import bets
from governance.store.schema.entities import MEMBER, PAPER_REQUEST
from governance.store.table import read_one
from governance.store.transactions import transact
from governance.store.writes import Write


def has_left(event: StoredEvent, ended: LosesRights) -> bool:
    """Returns whether the user is not a member, or joined again after the event."""
    item = read_one(MEMBER.key_for(boardId=event.board_id, userId=ended.user_id or ""))
    return item is None or item["createdAt"] > event.created_at


def _release_owned(event: StoredEvent, ended: LosesRights) -> bool:
    """Removes a departed member as the owner of bets and matters, except those assigned after they rejoined."""
    for writes in _released(event, ended.user_id or UserId("")):
        if not deadline.has_time(deadline.PAGE_SECONDS):
            return False
        transact(writes)
    return True


def _released(event: StoredEvent, user_id: UserId) -> Iterator[list[Write]]:
    for bet in bets.all_of_board(event.board_id):
        at = now()
        ownerless = bet_rules.without_owner(bet, user_id, event.created_at, at)
        if ownerless is not None:
            yield bets.replace(bet, ownerless, at)
    for matter in plan.all_of_board(event.board_id):
        unowned = plan_rules.without_owner(matter, user_id, event.created_at, now())
        if unowned is not None:
            yield [plan.replace(matter, unowned)]


def release(event: StoredEvent, ended: LosesRights) -> bool:
    """Removes a departed member from what they owned or reviewed. Returns False if it did not get to its end."""
    return _release_owned(event, ended) and _release_reviews(event, ended)


def _release_reviews(event: StoredEvent, ended: LosesRights) -> bool:
    """Removes a departed member as the reviewer of papers, on which any collaborator decides then.

    Who has joined again keeps them.
    """
    user_id = ended.user_id or UserId("")
    if read_one(MEMBER.key_for(boardId=event.board_id, userId=user_id)) is not None:
        return True
    for key in paper_requests.keys_of_reviewer(event.board_id, user_id):
        if not deadline.has_time(deadline.PAGE_SECONDS):
            return False
        request = paper_requests.find(event.board_id, PAPER_REQUEST.ids_of(key)["paperRequestId"])
        at = now()
        released = request and paper_request_rules.without_reviewer(request, user_id, at)
        if request and released:
            transact(paper_requests.replace(request, released, at))
    return True
