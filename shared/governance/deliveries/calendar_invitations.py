"""Mails invitations to meetings, and takes them back (ADR calendars).

A message of the queue is about one user and one meeting. The handler reads the present state, and decides from it what
to mail. The invitation is stored, with a use of each quota, before it is mailed, so that no repeat mails it twice.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from email.utils import parseaddr
from typing import Any

from governance.deliveries.people import is_shadowed, mailed_people
from governance.deliveries.personal_links import link_writes, personal_path
from governance.delivery_queue import Message
from governance.domain.calendars import calendar_invitation as rules
from governance.domain.calendars.calendar import CalendarEvent
from governance.domain.events.kind import Leftovers
from governance.domain.events.meetings import MeetingDeleted
from governance.domain.events.registry import KINDS
from governance.domain.meetings import unregistered_rsvp as rsvp_rules
from governance.domain.meetings.rsvp import status_of
from governance.domain.notifications.addressee import Addressee, of_person, of_user
from governance.domain.notifications.wording import instant_in_words
from governance.domain.quota import NOTIFICATION_MAILS_DAILY, NOTIFICATION_MAILS_HOURLY, counted_address
from governance.errors import ApiError
from governance.ids import UserId
from governance.instants import Instant, now
from governance.limits import QUEUE_DELAY_SECONDS
from governance.mail.rendering import CalendarPart, EmailOrigin, RenderedEmail, render_email
from governance.mail.sender import send
from governance.mail.unsubscribing import unsubscribe_page, unsubscribe_url
from governance.models.account.user import StoredUser
from governance.models.boards.board import Membership, StoredBoard
from governance.models.boards.unregistered_user import StoredUnregisteredUser
from governance.models.calendar import StoredCalendarInvitation
from governance.models.event import Event, StoredEvent
from governance.models.meetings.due import DeliveryKind
from governance.models.meetings.meeting import StoredMeeting
from governance.models.meetings.rsvp import RsvpStatus, StoredRsvp
from governance.models.meetings.unregistered_rsvp import StoredUnregisteredRsvp
from governance.settings import settings
from governance.store import quotas
from governance.store.boards import boards, unregistered_users
from governance.store.calendars import calendar_invitations, calendars
from governance.store.meetings import slots, unregistered_rsvps
from governance.store.quotas import QuotaClaim
from governance.store.schema.entities import (
    BOARD,
    CALENDAR_SETTINGS,
    MEETING,
    MEMBER,
    RSVP,
    UNREGISTERED_RSVP,
    UNREGISTERED_USER,
    USER,
)
from governance.store.schema.keys import Item, Key
from governance.store.table import read, read_one
from governance.store.transactions import transact
from governance.store.writes import StaleRead, Write, retry_stale_reads
from governance.texts import text

_QUOTAS = (NOTIFICATION_MAILS_HOURLY, NOTIFICATION_MAILS_DAILY)


@dataclass(frozen=True)
class _Due:
    """An invitation that was claimed and is to be mailed. `claimed_at` orders the mails of one `SEQUENCE`."""

    old: StoredCalendarInvitation | None
    new: StoredCalendarInvitation
    claims: Sequence[QuotaClaim]
    claimed_at: Instant
    user: Addressee
    answer: RsvpStatus
    reason: str | None = None


class _OverQuota(Exception):
    """The recipient has reached a quota of e-mails; the invitation waits."""


def plan_calendar_invitations(event: StoredEvent) -> Iterator[Message]:
    """Yields a message for each member and each person without an account who gets invitations, after a change."""
    members = (member.user_id for member in boards.roster(event.board_id))
    for user_id in calendars.invited(members):
        yield _message(event.board_id, event.refs["meetingId"], userId=user_id, **_deleted(event))
    for person in mailed_people(event.board_id):
        yield _message(event.board_id, event.refs["meetingId"], unregisteredUserId=person.id, **_deleted(event))


def _message(board_id: str, meeting_id: str, **more: str | int) -> Message:
    body = {"boardId": board_id, "meetingId": meeting_id, **more}
    return Message(DeliveryKind.CALENDAR_INVITATION, board_id, body)


def _deleted(event: StoredEvent) -> dict[str, int]:
    """Returns the last `SEQUENCE` of a deleted meeting, which only the message about the deletion has."""
    return {"deletedSequence": MeetingDeleted.of(event).sequence} if event.type is Event.MEETING_DELETED else {}


def plan_withdrawals(event: StoredEvent) -> Iterator[Message]:
    """Yields a message for each user who wants invitations and has lost the board by the event.

    Plan them before the cleanup of a deleted board, which deletes the list of its members.
    """
    lost: list[UserId] = []
    match KINDS[event.type].leaves:
        case Leftovers.MEMBER:
            lost = [UserId(event.refs["userId"])]
        case Leftovers.BOARD:
            lost = [member.user_id for member in boards.roster(event.board_id)]
    for user_id in calendars.invited(lost):
        yield Message(DeliveryKind.CALENDAR_WITHDRAWAL, event.board_id, {"boardId": event.board_id, "userId": user_id})


def withdraw_calendar_invitations(body: Mapping[str, Any]) -> Iterator[Message]:
    """Yields a message for each of a user's invitations to a board that is to be cancelled."""
    for invitation in calendar_invitations.list_of_user(UserId(body["userId"])):
        if invitation.board_id == body["boardId"] and rules.is_withdrawn(invitation, now()):
            yield _message(invitation.board_id, invitation.meeting_id, userId=invitation.user_id)


