"""A session holds by its signature and its claims; whatever else it is, it is not a session."""

from __future__ import annotations

import base64
import dataclasses
import hashlib
import hmac
import json
import time
from collections.abc import Callable
from datetime import datetime, tzinfo
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import rsa

from governance.http import sessions
from governance.http.verified_sessions import verified_sessions
from governance.settings import settings
from tests.harness.client import AUDIENCE, ISSUER, SECRET, session
from tests.harness.single_key_issuer import SingleKeyIssuer

pytestmark = pytest.mark.usefixtures("store")
NOW = int(time.time())


@pytest.fixture(autouse=True)
def passed(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The seconds that have passed: set the one entry. Otherwise the time stands still."""
    seconds, begin = [0.0], time.monotonic()

    class Still(datetime):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> Still:
            return cls.fromtimestamp(NOW + seconds[0], tz)

    monkeypatch.setattr("jwt.api_jwt.datetime", Still)
    monkeypatch.setattr("governance.http.sessions.datetime", Still)
    clock = type("Clock", (), {"monotonic": staticmethod(lambda: begin + seconds[0])})
    monkeypatch.setattr("governance.http.verified_sessions.time", clock)
    return seconds


@pytest.fixture
def verified(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The sessions whose signature was checked."""
    texts: list[str] = []
    decode = jwt.decode

    def note(text: str, *given: Any, **named: Any) -> Any:
        texts.append(text)
        return decode(text, *given, **named)

    monkeypatch.setattr(jwt, "decode", note)
    return texts


def holds(text: str) -> bool:
    """Whether a session is taken."""
    try:
        sessions.claims(text)
    except ValueError:
        return False
    return True


def sound(**claims: Any) -> dict[str, Any]:
    """Sound claims, with these instead; None leaves one out."""
    usual = {"iss": ISSUER, "aud": AUDIENCE, "sub": "olivia", "iat": NOW, "exp": NOW + 600}
    return {name: value for name, value in {**usual, **claims}.items() if value is not None}


def token(claims: Any, algorithm: str = "HS256", secret: str = SECRET, **header: Any) -> str:
    return jwt.PyJWS().encode(json.dumps(claims).encode(), secret, algorithm, headers=header)


def test_what_the_library_signs_holds() -> None:
    assert sessions.claims(session("olivia@example.com", iat=NOW, exp=NOW + 600))["email"] == "olivia@example.com"


@pytest.mark.parametrize(
    "claims", [sound(aud=["other", AUDIENCE]), sound(exp=NOW - 29), sound(iat=NOW + 30), sound(nbf=NOW + 30)]
)
def test_leeway_is_half_a_minute_and_one_audience_of_several_will_do(claims: dict[str, Any]) -> None:
    assert sessions.claims(token(claims)) == claims


@pytest.mark.parametrize(
    "claims",
    [
        *(sound(**{name: None}) for name in ("iss", "aud", "sub", "exp", "iat")),
        sound(iss="other"),
        sound(aud="other"),
        sound(aud=[]),
        sound(aud={AUDIENCE: 1}),
        sound(exp=NOW - 30),
        sound(iat=NOW + 31),
        sound(nbf=NOW + 31),
        sound(exp=True),
        sound(exp=str(NOW + 600)),
        sound(nbf="soon"),
        sound(auth_time="soon"),
        [],
        "claims",
    ],
)
def test_a_session_of_other_claims_is_refused(claims: Any) -> None:
    assert not holds(token(claims))


def _tampered(text: str) -> str:
    """One character of the signature is another."""
    return text[:-10] + ("A" if text[-10] != "A" else "B") + text[-9:]


def _without_signature(text: str) -> str:
    header = base64.urlsafe_b64encode(b'{"alg":"none"}').rstrip(b"=").decode()
    return f"{header}.{text.split('.')[1]}."


FORGERIES: list[Callable[[], str]] = [
    lambda: token(sound(), secret="another-secret-that-is-long-enough"),
    lambda: token(sound(), "HS512", SECRET * 2),
    lambda: token(sound(), crit=["exp"]),
    lambda: _tampered(token(sound())),
    lambda: _without_signature(token(sound())),
    lambda: token(sound()) + ".",
    lambda: token(sound()).replace(".", ".=", 1),
    lambda: "a.b.c",
    lambda: "",
    lambda: f"{base64.urlsafe_b64encode(b'[]').rstrip(b'=').decode()}.e30.c",
]


@pytest.mark.parametrize("forged", FORGERIES)
def test_a_forged_session_is_refused(forged: Callable[[], str]) -> None:
    assert not holds(forged())


@pytest.mark.parametrize("environment", [{"JWT_SECRET": ""}, {"JWT_ALGORITHMS": "RS256"}])
def test_without_a_secret_or_without_hs256_nothing_signed_by_secret_holds(
    environment: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    signed = token(sound()).rpartition(".")[0]
    mac = hmac.new(environment.get("JWT_SECRET", SECRET).encode(), signed.encode(), hashlib.sha256).digest()
    forged = f"{signed}.{base64.urlsafe_b64encode(mac).rstrip(b'=').decode()}"
    assert holds(forged) is ("JWT_SECRET" not in environment)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    settings.cache_clear()
    assert not holds(forged)
    settings.cache_clear()


def test_the_signature_of_the_same_bytes_is_checked_once_in_five_minutes(
    passed: list[float], verified: list[str]
) -> None:
    session, other = token(sound()), token(sound(sub="ben"))
    for text, seconds in ((session, 0), (session, 299), (other, 299), (session, 300), (session, 301)):
        passed[0] = seconds
        assert holds(text)
    assert verified == [session, other, session]


@pytest.mark.parametrize(
    ("claims", "seconds", "still_holds"),
    [
        ({"exp": NOW + 60}, 89, True),
        ({"exp": NOW + 60}, 90, False),
        ({"exp": NOW + 60.9}, 90, False),
        ({}, -30, True),
        ({}, -31, False),
        ({"nbf": NOW, "iat": NOW - 99}, -30, True),
        ({"nbf": NOW, "iat": NOW - 99}, -31, False),
    ],
)
def test_the_times_of_a_session_are_checked_each_time_as_the_library_checks_them(
    passed: list[float], verified: list[str], claims: dict[str, Any], seconds: float, still_holds: bool
) -> None:
    text = token(sound(**claims))
    assert holds(text)
    passed[0] = seconds
    assert holds(text) is still_holds
    assert len(verified) == 1
    verified_sessions.clear()
    assert holds(text) is still_holds
    assert len(verified) == 2


def test_what_is_no_session_is_not_remembered(verified: list[str]) -> None:
    forged = _tampered(token(sound()))
    assert not holds(forged)
    assert not holds(forged)
    assert verified == [forged, forged]


def test_the_session_that_was_verified_first_is_forgotten_first(
    verified: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("governance.http.verified_sessions._LIMIT", 2)
    first, second, third = (token(sound(sub=name)) for name in ("a", "b", "c"))
    for text in (first, second, third, third, second, first):
        assert holds(text)
    assert verified == [first, second, third, first]


@pytest.mark.parametrize("name", ["JWT_ISSUER", "JWT_AUDIENCE"])
def test_a_verified_session_is_none_for_another_issuer_or_audience(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    text = token(sound())
    assert holds(text)
    monkeypatch.setenv(name, "other")
    settings.cache_clear()
    assert not holds(text)
    settings.cache_clear()


@pytest.fixture
def issuer(store: str, monkeypatch: pytest.MonkeyPatch) -> rsa.RSAPrivateKey:  # noqa: ARG001 - a fixture needs another
    """An issuer whose keys are configured; its private key."""
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    monkeypatch.setenv("JWKS_URL", "https://issuer.example.com/keys")
    monkeypatch.setenv("JWT_ALGORITHMS", "RS256")
    settings.cache_clear()
    monkeypatch.setattr(sessions, "_issuer_keys", lambda: SingleKeyIssuer(key))
    return key


def test_the_signature_and_the_claims_of_an_issuer_are_checked_alike(issuer: rsa.RSAPrivateKey) -> None:
    assert sessions.claims(jwt.encode(sound(), issuer, "RS256")) == sound()
    assert not holds(jwt.encode(sound(aud="other"), issuer, "RS256"))


def test_another_key_or_the_secret_is_not_the_issuers(issuer: rsa.RSAPrivateKey) -> None:
    other = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    for forged in (jwt.encode(sound(), other, "RS256"), token(sound()), _without_signature(token(sound()))):
        assert not holds(forged)
    assert issuer.key_size == 2048


@pytest.mark.parametrize(
    ("clients", "azp", "is_taken"),
    [
        (("pages",), {}, True),
        (("pages", "agents"), {"azp": "agents"}, True),
        (("pages",), {"azp": "another"}, False),
        (("pages",), {"azp": ["pages"]}, False),
        (("pages",), {"azp": None}, False),
        ((), {"azp": "another"}, True),
        (("pages",), {"client_id": "another"}, False),
        (("pages",), {"azp": "pages", "client_id": "another"}, False),
        (("pages",), {"azp": "pages", "client_id": "pages"}, True),
    ],
)
def test_a_session_of_another_client_is_refused_where_clients_are_configured(
    clients: tuple[str, ...], azp: dict[str, Any], is_taken: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    configured = dataclasses.replace(settings(), jwt_clients=clients)
    monkeypatch.setattr(sessions, "settings", lambda: configured)
    usual = {"iss": ISSUER, "aud": AUDIENCE, "sub": "olivia", "iat": NOW, "exp": NOW + 600}
    assert holds(jwt.encode({**usual, **azp}, SECRET, "HS256")) is is_taken
