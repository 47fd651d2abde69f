"""Invitations by mail: what a user's calendar is to learn of a meeting (ADR 0110).

An invitation follows from what the meeting is now and from what the last mail said. So a repeated delivery mails
nothing again, changes in quick succession may be one mail, and no change is lost.
"""

from __future__ import annotations

import base64
import secrets
from dataclasses import asdict

from governance.domain.calendar import CalendarEvent, meeting_event
from governance.instants import Instant
from governance.models.board import StoredBoard
from governance.models.calendar import MailedEvent, StoredInvitation
from governance.models.event import Event
from governance.models.meeting import StoredMeeting
from governance.models.user import StoredUser

_ANNOUNCING = {
    *(Event.MEETING_CREATED, Event.MEETING_UPDATED, Event.MEETING_STATUS_CHANGED, Event.MEETING_DELETED),
    *(Event.MEETING_MOVED_BY_CALENDAR, Event.MEETING_CANCELLED_BY_CALENDAR),
}
_NOT_TOLD = {"sequence", "status"}
"""What a calendar shows of a meeting and is no reason for a mail of its own."""


def is_announced(event: Event) -> bool:
    """Returns whether an event may change what invitations say."""
    return event in _ANNOUNCING


def new_token() -> str:
    """Returns a new token for the address of replies: 32 characters that survive a change of case."""
    return base64.b32encode(secrets.token_bytes(20)).decode().lower()


def reply_address(token: str, mail_domain: str) -> str:
    """Returns the address that calendars send replies to."""
    return f"meetings+{token}@{mail_domain}"


def next_invitation(
    user: StoredUser,
    board: StoredBoard,
    meeting_id: str,
    meeting: StoredMeeting | None,
    last: StoredInvitation | None,
) -> StoredInvitation | None:
    """Returns the invitation that is due to be mailed; None if the calendar knows all there is to know.

    A meeting is None if it was deleted. Drafts and meetings without a start are in nobody's calendar.
    """
    shown = meeting_event(meeting, board) if meeting is not None and meeting.status != "draft" else None
    if shown is None:
        return _cancelled(last, meeting, user.email) if last is not None and not last.cancelled else None
    event = MailedEvent.model_validate(asdict(shown))
    if last is not None and not last.cancelled and _told(last.event) == _told(event):
        return None
    return StoredInvitation(
        user_id=user.id,
        board_id=board.id,
        meeting_id=meeting_id,
        token=last.token if last else new_token(),
        email=user.email,
        cancelled=False,
        event=event,
        version=last.version + 1 if last else 1,
    )


def _told(event: MailedEvent) -> dict[str, object]:
    return event.model_dump(exclude=_NOT_TOLD)


def _cancelled(last: StoredInvitation, meeting: StoredMeeting | None, email: str) -> StoredInvitation:
    sequence = max(last.event.sequence + 1, meeting.sequence if meeting else 0)
    event = last.event.model_copy(update={"status": "CANCELLED", "sequence": sequence})
    return last.model_copy(update={"cancelled": True, "email": email, "event": event, "version": last.version + 1})


def calendar_event(invitation: StoredInvitation, now: Instant) -> CalendarEvent:
    """Returns the event that the mail of an invitation contains."""
    return CalendarEvent(id=invitation.meeting_id, stamped_at=now, **invitation.event.model_dump(by_alias=False))
