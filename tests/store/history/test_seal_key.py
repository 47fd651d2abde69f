"""The key that seals signs what is hashed already: one of the key service, or a secret of a developer's machine."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import Prehashed
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import load_der_public_key
from cryptography.x509 import load_der_x509_certificate

from governance.minutes_file.certificate import certify
from governance.settings import MissingSecretError
from governance.store.history import seal_key

_DIGEST = hashlib.sha256(b"minutes").digest()


@pytest.fixture(autouse=True)
def _fresh() -> Iterator[None]:
    seal_key.public_key.cache_clear()
    yield
    seal_key.public_key.cache_clear()


def has(monkeypatch: pytest.MonkeyPatch, **given: Any) -> None:
    monkeypatch.setattr(seal_key, "settings", lambda: SimpleNamespace(**given))


def assert_it_signs() -> None:
    public: Any = load_der_public_key(seal_key.public_key())
    public.verify(seal_key.sign(_DIGEST), _DIGEST, ec.ECDSA(Prehashed(SHA256())))
    made = certify(seal_key.public_key(), "Service", datetime(2026, 1, 1, tzinfo=UTC), seal_key.sign)
    certificate = load_der_x509_certificate(made)
    certificate.verify_directly_issued_by(certificate)


@pytest.mark.usefixtures("store")
def test_the_key_service_signs_a_hash() -> None:
    assert_it_signs()


@pytest.mark.parametrize("secret", ["A" * 43, "_" * 42 + "8"])
def test_every_secret_of_32_bytes_is_a_key(monkeypatch: pytest.MonkeyPatch, secret: str) -> None:
    has(monkeypatch, seal_key_id="", seal_signing_key=secret)
    assert_it_signs()


def test_without_a_key_nothing_is_sealed(monkeypatch: pytest.MonkeyPatch) -> None:
    has(monkeypatch, seal_key_id="", seal_signing_key="")
    with pytest.raises(MissingSecretError):
        seal_key.sign(_DIGEST)
