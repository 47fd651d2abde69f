"""The client of webhooks: to public addresses only, for ten seconds and a few kilobytes at most."""

from __future__ import annotations

import ipaddress
import socket
import ssl
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path
from typing import Any

import hypothesis
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from hypothesis import given
from hypothesis import strategies as st

from governance import addresses
from governance.domain.webhook_delivery import Answer
from governance.events import webhook_client
from governance.models.webhook_url import parse_url
from governance.settings import settings
from tests.webhooks.receiver import Handler, Received, receiving, status

HEADERS = {"webhook-id": "1"}
PUBLIC = "93.184.216.34"


@pytest.fixture(autouse=True)
def _settings(monkeypatch: pytest.MonkeyPatch, _engine: str) -> Iterator[None]:
    monkeypatch.setenv("TABLE_NAME", "none")
    settings.cache_clear()
    webhook_client._tls.cache_clear()
    yield
    settings.cache_clear()
    webhook_client._tls.cache_clear()


@pytest.fixture
def _loopback(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WEBHOOK_ALLOW_LOOPBACK", "1")
    settings.cache_clear()


def post(url: str) -> Answer:
    return webhook_client.post(url, HEADERS, b"{}")


class Network:
    """A resolver that tells what a test wants, and a network that notes who is connected to and lets nobody."""

    def __init__(self, *answers: list[str]) -> None:
        self.answers = [*answers]
        self.looked_up: list[str] = []
        self.connected: list[str] = []

    def look_up(self, host: str, _: int) -> list[str]:
        self.looked_up.append(host)
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]

    def connect(self, address: tuple[str, int], *_: Any, **__: Any) -> socket.socket:
        self.connected.append(address[0])
        raise ConnectionRefusedError


def network(monkeypatch: pytest.MonkeyPatch, *answers: list[str]) -> Network:
    found = Network(*answers)
    monkeypatch.setattr(webhook_client, "look_up", found.look_up)
    monkeypatch.setattr(socket, "create_connection", found.connect)
    return found


# -- addresses

PRIVATE_TARGETS = [
    "https://127.0.0.1/",
    "https://127.0.0.1:8443/",
    "https://127.255.255.254/",
    "https://127.1/",
    "https://127.0.1/",
    "https://2130706433/",
    "https://0x7f000001/",
    "https://0x7f.0.0.1/",
    "https://0177.0.0.1/",
    "https://017700000001/",
    "https://0/",
    "https://0.0.0.0/",
    "https://10.0.0.1/",
    "https://10.255.255.255/",
    "https://172.16.0.1/",
    "https://172.31.255.255/",
    "https://192.168.0.1/",
    "https://169.254.169.254/latest/meta-data/",
    "https://169.254.170.2/",
    "https://100.100.100.200/",
    "https://168.63.129.16/",
    "https://192.0.0.192/",
    "https://100.64.0.1/",
    "https://198.18.0.1/",
    "https://192.0.2.1/",
    "https://203.0.113.1/",
    "https://224.0.0.1/",
    "https://240.0.0.1/",
    "https://255.255.255.255/",
    "https://[::1]/",
    "https://[::]/",
    "https://[::ffff:127.0.0.1]/",
    "https://[::ffff:7f00:1]/",
    "https://[::ffff:169.254.169.254]/",
    "https://[0:0:0:0:0:ffff:a00:1]/",
    "https://[64:ff9b::7f00:1]/",
    "https://[64:ff9b::a9fe:a9fe]/",
    "https://[64:ff9b:1::1]/",
    "https://[2002:7f00:1::]/",
    "https://[2001:0:7f00:1::]/",
    "https://[fe80::1]/",
    "https://[fe80::1%25eth0]/",
    "https://[fc00::1]/",
    "https://[fd00:ec2::254]/",
    "https://[fec0::1]/",
    "https://[ff02::1]/",
    "https://[2001:db8::1]/",
    "https://[::7f00:1]/",
    "https://localhost/",
    "https://LOCALHOST/",
    "https://localhost./",
    "https://printer.local/",
    "https://metadata.google.internal/",
    "https://metadata/",
    "https://app.localhost/",
    "https://127.0.0.1@hooks.example.com/",
    "https://hooks.example.com@127.0.0.1/",
    "https://hooks.example.com:443@127.0.0.1/",
    "https://127.0.0.1\\@hooks.example.com/",
    "https://127。0。0。1/",
    "https://①②⑦.⓪.⓪.①/",
    "http://hooks.example.com/",
    "file:///etc/passwd",
    "gopher://127.0.0.1/",
]


def test_there_are_many_spellings() -> None:
    assert len(PRIVATE_TARGETS) >= 40


