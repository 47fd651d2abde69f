"""Connections that end or falter at every moment: what was read is whole, or there is no answer."""

from __future__ import annotations

import datetime as dt
import socket
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from governance.store.client import connections
from governance.store.client.connections import Connections
from governance.store.client.errors import NoAnswerError
from tests.store.client.scripted_server import answer, scripted

REQUEST = b"POST / HTTP/1.1\r\ncontent-length:2\r\n\r\n{}"
GOOD = answer({"a": 1})


@contextmanager
def opened_to(url: str) -> Iterator[Connections]:
    opened = Connections(url)
    yield opened
    opened.close_idle()


def failure(opened: Connections) -> str:
    with pytest.raises(NoAnswerError) as raised:
        opened.exchange(REQUEST)
    return raised.value.code


def test_a_connection_is_kept_for_the_next_request() -> None:
    with scripted([GOOD, GOOD, GOOD]) as server, opened_to(server.url) as opened:
        assert [opened.exchange(REQUEST).body for _ in range(3)] == [b'{"a": 1}'] * 3
    assert [number for number, _ in server.requests] == [0, 0, 0]


def test_one_that_the_server_closed_while_it_was_idle_is_replaced_before_a_request_is_sent() -> None:
    with scripted([GOOD], [GOOD]) as server, opened_to(server.url) as opened:
        opened.exchange(REQUEST)
        server.closed.acquire()
        assert opened.exchange(REQUEST).status == 200
    assert [number for number, _ in server.requests] == [0, 1]


def test_where_one_is_silent_the_others_that_were_idle_are_not_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "READ_SECONDS", 0.05)
    pairs = [socket.socketpair() for _ in range(3)]
    with scripted([GOOD]) as server, opened_to(server.url) as opened:
        opened._idle.extend(ours for ours, _ in pairs)
        assert failure(opened) == "ReadTimeout"
        assert opened.exchange(REQUEST).status == 200
    for _, theirs in pairs:
        theirs.close()


def test_one_that_the_server_wants_to_close_is_not_kept() -> None:
    with scripted([answer({}, connection="Close")], [GOOD]) as server, opened_to(server.url) as opened:
        assert [opened.exchange(REQUEST).status for _ in range(2)] == [200, 200]
    assert [number for number, _ in server.requests] == [0, 1]


@pytest.mark.parametrize(
    ("sent", "code"),
    [
        (b"", "ConnectionClosed"),
        (b"HTTP/1.1 200", "ConnectionClosed"),
        (GOOD[:-1], "ConnectionClosed"),
        (answer({}, content_length="3000"), "ConnectionClosed"),
        (GOOD + b"HTTP/1.1 200 x\r\n", "BrokenAnswer"),
        (GOOD.replace(b"content-length", b"x-length"), "BrokenAnswer"),
        (answer({}, content_length="-1"), "BrokenAnswer"),
        (answer({}, content_length="2, 2"), "BrokenAnswer"),
        (answer({}, transfer_encoding="chunked"), "BrokenAnswer"),
        (GOOD.replace(b"HTTP/1.1", b"HTTP/1.0"), "BrokenAnswer"),
        (GOOD.replace(b" 200 ", b" 2OO "), "BrokenAnswer"),
        (b"SSH-2.0-x\r\n\r\n", "BrokenAnswer"),
        (b"HTTP/1.1 200 x\r\nno header\r\n\r\n", "BrokenAnswer"),
        ("HTTP/1.1 200 é\r\n\r\n".encode(), "BrokenAnswer"),
        (b"HTTP/1.1 200 x\r\nx: " + b"y" * 200_000, "BrokenAnswer"),
    ],
)
def test_an_answer_that_is_not_whole_or_not_one_is_none_and_its_connection_is_not_used_again(
    sent: bytes, code: str
) -> None:
    with scripted([sent], [GOOD]) as server, opened_to(server.url) as opened:
        assert failure(opened) == code
        assert opened.exchange(REQUEST).status == 200
    assert [number for number, _ in server.requests] == [0, 1]


def test_an_answer_may_come_in_many_pieces_and_be_long() -> None:
    body = b'{"a": "' + b"x" * 3_000_000 + b'"}'
    with scripted([answer(body)]) as server, opened_to(server.url) as opened:
        assert opened.exchange(REQUEST).body == body


def test_an_answer_that_does_not_end_in_time_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "READ_SECONDS", 0.05)
    with scripted([GOOD[:-1], GOOD]) as server, opened_to(server.url) as opened:
        assert failure(opened) == "ReadTimeout"
        assert len(opened._idle) == 0


def test_a_server_that_is_not_there_does_not_answer() -> None:
    with scripted() as server:
        pass
    assert failure(Connections(server.url)) == "ConnectFailed:ConnectionRefusedError"


@pytest.mark.parametrize("endpoint", ["ftp://localhost", "localhost:8000", "http://", ""])
def test_an_endpoint_is_an_http_address(endpoint: str) -> None:
    with pytest.raises(ValueError, match="endpoint"):
        Connections(endpoint)


@pytest.fixture
def served(tmp_path: Path) -> tuple[ssl.SSLContext, Path]:
    """The TLS context of a server for `localhost`, and the file of the authority that vouches for it: itself."""
    key, name = ec.generate_private_key(ec.SECP256R1()), x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "here")])
    today = dt.datetime.now(dt.UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(today - dt.timedelta(days=1))
        .not_valid_after(today + dt.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
        .sign(key, hashes.SHA256())
    )
    file = tmp_path / "both.pem"
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    file.write_bytes(certificate.public_bytes(serialization.Encoding.PEM) + private)
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(file)
    return context, file


def test_over_tls_the_server_must_be_the_one_that_an_authority_vouches_for(
    served: tuple[ssl.SSLContext, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    context, authority = served
    with scripted([GOOD, GOOD], context=context) as server:
        assert failure(Connections(server.url)) == "ConnectFailed:SSLCertVerificationError"
    monkeypatch.setenv("AWS_CA_BUNDLE", str(authority))
    with scripted([GOOD, GOOD], context=context) as server, opened_to(server.url) as opened:
        assert [opened.exchange(REQUEST).status for _ in range(2)] == [200, 200]
        assert [number for number, _ in server.requests] == [0, 0]
    with scripted([GOOD], context=context) as server:
        other = Connections(server.url.replace("localhost", "127.0.0.1"))
        assert failure(other) == "ConnectFailed:SSLCertVerificationError"
