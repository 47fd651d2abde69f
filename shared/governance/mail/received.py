"""Reads mails that anybody may have sent: the verified sender, the addresses, and the calendar in them (ADR calendars).

The standard library reads the headers of each part, once they are known to be short: it takes quadratic time for some
long ones, and raises all kinds of errors. The parts are found here, without recursion. Parts that are not understood
are left out, and a mail that must not be acted on raises `MailRefused`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from email.message import Message
from email.parser import BytesHeaderParser
from enum import StrEnum
from itertools import chain

from governance.limits import CALENDAR_BYTES, MAIL_BYTES, MAIL_HEADER_BYTES, MAIL_HEADERS_BYTES, MAIL_PARTS
from governance.mail.authentication import is_verified
from governance.mail.from_header import single_address

_END_OF_HEADERS = re.compile(rb"(?:\A|\n)\r?\n")
_HEADER = re.compile(rb"\r?\n(?![ \t])")
_RESULTS = ("Authentication-Results", "Received-SPF")
_RECIPIENTS = ("To", "Cc", "Delivered-To", "X-Original-To")
_CALENDARS = {"text/calendar", "application/ics"}
_OF_FILES = {"application", "text"}
_BEGIN = re.compile(r"\s*BEGIN:VCALENDAR\s", re.IGNORECASE)
_CODECS = {
    **{name: name for name in (f"iso-8859-{number}" for number in (*range(2, 12), *range(13, 17)))},
    **{name: name for name in (f"windows-{number}" for number in range(1250, 1259))},
    **{
        name: name
        for name in ("utf-16", "utf-16le", "utf-16be", "koi8-r", "koi8-u", "euc-jp", "iso-2022-jp", "iso-2022-kr")
    },
    **dict.fromkeys(("iso-8859-1", "latin1"), "windows-1252"),
    **dict.fromkeys(("iso-8859-8-i", "iso-8859-8-e"), "iso-8859-8"),
    **dict.fromkeys(("windows-874", "tis-620"), "cp874"),
    **dict.fromkeys(("euc-kr", "ks_c_5601-1987", "windows-949"), "cp949"),
    **dict.fromkeys(("shift_jis", "windows-31j"), "cp932"),
    **dict.fromkeys(("gb2312", "gbk", "gb18030"), "gb18030"),
    "big5": "big5hkscs",
}
"""What reads the charsets other than UTF-8; any other name counts as UTF-8.

