"""Carries out mails from calendars: answers a meeting, proposes a time, moves it, or cancels it (ADR calendars).

The sender counts as signed in for this one meeting: the mail is verified, comes from the address that the calendar
invitation went to, and was sent to the secret address in it. The rules of the API apply to the rest. People without an
account may answer and no more (ADR people).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from governance.calendars import reader
from governance.calendars.reader import CalendarMessage
from governance.calendars.writer import uid
from governance.domain.access.access import Principal, check_billing, tier
from governance.domain.access.visibility import can_see_meeting
from governance.domain.calendars.calendar_invitation import newest, next_calendar_invitation
from governance.domain.calendars.calendar_reply import moved_times, proposal, whole_seconds
from governance.domain.events import meetings as events
from governance.domain.events.kind import EventKind
from governance.domain.history.audit import changed_fields, field_changes
from governance.domain.meetings import meeting as meeting_rules
from governance.domain.meetings import rsvp as rsvp_rules
from governance.domain.meetings.people import is_invited
from governance.domain.notifications.addressee import Addressee, of_person, of_user
from governance.errors import ApiError, Code
from governance.ids import PersonId, UserId
from governance.instants import Instant, now
from governance.mail import received
from governance.mail.received import MailRefused, ReceivedMail, Refusal
from governance.models.account.user import StoredUser
from governance.models.boards.board import Membership, StoredBoard
from governance.models.calendars.calendar import StoredCalendarInvitation
from governance.models.meetings.meeting import StoredMeeting
from governance.models.meetings.rsvp import StoredAnswer, StoredRsvp, StoredUnregisteredRsvp
from governance.models.members.unregistered_user import StoredUnregisteredUser
from governance.scopes import Tier
from governance.store.account.users import user_ids_by_email
from governance.store.boards import boards
from governance.store.calendars import calendar_invitations
from governance.store.calendars.calendar_invitations import Invited
from governance.store.meetings import meetings, people
from governance.store.schema.entities import (
    BOARD,
    CALENDAR_INVITATION,
    MEETING,
    MEETING_PEOPLE,
    MEMBER,
    RSVP,
    UNREGISTERED_RSVP,
    UNREGISTERED_USER,
    USER,
)
from governance.store.table import read
from governance.store.transactions import transact
from governance.store.writes import Write, retry_stale_reads
from governance.usecases.comments import mailed_comments
from governance.usecases.context import Context
from governance.usecases.event_writes import record_meeting_event
from governance.usecases.meetings.meetings import times_moved
from governance.usecases.meetings.rsvps import answer_writes, answer_writes_of_person

_TOKEN = re.compile(r"\bmeetings(?:\+|%2b)([a-z2-7]{32})@", re.ASCII)
"""The token of an address for replies, in lower case; some programs write its plus as in a URL."""
_SEQUENCE_STEP = 100
"""Largest step by which a calendar may raise `SEQUENCE`: no mail can exhaust the numbers, or stay ahead for long."""


@dataclass(frozen=True)
class _Received:
    """A received message, its sequence converted to the meeting's revisions, with what decides about it.

    `given` is the answer of the sender so far: a member, or a person without an account.
    """

    message: CalendarMessage
    context: Context
    replier: Addressee
    meeting: StoredMeeting
    calendar_invitation: StoredCalendarInvitation | None
    given: StoredRsvp | StoredUnregisteredRsvp | None


def take(raw: bytes, received_at: Instant) -> None:
    """Carries out a mail. Raises `MailRefused` if it changes nothing, and 503 if it is to be tried again."""
    mail = received.parse(raw)
    retry_stale_reads(lambda: _take(mail, received_at, now()))


def _take(mail: ReceivedMail, received_at: Instant, now: Instant) -> None:
    invited = _invited(mail)
    try:
        if invited.user_id is not None:
            incoming = _of_user(mail, invited, invited.user_id, received_at, now)
        else:
            incoming = _of_person(mail, invited, invited.person_id or PersonId(""), received_at, now)
        writes = {"REPLY": _answer, "COUNTER": _propose, "REQUEST": _move, "CANCEL": _cancel}[incoming.message.method](
            incoming
        )
        if writes:
            transact(incoming.context.while_board_exists(writes))
    except ApiError as error:
        if error.code is Code.SERVICE_UNAVAILABLE:
            raise
        raise MailRefused(Refusal.NOT_ALLOWED) from None


def _invited(mail: ReceivedMail) -> Invited:
    """Returns the recipient of the invitation that a mail answers; raises `MailRefused` unless there is one."""
    tokens = set(_TOKEN.findall(mail.recipients))
    invited = calendar_invitations.find_by_token(tokens.pop()) if len(tokens) == 1 else None
    if invited is None:
        raise MailRefused(Refusal.UNKNOWN_ADDRESS)
    return invited


def _of_user(
    mail: ReceivedMail,
    invited: Invited,
    user_id: UserId,
    received_at: Instant,
    now: Instant,
    as_person: StoredCalendarInvitation | None = None,
) -> _Received:
    """Reads the items that decide about the mail of a user, and then its calendar.

    `as_person` is the invitation that it answers, if that went to them before they had an account. Raises `MailRefused`
    unless its address was given to its sender, for the meeting that the calendar names.
    """
    ids = {"boardId": invited.board_id, "meetingId": invited.meeting_id, "userId": user_id}
    keys = [kind.key_for(**ids) for kind in (BOARD, MEETING, MEMBER, USER, RSVP, CALENDAR_INVITATION)]
    board, meeting, member, user, rsvp, mailed = map(read(keys).get, keys)
    if board is None or meeting is None or member is None or user is None or user["email"] != mail.sender:
        raise MailRefused(Refusal.UNKNOWN_ADDRESS)
    about, sender = StoredMeeting.model_validate(meeting), StoredUser.model_validate(user)
    if sender.status != "active" or not can_see_meeting(sender.id, about):
        raise MailRefused(Refusal.NOT_ALLOWED)
    own = calendar_invitations.from_item(mailed)
    message = _read_calendar(mail, about, as_person or own, received_at)
    membership, principal = Membership.model_validate(member), Principal(sender, None)
    context = Context(
        now=now,
        known_principal=principal,
        known_board=StoredBoard.model_validate(board),
        membership=membership,
        tier=tier(membership, principal),
    )
    given = StoredRsvp.model_validate(rsvp) if rsvp else None
    return _Received(message, context, of_user(sender), about, newest(own, as_person), given)


def _of_person(
    mail: ReceivedMail, invited: Invited, person_id: PersonId, received_at: Instant, now: Instant
) -> _Received:
    """Reads the same for the mail of a person without an account, who may answer and no more.

    A person who gets no more mails may still answer the last one. One who is a member by now answers as the member.
    """
    ids = {"boardId": invited.board_id, "meetingId": invited.meeting_id, "unregisteredUserId": person_id}
    kinds = (BOARD, MEETING, UNREGISTERED_USER, UNREGISTERED_RSVP, MEETING_PEOPLE)
    keys = [kind.key_for(**ids) for kind in kinds]
    keys.append(calendar_invitations.key(person_id, invited.meeting_id))
    board, meeting, person_item, rsvp, chosen, mailed = map(read(keys).get, keys)
    person = StoredUnregisteredUser.model_validate(person_item) if person_item else None
    if board is None or meeting is None or person is None or person.email != mail.sender:
        raise MailRefused(Refusal.UNKNOWN_ADDRESS)
    invitation = calendar_invitations.from_item(mailed)
    if members := boards.current_members(invited.board_id, user_ids_by_email(mail.sender)):
        first = min(members.values(), key=lambda member: (member.created_at, member.user_id))
        return _only_answer(_of_user(mail, invited, first.user_id, received_at, now, invitation))
    if person.status != "active":
        raise MailRefused(Refusal.UNKNOWN_ADDRESS)
    about, shown = StoredMeeting.model_validate(meeting), StoredBoard.model_validate(board)
    replier = of_person(person.model_copy(update={"receives_mail": True, "bounce": None}))
    as_chosen = people.from_item(chosen)
    if replier is None or about.status == "draft" or not is_invited(as_chosen, person.id):
        raise MailRefused(Refusal.NOT_ALLOWED)
    message = _read_calendar(mail, about, invitation, received_at)
    given = StoredUnregisteredRsvp.model_validate(rsvp) if rsvp else None
    return _only_answer(_Received(message, Context(now=now, known_board=shown), replier, about, invitation, given))


def _only_answer(incoming: _Received) -> _Received:
    """Returns what was received; raises `MailRefused` unless it answers: a person's invitation gives no other right."""
    if incoming.message.method not in ("REPLY", "COUNTER"):
        raise MailRefused(Refusal.NOT_ALLOWED)
    return incoming


