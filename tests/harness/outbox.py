"""The mails of a test: taken from the mail client before they leave, or refused on demand.

Use it as `from tests.harness.outbox import outbox` in a conftest.
"""

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

import pytest
from botocore.awsrequest import AWSResponse
from botocore.compat import HTTPHeaders

from governance.mail import sender

_LINK = re.compile(r"https?://\S+/invite/([^?\s]+)\?i=(\S+)")


@dataclass
class Outbox:
    """The mails that were sent, oldest first; with `trouble`, what the mail service does instead of taking one."""

    raw: list[bytes] = field(default_factory=list)
    requests: list[dict[str, Any]] = field(default_factory=list)
    trouble: Exception | str | None = None

    def take(self, params: dict[str, Any], **_: Any) -> Any:
        """In the place of the call to the mail service."""
        if isinstance(self.trouble, Exception):
            raise self.trouble
        if self.trouble is not None:
            return AWSResponse("", 400, HTTPHeaders(), None), {"Error": {"Code": self.trouble, "Message": "no"}}
        request = json.loads(params["body"])
        self.requests.append(request)
        self.raw.append(base64.b64decode(request["Content"]["Raw"]["Data"]))
        return AWSResponse("", 200, HTTPHeaders(), None), {"MessageId": "m"}

    @property
    def mails(self) -> list[EmailMessage]:
        """The mails, parsed."""
        return [email.message_from_bytes(raw, policy=email.policy.default) for raw in self.raw]

    @property
    def last(self) -> EmailMessage:
        """The newest mail."""
        return self.mails[-1]

    def link(self) -> tuple[str, str]:
        """The code and the token of the newest mail's link."""
        found = _LINK.search(text_of(self.last))
        assert found is not None
        return found[1], found[2]


def text_of(mail: EmailMessage) -> str:
    """The plain part."""
    return _part(mail, "plain")


def html_of(mail: EmailMessage) -> str:
    """The HTML part."""
    return _part(mail, "html")


def _part(mail: EmailMessage, kind: str) -> str:
    part = mail.get_body((kind,))
    assert isinstance(part, EmailMessage)
    return str(part.get_content())


@contextmanager
def collected() -> Iterator[Outbox]:
    """No mail leaves; they are all here."""
    kept = Outbox()
    sender.client.cache_clear()
    sender.client().meta.events.register("before-call.sesv2.SendEmail", kept.take)
    yield kept
    sender.client.cache_clear()


@pytest.fixture
def outbox(store: str) -> Iterator[Outbox]:  # noqa: ARG001 - a fixture needs another
    """No mail leaves; they are all here."""
    with collected() as kept:
        yield kept