Programs name the old standards and write the letters that Windows added to them.
"""


class Refusal(StrEnum):
    """Why a mail is set aside."""

    TOO_LARGE = "the mail or its headers are too large, or it has too many parts"
    UNREADABLE = "the mail cannot be read"
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


@contextmanager
def refused_as(reason: Refusal) -> Iterator[None]:
    """Raises `MailRefused` for any error of reading a hostile text: no text is a reason to crash."""
    try:
        yield
    except MailRefused:
        raise
    except Exception:  # noqa: BLE001 - the libraries raise errors of all kinds
        raise MailRefused(reason) from None


@dataclass(frozen=True)
class ReceivedMail:
    """The content of a verified mail: its sender's address, the headers that name its recipients, and its calendar.

    Address and headers are in lower case. The headers are not parsed: the standard library does not read everything
    that some programs write before an address.
    """

    sender: str
    recipients: str
    calendar: str


def parse(raw: bytes) -> ReceivedMail:
    """Returns the content of a mail as the mail service stores it. Raises `MailRefused` for a mail not to act on."""
    with refused_as(Refusal.UNREADABLE):
        return _parse(raw)


def _parse(raw: bytes) -> ReceivedMail:
    if len(raw) > MAIL_BYTES:
        raise MailRefused(Refusal.TOO_LARGE)
    parts = _parts(raw)
    mail = next(parts)
    sender = _sender(mail)
    if any("FAIL" in verdict.upper() for name in ("Spam", "Virus") for verdict in _all(mail, f"X-SES-{name}-Verdict")):
        raise MailRefused(Refusal.UNWANTED)
    results, received_spf = (next(iter(_all(mail, name)), None) for name in _RESULTS)
    if not is_verified(sender.rpartition("@")[2], results or "", received_spf):
        raise MailRefused(Refusal.UNVERIFIED)
    recipients = " ".join(value.lower() for name in _RECIPIENTS for value in _all(mail, name))
    return ReceivedMail(sender, recipients, _calendar(chain([mail], parts)))


def _all(mail: Message, name: str) -> list[str]:
    """Returns the values of a header, each on one line; undecodable bytes are replaced."""
    return [" ".join(str(value).split()) for value in mail.get_all(name, [])]


def _sender(mail: Message) -> str:
    """Returns the one address that the mail says it is from. Raises `MailRefused` unless there is one, well-formed."""
    with refused_as(Refusal.NO_SENDER):
        (header,) = _all(mail, "From")
        return single_address(header)


def _parts(raw: bytes) -> Iterator[Message]:
    """Yields the mail and its parts, level by level, each with its headers and its own text; no mails inside a mail.

    Raises `MailRefused` before it reads headers that are too long, and after too many parts.
    """
    waiting, seen, header_bytes = [raw], 0, 0
    while waiting:
        head, body = _split(waiting.pop(0))
        seen, header_bytes = seen + 1, header_bytes + len(head)
        if seen > MAIL_PARTS or header_bytes > MAIL_HEADERS_BYTES or _longest(head) > MAIL_HEADER_BYTES:
            raise MailRefused(Refusal.TOO_LARGE)
        part = BytesHeaderParser().parsebytes(head)
        part.set_payload(body.decode("ascii", "surrogateescape"))
        yield part
        if part.get_content_maintype() == "multipart" and (boundary := part.get_boundary()):
            waiting += _pieces(body, boundary)


def _longest(head: bytes) -> int:
    """Returns the length of the longest header, unfolded."""
    return max(len(header) for header in _HEADER.split(head))


def _split(raw: bytes) -> tuple[bytes, bytes]:
    """Returns the headers and the text after the first empty line."""
    match = _END_OF_HEADERS.search(raw)
    return (raw[: match.start()], raw[match.end() :]) if match else (raw, b"")


def _pieces(body: bytes, boundary: str) -> Iterator[bytes]:
    """Yields the texts between the lines that name the boundary (RFC 2046, section 5.1)."""
    name = re.escape(boundary.encode("ascii", "surrogateescape"))
    start = None
    for match in re.finditer(rb"^--" + name + rb"(?P<last>--)?[ \t]*\r?(?:\n|\Z)", body, re.MULTILINE):
        if start is not None:
            yield body[start : match.start()]
        if match["last"]:
            return
        start = match.end()
    if start is not None:
        yield body[start:]


def _calendar(parts: Iterable[Message]) -> str:
    """Returns the first calendar in the mail: a part that says it is one, or else one whose text begins like one.

    Programs also send calendars as files of any type. Raises `MailRefused` if there is none or it is too large.
    """
    others = []
    for part in parts:
        if part.get_content_type() in _CALENDARS:
            with refused_as(Refusal.BAD_CALENDAR):
                return _decoded(part)
        if part.get_content_maintype() in _OF_FILES:
            others.append(part)
    for part in others:
        with suppress(Exception):  # a part that is not understood is left out
            if _BEGIN.match(text := _decoded(part)):
                return text
    raise MailRefused(Refusal.NO_CALENDAR)


def _decoded(part: Message) -> str:
    """Returns the text of a part. Bytes outside its charset are replaced: only remarks, and unused texts, have them."""
    content = part.get_payload(decode=True)
    if not isinstance(content, bytes) or len(content) > CALENDAR_BYTES:
        raise MailRefused(Refusal.BAD_CALENDAR)
    codec = _CODECS.get(part.get_content_charset() or "", "utf-8")
    return content.decode(codec, "replace").removeprefix("\ufeff")
