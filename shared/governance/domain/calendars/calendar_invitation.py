"""Calendar invitations by mail: which one is due, given a meeting and what was mailed last (ADR calendars).

An invitation is computed from the present meeting and from what the last mail said. So a repeated delivery mails
nothing again, changes in quick succession may become one mail, and no change is lost.
"""

from __future__ import annotations

import base64
import secrets

from governance.domain.calendars.calendar import CalendarEvent, meeting_event
from governance.domain.notifications.addressee import Addressee
from governance.instants import Instant
from governance.models.boards.board import StoredBoard
from governance.models.calendars.calendar import MailedEvent, StoredCalendarInvitation
from governance.models.meetings.meeting import StoredMeeting

_MAILED = {"start", "end", "timezone", "title", "place"}
"""Fields whose change is mailed. A calendar shows more, but a change of the others is not mailed by itself."""


def new_token() -> str:
    """Returns a new token for the address of replies: 32 characters that survive a change of case."""
    return base64.b32encode(secrets.token_bytes(20)).decode().lower()


def reply_address(token: str, mail_domain: str) -> str:
    """Returns the address that calendars send replies to."""
    return f"meetings+{token}@{mail_domain}"


def due_calendar_invitation(
    invitee: Addressee,
    board: StoredBoard | None,
    meeting: StoredMeeting | None,
    last: StoredCalendarInvitation | None,
    deleted_sequence: int | None,
    now: Instant,
) -> StoredCalendarInvitation | None:
    """Returns what is due to be mailed about a meeting as it is; None if nothing is.

    `board` is None for somebody who has lost it: their invitation is cancelled until the meeting begins. An invitation
    to a deleted meeting is cancelled by the message that has its last `SEQUENCE`; others do not know it.
    """
    if board is None:
        return withdrawal(invitee, meeting, last) if last is not None and is_withdrawn(last, now) else None
    if meeting is None:
        return None if deleted_sequence is None else cancellation(invitee, deleted_sequence + 1, last)
    return next_calendar_invitation(invitee, board, meeting, last)


def next_calendar_invitation(
    user: Addressee,
    board: StoredBoard,
    meeting: StoredMeeting,
    last: StoredCalendarInvitation | None,
) -> StoredCalendarInvitation | None:
    """Returns the invitation that is due to be mailed; None if the calendar is up to date.

    Drafts and meetings without a start are in no calendar.
    """
    shown = meeting_event(meeting, board) if meeting.status != "draft" else None
    if shown is None:
        return cancellation(user, meeting.sequence, last)
    offset = last.sequence_offset if last else 0
    event = MailedEvent(
        **{name: getattr(shown, name) for name in MailedEvent.model_fields if name != "sequence"},
        sequence=meeting.sequence + offset,
    )
    if last is not None and not last.cancelled and _mailed(last.event) == _mailed(event):
        return None
    new = StoredCalendarInvitation(
        user_id=user.id,
        board_id=board.id,
        meeting_id=meeting.id,
        token=last.token if last else new_token(),
        email=user.email,
        cancelled=False,
        event=event,
        sequence_offset=offset,
        version=last.version + 1 if last else 1,
    )
    return new.in_place_of(last)


def _mailed(event: MailedEvent) -> tuple[object, ...]:
    """Returns the parts of an event whose change is mailed; of the description, only the meeting's link."""
    return event.model_dump(include=_MAILED), event.description.partition("\n\n")[0].partition("\n")[2]


def cancellation(
    user: Addressee, sequence: int, last: StoredCalendarInvitation | None
) -> StoredCalendarInvitation | None:
    """Returns the cancellation that is due, with this `SEQUENCE` or a higher one; None if nothing is to be cancelled.

    It repeats what was mailed last, so its recipient learns nothing that happened since.
    """
    if last is None or last.cancelled:
        return None
    number = max(last.event.sequence + 1, sequence + last.sequence_offset)
    event = last.event.model_copy(update={"status": "CANCELLED", "sequence": number})
    return last.model_copy(update={"cancelled": True, "email": user.email, "event": event, "version": last.version + 1})


def withdrawal(
    user: Addressee, meeting: StoredMeeting | None, last: StoredCalendarInvitation
) -> StoredCalendarInvitation | None:
    """Returns the cancellation for a user who lost access to the board; None if there is nothing to cancel.

    Its `SEQUENCE` is one above the meeting's. If the user joins again, the `SEQUENCE` of later mails is higher still.
    """
    sequence = meeting.sequence if meeting else 0
    new = cancellation(user, sequence + 1, last)
    return new and new.model_copy(update={"sequence_offset": new.event.sequence + 1 - sequence})


def is_withdrawn(last: StoredCalendarInvitation, now: Instant) -> bool:
    """Returns whether an invitation is cancelled when its recipient loses the board: not once the meeting has begun."""
    return not last.cancelled and last.event.start > now


def newest(*invitations: StoredCalendarInvitation | None) -> StoredCalendarInvitation | None:
    """Returns the one of some invitations to a meeting that shows its latest revision; None without any."""
    mailed = [invitation for invitation in invitations if invitation is not None]
    return max(mailed, key=lambda invitation: invitation.event.sequence - invitation.sequence_offset, default=None)


def board_name(invitation: StoredCalendarInvitation) -> str:
    """Returns the name that the board had when the invitation was mailed last."""
    return invitation.event.description.partition("\n")[0]


def change(last: StoredCalendarInvitation | None, new: StoredCalendarInvitation) -> str:
    """Returns which texts a mail has: those of a first invitation, of another time or place, or of a cancellation."""
    if new.cancelled:
        return "_cancelled"
    return "_changed" if last and not last.cancelled else ""


def calendar_event(invitation: StoredCalendarInvitation, stamped_at: Instant) -> CalendarEvent:
    """Returns the event that the mail of an invitation contains."""
    return CalendarEvent(id=invitation.meeting_id, stamped_at=stamped_at, **vars(invitation.event))
