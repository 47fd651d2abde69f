"""Sessions of an issuer: its key set over HTTP, and claims that change from session to session."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import rsa

from governance.http import sessions
from governance.settings import settings
from tests.harness.board_scenario import BoardScenario
from tests.harness.client import AUDIENCE, ISSUER, Client, session

ME = "/api/v1/me"
NOW = int(time.time())


class Issuer:
    """An identity provider: its keys by id, and the key set as it serves it."""

    def __init__(self) -> None:
        self.keys: dict[str, rsa.RSAPrivateKey] = {}
        self.body: bytes | None = None
        self.status = 200

    def add_key(self, key_id: str) -> None:
        self.keys[key_id] = rsa.generate_private_key(public_exponent=65537, key_size=2048)

    def key_set(self) -> bytes:
        if self.body is not None:
            return self.body
        public = [
            {**jwt.algorithms.RSAAlgorithm.to_jwk(key.public_key(), as_dict=True), "kid": key_id, "alg": "RS256"}
            for key_id, key in self.keys.items()
        ]
        return json.dumps({"keys": public}).encode()

    def sign(self, key_id: str) -> str:
        claims = {
            "iss": ISSUER,
            "aud": AUDIENCE,
            "sub": "eve",
            "iat": NOW,
            "exp": NOW + 3600,
            "email": "eve@example.com",
        }
        return jwt.encode(claims, self.keys[key_id], "RS256", headers={"kid": key_id})


@pytest.fixture
def issuer(store: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Issuer]:  # noqa: ARG001 - a fixture needs another
    """An issuer that serves its key set on the loopback interface, and is configured."""
    issuing = Issuer()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = issuing.key_set()
            self.send_response(issuing.status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class's name
            del format, args

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        monkeypatch.setenv("JWKS_URL", f"http://127.0.0.1:{server.server_address[1]}/keys")
        monkeypatch.setenv("JWT_ALGORITHMS", "RS256")
        settings.cache_clear()
        sessions._issuer_keys.cache_clear()
        yield issuing
        server.shutdown()
    settings.cache_clear()
    sessions._issuer_keys.cache_clear()


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Seconds that the monotonic clock of the key set's cache runs ahead; set the one entry."""
    ahead = [0.0]
    real = time.monotonic
    monkeypatch.setattr(
        "jwt.jwk_set_cache.time", type("Clock", (), {"monotonic": staticmethod(lambda: real() + ahead[0])})
    )
    return ahead


def test_a_withdrawn_signing_key_stops_working_within_five_minutes(issuer: Issuer, later: list[float]) -> None:
    issuer.add_key("old")
    issuer.add_key("new")
    eve = Client(issuer.sign("old"))
    assert eve.get(ME).status == 200
    del issuer.keys["old"]
    later[0] = 301
    assert eve.get(ME).failure == (401, "INVALID_API_TOKEN")
    assert Client(issuer.sign("new")).get(ME).status == 200


@pytest.mark.parametrize("body", [b"", b"<html>", b"[]", b'{"keys": []}', b"\xff", b'{"keys": [{"kty": "RSA"}]}'])
def test_a_key_set_that_cannot_be_parsed_is_a_503(issuer: Issuer, body: bytes) -> None:
    issuer.add_key("key")
    token = issuer.sign("key")
    issuer.body = body
    assert Client(token).get(ME).failure == (503, "SERVICE_UNAVAILABLE")


def test_a_key_set_that_cannot_be_fetched_is_a_503(issuer: Issuer) -> None:
    issuer.add_key("key")
    token = issuer.sign("key")
    issuer.status = 500
    assert Client(token).get(ME).failure == (503, "SERVICE_UNAVAILABLE")


def test_a_token_of_an_unknown_key_is_a_401(issuer: Issuer) -> None:
    issuer.add_key("key")
    token = issuer.sign("key")
    del issuer.keys["key"]
    issuer.add_key("other")
    assert Client(token).get(ME).failure == (401, "INVALID_API_TOKEN")
    assert Client("x.y.z").get(ME).failure == (401, "INVALID_API_TOKEN")


@pytest.mark.usefixtures("store")
def test_an_older_session_does_not_set_the_address_back() -> None:
    old = Client(session("old@example.com", "eve", iat=NOW - 60))
    new = Client(session("new@example.com", "eve", iat=NOW))
    assert old.get(ME).data["email"] == "old@example.com"
    assert new.get(ME).data["email"] == "new@example.com"
    assert old.get(ME).data["email"] == "new@example.com"
    assert Client(session("latest@example.com", "eve", iat=NOW + 1)).get(ME).data["email"] == "latest@example.com"


def test_an_older_session_accepts_only_invites_to_the_present_address(scenario: BoardScenario) -> None:
    old = Client(session("old@example.com", "eve", iat=NOW - 60))
    new = Client(session("new@example.com", "eve", iat=NOW))
    assert (old.get(ME).status, new.get(ME).status) == (200, 200)
    board, owner = scenario.board_id, scenario.owner.client
    to_old, to_new = (
        owner.post(f"/api/invite/{board}", {"inviteeEmail": f"{name}@example.com"}).json["inviteId"]
        for name in ("old", "new")
    )
    assert old.put(f"/api/invite/accept/{to_old}").status == 403
    code = owner.get(f"/api/invite/{board}/code").json["inviteCode"]
    assert owner.put(f"/api/invite/retract/{to_new}").status == 200
    assert old.put(f"/api/invite/join/{code}").status == 403
    assert owner.post(f"/api/invite/{board}", {"inviteeEmail": "new@example.com"}).status == 200
    assert old.put(f"/api/invite/join/{code}").status == 200


@pytest.mark.usefixtures("store")
def test_fractional_times_hold() -> None:
    assert Client(session("eve@example.com", iat=NOW + 0.25, exp=NOW + 3600.5, nbf=NOW - 0.5)).get(ME).status == 200


@pytest.mark.usefixtures("store")
@pytest.mark.parametrize(("claim", "status"), [(True, 200), ("true", 200), (False, 401), ("false", 401), (1, 401)])
def test_only_a_verified_address_makes_a_session(claim: object, status: int) -> None:
    assert Client(session("eve@example.com", email_verified=claim)).get(ME).status == status


@pytest.mark.usefixtures("store")
def test_an_installation_may_require_that_addresses_are_verified(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REQUIRE_EMAIL_VERIFIED", "true")
    settings.cache_clear()
    assert Client(session("eve@example.com")).get(ME).status == 401
    assert Client(session("eve@example.com", email_verified=True)).get(ME).status == 200
    monkeypatch.undo()
    settings.cache_clear()
