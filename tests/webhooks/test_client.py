"""The client of webhooks: what it sends, that it verifies TLS, and that an answer costs few seconds and kilobytes."""

from __future__ import annotations

import socket
import ssl
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from governance.webhooks import client as webhook_client
from tests.webhooks.client_network import PUBLIC, network, post
from tests.webhooks.receiver import Handler, Received, receiving, status

pytestmark = pytest.mark.usefixtures("client_settings")


@pytest.mark.usefixtures("loopback")
@pytest.mark.parametrize("code", [200, 299, 301, 308, 410, 503])
def test_the_status_is_the_answer_and_a_redirect_is_not_followed(code: int) -> None:
    with receiving(status(code, location="http://127.0.0.1:1/elsewhere")) as receiver:
        answer = post(receiver.url)
    assert (answer.status_code, answer.error, answer.accepted) == (code, None, 200 <= code < 300)
    assert [received.path for received in receiver.received] == ["/hook?tenant=7"]


@pytest.mark.usefixtures("loopback")
def test_what_is_sent_is_what_was_given() -> None:
    with receiving() as receiver:
        post(receiver.url)
    (received,) = receiver.received
    assert received.body == b"{}"
    assert received.headers["webhook-id"] == "1"
    assert received.headers["host"] == f"127.0.0.1:{receiver.server_address[1]}"


@pytest.mark.usefixtures("loopback")
@pytest.mark.parametrize(
    ("text", "least", "most"),
    [("120", 120, 120), ("in an hour", 1800, 3600), ("0", 0, 0), ("9" * 40, 10**8, 10**9)],
    ids=["number", "date", "zero", "huge"],
)
def test_retry_after_is_read_as_a_number_or_a_date(text: str, least: int, most: int) -> None:
    if text == "in an hour":
        text = format_datetime(datetime.now(UTC) + timedelta(hours=1), usegmt=True)
    with receiving(status(429, retry_after=text)) as receiver:
        answer = post(receiver.url)
    assert answer.retry_after is not None
    assert least <= answer.retry_after <= most


@pytest.mark.usefixtures("loopback")
@pytest.mark.parametrize("fraction", [0, 0.25, 0.75])
def test_a_date_in_retry_after_is_never_reached_too_early(monkeypatch: pytest.MonkeyPatch, fraction: float) -> None:
    moment = datetime(2027, 3, 1, 9, tzinfo=UTC)
    clock = SimpleNamespace(time=lambda: moment.timestamp() + fraction, monotonic=time.monotonic)
    monkeypatch.setattr(webhook_client, "time", clock)
    date = format_datetime(moment + timedelta(minutes=1), usegmt=True)
    with receiving(status(429, retry_after=date)) as receiver:
        assert post(receiver.url).retry_after == 60


@pytest.mark.usefixtures("loopback")
@pytest.mark.parametrize("text", ["soon", "-5", "1.5", "Tue, 99 Foo 2026", ""])
def test_a_senseless_retry_after_is_ignored(text: str) -> None:
    with receiving(status(429, retry_after=text)) as receiver:
        assert post(receiver.url).retry_after is None


_SECONDS = 60
"""How long a receiver takes, so that a sender that waits for its end fails the test instead of stopping it."""
_PAUSE = 0.05


def dripping_body(handler: Handler, _: Received) -> None:
    """Accepts, and then takes far too long to end its answer."""
    handler.send_response(200)
    handler.send_header("Transfer-Encoding", "chunked")
    handler.end_headers()
    for _drip in range(round(_SECONDS / _PAUSE)):
        handler.wfile.write(b"1\r\nx\r\n")
        time.sleep(_PAUSE)


def dripping_head(handler: Handler, _: Received) -> None:
    """Takes far too long to end the head of its answer."""
    handler.wfile.write(b"HTTP/1.1 200 OK\r\n")
    for _drip in range(round(_SECONDS / _PAUSE)):
        handler.wfile.write(b"x")
        time.sleep(_PAUSE)


def silent(handler: Handler, _: Received) -> None:
    """Takes the request and says nothing until the sender leaves."""
    handler.connection.settimeout(_SECONDS)
    handler.connection.recv(1)


def nonsense(handler: Handler, _: Received) -> None:
    """Answers something that is not HTTP."""
    handler.wfile.write(b"\x00\x01\x02 nonsense\r\n\r\n")
    handler.close_connection = True


