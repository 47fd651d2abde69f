"""Signed addresses of the CDN: what is signed, by which key, and how it is written into the address."""

from __future__ import annotations

import base64
from urllib.parse import parse_qs, urlsplit

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ec import ECDSA, EllipticCurvePublicKey
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import load_der_public_key

from governance.instants import Instant
from governance.settings import MissingSecretError, settings
from governance.store import downloads
from infra.stack import download_key

pytestmark = pytest.mark.usefixtures("store")
UNTIL, SECONDS = Instant("2098-03-01T09:02:00.999Z"), 4044502920
ANSWER = {"response-content-disposition": "inline; filename*=UTF-8''Plan%20~.pdf"}
ADDRESS = "https://files.example.com/papers/1/2?response-content-disposition=inline%3B%20filename%2A%3DUTF-8%27%27Plan%2520~.pdf"


def key() -> EllipticCurvePublicKey:
    """Returns the public key as the CDN has it."""
    loaded = load_der_public_key(base64.b64decode(download_key.public(settings().download_key)))
    assert isinstance(loaded, EllipticCurvePublicKey)
    return loaded


def test_an_address_is_signed_with_its_query_until_a_whole_second() -> None:
    url = downloads.signed_url("papers/1/2", ANSWER, UNTIL)
    asked = parse_qs(urlsplit(url).query)
    assert url.startswith(f"{ADDRESS}&Expires={SECONDS}&Signature=")
    assert url.endswith("&Key-Pair-Id=KDOWNLOADS&Hash-Algorithm=SHA256")
    signature = base64.b64decode(asked["Signature"][0].translate(str.maketrans("-_~", "+=/")), validate=True)
    policy = (
        f'{{"Statement":[{{"Resource":"{ADDRESS}","Condition":{{"DateLessThan":{{"AWS:EpochTime":{SECONDS}}}}}}}]}}'
    )
    key().verify(signature, policy.encode(), ECDSA(SHA256()))
    with pytest.raises(InvalidSignature):
        key().verify(signature, policy.replace("/2?", "/3?").encode(), ECDSA(SHA256()))


def test_a_signature_is_written_in_the_alphabet_of_the_cdn() -> None:
    urls = [downloads.signed_url(f"papers/{number}", {}, UNTIL) for number in range(50)]
    for url in urls:
        assert not set("+=/%") & set(url.partition("&Signature=")[2].partition("&")[0])


def test_nothing_is_signed_without_a_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOWNLOAD_KEY", "")
    settings.cache_clear()
    with pytest.raises(MissingSecretError, match="DOWNLOAD_KEY"):
        downloads.signed_url("papers/1", {}, UNTIL)


def test_the_public_key_is_written_in_lines_as_pem_has_them() -> None:
    public = download_key.public(download_key.draw())
    lines = download_key.lines(public).split(",")
    assert [len(line) for line in lines] == [64, 60]
    assert "".join(lines) == public
