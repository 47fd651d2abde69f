"""Sends e-mails through Amazon SES; no other module calls it.

Each e-mail is tried once: a second attempt after a lost response could send it twice.
"""

from __future__ import annotations

from email.header import Header
from email.headerregistry import UnstructuredHeader
from email.message import EmailMessage
from email.policy import EmailPolicy
from email.utils import formataddr, getaddresses, localtime, make_msgid, parseaddr
from typing import Any

from governance import aws, deadline, telemetry
from governance.errors import unavailable
from governance.mail.rendering import CalendarPart, RenderedEmail
from governance.settings import settings
from governance.telemetry import EmailRefusal, Metric

_TRANSFER = "quoted-printable"
_THROTTLED = {"TooManyRequestsException", "ThrottlingException"}


class EmailRefused(Exception):
    """The mail service refused the e-mail; nothing was sent."""


class EmailThrottled(EmailRefused):
    """The mail service throttled the request; retry later."""


client = aws.sesv2


def send(email: RenderedEmail) -> None:
    """Sends an e-mail.

    Raises `EmailRefused` if it was certainly not sent (`EmailThrottled` if a retry may succeed), 503 if it is unknown.
    """
    message = to_mime(email)
    configuration = settings().mail_configuration_set
    named: dict[str, Any] = {"ConfigurationSetName": configuration} if configuration else {}
    if email.origin:
        named["EmailTags"] = [{"Name": name, "Value": value} for name, value in email.origin.tags().items()]
    try:
        deadline.check(deadline.MAIL_ATTEMPT_SECONDS)
        client().send_email(
            FromEmailAddress=_sender_address(),
            Destination={"ToAddresses": [email.recipient]},
            Content={"Raw": {"Data": message.as_bytes()}},
            **named,
        )
    except deadline.DeadlineExceededError:
        raise _failed(EmailRefusal.THROTTLED, "DeadlineExceeded", EmailThrottled()) from None
    except _response_lost() as error:
        raise _failed(EmailRefusal.RESPONSE_LOST, type(error).__name__, unavailable()) from None
    except aws.refusal() as error:
        code = error.response["Error"]["Code"]
        if code in _THROTTLED:
            raise _failed(EmailRefusal.THROTTLED, code, EmailThrottled()) from None
        raise _failed(EmailRefusal.REFUSED, code, EmailRefused()) from None
    except aws.no_answer() as error:
        raise _failed(EmailRefusal.REFUSED, type(error).__name__, EmailRefused()) from None


def _response_lost() -> tuple[type[Exception], ...]:
    """Returns the errors after which the e-mail may have been sent; after any other of the SDK it certainly was not."""
    from botocore.exceptions import HTTPClientError, SSLError
    from botocore.parsers import ResponseParserError

    return HTTPClientError, SSLError, ResponseParserError


def _sender_address() -> str:
    """Returns the address that e-mails come from, without the name, which the service would want encoded."""
    return parseaddr(settings().mail_sender)[1]


def _failed(reason: EmailRefusal, code: str, failure: Exception) -> Exception:
    """Counts and logs an e-mail that was not accepted; returns what the caller raises."""
    telemetry.count(Metric.EMAILS_REFUSED, reason)
    telemetry.logger().warning("e-mail not accepted", reason=reason, code=code)
    return failure


_ADDRESS_HEADERS = {"From", "To", "Reply-To"}


class _Policy(EmailPolicy):
    """Writes all addresses, ids and URLs as they are: programs read them from the bytes of a header.

    Encoded words (RFC 2047) are for the subject and for names before addresses only. The library also makes them of a
    URL that is longer than a line, and leaves out the quotes around a name that it folds. It keeps a blank of a
    non-ASCII subject that readers then see twice.
    """

    def fold_binary(self, name: str, value: str) -> bytes:
        """Returns a header as it is sent."""
        if name in _ADDRESS_HEADERS:
            return self._line(name, self._mailboxes(name, str(value)))
        if name != "Subject" and isinstance(value, UnstructuredHeader):
            return self._line(name, str(value))
        if name == "Subject" and not str(value).isascii():
            return self._line(name, self._encoded(name, str(value)))
        return super().fold_binary(name, value)

    def _mailboxes(self, name: str, value: str) -> str:
        """Returns the addresses of a header, each with its name, if any; a group without members as it is."""
        mailboxes = getaddresses([value])
        if not all(address for _, address in mailboxes):
            return value
        return ", ".join(self._mailbox(name, *mailbox) for mailbox in mailboxes)

    def _mailbox(self, header: str, name: str, address: str) -> str:
        if name.isascii():
            return formataddr((name, address))
        return f"{self._encoded(header, name)} <{address}>"

    def _encoded(self, header: str, text: str) -> str:
        return Header(text, "utf-8", header_name=header).encode(linesep=self.linesep)

    def _line(self, name: str, text: str) -> bytes:
        return f"{name}: {text}{self.linesep}".encode("ascii")


_POLICY = _Policy(linesep="\r\n")


def to_mime(email: RenderedEmail) -> EmailMessage:
    """Returns the MIME message: both parts, and headers that no content can extend."""
    message = EmailMessage(policy=_POLICY)
    message["From"] = settings().mail_sender
    message["To"] = email.recipient
    if str(message["To"]) != email.recipient:  # the address would be read as an encoded word
        message.replace_header("To", "undisclosed-recipients:;")
    message["Subject"] = email.subject
    message["Date"] = localtime()
    message["Message-ID"] = make_msgid(domain=_sender_address().rpartition("@")[2])
    message["Auto-Submitted"] = "auto-generated"
    message["X-Auto-Response-Suppress"] = "All"
    if email.unsubscribe_url is not None:
        message["List-Unsubscribe"] = f"<{email.unsubscribe_url}>"
        message["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    message.set_content(email.text, cte=_TRANSFER)
    message.add_alternative(email.html, subtype="html", cte=_TRANSFER)
    if email.calendar is not None:
        _add_calendar(message, email.calendar)
    return message


def _add_calendar(message: EmailMessage, calendar: CalendarPart) -> None:
    """Adds a calendar twice: as an alternative that programs act on, and as a file for those that do not (RFC 6047)."""
    message["Reply-To"] = calendar.reply_to
    content = calendar.content.decode()
    message.add_alternative(content, subtype="calendar", cte="base64", params={"method": calendar.method})
    message.add_attachment(calendar.content, "application", "ics", filename="invitation.ics")
