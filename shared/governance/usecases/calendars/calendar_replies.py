"""Carries out mails from calendars: answers a meeting, moves it, or cancels its time (ADR calendars).

The sender counts as signed in for this one meeting: the mail is verified, comes from the address that the calendar
invitation went to, and was sent to the secret address in it. The rules of the API apply to the rest.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from governance.calendars import reader
from governance.calendars.reader import CalendarMessage
from governance.calendars.writer import uid
from governance.domain.access import Principal, check_billing, tier
from governance.domain.audit import changed_fields
from governance.domain.calendars.calendar_reply import moved_times, whole_seconds
from governance.domain.events import meetings as events
from governance.domain.events.kind import EventKind
from governance.domain.meetings import meeting as meeting_rules
from governance.domain.meetings import rsvp as rsvp_rules
from governance.domain.notifications.addressee import of_user
from governance.domain.visibility import can_see_meeting
from governance.errors import ApiError, Code
from governance.instants import Instant, now
from governance.mail import received
from governance.mail.received import MailRefused, ReceivedMail, Refusal
from governance.models.account.user import StoredUser
from governance.models.boards.board import Membership, StoredBoard
from governance.models.calendar import StoredCalendarInvitation
from governance.models.meetings.meeting import StoredMeeting
from governance.models.meetings.rsvp import StoredRsvp
from governance.scopes import Tier
from governance.store.boards import boards
from governance.store.calendars import calendar_invitations
from governance.store.calendars.calendar_invitations import Invited
from governance.store.meetings import meetings
from governance.store.schema.entities import BOARD, CALENDAR_INVITATION, MEETING, MEMBER, RSVP, USER
from governance.store.table import read
from governance.store.transactions import transact
from governance.store.writes import Write, retry_stale_reads
from governance.usecases.calendars.answered_mail import answered_revision
from governance.usecases.calendars.person_replies import answer_of_person
from governance.usecases.context import Context
from governance.usecases.event_writes import record_meeting_event
from governance.usecases.meetings.meetings import times_moved
from governance.usecases.meetings.rsvps import answer_writes

_TOKEN = re.compile(r"\bmeetings(?:\+|%2b)([a-z2-7]{32})@", re.ASCII)
"""The token of an address for replies, in lower case; some programs write its plus as in a URL."""
_SEQUENCE_STEP = 100
"""Largest step by which a calendar may raise `SEQUENCE`: no mail can exhaust the numbers, or stay ahead for long."""


@dataclass(frozen=True)
class _Received:
    """A received message, its sequence converted to the meeting's revisions, with the items that decide about it."""

    message: CalendarMessage
    context: Context
    user: StoredUser
    meeting: StoredMeeting
    calendar_invitation: StoredCalendarInvitation | None
    rsvp: StoredRsvp | None


def take(raw: bytes, received_at: Instant) -> None:
    """Carries out a mail. Raises `MailRefused` if it changes nothing, and 503 if it is to be tried again."""
    mail = received.parse(raw)
    retry_stale_reads(lambda: _take(mail, received_at, now()))


def _take(mail: ReceivedMail, received_at: Instant, now: Instant) -> None:
    invited = _invited(mail)
    try:
        if invited.person_id is not None:
            context, writes = answer_of_person(mail, invited, received_at, now)
        else:
            incoming = _find(mail, invited, received_at, now)
            context = incoming.context
            writes = {"REPLY": _answer, "REQUEST": _move, "CANCEL": _cancel}[incoming.message.method](incoming)
        if writes:
            transact(context.while_board_exists(writes))
    except ApiError as error:
        if error.code is Code.SERVICE_UNAVAILABLE:
            raise
        raise MailRefused(Refusal.NOT_ALLOWED) from None


def _invited(mail: ReceivedMail) -> Invited:
    """Returns whom the address that a mail was sent to was made for; raises `MailRefused` if there is not one."""
    tokens = set(_TOKEN.findall(mail.recipients))
    invited = calendar_invitations.find_by_token(tokens.pop()) if len(tokens) == 1 else None
    if invited is None:
        raise MailRefused(Refusal.UNKNOWN_ADDRESS)
    return invited


