"""The e-mails of notifications: one template for each category, quotas for each recipient, each sent once at most.

An e-mail is claimed together with a use of each quota before it is sent (ADR limits, ADR deliveries). So a repeated
delivery neither sends it again nor counts it again, and concurrent deliveries never send more than the quotas allow.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import date

from governance import instants
from governance.domain.notifications.addressee import Addressee
from governance.domain.notifications.notification_types import PAPER_TYPES, TYPES, link
from governance.domain.notifications.wording import day_in_words, instant_in_zones
from governance.domain.quota import (
    NOTIFICATION_MAILS_DAILY,
    NOTIFICATION_MAILS_HOURLY,
    SAME_NOTIFICATION_MAILS,
    Quota,
    counted_address,
)
from governance.errors import ApiError
from governance.instants import Instant
from governance.mail.rendering import EmailOrigin, RenderedEmail, render_email
from governance.mail.sender import send
from governance.mail.unsubscribing import unsubscribe_page, unsubscribe_url
from governance.models.boards.board import StoredBoard
from governance.models.meetings.meeting import StoredMeeting
from governance.models.notifications.notification import MailTopic, NotificationType, StoredNotification
from governance.settings import settings
from governance.store import quotas
from governance.store.notifications import notifications
from governance.store.quotas import QuotaClaim
from governance.store.schema.keys import Key
from governance.store.table import read
from governance.store.transactions import transact
from governance.store.writes import StaleRead, retry_stale_reads

_OWN_WORDS = {
    "resolution_closed": "decided",
    "minutes_circulated": "minutes",
    "minutes_approved": "minutes",
    **dict.fromkeys(PAPER_TYPES, "paper"),
}
"""What mails of these types say instead of the words of their topic."""
_OWN_REASONS: Mapping[NotificationType, str] = {
    "pack_published": "mail.reason.member",
    "paper_decided": "mail.reason.paper_decided",
    "paper_delivered": "mail.reason.paper_delivered",
    "paper_reminder": "mail.reason.paper_asked",
    "paper_requested": "mail.reason.paper_asked",
    "resolution_closed": "mail.reason.member",
}
"""Why mails of these types go to a member, instead of the reason of their topic."""
_EACH_MAILED = frozenset({"paper_decided"})
"""The types of which each is mailed, soon after another about the same: a paper that is returned is asked for again."""


@dataclass(frozen=True)
class NotificationEmail:
    """The e-mail of a notification. `object_id` is what it is about, so that its repeats can be counted."""

    notification: StoredNotification
    object_id: str
    content: RenderedEmail


@dataclass(frozen=True)
class AskedVote:
    """What is voted on, and until when: the text of a resolution, or proposed times, each with its time zone."""

    closes_at: Instant | None
    text: str | None = None
    times: Sequence[tuple[Instant, str]] = ()


@dataclass(frozen=True)
class EmailClaim:
    """The right to send a notification's e-mail: the mark on the notification, and a use of each quota."""

    notification: StoredNotification
    mark: str
    claims: Sequence[QuotaClaim]

    def take(self) -> None:
        """Takes all of it or nothing. Raises `StaleRead` if the e-mail is no longer due or a use was taken."""
        claims = [claim.take for claim in self.claims]
        transact([notifications.claim_mail(self.notification, self.mark), *claims])

    def release(self) -> None:
        """Gives all of it back, after which the e-mail is due again. Changes nothing if the claim was never taken."""
        claims = [claim.release for claim in self.claims]
        with suppress(StaleRead):
            transact([notifications.release_mail(self.notification, self.mark), *claims])


