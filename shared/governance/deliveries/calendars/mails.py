"""Mails invitations to meetings, and takes them back.

A message of the queue is about one recipient and one meeting. The handler reads the present state, and decides from it
what to mail.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from email.utils import parseaddr
from typing import Any

from governance.deliveries.calendars.claims import Claimed, OverQuota, claim
from governance.deliveries.meetings.personal_links import personal_path
from governance.domain.calendars import calendar_invitation as calendar_invitation_rules
from governance.errors import ApiError
from governance.instants import now
from governance.limits import QUEUE_DELAY_SECONDS
from governance.mail.rendering import CalendarPart, EmailOrigin, RenderedEmail, render_email
from governance.mail.sender import send
from governance.mail.unsubscribing import unsubscribe_page, unsubscribe_url
from governance.models.calendars.calendar import InvitationMessage
from governance.models.queue import DeliveryKind
from governance.queue.message import Message
from governance.settings import settings
from governance.store.writes import retry_stale_reads
from governance.texts import text


def mail_calendar_invitation(body: Mapping[str, Any]) -> Iterable[Message]:
    """Sends a recipient the calendar invitation that is due for a meeting. Over a quota, the message is postponed."""
    invited = InvitationMessage.model_validate(body)
    try:
        due = retry_stale_reads(lambda: claim(invited, now()))
    except OverQuota:
        return [Message(DeliveryKind.CALENDAR_INVITATION, invited.board_id, body, QUEUE_DELAY_SECONDS)]
    if due is not None:
        _mail(due)
    return []


def _mail(due: Claimed) -> None:
    try:
        email = _rendered(due)
        send(email)
    except ApiError:
        return  # it may have been mailed: never twice
    except Exception:
        due.give_back()
        raise


def _rendered(due: Claimed) -> RenderedEmail:
    from governance.calendars import writer  # only mails of this kind need the library

    to, new = due.invitee.addressee, due.new
    event = calendar_invitation_rules.calendar_event(new, due.claimed_at)
    if to.person is not None:
        event = dataclasses.replace(event, path=personal_path(to.person, new.meeting_id))  # the table has no tokens
    domain = parseaddr(settings().mail_sender)[1].rpartition("@")[2]
    board = calendar_invitation_rules.board_name(new)
    organizer = writer.Organizer(calendar_invitation_rules.reply_address(new.token, domain), board)
    attendee = writer.Attendee(new.email, to.full_name or new.email, due.invitee.answer)
    write = writer.write_cancel if new.cancelled else writer.write_request
    change = calendar_invitation_rules.change(due.old, new)
    rendered = render_email(
        "calendar_invitation",
        to.language,
        new.email,
        text(to.language, f"mail.calendar.subject{change}", title=event.title),
        change=change,
        title=event.title,
        board=board,
        when=writer.times_in_words(event, to.timezone, to.language),
        was=_was(due),
        place=event.place,
        cancelled=new.cancelled,
        reason=due.invitee.reason,
        url=settings().root_url + event.path,
        address=new.email,
        turn_off=unsubscribe_page(to, "invitations"),
        preferences=settings().root_url + "/app/account" if to.user_id else None,
    )
    return dataclasses.replace(
        rendered,
        calendar=CalendarPart(
            "CANCEL" if new.cancelled else "REQUEST", write(event, organizer, attendee), organizer.address
        ),
        unsubscribe_url=unsubscribe_url(to, "invitations"),
        origin=EmailOrigin(new.board_id, user_id=to.user_id) if to.user_id else None,
    )


def _was(due: Claimed) -> str | None:
    """Returns the time in words that the last mail said, if this one says another."""
    from governance.calendars import writer

    old, new, to = due.old, due.new, due.invitee.addressee
    if old is None or old.cancelled or new.cancelled or old.event.start == new.event.start:
        return None
    return writer.times_in_words(
        calendar_invitation_rules.calendar_event(old, due.claimed_at), to.timezone, to.language
    )
