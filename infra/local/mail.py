"""The local outbox: e-mails are kept as files and shown on a page instead of being sent.

The functions send through the SDK as they do in the cloud. In this process a hook of the SDK intercepts the call. For
functions in other processes, a local mail service accepts it.
"""

from __future__ import annotations

import base64
import email
import email.policy
import itertools
import json
import secrets
import threading
import time
from collections.abc import Iterator
from email.message import EmailMessage
from html import escape
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

import boto3
from botocore.awsrequest import AWSResponse
from botocore.compat import HTTPHeaders

from infra.local.event import HttpRequest, HttpResponse, error_response
from infra.local.hosts import is_loopback
from infra.local.mail_reports import ReportQueue

PAGE_PATH = "/_local/mail"
_SERVICE_PATH = "/_local/mail-service"
_SEND = "/v2/email/outbound-emails"
_HEADERS = ("Date", "From", "To", "Subject")
_SECURITY = [
    ("Content-Type", "text/html; charset=utf-8"),
    ("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-src 'self'"),
    ("X-Content-Type-Options", "nosniff"),
    ("Cache-Control", "no-store"),
]
_STYLE = (
    "body{font:15px/1.5 system-ui;margin:2rem}th{text-align:left}td,th{padding:.2rem .8rem}"
    "iframe{width:100%;height:24rem;border:1px solid #ccc}pre{white-space:pre-wrap}"
)


class InvalidEmail(Exception):
    """A call of the mail service holds no e-mail."""


class Outbox:
    """A folder of e-mails. What the mail service reports of them goes to `reports`, if that is set.

    `service_path` is the path of the mail service for functions in other processes. Each run has its own and gives it
    to the functions only: any web page that is open on this machine could send a POST to a path that it knows.
    """

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.service_path = f"{_SERVICE_PATH}/{secrets.token_urlsafe(24)}"
        self._folder = folder
        self.reports: ReportQueue | None = None
        self._count = itertools.count(1)
        self._lock = threading.Lock()

    def capture(self) -> None:
        """Intercepts the e-mails of every SDK client created from now on."""
        boto3.setup_default_session()
        session = boto3.DEFAULT_SESSION
        if session is not None:
            session.events.register("before-call.sesv2.SendEmail", self._intercept)

    def _intercept(self, params: dict[str, Any], **_: Any) -> Any:
        return AWSResponse(params["url"], 200, HTTPHeaders(), None), {"MessageId": self._store(params["body"])}

    def _store(self, body: bytes) -> str:
        """Stores the e-mail of a `SendEmail` call and returns its name, which is its message id too."""
        name = self.write(_raw_email(body))
        if self.reports is not None:
            self.reports.send(json.loads(body), name)
        return name

    def write(self, raw: bytes) -> str:
        """Stores an e-mail and returns its name."""
        with self._lock:
            name = f"{time.strftime('%Y%m%dT%H%M%S', time.gmtime())}-{time.monotonic_ns()}-{next(self._count):04}"
        part = self._folder / f"{name}.part"
        part.write_bytes(raw)
        part.replace(part.with_suffix(".eml"))
        return name

    def page(self, request: HttpRequest) -> HttpResponse | None:
        """Returns the list of e-mails, one e-mail or the mail service's response, or None for any other path.

        Clients on other machines never see an e-mail: its links grant access.
        """
        if (request.method, request.path) == ("POST", f"{self.service_path}{_SEND}"):
            return self._accept(request.body)
        if not is_loopback(request.address):
            return None
        if request.path == PAGE_PATH:
            return _html("E-mails", self._list())
        if request.path.startswith(f"{PAGE_PATH}/"):
            return self._mail(unquote(request.path.removeprefix(f"{PAGE_PATH}/")))
        return None

    def _accept(self, body: bytes) -> HttpResponse:
        try:
            stored = self._store(body)
        except InvalidEmail as error:
            return error_response(400, str(error))
        return HttpResponse(200, [("Content-Type", "application/json")], json.dumps({"MessageId": stored}).encode())

    def _list(self) -> str:
        rows = [_row(file) for file in sorted(self._files(), reverse=True)]
        head = "<tr><th>Date</th><th>From</th><th>To</th><th>Subject</th></tr>"
        return f"<table>{head}{''.join(rows)}</table>" if rows else "<p>No e-mails yet.</p>"

    def _files(self) -> Iterator[Path]:
        return filter(Path.is_file, self._folder.glob("*.eml"))

    def _mail(self, name: str) -> HttpResponse:
        known = {file.name: file for file in self._files()}
        if name not in known:
            return _html("E-mail not found", f'<p><a href="{PAGE_PATH}">All e-mails</a></p>', 404)
        mail = _parse(known[name])
        return _html(str(mail["Subject"] or "(no subject)"), _view(mail))


def _raw_email(body: bytes) -> bytes:
    """Returns the e-mail in the body of a `SendEmail` call. Raises `InvalidEmail` if it has none."""
    try:
        return base64.b64decode(json.loads(body)["Content"]["Raw"]["Data"], validate=True)
    except (ValueError, KeyError, TypeError):
        raise InvalidEmail("The body must be a SendEmail request with `Content.Raw.Data` in base64.") from None


def _parse(file: Path) -> EmailMessage:
    return email.message_from_bytes(file.read_bytes(), policy=email.policy.default)


def _row(file: Path) -> str:
    mail = _parse(file)
    cells = "".join(f"<td>{escape(str(mail[name] or ''))}</td>" for name in _HEADERS[:3])
    link = f'<a href="{PAGE_PATH}/{quote(file.name)}">{escape(str(mail["Subject"] or "(no subject)"))}</a>'
    return f"<tr>{cells}<td>{link}</td></tr>"


def _view(mail: EmailMessage) -> str:
    """Returns the headers, the HTML part in a frame without scripts, and the text part."""
    rows = "".join(f"<tr><th>{name}</th><td>{escape(str(mail[name] or ''))}</td></tr>" for name in _HEADERS)
    rich, plain = mail.get_body(("html",)), mail.get_body(("plain",))
    frame = f'<iframe sandbox="allow-popups" srcdoc="{escape(_content(rich))}"></iframe>' if rich else ""
    text = f"<pre>{escape(_content(plain))}</pre>" if plain else ""
    return f'<p><a href="{PAGE_PATH}">All e-mails</a></p><table>{rows}</table>{frame}{text}'


def _content(part: Any) -> str:
    return str(part.get_content())


def _html(title: str, body: str, status: int = 200) -> HttpResponse:
    head = f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{escape(title)}</title><style>{_STYLE}</style>'
    return HttpResponse(status, _SECURITY, f"{head}<h1>{escape(title)}</h1>{body}</html>".encode())