def mail_calendar_invitation(body: Mapping[str, Any]) -> Iterable[Message]:
    """Sends a user the calendar invitation that is due for a meeting. Over a quota, the message is postponed."""
    try:
        due = retry_stale_reads(lambda: _claim(body, now()))
    except _OverQuota:
        return [Message(DeliveryKind.CALENDAR_INVITATION, body["boardId"], body, QUEUE_DELAY_SECONDS)]
    if due is not None:
        _mail(due)
    return []


def _claim(body: Mapping[str, Any], now: Instant) -> _Due | None:
    """Stores the invitation that is due, with its use of the quotas; returns None if none is due.

    The last invitation is read before what it is compared with: what is compared is then no older than the last mail.
    """
    recipient_id = UserId(body.get("unregisteredUserId") or body["userId"])
    old = calendar_invitations.from_item(read_one(calendar_invitations.key(recipient_id, body["meetingId"])))
    return _claim_of_user(body, old, now) if "userId" in body else _claim_of_person(body, old, now)


def _claim_of_user(body: Mapping[str, Any], old: StoredCalendarInvitation | None, now: Instant) -> _Due | None:
    ids = {"boardId": body["boardId"], "meetingId": body["meetingId"], "userId": body["userId"]}
    items = read(kind.key_for(**ids) for kind in _KINDS)
    board, meeting, member, user, wanted, rsvp = (items.get(kind.key_for(**ids)) for kind in _KINDS)
    if user is None or user["status"] != "active" or not calendars.settings_of(wanted).invitations:
        return None
    if board is not None and StoredBoard.model_validate(board).is_example:
        return None
    invitee = of_user(StoredUser.model_validate(user))
    current = StoredMeeting.model_validate(meeting) if meeting else None
    if board is None or member is None:
        new = _withdrawal(invitee, current, old, now)
    elif current is None:
        new = _end(invitee, body.get("deletedSequence"), old)
    else:
        new = rules.next_calendar_invitation(invitee, StoredBoard.model_validate(board), current, old)
    if new is None:
        return None
    due = _claimed(old, new, [], invitee, _answer(current, member, rsvp), now)
    return due if member is None else replace(due, reason=_reason(current))


def _claim_of_person(body: Mapping[str, Any], old: StoredCalendarInvitation | None, now: Instant) -> _Due | None:
    """Stores the invitation of a person without an account, and from the first one on their answer to the meeting."""
    ids = {name: body[name] for name in ("boardId", "meetingId", "unregisteredUserId")}
    keys = [kind.key_for(**ids) for kind in _KINDS_OF_PERSON]
    items = read(keys)
    board, meeting, person_item, rsvp = map(items.get, keys)
    person = StoredUnregisteredUser.model_validate(person_item) if person_item else None
    invitee = of_person(person) if person else None
    if board is None or person is None or invitee is None or is_shadowed(invitee):
        return None
    shown, current = StoredBoard.model_validate(board), StoredMeeting.model_validate(meeting) if meeting else None
    if shown.is_example:
        return None
    if current is None:
        new = _end(invitee, body.get("deletedSequence"), old)
    else:
        new = rules.next_calendar_invitation(invitee, shown, current, old)
    if new is None:
        return None
    answer = StoredUnregisteredRsvp.model_validate(rsvp) if rsvp else None
    writes: list[Write] = [unregistered_users.check_as_read(person)]
    if current is not None:
        writes += link_writes(person, current.id, now)
        writes += [] if answer else [unregistered_rsvps.put(None, rsvp_rules.invited(person, current.id, now))]
    due = _claimed(old, new, writes, invitee, answer.status if answer else "noAnswer", now)
    return replace(due, reason=_reason(current))


def _reason(meeting: StoredMeeting | None) -> str | None:
    """Returns why a meeting was cancelled."""
    return meeting.cancellation.reason if meeting and meeting.cancellation else None


def _claimed(
    old: StoredCalendarInvitation | None,
    new: StoredCalendarInvitation,
    writes: Sequence[Write],
    invitee: Addressee,
    answer: RsvpStatus,
    now: Instant,
) -> _Due:
    claims = _quota_claims(invitee.email, now)
    is_person = invitee.person is not None
    stored = calendar_invitations.put(old, new, now, is_person=is_person)
    transact([*stored, *writes, *(claim.take for claim in claims)])
    return _Due(old, new, claims, now, invitee, answer)


