"""Sends e-mails through Amazon SES; no other module calls it.

Each e-mail is tried once: a second attempt after a lost response could send it twice.
"""

from __future__ import annotations

from email.message import EmailMessage
from email.policy import SMTP
from email.utils import localtime, make_msgid, parseaddr
from functools import lru_cache
from typing import TYPE_CHECKING

import boto3
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError, HTTPClientError, SSLError
from botocore.parsers import ResponseParserError

from governance.errors import unavailable
from governance.mail.rendering import RenderedEmail
from governance.settings import settings

if TYPE_CHECKING:
    from mypy_boto3_sesv2 import SESV2Client

_TRANSFER = "quoted-printable"
_RESPONSE_LOST = (HTTPClientError, SSLError, ResponseParserError)
"""Errors after which the e-mail may have been sent; after any other error of the SDK it certainly was not."""

_THROTTLED = {"TooManyRequestsException", "ThrottlingException"}


class EmailRefused(Exception):
    """The mail service refused the e-mail; nothing was sent."""


class EmailThrottled(EmailRefused):
    """The mail service throttled the request; retry later."""


@lru_cache(maxsize=1)
def client() -> SESV2Client:
    """Returns the process's client, which never retries."""
    config = Config(retries={"mode": "standard", "total_max_attempts": 1}, connect_timeout=1, read_timeout=4)
    return boto3.client("sesv2", config=config)


def send(email: RenderedEmail) -> None:
    """Sends an e-mail.

    Raises `EmailRefused` if it was certainly not sent (`EmailThrottled` if a retry may succeed), 503 if it is unknown.
    """
    message = to_mime(email)
    configuration = settings().mail_configuration_set
    named = {"ConfigurationSetName": configuration} if configuration else {}
    try:
        client().send_email(
            FromEmailAddress=settings().mail_sender,
            Destination={"ToAddresses": [email.recipient]},
            Content={"Raw": {"Data": message.as_bytes()}},
            **named,  # type: ignore[arg-type]
        )
    except _RESPONSE_LOST:
        raise unavailable() from None
    except ClientError as error:
        raise (EmailThrottled if error.response["Error"]["Code"] in _THROTTLED else EmailRefused) from None
    except BotoCoreError:
        raise EmailRefused from None


def to_mime(email: RenderedEmail) -> EmailMessage:
    """Returns the MIME message: both parts, and headers to which no content can add.

    Unsubscribing takes an e-mail and not a link, because mail scanners open links.
    """
    sender = parseaddr(settings().mail_sender)[1]
    message = EmailMessage(policy=SMTP)
    message["From"] = settings().mail_sender
    message["To"] = email.recipient
    if str(message["To"]) != email.recipient:  # the address would be read as an encoded word
        message.replace_header("To", "undisclosed-recipients:;")
    message["Subject"] = email.subject
    message["Date"] = localtime()
    message["Message-ID"] = make_msgid(domain=sender.rpartition("@")[2])
    message["Auto-Submitted"] = "auto-generated"
    message["X-Auto-Response-Suppress"] = "All"
    message["List-Unsubscribe"] = f"<mailto:{sender}?subject=unsubscribe>"
    message.set_content(email.text, cte=_TRANSFER)
    message.add_alternative(email.html, subtype="html", cte=_TRANSFER)
    return message
