"""Reads what the mail service reports of e-mails that it sent: which bounced for good, and who complained (ADR mail).

A report of Amazon SES is the JSON of one e-mail's event, with the tags that the e-mail was sent with. It may come more
than once, and may have members that this release does not know.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from email.utils import parseaddr
from typing import Any

from governance import instants
from governance.ids import BoardId, UserId, is_id
from governance.models.members.mail_feedback import FeedbackKind, MailFeedback
from governance.models.text import email

_WORD = re.compile(r"[A-Za-z][A-Za-z-]{0,39}", re.ASCII)
_UNKNOWN = "unknown"
_PERMANENT = "Permanent"
_NO_COMPLAINT = "not-spam"
"""The type of a report by which a recipient says that an e-mail was taken for spam by mistake."""


def parse(text: str) -> list[MailFeedback]:
    """Returns what a report says of each recipient: nothing for a bounce that may pass, or for another event.

    A text that is not a report says nothing either: the mail service sends one when it begins to report.
    Raises `ValueError` for a bounce or a complaint that cannot be read.
    """
    try:
        content = json.loads(text)
    except ValueError:
        return []
    match content:
        case {"Type": "Notification", "Message": str(inner)}:  # as the topic wraps it, unless it delivers raw
            return parse(inner)
        case {"eventType": "Bounce"} | {"notificationType": "Bounce"}:
            return [*_read(content, "bounce")]
        case {"eventType": "Complaint"} | {"notificationType": "Complaint"}:
            return [*_read(content, "complaint")]
    return []


def _read(content: Mapping[str, Any], kind: FeedbackKind) -> Iterator[MailFeedback]:
    """Yields the feedback of each recipient, once each."""
    try:
        report, mail = content[kind], content["mail"]
        bounced = kind == "bounce"
        if (bounced and report["bounceType"] != _PERMANENT) or report.get("complaintFeedbackType") == _NO_COMPLAINT:
            return
        reason = report.get("bounceSubType" if bounced else "complaintFeedbackType")
        tags, at = mail.get("tags") or {}, instants.parse(report["timestamp"])
        board_id, invite_id, user_id = (_tag(tags, name) for name in ("boardId", "inviteId", "userId"))
        for address in _addresses(report, mail):
            yield MailFeedback(
                id=hashlib.sha256(f"{mail['messageId']}\n{kind}\n{address}".encode()).hexdigest(),
                kind=kind,
                email=address,
                at=at,
                reason=reason if isinstance(reason, str) and _WORD.fullmatch(reason) else _UNKNOWN,
                board_id=BoardId(board_id) if board_id else None,
                invite_id=invite_id,
                user_id=UserId(user_id) if user_id else None,
            )
    except (KeyError, TypeError, AttributeError):
        raise ValueError("the report lacks a member, or has one of another type") from None


def _addresses(report: Mapping[str, Any], mail: Mapping[str, Any]) -> list[str]:
    """Returns the addresses that the report is about, as ours are kept, once each.

    An e-mail to one address is about that: where it forwards, the report may name another. Texts that are not addresses
    here are left out.
    """
    sent_to = mail.get("destination") or []
    recipients = report["bouncedRecipients"] if "bouncedRecipients" in report else report["complainedRecipients"]
    named = sent_to if len(sent_to) == 1 else [recipient["emailAddress"] for recipient in recipients]
    addresses: dict[str, None] = {}
    for address in named:
        with suppress(ValueError):
            addresses[email(parseaddr(address)[1] or address)] = None
    return [*addresses]


def _tag(tags: Mapping[str, Any], name: str) -> str | None:
    """Returns the id in a tag, whose values are a list; None for one that holds no id."""
    match tags.get(name):
        case [str(value)] if is_id(value):
            return value
    return None