def _read_calendar(
    mail: ReceivedMail, meeting: StoredMeeting, mailed: StoredCalendarInvitation | None, received_at: Instant
) -> CalendarMessage:
    """Returns the message of a mail, its sequence converted; raises `MailRefused` if it is about another meeting."""
    message = reader.read(mail.calendar, received_at)
    if message.uid != uid(meeting.id):
        raise MailRefused(Refusal.UNKNOWN_ADDRESS)
    return replace(message, sequence=message.sequence - (mailed.sequence_offset if mailed else 0))


def _answer(incoming: _Received) -> list[Write]:
    message, context, meeting, old = incoming.message, incoming.context, incoming.meeting, incoming.given
    check_billing(context.board)
    revision = _answered_revision(incoming)
    if old is not None and _is_older(revision, message.stamped_at, old, context.membership):
        raise MailRefused(Refusal.OUTDATED)
    status, comment = message.answer(incoming.replier.email)
    stamps = {"sequence": revision, "stamped_at": min(message.stamped_at, context.now)}
    if (person := incoming.replier.person) is not None:
        theirs = old if isinstance(old, StoredUnregisteredRsvp) else None
        answer = rsvp_rules.answered_by_person(meeting, person, theirs, status, comment, context.now)
        new = answer.model_copy(update=stamps)
        return [] if _is_known(new, theirs) else answer_writes_of_person(context, meeting, person, theirs, new)
    own = old if isinstance(old, StoredRsvp) else None
    given = rsvp_rules.answered(meeting, context.own_membership, own, status, comment, context.now)
    changed = given.model_copy(update=stamps)
    return [] if _is_known(changed, own) else answer_writes(context, meeting, own, changed)


