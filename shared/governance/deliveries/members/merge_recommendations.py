"""Recommends to merge people without an account into members who seem to be the same person (ADR merging).

A new member, or somebody with a new name or address, may be the same as somebody on the board. The owner and the admins
are notified once of each pair: the person keeps the recommended members, each with the event that caused it, so that a
repeated delivery of that event notifies of the same again.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import Any

from governance.deliveries.notifications.planned import Planned, planned
from governance.deliveries.notifications.plans import messages_of
from governance.domain.events.invites import Joined
from governance.domain.events.kind import consequence
from governance.domain.events.members import UNREGISTERED_USER_UPDATED, OfPerson, PersonChanged
from governance.domain.events.registry import KINDS
from governance.domain.members import unregistered_user as unregistered_user_rules
from governance.ids import BoardId, PersonId, UserId, time_ordered_id
from governance.instants import Instant, epoch, millis
from governance.models.account.user import StoredUser
from governance.models.history.event import StoredEvent
from governance.models.members.unregistered_user import StoredUnregisteredUser
from governance.models.queue import DeliveryKind
from governance.queue.message import Message
from governance.store.account import users
from governance.store.boards import board_lists, boards
from governance.store.members import unregistered_users
from governance.store.transactions import transact
from governance.store.writes import retry_stale_reads

_NAMING = {"firstName", "lastName", "email"}
_CHANGED_SECONDS = 60
"""If a user's last update is older than this when their row changes, the change only noted a session."""


def plan_recommendations(event: StoredEvent) -> Iterable[Message]:
    """Returns the messages about the merges that an event recommends. This reads and writes."""
    return messages_of(_recommendations_after(event))


def recommend_merges(body: Mapping[str, Any]) -> Iterator[Message]:
    """Yields a message for each board of an account that changed; of a board, the notifications of its admins."""
    user_id = UserId(body["userId"])
    if "boardId" in body:
        yield from messages_of(_for_account(BoardId(body["boardId"]), user_id, Instant(body["at"])))
        return
    for board_id in board_lists.board_ids_of(user_id):
        yield Message(DeliveryKind.RECOMMENDATION, board_id, {**body, "boardId": board_id})


def _recommendations_after(event: StoredEvent) -> Iterator[Planned[Any]]:
    """Yields the recommendations that follow from an event of a person or a new member. This reads and writes."""
    payload = KINDS[event.type].payload.of(event)
    match payload:
        case Joined(accepting_user_id=str(user_id)):
            yield from _for_member(event, UserId(user_id))
        case PersonChanged() if not _NAMING & {*payload.fields}:
            return
        case OfPerson():
            yield from _for_person(event, payload.unregistered_user_id)


def account_messages(user: Mapping[str, Any], changed_at: float) -> list[Message]:
    """Returns the message about an account whose name or address may have changed; none if only a session was noted.

    `changed_at` is when the row changed, in seconds since 1970.
    """
    if user.get("purged") or epoch(Instant(user["updatedAt"])) < changed_at - _CHANGED_SECONDS:
        return []
    body = {"userId": user["id"], "at": user["updatedAt"]}
    return [Message(DeliveryKind.RECOMMENDATION, user["id"], body)]


def _for_account(board_id: BoardId, user_id: UserId, at: Instant) -> Iterator[Planned[Any]]:
    """Yields the recommendations that follow from an account that changed at this instant. This reads and writes."""
    return _for_member(_event(board_id, user_id, at), user_id)


def _event(board_id: BoardId, user_id: UserId, at: Instant) -> StoredEvent:
    """Returns the event of a changed account, which no board records."""
    digest = hashlib.sha256(f"account\n{user_id}\n{at}".encode()).hexdigest()
    return StoredEvent(
        id=time_ordered_id(millis(at), digest[:12]),
        board_id=board_id,
        type=UNREGISTERED_USER_UPDATED.event_type,
        actor_user_id=user_id,
        created_via=None,
        created_at=at,
        refs={},
        details={},
        delivery_data={},
    )


def _for_member(event: StoredEvent, user_id: UserId) -> Iterator[Planned[Any]]:
    """Yields the recommendations of people who seem to be a user, while that user is a member."""
    user = users.find(user_id)
    if user is None or not boards.has_any_member(event.board_id, [user_id]):
        return
    for person in unregistered_users.all_of_board(event.board_id, "active"):
        if unregistered_user_rules.is_same_person(person, user):
            yield from _recommendation(event, person.id, user)


def _for_person(event: StoredEvent, person_id: PersonId) -> Iterator[Planned[Any]]:
    """Yields the recommendations of members who seem to be a person; a member who joined later causes their own."""
    person = unregistered_users.find(event.board_id, person_id)
    if person is None or person.status != "active":
        return
    members = [member for member in boards.members(event.board_id) if member.created_at <= event.created_at]
    for user in boards.users_of(members).values():
        if unregistered_user_rules.is_same_person(person, user):
            yield from _recommendation(event, person.id, user)


def _recommendation(event: StoredEvent, person_id: PersonId, user: StoredUser) -> Iterator[Planned[Any]]:
    """Yields the recommendation of a pair; nothing if it was made before."""
    person = retry_stale_reads(partial(_noted, event.board_id, person_id, user.id, event.id))
    if person is not None:
        payload = PersonChanged(
            unregistered_user_id=person_id,
            id=person_id,
            fields=[],
            member_user_id=user.id,
            person=person.name,
            member=user.full_name,
        )
        caused = consequence(event, UNREGISTERED_USER_UPDATED, payload, f"{person_id}\n{user.id}")
        yield from planned(UNREGISTERED_USER_UPDATED, caused, payload)


def _noted(board_id: BoardId, person_id: PersonId, user_id: UserId, cause: str) -> StoredUnregisteredUser | None:
    """Notes that a merge is recommended; None if another event has caused that before, or the person was deleted."""
    person = unregistered_users.find(board_id, person_id)
    noted = (
        unregistered_user_rules.recommended(person, user_id, cause) if person and person.status == "active" else None
    )
    if noted is not None and person is not None and noted is not person:
        transact(unregistered_users.replace(person, noted))
    return noted
