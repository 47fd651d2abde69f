"""What an e-mail consists of, what the mail service is asked, and what its refusals mean."""

from __future__ import annotations

import email
import email.policy
import re
from dataclasses import replace
from email.header import decode_header, make_header
from email.message import EmailMessage
from email.utils import getaddresses, parsedate_to_datetime
from typing import Any

import pytest
from botocore.exceptions import (
    BotoCoreError,
    ClientError,
    ConnectTimeoutError,
    EndpointConnectionError,
    NoCredentialsError,
    ReadTimeoutError,
    SSLError,
)
from botocore.parsers import ResponseParserError

from governance import deadline
from governance.errors import ApiError
from governance.instants import now, to_datetime
from governance.mail import sender
from governance.mail.rendering import CalendarPart, RenderedEmail
from governance.settings import settings

pytestmark = pytest.mark.usefixtures("store")
PLAIN = RenderedEmail("ann@example.com", "Spring", "Text é", "<p>Text é</p>")
INVITATION = RenderedEmail(
    "ann@example.com", "Spring", "T", "<p>T</p>", CalendarPart("CANCEL", b"BEGIN:VCALENDAR\r\n", "m+x@example.com")
)


class MailService:
    """Notes what it is asked to send, or fails."""

    def __init__(self, failure: Exception | None = None) -> None:
        self.failure = failure
        self.asked: list[dict[str, Any]] = []

    def __call__(self) -> MailService:
        return self

    def send_email(self, **request: Any) -> None:
        if self.failure is not None:
            raise self.failure
        self.asked.append(request)


def test_an_e_mail_has_these_headers_and_no_others() -> None:
    message = sender.to_mime(PLAIN)
    address = "no-reply@governance.example.com"
    moved = {"Date", "Message-ID"}
    assert {name: str(value) for name, value in message.items() if name not in moved} == {
        "From": address,
        "To": "ann@example.com",
        "Subject": "Spring",
        "Auto-Submitted": "auto-generated",
        "X-Auto-Response-Suppress": "All",
        "MIME-Version": "1.0",
        "Content-Type": message["Content-Type"],
    }
    assert abs((parsedate_to_datetime(message["Date"]) - to_datetime(now())).total_seconds()) < 60
    assert re.fullmatch(r"<[^@<>\s]+@governance\.example\.com>", str(message["Message-ID"]))


def part(message: EmailMessage) -> list[tuple[str, str, Any]]:
    return [
        (piece.get_content_type(), str(piece["Content-Transfer-Encoding"]), piece.get_content())
        for piece in message.walk()
        if not piece.is_multipart() and isinstance(piece, EmailMessage)
    ]


def test_an_e_mail_is_plain_text_and_the_same_in_html() -> None:
    message = sender.to_mime(PLAIN)
    assert message.get_content_type() == "multipart/alternative"
    assert part(message) == [
        ("text/plain", "quoted-printable", "Text é\n"),
        ("text/html", "quoted-printable", "<p>Text é</p>\n"),
    ]
    assert b"\r\n" in message.as_bytes()
    assert re.search(rb"(?<!\r)\n", message.as_bytes()) is None


def test_a_calendar_is_there_to_be_acted_on_and_as_a_file_and_replies_go_to_its_address() -> None:
    message = sender.to_mime(INVITATION)
    assert message["Reply-To"] == "m+x@example.com"
    assert [(kind, cte) for kind, cte, _ in part(message)[2:]] == [
        ("text/calendar", "base64"),
        ("application/ics", "base64"),
    ]
    acted_on, file = (
        piece for piece in message.walk() if piece.get_content_type() in ("text/calendar", "application/ics")
    )
    assert acted_on.get_param("method") == "CANCEL"
    assert file.get_filename() == "invitation.ics"
    assert [kept.get_payload(decode=True) for kept in (acted_on, file)] == [b"BEGIN:VCALENDAR\r\n"] * 2
    assert sender.to_mime(PLAIN)["Reply-To"] is None


def test_an_address_that_would_be_read_as_an_encoded_word_is_not_in_the_header() -> None:
    odd = RenderedEmail("=?utf-8?q?a?=@example.com", "S", "T", "<p>T</p>")
    assert sender.to_mime(odd)["To"] == "undisclosed-recipients:;"
    assert sender.to_mime(PLAIN)["To"] == "ann@example.com"


def test_the_mail_service_is_asked_once_for_this_recipient_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    service = MailService()
    monkeypatch.setattr(sender, "client", service)
    sender.send(PLAIN)
    ((request),) = service.asked
    assert request.keys() == {"FromEmailAddress", "Destination", "Content"}
    assert request["FromEmailAddress"] == "no-reply@governance.example.com"
    assert request["Destination"] == {"ToAddresses": ["ann@example.com"]}
    assert request["Content"].keys() == {"Raw"}
    assert b"Auto-Submitted: auto-generated\r\n" in request["Content"]["Raw"]["Data"]


def error(code: str) -> ClientError:
    return ClientError({"Error": {"Code": code, "Message": ""}}, "SendEmail")


