"""Sends letters through Amazon SES; the only place that knows it.

Each letter is tried once: a second attempt after a lost answer could be a second mail.
"""

from __future__ import annotations

from email.message import EmailMessage
from email.policy import SMTP
from email.utils import localtime, make_msgid, parseaddr

from botocore.exceptions import BotoCoreError, ClientError, HTTPClientError, SSLError
from botocore.parsers import ResponseParserError

from governance import aws, telemetry
from governance.errors import unavailable
from governance.mail.rendering import RenderedEmail
from governance.settings import settings
from governance.telemetry import EmailRefusal, Metric

_TRANSFER = "quoted-printable"
_ANSWER_LOST = (HTTPClientError, SSLError, ResponseParserError)
"""The letter may have reached the mail service; of the SDK's other errors it certainly had not left."""

_BUSY = {"TooManyRequestsException", "ThrottlingException"}


class EmailRefused(Exception):
    """The mail service did not take the letter: certainly nothing was sent."""


class EmailThrottled(EmailRefused):
    """It has had as many as it takes in a second; a moment later it may take this one."""


client = aws.sesv2


def send(letter: RenderedEmail) -> None:
    """Hand a letter to the mail service.

    Raises `Refused` where it certainly was not sent (`Busy` where it may be in a moment), 503 where nobody can tell.
    """
    message = to_mime(letter)
    configuration = settings().mail_configuration_set
    named = {"ConfigurationSetName": configuration} if configuration else {}
    try:
        client().send_email(
            FromEmailAddress=settings().mail_sender,
            Destination={"ToAddresses": [letter.recipient]},
            Content={"Raw": {"Data": message.as_bytes()}},
            **named,  # type: ignore[arg-type]
        )
    except _ANSWER_LOST as error:
        raise _failed(EmailRefusal.ANSWER_LOST, type(error).__name__, unavailable()) from None
    except ClientError as error:
        code = error.response["Error"]["Code"]
        if code in _BUSY:
            raise _failed(EmailRefusal.THROTTLED, code, EmailThrottled()) from None
        raise _failed(EmailRefusal.REFUSED, code, EmailRefused()) from None
    except BotoCoreError as error:
        raise _failed(EmailRefusal.REFUSED, type(error).__name__, EmailRefused()) from None


def _failed(reason: EmailRefusal, code: str, failure: Exception) -> Exception:
    """Counts and logs an e-mail that was not accepted; returns what the caller raises."""
    telemetry.count(Metric.EMAILS_REFUSED, reason)
    telemetry.logger().warning("e-mail not accepted", reason=reason, code=code)
    return failure


def to_mime(letter: RenderedEmail) -> EmailMessage:
    """The message as it goes over the wire: both parts, and headers that nothing in the letter can add to.

    Unsubscribing is a mail to us and not a link: what a mail scanner opens must not change anything.
    """
    sender = parseaddr(settings().mail_sender)[1]
    message = EmailMessage(policy=SMTP)
    message["From"] = settings().mail_sender
    message["To"] = letter.recipient
    if str(message["To"]) != letter.recipient:  # an address that a header would read as an encoded word
        message.replace_header("To", "undisclosed-recipients:;")
    message["Subject"] = letter.subject
    message["Date"] = localtime()
    message["Message-ID"] = make_msgid(domain=sender.rpartition("@")[2])
    message["Auto-Submitted"] = "auto-generated"
    message["X-Auto-Response-Suppress"] = "All"
    message["List-Unsubscribe"] = f"<mailto:{sender}?subject=unsubscribe>"
    message.set_content(letter.text, cte=_TRANSFER)
    message.add_alternative(letter.html, subtype="html", cte=_TRANSFER)
    return message
