"""Plans invitations to meetings: a message for each recipient of one, after a change of the meeting or a departure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from governance.domain.calendars import calendar_invitation as calendar_invitation_rules
from governance.domain.events.kind import Leftovers
from governance.domain.events.meetings import MeetingDeleted, OfMeeting
from governance.domain.events.members import MemberEnded
from governance.domain.events.registry import KINDS
from governance.ids import UserId
from governance.instants import now
from governance.models.calendars.calendar import InvitationMessage
from governance.models.history.event import Event, StoredEvent
from governance.models.queue import DeliveryKind
from governance.queue.message import Message
from governance.store.boards import boards
from governance.store.calendars import calendar_invitations, calendars
from governance.usecases.members.mailed_people import mailed_people


def plan_calendar_invitations(event: StoredEvent) -> Iterator[Message]:
    """Yields a message for each member and each person without an account who gets invitations, after a change."""
    sequence = MeetingDeleted.of(event).sequence if event.type is Event.MEETING_DELETED else None
    changed = InvitationMessage(
        board_id=event.board_id, meeting_id=OfMeeting.of(event).meeting_id, deleted_sequence=sequence
    )
    members = (member.user_id for member in boards.roster(event.board_id))
    for user_id in calendars.invited(members):
        yield _message(changed.model_copy(update={"user_id": user_id}))
    for person in mailed_people(event.board_id):
        yield _message(changed.model_copy(update={"unregistered_user_id": person.id}))


def _message(body: InvitationMessage) -> Message:
    return Message(DeliveryKind.CALENDAR_INVITATION, body.board_id, body.model_dump(mode="json", exclude_none=True))


def plan_withdrawals(event: StoredEvent) -> Iterator[Message]:
    """Yields a message for each user who wants invitations and has lost the board by the event.

    Plan them before the cleanup of a deleted board, which deletes the list of its members.
    """
    lost: list[UserId] = []
    match KINDS[event.type].leaves:
        case Leftovers.MEMBER:
            departed = MemberEnded.of(event).user_id
            lost = [departed] if departed else []
        case Leftovers.BOARD:
            lost = [member.user_id for member in boards.roster(event.board_id)]
    for user_id in calendars.invited(lost):
        yield Message(DeliveryKind.CALENDAR_WITHDRAWAL, event.board_id, {"boardId": event.board_id, "userId": user_id})


def withdraw_calendar_invitations(body: Mapping[str, Any]) -> Iterator[Message]:
    """Yields a message for each of a user's invitations to a board that is to be cancelled."""
    user_id = UserId(body["userId"])
    for invitation in calendar_invitations.list_of_user(user_id):
        if invitation.board_id == body["boardId"] and calendar_invitation_rules.is_withdrawn(invitation, now()):
            about = InvitationMessage(board_id=invitation.board_id, meeting_id=invitation.meeting_id, user_id=user_id)
            yield _message(about)