def _withdrawal(
    user: Addressee, meeting: StoredMeeting | None, old: StoredCalendarInvitation | None, now: Instant
) -> StoredCalendarInvitation | None:
    """Returns the cancellation after a user lost the board; None if the meeting has begun or is not in the calendar."""
    if old is None or not rules.is_withdrawn(old, now):
        return None
    return rules.withdrawal(user, meeting, old)


def _end(
    user: Addressee, sequence: int | None, old: StoredCalendarInvitation | None
) -> StoredCalendarInvitation | None:
    """Returns the cancellation of a deleted meeting; None for a message that does not know its last `SEQUENCE`.

    A separate message has the last `SEQUENCE`.
    """
    return None if sequence is None else rules.cancellation(user, sequence + 1, old)


_KINDS = (BOARD, MEETING, MEMBER, USER, CALENDAR_SETTINGS, RSVP)
_KINDS_OF_PERSON = (BOARD, MEETING, UNREGISTERED_USER, UNREGISTERED_RSVP)


def _answer(meeting: StoredMeeting | None, member: Item | None, rsvp: Item | None) -> RsvpStatus:
    if meeting is None or member is None:
        return "noAnswer"
    answer = None if rsvp is None else StoredRsvp.model_validate(rsvp)
    return status_of(meeting, Membership.model_validate(member), answer, slots.votes_on_booked(meeting))


def _quota_claims(email: str, now: Instant) -> list[QuotaClaim]:
    """Returns a use of each quota of an address. Raises `_OverQuota` if one has none left."""
    keys: dict[Key, Any] = {quotas.key(quota, counted_address(email)): quota for quota in _QUOTAS}
    loaded = read(keys)
    usages = [quotas.usage_at(quota, key, loaded) for key, quota in keys.items()]
    if any(usage.is_exhausted(now) for usage in usages):
        raise _OverQuota
    return [usage.claim(now) for usage in usages]


def _mail(due: _Due) -> None:
    """Mails a claimed invitation; gives the claim back if it was certainly not mailed."""
    try:
        send(_rendered(due))
    except ApiError:
        return  # it may have been mailed: never twice
    except Exception:
        with suppress(StaleRead):
            releases = [claim.release for claim in due.claims]
            undone = calendar_invitations.take_back(due.old, due.new, now(), is_person=due.user.person is not None)
            transact([*undone, *releases])
        raise


def _rendered(due: _Due) -> RenderedEmail:
    from governance.calendars import writer  # only mails of this kind need the library

    event = rules.calendar_event(due.new, due.claimed_at)
    if due.user.person is not None:
        event = replace(event, path=personal_path(due.user.person, due.new.meeting_id))  # the table has no tokens
    domain = parseaddr(settings().mail_sender)[1].rpartition("@")[2]
    board = rules.board_name(due.new)
    organizer = writer.Organizer(rules.reply_address(due.new.token, domain), board)
    attendee = writer.Attendee(due.new.email, due.user.full_name or due.new.email, due.answer)
    write = writer.write_cancel if due.new.cancelled else writer.write_request
    content = write(event, organizer, attendee)
    language = due.user.language
    change = _change(due)
    rendered = render_email(
        "calendar_invitation",
        language,
        due.new.email,
        text(language, f"mail.calendar.subject{change}", title=event.title),
        change=change,
        title=event.title,
        board=board,
        when=_when(event, due.user),
        was=_was(due),
        place=event.place,
        cancelled=due.new.cancelled,
        reason=due.reason,
        url=settings().root_url + event.path,
        address=due.new.email,
        turn_off=unsubscribe_page(due.user, "invitations"),
        preferences=None if due.user.person else settings().root_url + "/app/account",
    )
    calendar = CalendarPart("CANCEL" if due.new.cancelled else "REQUEST", content, organizer.address)
    unsubscribe_at = unsubscribe_url(due.user, "invitations")
    origin = None if due.user.person else EmailOrigin(due.new.board_id, user_id=due.user.id)
    return replace(rendered, calendar=calendar, unsubscribe_url=unsubscribe_at, origin=origin)


def _change(due: _Due) -> str:
    """Returns which texts the mail has: those of a first invitation, of another time or place, or of a cancellation."""
    if due.new.cancelled:
        return "_cancelled"
    return "_changed" if due.old and not due.old.cancelled else ""


def _was(due: _Due) -> str | None:
    """Returns the time in words that the last mail said, if this one says another."""
    if due.old is None or due.old.cancelled or due.new.cancelled or due.old.event.start == due.new.event.start:
        return None
    return _when(rules.calendar_event(due.old, due.claimed_at), due.user)


def _when(event: CalendarEvent, user: Addressee) -> str:
    """Returns the time of an event in words in the user's zone, then its start in the event's own if that differs."""
    from governance.calendars import writer

    own, language = user.timezone or event.timezone, user.language
    in_zones = [writer.event_time_in_words(replace(event, timezone=own), language)]
    if event.timezone and event.timezone != own:
        in_zones.append(instant_in_words(event.start, event.timezone, language))
    return "; ".join(in_zones)