def _find(mail: ReceivedMail, invited: Invited, received_at: Instant, now: Instant) -> _Received:
    """Reads the items that decide about a mail, and then its calendar.

    Raises `MailRefused` unless its address was given to its sender, for the meeting that the calendar names.
    """
    meeting_id = invited.meeting_id
    ids = {"boardId": invited.board_id, "meetingId": meeting_id, "userId": invited.user_id or ""}
    kinds = (BOARD, MEETING, MEMBER, USER, RSVP, CALENDAR_INVITATION)
    items = read(kind.key_for(**ids) for kind in kinds)
    board, meeting, member, user, rsvp, mailed = (items.get(kind.key_for(**ids)) for kind in kinds)
    if board is None or meeting is None or member is None or user is None or user["email"] != mail.sender:
        raise MailRefused(Refusal.UNKNOWN_ADDRESS)
    about, sender = StoredMeeting.model_validate(meeting), StoredUser.model_validate(user)
    if sender.status != "active" or not can_see_meeting(sender.id, about):
        raise MailRefused(Refusal.NOT_ALLOWED)
    message = reader.read(mail.calendar, received_at)
    if message.uid != uid(meeting_id):
        raise MailRefused(Refusal.UNKNOWN_ADDRESS)
    calendar_invitation = calendar_invitations.from_item(mailed)
    if calendar_invitation is not None:
        message = replace(message, sequence=message.sequence - calendar_invitation.sequence_offset)
    membership, principal = Membership.model_validate(member), Principal(sender, None)
    context = Context(
        now=now,
        known_principal=principal,
        known_board=StoredBoard.model_validate(board),
        membership=membership,
        tier=tier(membership, principal),
    )
    answer = StoredRsvp.model_validate(rsvp) if rsvp else None
    return _Received(message, context, sender, about, calendar_invitation, answer)


def _answer(incoming: _Received) -> list[Write]:
    message, context, old = incoming.message, incoming.context, incoming.rsvp
    check_billing(context.board)
    replier, mailed = of_user(incoming.user), incoming.calendar_invitation
    member = context.own_membership
    revision = answered_revision(message.sequence, replier, context.board, incoming.meeting, mailed)
    if old is not None and _is_older(revision, message.stamped_at, old, member):
        raise MailRefused(Refusal.OUTDATED)
    status, comment = message.answer(incoming.user.email)
    given = rsvp_rules.answered(incoming.meeting, member, old, status, comment, context.now)
    stamps = {
        "sequence": revision,
        "stamped_at": min(message.stamped_at, context.now),
    }
    new = given.model_copy(update=stamps)
    return [] if _is_known(new, old) else answer_writes(context, incoming.meeting, old, new)


def _is_known(new: StoredRsvp, old: StoredRsvp | None) -> bool:
    """Returns whether an answer is stored already: the mail service may deliver a mail more than once."""
    return old is not None and old == new.model_copy(update={"updated_at": old.updated_at, "version": old.version})


def _is_older(revision: int, stamped_at: Instant, rsvp: StoredRsvp, member: Membership) -> bool:
    """Returns whether a reply is older than the answer that is stored, or than the membership that comes after it."""
    if rsvp.join_id != member.join_id:
        return stamped_at < whole_seconds(member.created_at)
    return revision < rsvp.sequence or stamped_at < whole_seconds(rsvp.stamped_at)


def _move(incoming: _Received) -> list[Write]:
    """Returns the writes of a move. The meeting keeps its time zone, whichever one the calendar uses."""
    _check_revision(incoming)
    _check_may_edit(incoming)
    start, end = moved_times(incoming.meeting, *incoming.message.times())
    new = _changed(incoming, start, end).model_copy(update={"timezone": incoming.meeting.timezone})
    is_news = (start, end) != (incoming.meeting.start_time, incoming.meeting.end_time)
    return _writes(incoming, events.MEETING_MOVED_BY_CALENDAR, new) if is_news else []


def _cancel(incoming: _Received) -> list[Write]:
    _check_revision(incoming)
    _check_may_edit(incoming)
    if incoming.meeting.start_time is None:
        raise MailRefused(Refusal.OUTDATED)
    return _writes(incoming, events.MEETING_CANCELLED_BY_CALENDAR, _changed(incoming, None, None))


def _check_revision(incoming: _Received) -> None:
    """Raises `MailRefused` unless the calendar made a new revision of the one that the meeting has."""
    if incoming.message.sequence <= incoming.meeting.sequence:
        raise MailRefused(Refusal.OUTDATED)
    if incoming.message.sequence > incoming.meeting.sequence + _SEQUENCE_STEP:
        raise MailRefused(Refusal.BAD_CALENDAR)


def _check_may_edit(incoming: _Received) -> None:
    if incoming.context.tier is None or incoming.context.tier < Tier.COLLABORATOR:
        raise MailRefused(Refusal.NOT_ALLOWED)
    check_billing(incoming.context.board)


def _changed(incoming: _Received, start: Instant | None, end: Instant | None) -> StoredMeeting:
    """Returns the meeting with these times, at the calendar's revision, if the sender could change it by the API."""
    times = {"start_time": start, "end_time": end}
    new = meeting_rules.patched(incoming.meeting, times, incoming.user.id, incoming.context.now)
    return new.model_copy(update={"sequence": incoming.message.sequence})


def _writes(incoming: _Received, kind: EventKind[events.ChangedByCalendar], new: StoredMeeting) -> list[Write]:
    context, old = incoming.context, incoming.meeting
    return [
        boards.check_unchanged_member(context.own_membership),
        *meetings.replace(old, new, context.now),
        *record_meeting_event(
            context,
            kind,
            old,
            events.ChangedByCalendar(
                meeting_id=old.id, fields=changed_fields(old, new), title=old.title, **times_moved(old, new)
            ),
        ),
    ]