def render_notification_email(
    user: Addressee,
    message: str,
    notification: StoredNotification,
    board: StoredBoard,
    meeting: StoredMeeting | None,
    due_on: str | None = None,
    vote: AskedVote | None = None,
    personal: str | None = None,
) -> RenderedEmail:
    """Renders a notification as an e-mail with this message.

    It has the due day of its task, the time of its meeting, or what is voted on and until when. It leads to the page of
    its object; if the recipient has no account, to their `personal` page of the meeting, or nowhere without one.
    """
    topic = TYPES[notification.type].topic
    if topic is None:
        raise ValueError(f"no e-mails of {notification.type}")
    language = user.language
    rendered = render_email(
        "notification",
        language,
        user.email,
        message,
        reason=_reason(user, notification.type, topic),
        about=_about(notification, topic, personal),
        message=message,
        board=board.name,
        due=None if due_on is None else day_in_words(date.fromisoformat(due_on), language),
        when=_when(user, meeting),
        quoted=vote.text if vote else None,
        times=[instant_in_zones(time, user.timezone, zone, language) for time, zone in vote.times] if vote else [],
        until=instant_in_zones(vote.closes_at, user.timezone, None, language) if vote and vote.closes_at else None,
        address=user.email,
        url=personal if user.person else f"{settings().root_url}{link(notification.type, notification.refs) or ''}",
        turn_off=unsubscribe_page(user, topic),
        preferences=None if user.person else f"{settings().root_url}/app/account",
    )
    origin = EmailOrigin(board.id, user_id=user.user_id) if user.user_id else None
    return replace(rendered, unsubscribe_url=unsubscribe_url(user, topic), origin=origin)


def _about(notification: StoredNotification, topic: MailTopic, personal: str | None) -> str:
    """Returns what the mail calls its subject and its link, as the texts name it."""
    if personal is not None and notification.type in PAPER_TYPES:
        return "paper_link"
    return _OWN_WORDS.get(notification.type, f"topic.{topic}")


def _reason(user: Addressee, kind: NotificationType, topic: MailTopic) -> str:
    """Returns the text that says why the mail goes to its recipient; people without an account deliver papers only."""
    if user.person and kind in PAPER_TYPES:
        return "mail.reason.paper_asked"
    if user.person and topic != "action_item":
        return "mail.reason.person"
    return _OWN_REASONS.get(kind, f"mail.topic.{topic}.reason")


def _when(user: Addressee, meeting: StoredMeeting | None) -> str | None:
    """Returns the start of a meeting in words: in the user's time zone, then in the meeting's."""
    if meeting is None or meeting.start_time is None:
        return None
    return instant_in_zones(meeting.start_time, user.timezone, meeting.timezone, user.language)


def send_once(email: NotificationEmail) -> None:
    """Sends the e-mail of a notification unless that is done already or its recipient is over a quota.

    Over a quota the e-mail is given up for good. Raises `EmailRefused` if the mail service refuses it; it is then due
    again and counts for no quota. If the response of the mail service is lost, the e-mail counts as sent, so that it is
    never sent twice.
    """
    claim = retry_stale_reads(lambda: _claim(email))
    if claim is None:
        return
    try:
        send(email.content)
    except ApiError:
        return
    except Exception:
        claim.release()
        raise


def _claim(email: NotificationEmail) -> EmailClaim | None:
    """Claims the e-mail and a use of each quota; None if it is no longer due, or given up because of a quota."""
    notification, keys = email.notification, _quota_keys(email)
    row = notifications.key(notification.user_id, notification.id)
    loaded = read([row, *(key for _, key in keys)])
    if row not in loaded or StoredNotification.model_validate(loaded[row]).mail != "due":
        return None
    now = instants.now()
    usages = [quotas.usage_at(quota, key, loaded) for quota, key in keys]
    if any(usage.is_exhausted(now) for usage in usages):
        transact([notifications.throttle_mail(notification)])
        return None
    claim = EmailClaim(notification, secrets.token_hex(8), [usage.claim(now) for usage in usages])
    try:
        claim.take()
    except StaleRead:
        raise
    except Exception:
        claim.release()
        raise
    return claim


def _quota_keys(email: NotificationEmail) -> list[tuple[Quota, Key]]:
    recipient = counted_address(email.content.recipient)
    counted = [(quota, quotas.key(quota, recipient)) for quota in (NOTIFICATION_MAILS_HOURLY, NOTIFICATION_MAILS_DAILY)]
    if email.notification.type in _EACH_MAILED:
        return counted
    about = f"{email.notification.type}#{email.object_id}"
    return [*counted, (SAME_NOTIFICATION_MAILS, quotas.key(SAME_NOTIFICATION_MAILS, recipient, about))]
