"""The client of webhooks verifies TLS for the name in the URL."""

from __future__ import annotations

import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from governance.webhooks import client as webhook_client
from tests.webhooks.client_network import post
from tests.webhooks.receiver import receiving

pytestmark = pytest.mark.usefixtures("client_settings")


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