def _propose(incoming: _Received) -> list[Write]:
    """Returns the writes of an answer that proposes another time, which a member's comment says; the time stays."""
    start, end = incoming.message.times()
    answer = _answer(incoming)
    if not answer or incoming.replier.person is not None:
        return answer
    _, note = incoming.message.answer(incoming.replier.email)
    proposed = proposal(incoming.meeting, start, end, note, incoming.replier.language)
    return [*answer, mailed_comments.put(incoming.context, incoming.meeting, proposed)]


def _answered_revision(incoming: _Received) -> int:
    """Returns the revision of the meeting that a reply is about: at most the present one.

    A reply to the newest mail is about the present one, even if its number has risen by a change that is not mailed.
    Raises `MailRefused` for a reply to an outdated calendar invitation.
    """
    sequence, meeting, mailed = incoming.message.sequence, incoming.meeting, incoming.calendar_invitation
    if mailed is None:
        return min(sequence, meeting.sequence)
    if sequence < mailed.event.sequence - mailed.sequence_offset:
        raise MailRefused(Refusal.OUTDATED)
    is_newest = next_calendar_invitation(incoming.replier, incoming.context.board, meeting, mailed) is None
    return meeting.sequence if is_newest else min(sequence, meeting.sequence)


def _is_known(new: StoredAnswer, old: StoredAnswer | None) -> bool:
    """Returns whether an answer is stored already: the mail service may deliver a mail more than once."""
    return old is not None and old == new.model_copy(update={"updated_at": old.updated_at, "version": old.version})


def _is_older(revision: int, stamped_at: Instant, given: StoredAnswer, member: Membership | None) -> bool:
    """Returns whether a reply is older than the answer that is stored, or than the membership that comes after it."""
    if member is not None and isinstance(given, StoredRsvp) and given.join_id != member.join_id:
        return stamped_at < whole_seconds(member.created_at)
    return revision < given.sequence or stamped_at < whole_seconds(given.stamped_at)


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
    new = meeting_rules.patched(incoming.meeting, times, incoming.context.user_id, incoming.context.now)
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
                meeting_id=old.id,
                fields=changed_fields(old, new),
                changes=field_changes(old, new),
                title=old.title,
                **times_moved(old, new),
            ),
        ),
    ]
