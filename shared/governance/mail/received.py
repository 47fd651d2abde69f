"""Reads mails that anybody may have sent: the verified sender, the addresses, and the calendar in them (ADR 0111).

Nothing here recurses or guesses. Headers are plain texts: the structured headers of the standard library raise on
hostile ones. What is not understood is left out, and a mail that must not be acted on raises `MailRefused`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from email import message_from_bytes, policy
from email.message import Message
from email.utils import getaddresses
from enum import StrEnum

from governance.limits import CALENDAR_BYTES, MAIL_BYTES, MAIL_PARTS
from governance.models.text import email as email_address

_NESTING = re.compile(rb"multipart/|message/", re.IGNORECASE)
_COMMENT = re.compile(r"\([^()]*\)")
_QUOTED = re.compile(r'["\\]')
_AUTHORITY = "amazonses.com"
_RESULT = re.compile(r"(spf|dkim)=(\w+)")
_DKIM_DOMAIN = re.compile(r"header\.(?:i=[^@\s]*@|d=)(\S+)")
_RECIPIENTS = ("To", "Cc", "Delivered-To", "X-Original-To")


class Refusal(StrEnum):
    """Why a mail is set aside."""

    TOO_LARGE = "the mail is too large or has too many parts"
    NO_SENDER = "the mail names no single sender"
    UNWANTED = "the mail service calls it spam or a virus"
    UNVERIFIED = "neither SPF nor DKIM passes for the domain of the sender"
    NO_CALENDAR = "the mail has no calendar"
    BAD_CALENDAR = "the calendar cannot be read, or is not about one meeting of ours"
    UNKNOWN_ADDRESS = "the address for replies is unknown or belongs to another member or meeting"
    NOT_ALLOWED = "the sender may not do this to the meeting"
    OUTDATED = "a later answer or revision is known already"
    NOT_UNDERSTOOD = "the calendar asks for nothing that is done here"


class MailRefused(Exception):
    """The mail changes nothing; `reason` says why, and the exception holds nothing of the mail."""

    def __init__(self, reason: Refusal) -> None:
        super().__init__(reason.value)
        self.reason = reason


@dataclass(frozen=True)
class ReceivedMail:
    """What a verified mail says: its sender's address in lower case, all addresses it went to, and its calendar."""

    sender: str
    recipients: tuple[str, ...]
    calendar: str


def parse(raw: bytes) -> ReceivedMail:
    """Returns the content of a mail as the mail service stores it. Raises `MailRefused` for a mail not to act on."""
    if len(raw) > MAIL_BYTES or len(_NESTING.findall(raw)) > MAIL_PARTS:
        raise MailRefused(Refusal.TOO_LARGE)
    mail = message_from_bytes(raw, policy=policy.compat32)
    sender = _sender(mail)
    if any("FAIL" in verdict.upper() for name in ("Spam", "Virus") for verdict in _all(mail, f"X-SES-{name}-Verdict")):
        raise MailRefused(Refusal.UNWANTED)
    if not _is_verified(next(iter(_all(mail, "Authentication-Results")), ""), sender.rpartition("@")[2]):
        raise MailRefused(Refusal.UNVERIFIED)
    return ReceivedMail(sender, tuple(_addresses(mail, *_RECIPIENTS)), _calendar(mail))


def _all(mail: Message, name: str) -> list[str]:
    """Returns the values of a header, each on one line; of a name with wrong bytes, what can be shown of it."""
    return [" ".join(str(value).split()) for value in mail.get_all(name, [])]


def _addresses(mail: Message, *names: str) -> list[str]:
    """Returns the addresses in these headers, in lower case."""
    return [found.lower() for _, found in getaddresses([value for name in names for value in _all(mail, name)])]


def _sender(mail: Message) -> str:
    """Returns the one address that the mail says it is from. Raises `MailRefused` unless there is one, well-formed."""
    found = _addresses(mail, "From")
    try:
        (address,) = found
        (_,) = _all(mail, "From")
        return email_address(address)
    except ValueError:
        raise MailRefused(Refusal.NO_SENDER) from None


def _is_verified(results: str, domain: str) -> bool:
    """Returns whether SPF or DKIM passed for a domain, by the header that our mail service wrote (RFC 8601).

    The header repeats words of the sender: the address in the envelope and the name of the sending host. They could be
    made to look like results. So quotes are refused, there is one SPF result at most, results of DKIM only follow the
    words of the sender, and one that did not pass voids the others.
    """
    if _QUOTED.search(results):
        return False
    authority, *statements = [part.strip() for part in _COMMENT.sub(" ", results).lower().split(";")]
    if authority.split(" ")[0] != _AUTHORITY:
        return False
    judged = [(match[1], match[2], statement) for statement in statements if (match := _RESULT.match(statement))]
    spf = [outcome for method, outcome, _ in judged if method == "spf"]
    dkim = [(outcome, statement) for method, outcome, statement in judged if method == "dkim"]
    return _spf_passes(spf, statements, domain) or _dkim_passes(dkim, statements, domain)


def _spf_passes(outcomes: list[str], statements: list[str], domain: str) -> bool:
    named = [match[1] for each in statements if (match := re.search(r"(?:envelope-from|smtp\.mailfrom)=(\S+)", each))]
    return outcomes == ["pass"] and len(named) == 1 and named[0].rpartition("@")[2] == domain


def _dkim_passes(results: list[tuple[str, str]], statements: list[str], domain: str) -> bool:
    if not results or any(outcome != "pass" for outcome, _ in results):
        return False
    words = [at for at, each in enumerate(statements) if re.search(r"(?:envelope-from|smtp\.mailfrom|helo)=", each)]
    first = statements.index(results[0][1])
    named = {match[1] for _, statement in results if (match := _DKIM_DOMAIN.search(statement))}
    return all(at < first for at in words) and domain in named


def _calendar(mail: Message) -> str:
    """Returns the first calendar in the mail. Raises `MailRefused` if there is none or it is too large."""
    waiting, seen = [mail], 0
    while waiting:
        part, seen = waiting.pop(0), seen + 1
        if seen > MAIL_PARTS:
            raise MailRefused(Refusal.TOO_LARGE)
        inner = part.get_payload()
        if part.is_multipart() and isinstance(inner, list):
            waiting += [each for each in inner if isinstance(each, Message)]
        elif part.get_content_type() in {"text/calendar", "application/ics"}:
            return _decoded(part)
    raise MailRefused(Refusal.NO_CALENDAR)


def _decoded(part: Message) -> str:
    try:
        content = part.get_payload(decode=True)
        if not isinstance(content, bytes) or len(content) > CALENDAR_BYTES:
            raise MailRefused(Refusal.BAD_CALENDAR)
        return content.decode()
    except (UnicodeError, ValueError):
        raise MailRefused(Refusal.BAD_CALENDAR) from None
