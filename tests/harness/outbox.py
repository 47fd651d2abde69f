"""Collects the e-mails of a test before the mail client sends them, or fails them on demand."""

from __future__ import annotations

import base64
import email
import email.policy
import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email.message import EmailMessage
from typing import Any

from botocore.awsrequest import AWSResponse
from botocore.compat import HTTPHeaders

from governance.mail import sender

_LINK = re.compile(r"https?://\S+/invite/([^?\s]+)\?i=(\S+)")


@dataclass
class Outbox:
    """The e-mails that were sent, oldest first.

    `failure` makes the mail service fail: an error code that it answers, or an exception of the connection.
    """

    raw: list[bytes] = field(default_factory=list)
    requests: list[dict[str, Any]] = field(default_factory=list)
    failure: Exception | str | None = None

    def take(self, params: dict[str, Any], **_: Any) -> Any:
        """Replaces the call to the mail service."""
        if isinstance(self.failure, Exception):
            raise self.failure
        if self.failure is not None:
            return AWSResponse("", 400, HTTPHeaders(), None), {"Error": {"Code": self.failure, "Message": "no"}}
        request = json.loads(params["body"])
        self.requests.append(request)
        raw = base64.b64decode(request["Content"]["Raw"]["Data"])
        check_headers(raw)
        self.raw.append(raw)
        return AWSResponse("", 200, HTTPHeaders(), None), {"MessageId": "m"}

    @property
    def mails(self) -> list[EmailMessage]:
        """The e-mails, parsed."""
        return [email.message_from_bytes(raw, policy=email.policy.default) for raw in self.raw]

    @property
    def last(self) -> EmailMessage:
        """The newest e-mail."""
        return self.mails[-1]

    def link(self) -> tuple[str, str]:
        """Returns the invite code and the token from the newest e-mail's link."""
        match = _LINK.search(text_of(self.last))
        assert match is not None
        return match[1], match[2]


def text_of(mail: EmailMessage) -> str:
    """Returns the plain-text part."""
    return _part(mail, "plain")


def html_of(mail: EmailMessage) -> str:
    """Returns the HTML part."""
    return _part(mail, "html")


def _part(mail: EmailMessage, kind: str) -> str:
    part = mail.get_body((kind,))
    assert isinstance(part, EmailMessage)
    return str(part.get_content())


def check_headers(raw: bytes) -> None:
    """Asserts, of the bytes of an e-mail, that what programs read is there as it is: parsers that decode hide more."""
    headers = raw.partition(b"\r\n\r\n")[0]
    for name, value in re.findall(rb"^(List-[A-Za-z-]+|Message-ID): (.*\r\n(?:[ \t].*\r\n)*)", headers, re.MULTILINE):
        assert re.fullmatch(rb"<[^<>\s]+>\r\n|List-Unsubscribe=One-Click\r\n", value), (name, value)
    for name, value in re.findall(rb"^(From|To|Reply-To): (.*\r\n(?:[ \t].*\r\n)*)", headers, re.MULTILINE):
        assert re.search(rb"<?[^<>\s]+@[^<>\s]+>?\r\n\Z|undisclosed-recipients:;\r\n\Z", value), (name, value)


@contextmanager
def collected() -> Iterator[Outbox]:
    """Collects e-mails instead of sending them; keeps the client, which is slow to create."""
    collector, events = Outbox(), sender.client().meta.events
    events.register("before-call.sesv2.SendEmail", collector.take)
    try:
        yield collector
    finally:
        events.unregister("before-call.sesv2.SendEmail", collector.take)
