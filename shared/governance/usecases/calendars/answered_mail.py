"""Tells which revision of a meeting a calendar's reply is about (ADR calendars)."""

from __future__ import annotations

from governance.domain.calendars.calendar_invitation import next_calendar_invitation
from governance.domain.notifications.addressee import Addressee
from governance.mail.received import MailRefused, Refusal
from governance.models.boards.board import StoredBoard
from governance.models.calendar import StoredCalendarInvitation
from governance.models.meetings.meeting import StoredMeeting


def answered_revision(
    sequence: int,
    replier: Addressee,
    board: StoredBoard,
    meeting: StoredMeeting,
    mailed: StoredCalendarInvitation | None,
) -> int:
    """Returns the revision of the meeting that a reply is about: at most the present one.

    A reply to the newest mail is about the present one, even if its number has risen by a change that is not mailed.
    Raises `MailRefused` for a reply to an outdated calendar invitation.
    """
    if mailed is None:
        return min(sequence, meeting.sequence)
    if sequence < mailed.event.sequence - mailed.sequence_offset:
        raise MailRefused(Refusal.OUTDATED)
    is_newest = next_calendar_invitation(replier, board, meeting, mailed) is None
    return meeting.sequence if is_newest else min(sequence, meeting.sequence)