@pytest.mark.usefixtures("loopback")
@pytest.mark.parametrize(
    ("behaviour", "seconds", "expected"),
    [
        (dripping_body, 3, (200, None)),
        (dripping_head, 1, (None, "timeout")),
        (silent, 1, (None, "timeout")),
        (nonsense, 10, (None, "invalid_response")),
    ],
)
def test_no_answer_takes_more_than_its_time(
    behaviour: Any,
    seconds: int,
    expected: tuple[int | None, str | None],
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr(webhook_client, "WEBHOOK_ATTEMPT_SECONDS", seconds)
    with receiving(behaviour) as receiver:
        began = time.monotonic()
        answer = post(receiver.url)
        took = time.monotonic() - began
    assert (answer.status_code, answer.error) == expected
    assert took < _SECONDS / 2  # and not the minute of the receiver
    assert "tenant" not in caplog.text  # the URL of a receiver is in no log


@pytest.mark.usefixtures("loopback")
def test_little_of_a_huge_answer_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    read = 0

    def note(handler: Handler, _: Received) -> None:
        nonlocal read
        handler.send_response(200)
        handler.end_headers()
        with suppress(OSError):
            while read < 10**8:
                read += handler.connection.send(b"x" * 4096)

    monkeypatch.setattr(webhook_client, "WEBHOOK_ATTEMPT_SECONDS", 5)
    with receiving(note) as receiver:
        assert post(receiver.url).status_code == 200
    assert read < 20 * 2**20  # the buffers of the operating system, not the sender


@pytest.mark.usefixtures("loopback")
def test_a_receiver_that_is_not_there_is_an_error() -> None:
    with receiving() as receiver:
        url = receiver.url
    assert post(url).error == "connection_failed"


def test_the_addresses_of_a_name_share_three_seconds_to_connect(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = network(monkeypatch, [PUBLIC, "93.184.216.35", "93.184.216.36"])
    monkeypatch.setattr(webhook_client, "time", SimpleNamespace(monotonic=lambda: 100.0))
    assert post("https://hooks.example.com/").error == "connection_failed"
    assert asked.time_outs == pytest.approx([1, 1.5, 3]), "all are refused at once"


def test_a_name_that_does_not_exist_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: str, __: int) -> list[str]:
        raise socket.gaierror("no such name")

    monkeypatch.setattr(webhook_client, "look_up", fail)
    assert post("https://hooks.example.com/").error == "name_not_resolved"


def test_a_look_up_that_hangs_ends_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    released = threading.Event()

    def hang(_: str, __: int) -> list[str]:
        released.wait(60)
        return [PUBLIC]

    monkeypatch.setattr(webhook_client, "WEBHOOK_ATTEMPT_SECONDS", 0.3)
    monkeypatch.setattr(webhook_client, "look_up", hang)
    began = time.monotonic()
    assert post("https://hooks.example.com/").error == "timeout"
    assert time.monotonic() - began < 30  # and not the minute of the look-up
    released.set()


def certificate(folder: Path, name: str, *, expired: bool = False) -> Path:
    """Writes a self-signed certificate for a name, with its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    begins = datetime.now(UTC) - timedelta(days=9)
    made = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(begins)
        .not_valid_after(begins + timedelta(days=1 if expired else 30))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    file = folder / f"{name}.pem"
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    file.write_bytes(made.public_bytes(serialization.Encoding.PEM) + private)
    return file


@contextmanager
def tls_server(file: Path) -> Iterator[tuple[int, list[str | None]]]:
    """Runs a server with TLS that accepts everything; yields its port and the names that clients asked for."""
    asked: list[str | None] = []
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(file)
    context.sni_callback = lambda _, name, __: asked.append(name)
    with receiving() as receiver:
        receiver.socket = context.wrap_socket(receiver.socket, server_side=True, do_handshake_on_connect=True)
        yield int(receiver.server_address[1]), asked


@pytest.mark.usefixtures("loopback")
@pytest.mark.parametrize(
    ("name", "expired", "trusted", "expected"),
    [
        ("hooks.example.com", False, True, (204, None)),
        ("hooks.example.com", False, False, (None, "tls_failed")),
        ("hooks.example.com", True, True, (None, "tls_failed")),
        ("other.example.com", False, True, (None, "tls_failed")),
        ("127.0.0.1", False, True, (None, "tls_failed")),
    ],
)
def test_tls_is_verified_for_the_name_of_the_url(
    name: str,
    *,
    expired: bool,
    trusted: bool,
    expected: tuple[int | None, str | None],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    file = certificate(tmp_path, name, expired=expired)
    if trusted:
        monkeypatch.setenv("SSL_CERT_FILE", str(file))
    monkeypatch.setattr(webhook_client, "look_up", lambda _, __: ["127.0.0.1"])
    with tls_server(file) as (port, asked):
        answer = post(f"https://hooks.example.com:{port}/")
    assert (answer.status_code, answer.error) == expected
    assert asked[:1] == ["hooks.example.com"]


@pytest.mark.usefixtures("loopback")
def test_a_server_without_tls_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(webhook_client, "look_up", lambda _, __: ["127.0.0.1"])
    with receiving() as receiver:
        answer = post(f"https://hooks.example.com:{receiver.server_address[1]}/")
    assert (answer.status_code, answer.error) == (None, "tls_failed")
