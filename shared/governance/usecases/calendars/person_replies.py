"""Carries out the replies of people without an account to calendar invitations: their answers (ADR people).

They may answer and no more: a calendar's request to move a meeting needs a member.
"""

from __future__ import annotations

from governance.calendars import reader
from governance.calendars.writer import uid
from governance.domain.access import check_billing
from governance.domain.calendars.calendar_reply import whole_seconds
from governance.domain.events import unregistered_users as events
from governance.domain.meetings import unregistered_rsvp as rules
from governance.domain.notifications.addressee import of_person
from governance.instants import Instant
from governance.mail.received import MailRefused, ReceivedMail, Refusal
from governance.models.boards.board import StoredBoard
from governance.models.boards.unregistered_user import StoredUnregisteredUser
from governance.models.meetings.meeting import StoredMeeting
from governance.models.meetings.unregistered_rsvp import StoredUnregisteredRsvp
from governance.store.account.users import user_ids_by_email
from governance.store.boards import boards, unregistered_users
from governance.store.calendars import calendar_invitations
from governance.store.calendars.calendar_invitations import Invited
from governance.store.meetings import meetings, unregistered_rsvps
from governance.store.schema.entities import BOARD, CALENDAR_INVITATION, MEETING, UNREGISTERED_RSVP, UNREGISTERED_USER
from governance.store.table import read
from governance.store.writes import Write
from governance.usecases.calendars.answered_mail import answered_revision
from governance.usecases.context import Context
from governance.usecases.event_writes import record_meeting_event


def answer_of_person(
    mail: ReceivedMail, invited: Invited, received_at: Instant, now: Instant
) -> tuple[Context, list[Write]]:
    """Returns the writes of a person's answer; none for one that is known.

    Raises `MailRefused` unless the address was given to the sender, for the meeting that the calendar names, and the
    errors of the API for a board or a meeting that takes no answers.
    """
    person_id = invited.person_id or ""
    ids = {"boardId": invited.board_id, "meetingId": invited.meeting_id, "unregisteredUserId": person_id}
    keys = [kind.key_for(**ids) for kind in (BOARD, MEETING, UNREGISTERED_USER, UNREGISTERED_RSVP)]
    mailed_key = CALENDAR_INVITATION.key_for(userId=person_id, meetingId=invited.meeting_id)
    items = read([*keys, mailed_key])
    board, meeting, person_item, given = map(items.get, keys)
    person = StoredUnregisteredUser.model_validate(person_item) if person_item else None
    wanting = {"receives_mail": True, "bounce": None}  # who gets no more mails may still answer the last one
    replier = of_person(person.model_copy(update=wanting)) if person else None
    if board is None or meeting is None or person is None or person.status != "active" or person.email != mail.sender:
        raise MailRefused(Refusal.UNKNOWN_ADDRESS)
    about, shown = StoredMeeting.model_validate(meeting), StoredBoard.model_validate(board)
    if replier is None or about.status == "draft" or boards.has_any_member(shown.id, user_ids_by_email(person.email)):
        raise MailRefused(Refusal.NOT_ALLOWED)
    message = reader.read(mail.calendar, received_at)
    if message.uid != uid(about.id):
        raise MailRefused(Refusal.UNKNOWN_ADDRESS)
    if message.method != "REPLY":
        raise MailRefused(Refusal.NOT_ALLOWED)
    check_billing(shown)
    mailed = calendar_invitations.from_item(items.get(mailed_key))
    sequence = message.sequence - (mailed.sequence_offset if mailed else 0)
    revision = answered_revision(sequence, replier, shown, about, mailed)
    old = StoredUnregisteredRsvp.model_validate(given) if given else None
    if old is not None and (revision < old.sequence or message.stamped_at < whole_seconds(old.stamped_at)):
        raise MailRefused(Refusal.OUTDATED)
    context = Context(now=now, known_board=shown)
    status, comment = message.answer(person.email)
    stamps = {"sequence": revision, "stamped_at": min(message.stamped_at, now)}
    new = rules.answered(about, person, old, status, comment, now).model_copy(update=stamps)
    return context, [] if _is_known(new, old) else _writes(context, about, person, old, new)


def _is_known(new: StoredUnregisteredRsvp, old: StoredUnregisteredRsvp | None) -> bool:
    """Returns whether an answer is stored already: the mail service may deliver a mail more than once."""
    return old is not None and old == new.model_copy(update={"updated_at": old.updated_at, "version": old.version})


def _writes(
    context: Context,
    meeting: StoredMeeting,
    person: StoredUnregisteredUser,
    old: StoredUnregisteredRsvp | None,
    new: StoredUnregisteredRsvp,
) -> list[Write]:
    before = old.status if old else "noAnswer"
    answered = events.PersonAnswered(
        meeting_id=meeting.id,
        unregistered_user_id=person.id,
        before=before,
        after=new.status,
        title=meeting.title,
        creator_id=meeting.creator_id,
    )
    event = record_meeting_event(context, events.UNREGISTERED_RSVP_CHANGED, meeting, answered)
    return [
        meetings.check_open_state(meeting),
        unregistered_users.check_as_read(person),
        unregistered_rsvps.put(old, new),
        *(event if before != new.status else ()),
    ]