@pytest.mark.parametrize("url", PRIVATE_TARGETS)
def test_a_private_target_is_refused_in_every_spelling(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    found = network(monkeypatch, ["127.0.0.1"])
    with pytest.raises(ValueError, match="must"):
        parse_url(url)
    assert post(url).status_code is None
    assert found.connected == []


@pytest.mark.parametrize(
    "found",
    [["10.0.0.7"], [PUBLIC, "10.0.0.7"], ["10.0.0.7", PUBLIC], ["::1"], ["::ffff:10.0.0.7"], ["fe80::1%eth0"], ["x"]],
)
def test_a_name_with_one_address_that_is_not_public_is_not_connected_to(
    found: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    fake = network(monkeypatch, found)
    answer = post("https://hooks.example.com/")
    assert (answer.status_code, answer.error) == (None, "address_not_public")
    assert fake.connected == []


def test_a_name_that_changes_between_look_up_and_connection_leads_nowhere_else(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    fake = network(monkeypatch, [PUBLIC], ["127.0.0.1"], ["169.254.169.254"])
    assert post("https://hooks.example.com/").error == "connection_failed"
    assert fake.looked_up == ["hooks.example.com"]
    assert fake.connected == [PUBLIC]


def test_every_public_address_of_a_name_is_tried_once(monkeypatch: pytest.MonkeyPatch) -> None:
    fake = network(monkeypatch, [PUBLIC, "1.1.1.1", PUBLIC])
    assert post("https://hooks.example.com/").error == "connection_failed"
    assert fake.connected == [PUBLIC, "1.1.1.1"]


ANY_ADDRESS = st.one_of(
    st.ip_addresses(v=4),
    st.ip_addresses(v=6),
    st.sampled_from(["10.0.0.0/8", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.168.0.0/16"]).flatmap(
        lambda network: st.ip_addresses(v=4, network=network)
    ),
    st.sampled_from(["::ffff:0:0/96", "64:ff9b::/96", "2002::/16", "2001::/32", "fc00::/7", "fe80::/10"]).flatmap(
        lambda network: st.ip_addresses(v=6, network=network)
    ),
)
RESERVED = [
    ipaddress.ip_network(text)
    for text in (
        *("0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12"),
        *("192.0.0.0/24", "192.0.2.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24"),
        *("224.0.0.0/4", "240.0.0.0/4"),
        *("::/128", "::1/128", "fc00::/7", "fe80::/10", "fec0::/10", "ff00::/8", "2001:db8::/32", "2002::/16"),
    )
]


def _is_reserved(text: str) -> bool:
    """Tells by plain lists, and by the last four bytes where an IPv6 address hides an IPv4 address."""
    address = ipaddress.ip_address(text)
    inner = ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
    hides = address.version == 6 and int(address) >> 32 in (0xFFFF, 0x0064FF9B << 64)
    judged = inner if hides else address
    return any(judged.version == reserved.version and judged in reserved for reserved in RESERVED)


@hypothesis.settings(deadline=None)
@given(st.lists(ANY_ADDRESS, min_size=1, max_size=4))
def test_no_private_address_is_ever_connected_to(found: list[Any]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        fake = network(patch, [str(address) for address in found])
        post("https://hooks.example.com/")
    assert not any(_is_reserved(text) for text in fake.connected)
    assert all(addresses.is_public(addresses.parse(text)) for text in fake.connected)


@pytest.mark.parametrize("text", [PUBLIC, "8.8.8.8", "2606:4700:4700::1111", "::ffff:8.8.8.8", "64:ff9b::808:808"])
def test_a_public_address_is_public(text: str) -> None:
    assert addresses.is_public(addresses.parse(text))


# -- answers


@pytest.mark.usefixtures("_loopback")
@pytest.mark.parametrize("code", [200, 204, 299, 301, 302, 307, 308, 400, 404, 410, 429, 500, 503])
def test_the_status_is_the_answer_and_a_redirect_is_not_followed(code: int) -> None:
    with receiving(status(code, location="http://127.0.0.1:1/elsewhere")) as receiver:
        answer = post(receiver.url)
    assert (answer.status_code, answer.error, answer.accepted) == (code, None, 200 <= code < 300)
    assert [received.path for received in receiver.received] == ["/hook?tenant=7"]


@pytest.mark.usefixtures("_loopback")
def test_what_is_sent_is_what_was_given() -> None:
    with receiving() as receiver:
        post(receiver.url)
    (received,) = receiver.received
    assert received.body == b"{}"
    assert received.headers["webhook-id"] == "1"
    assert received.headers["host"] == f"127.0.0.1:{receiver.server_address[1]}"


LATER = format_datetime(datetime.now(UTC) + timedelta(hours=1), usegmt=True)


@pytest.mark.usefixtures("_loopback")
@pytest.mark.parametrize(
    ("text", "least", "most"),
    [("120", 120, 120), (LATER, 1800, 3600), ("0", 0, 0), ("9" * 40, 10**8, 10**9)],
    ids=["number", "date", "zero", "huge"],
)
def test_retry_after_is_read_as_a_number_or_a_date(text: str, least: int, most: int) -> None:
    with receiving(status(429, retry_after=text)) as receiver:
        answer = post(receiver.url)
    assert answer.retry_after is not None
    assert least <= answer.retry_after <= most


@pytest.mark.usefixtures("_loopback")
@pytest.mark.parametrize("text", ["soon", "-5", "1.5", "Tue, 99 Foo 2026", ""])
def test_a_senseless_retry_after_is_ignored(text: str) -> None:
    with receiving(status(429, retry_after=text)) as receiver:
        assert post(receiver.url).retry_after is None


def huge(handler: Handler, _: Received) -> None:
    """Answers with more than anybody wants to read."""
    handler.send_response(200)
    handler.send_header("Content-Length", str(10**10))
    handler.end_headers()
    sent = 0
    while sent < 10**8:
        handler.wfile.write(b"x" * 65536)
        sent += 65536
    raise AssertionError("The sender read everything.")


def dripping_body(handler: Handler, _: Received) -> None:
    """Accepts, and then never ends its answer."""
    handler.send_response(200)
    handler.send_header("Transfer-Encoding", "chunked")
    handler.end_headers()
    while True:
        handler.wfile.write(b"1\r\nx\r\n")
        time.sleep(0.05)


def dripping_head(handler: Handler, _: Received) -> None:
    """Never ends the head of its answer."""
    handler.wfile.write(b"HTTP/1.1 200 OK\r\n")
    while True:
        handler.wfile.write(b"x")
        time.sleep(0.05)


def silent(handler: Handler, _: Received) -> None:
    """Takes the request and says nothing."""
    del handler
    time.sleep(5)


def nonsense(handler: Handler, _: Received) -> None:
    """Answers something that is not HTTP."""
    handler.wfile.write(b"\x00\x01\x02 nonsense\r\n\r\n")
    handler.close_connection = True


@pytest.mark.usefixtures("_loopback")
@pytest.mark.parametrize(
    ("behaviour", "expected"),
    [
        (huge, (200, None)),
        (dripping_body, (200, None)),
        (dripping_head, (None, "timeout")),
        (silent, (None, "timeout")),
        (nonsense, (None, "invalid_response")),
    ],
)
def test_no_answer_takes_more_than_its_time(
    behaviour: Any,
    expected: tuple[int | None, str | None],
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr(webhook_client, "WEBHOOK_ATTEMPT_SECONDS", 1)
    with receiving(behaviour) as receiver:
        began = time.monotonic()
        answer = post(receiver.url)
        took = time.monotonic() - began
    assert (answer.status_code, answer.error) == expected
    assert took < 2.5
    assert "tenant" not in caplog.text  # the URL of a receiver is in no log


@pytest.mark.usefixtures("_loopback")
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


@pytest.mark.usefixtures("_loopback")
def test_a_receiver_that_is_not_there_is_an_error() -> None:
    with receiving() as receiver:
        url = receiver.url
    assert post(url).error == "connection_failed"


def test_a_name_that_does_not_exist_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: str, __: int) -> list[str]:
        raise socket.gaierror("no such name")

    monkeypatch.setattr(webhook_client, "look_up", fail)
    assert post("https://hooks.example.com/").error == "name_not_resolved"


def test_a_look_up_that_hangs_ends_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    released = threading.Event()

    def hang(_: str, __: int) -> list[str]:
        released.wait(10)
        return [PUBLIC]

    monkeypatch.setattr(webhook_client, "WEBHOOK_ATTEMPT_SECONDS", 0.3)
    monkeypatch.setattr(webhook_client, "look_up", hang)
    began = time.monotonic()
    assert post("https://hooks.example.com/").error == "timeout"
    assert time.monotonic() - began < 2
    released.set()


# -- TLS


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


@pytest.mark.usefixtures("_loopback")
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


@pytest.mark.usefixtures("_loopback")
def test_a_server_without_tls_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(webhook_client, "look_up", lambda _, __: ["127.0.0.1"])
    with receiving() as receiver:
        answer = post(f"https://hooks.example.com:{receiver.server_address[1]}/")
    assert (answer.status_code, answer.error) == (None, "tls_failed")