LOST = (
    ReadTimeoutError(endpoint_url="https://x.test"),
    SSLError(endpoint_url="https://x.test", error=OSError()),
    ResponseParserError("x"),
)
OUTCOMES: list[tuple[Exception, type[Exception]]] = [
    *((failure, ApiError) for failure in LOST),
    (error("TooManyRequestsException"), sender.EmailThrottled),
    (error("ThrottlingException"), sender.EmailThrottled),
    (error("MessageRejected"), sender.EmailRefused),
    (ConnectTimeoutError(endpoint_url="https://x.test"), sender.EmailRefused),
    (EndpointConnectionError(endpoint_url="https://x.test"), sender.EmailRefused),
    (NoCredentialsError(), sender.EmailRefused),
    (BotoCoreError(), sender.EmailRefused),
]


@pytest.mark.parametrize(
    ("failure", "outcome"), OUTCOMES, ids=lambda value: getattr(value, "__name__", str(value)[:40])
)
def test_what_was_certainly_not_sent_is_a_refusal_and_what_may_have_been_sent_is_unknown(
    failure: Exception, outcome: type[Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sender, "client", MailService(failure))
    with pytest.raises(outcome) as raised:
        sender.send(PLAIN)
    assert type(raised.value) is outcome
    if isinstance(raised.value, ApiError):
        assert (raised.value.code.status, raised.value.headers) == (503, {"Retry-After": "1"})


def test_an_e_mail_that_could_end_after_the_deadline_is_not_sent_and_may_be_tried_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    service = MailService()
    monkeypatch.setattr(sender, "client", service)
    with deadline.at_most(deadline.MAIL_ATTEMPT_SECONDS - 0.1), pytest.raises(sender.EmailThrottled):
        sender.send(PLAIN)
    assert service.asked == []
    with deadline.at_most(600):
        sender.send(PLAIN)
    assert len(service.asked) == 1


@pytest.mark.parametrize(
    "subject",
    [
        "Olivia Tester asks you to vote on the times of the meeting “Spring”.",
        f"Vote on 3 new times for the meeting “{'Überprüfung ' * 15}”.",
        "ASCII " * 30 + "alone",
        f"{'ü' * 300} and on",
    ],
)
def test_a_subject_is_read_as_it_was_written_whatever_its_length(subject: str) -> None:
    raw = sender.to_mime(RenderedEmail("ann@example.com", subject.strip(), "text", "<p>text</p>")).as_bytes()
    head = raw.partition(b"\r\n\r\n")[0]
    assert max(map(len, head.split(b"\r\n"))) <= 78
    assert email.message_from_bytes(raw, policy=email.policy.default)["Subject"] == subject.strip()


def configure(monkeypatch: pytest.MonkeyPatch, mail_sender: str) -> None:
    configured = replace(settings(), mail_sender=mail_sender)
    monkeypatch.setattr(sender, "settings", lambda: configured)


def head(email_: RenderedEmail) -> dict[bytes, bytes]:
    """Returns the headers of an e-mail as they are sent, each as its bytes."""
    lines = sender.to_mime(email_).as_bytes().partition(b"\r\n\r\n")[0].split(b"\r\n")
    assert not any(line.startswith((b" ", b"\t")) for line in lines if not line.startswith(b" boundary"))
    return dict(line.split(b": ", 1) for line in lines if b": " in line)


def test_addresses_ids_and_urls_are_sent_as_they_are_whatever_their_length(monkeypatch: pytest.MonkeyPatch) -> None:
    domain = f"{'mail.' * 20}example.com"
    url = f"https://{domain}/api/v1/unsubscribe/{'jEVNsyQUxNDwUdC7B1Mq9Fh6' * 4}?a=_b_%20"
    recipient, reply_to = f"{'a' * 64}@{domain}", f"meetings+{'x' * 32}@{domain}"
    configure(monkeypatch, f"Board Governance <no-reply@{domain}>")
    calendar = CalendarPart("REQUEST", b"BEGIN:VCALENDAR\r\n", reply_to)
    sent = head(RenderedEmail(recipient, "Spring", "T", "<p>T</p>", calendar, url))
    assert sent[b"List-Unsubscribe"] == f"<{url}>".encode()
    assert sent[b"List-Unsubscribe-Post"] == b"List-Unsubscribe=One-Click"
    assert sent[b"From"] == f"Board Governance <no-reply@{domain}>".encode()
    assert sent[b"To"] == recipient.encode()
    assert sent[b"Reply-To"] == reply_to.encode()
    assert re.fullmatch(rb"<[^@<>\s]+@" + re.escape(domain).encode() + rb">", sent[b"Message-ID"])
    assert not any(b"=?" in value for value in sent.values())


@pytest.mark.parametrize(
    "name",
    [
        "Größe, Verein (i. G.)",
        "Gremium Überprüfung " * 12 + "end",
        "Doe, Jane",
        "Committees, Boards. " * 12 + "end",
        "理事会" * 40,
        'The "Board" @ example.org',
    ],
)
def test_the_name_of_the_sender_is_read_as_it_was_configured_and_the_address_is_not_encoded(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    quoted = name.replace('"', '\\"')
    configure(monkeypatch, f'"{quoted}" <no-reply@example.com>')
    raw = sender.to_mime(PLAIN).as_bytes()
    folded = re.search(rb"^From: (?:.*\r\n)(?:[ \t].*\r\n)*", raw, re.MULTILINE)
    assert folded is not None
    assert folded[0].endswith(b" <no-reply@example.com>\r\n")
    ((read, address),) = getaddresses([folded[0].decode("ascii").partition(": ")[2].replace("\r\n", "")])
    assert (str(make_header(decode_header(read))), address) == (name, "no-reply@example.com")
