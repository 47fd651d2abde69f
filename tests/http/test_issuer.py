"""Sessions of an issuer: its key set over HTTP, and claims that change from session to session."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import rsa

from governance import deadline
from governance.http import sessions
from governance.settings import settings
from governance.store import dynamodb
from tests.harness.board_scenario import BoardScenario
from tests.harness.client import AUDIENCE, ISSUER, Client, session
from tests.harness.fault_injection import meanwhile
from tests.harness.store_calls import InlinePool, count_store_calls

pytestmark = pytest.mark.usefixtures("store")
ME = "/api/v1/me"
NOW = int(time.time())


class Issuer:
    """An identity provider: its keys by id, and the key set as it serves it."""

    def __init__(self) -> None:
        self.keys: dict[str, rsa.RSAPrivateKey] = {}
        self.body: bytes | None = None
        self.status = 200
        self.fetches = 0
        self.seconds_per_byte = 0.0

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

    def sign(self, key_id: str, claimed_id: str = "") -> str:
        """Returns a session; `claimed_id` names another key than the one that signs it."""
        claims = {
            "iss": ISSUER,
            "aud": AUDIENCE,
            "sub": "eve",
            "iat": NOW,
            "exp": NOW + 3600,
            "email": "eve@example.com",
            "email_verified": True,
        }
        return jwt.encode(claims, self.keys[key_id], "RS256", headers={"kid": claimed_id or key_id})


@pytest.fixture
def issuer(store: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Issuer]:  # noqa: ARG001 - a fixture needs another
    """An issuer that serves its key set on the loopback interface, and is configured."""
    issuing = Issuer()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            issuing.fetches += 1
            body = issuing.key_set()
            self.send_response(issuing.status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            for byte in body if issuing.seconds_per_byte else ():
                self.wfile.write(bytes([byte]))
                time.sleep(issuing.seconds_per_byte)
            if not issuing.seconds_per_byte:
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
    """Seconds since the test began, for the key set: only the test lets time pass, by setting the one entry."""
    ahead, began = [0.0], time.monotonic()
    clock = type("Clock", (), {"monotonic": staticmethod(lambda: began + ahead[0])})
    monkeypatch.setattr("governance.http.issuer_keys.time", clock)
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


@pytest.mark.parametrize("body", [b"", b"<html>", b"[]", b'{"keys": []}', b"\xff", b'{"keys": [{"kty": "RSA"}]}', None])
def test_a_key_set_that_cannot_be_fetched_or_parsed_is_a_503(issuer: Issuer, body: bytes | None) -> None:
    issuer.add_key("key")
    token = issuer.sign("key")
    issuer.body, issuer.status = body, 500 if body is None else 200
    assert Client(token).get(ME).failure == (503, "SERVICE_UNAVAILABLE")


def forged_calls(issuer: Issuer) -> set[Any]:
    """Calls with tokens of keys that the issuer does not have. Returns their failures."""
    issuer.add_key("forged")
    tokens = [issuer.sign("forged", f"forged-{number}") for number in range(5)]
    del issuer.keys["forged"]
    return {Client(token).get(ME).failure for token in tokens}


def test_forged_tokens_make_a_failing_issuer_be_asked_once(issuer: Issuer, later: list[float]) -> None:
    issuer.add_key("key")
    issuer.status = 500
    assert forged_calls(issuer) == {(503, "SERVICE_UNAVAILABLE")}
    assert issuer.fetches == 1
    later[0], issuer.status = 31, 200
    assert Client(issuer.sign("key")).get(ME).status == 200
    later[0], issuer.status = 62, 500
    assert forged_calls(issuer) == {(401, "INVALID_API_TOKEN")}
    assert issuer.fetches == 3
    assert Client(issuer.sign("key")).get(ME).status == 200


def test_one_failed_attempt_leaves_the_known_keys_in_use(issuer: Issuer, later: list[float]) -> None:
    issuer.add_key("key")
    eve = Client(issuer.sign("key"))
    assert eve.get(ME).status == 200
    later[0], issuer.status = 299, 500
    assert eve.get(ME).status == 200
    assert issuer.fetches == 2
    later[0] = 330
    assert eve.get(ME).failure == (503, "SERVICE_UNAVAILABLE")
    later[0], issuer.status = 361, 200
    assert eve.get(ME).status == 200


def test_an_issuer_that_answers_byte_by_byte_is_not_waited_for(issuer: Issuer, monkeypatch: pytest.MonkeyPatch) -> None:
    issuer.add_key("key")
    issuer.seconds_per_byte = 0.2
    monkeypatch.setattr(deadline, "KEY_SET_ATTEMPT_SECONDS", 0.3)
    with ThreadPoolExecutor() as pool:
        monkeypatch.setattr(dynamodb, "_pool", pool)
        started = time.monotonic()
        assert Client(issuer.sign("key")).get(ME).failure == (503, "SERVICE_UNAVAILABLE")
        assert time.monotonic() - started < 40  # the whole answer takes more than a minute
        issuer.seconds_per_byte = 0.0001


def test_a_fetch_that_could_end_too_late_does_not_begin(issuer: Issuer, monkeypatch: pytest.MonkeyPatch) -> None:
    issuer.add_key("key")
    with monkeypatch.context() as patch:
        patch.setattr(deadline, "has_time", lambda seconds: seconds < deadline.KEY_SET_ATTEMPT_SECONDS)
        assert Client(issuer.sign("key")).get(ME).failure == (503, "SERVICE_UNAVAILABLE")
        assert issuer.fetches == 0
    assert Client(issuer.sign("key")).get(ME).status == 200


def test_a_token_of_an_unknown_key_is_a_401(issuer: Issuer) -> None:
    issuer.add_key("key")
    token = issuer.sign("key")
    del issuer.keys["key"]
    issuer.add_key("other")
    assert Client(token).get(ME).failure == (401, "INVALID_API_TOKEN")
    assert Client("x.y.z").get(ME).failure == (401, "INVALID_API_TOKEN")


def test_an_older_session_does_not_set_the_address_back() -> None:
    old = Client(session("old@example.com", "eve", iat=NOW - 60))
    new = Client(session("new@example.com", "eve", iat=NOW))
    assert old.get(ME).data["email"] == "old@example.com"
    assert new.get(ME).data["email"] == "new@example.com"
    assert old.get(ME).data["email"] == "new@example.com"
    assert Client(session("latest@example.com", "eve", iat=NOW + 1)).get(ME).data["email"] == "latest@example.com"


def test_a_later_session_that_claims_nothing_new_still_keeps_an_older_one_from_changing_the_address() -> None:
    first, last = (Client(session("ann@example.com", "eve", iat=NOW - age)) for age in (300, 100))
    between = Client(session("other@example.com", "eve", iat=NOW - 200))
    created = first.get(ME).data
    assert last.get(ME).data == created
    assert between.get(ME).data == created


def test_an_address_that_a_session_brings_while_a_name_is_chosen_stays() -> None:
    old = Client(session("old@example.com", "eve", iat=NOW - 60))
    new = Client(session("new@example.com", "eve", iat=NOW))
    assert old.get(ME).status == 200
    with meanwhile(lambda: new.get(ME)):
        assert old.patch(ME, {"firstName": "Evelyn"}).status == 200
    kept = old.get(ME).data
    assert (kept["firstName"], kept["email"]) == ("Evelyn", "new@example.com")


def test_only_the_first_call_of_a_session_is_recorded(pool: InlinePool) -> None:
    eve = Client(session("eve@example.com", "eve", iat=NOW - 300))
    later = Client(session("eve@example.com", "eve", iat=NOW - 100))
    eve.get(ME)
    for client, writes in ((later, 1), (later, 0), (eve, 0)):
        with count_store_calls(pool) as calls:
            assert client.get(ME).status == 200
        assert calls.sequential.count("TransactWriteItems") == writes


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


@pytest.mark.parametrize(("claim", "status"), [(True, 200), ("true", 200), (False, 401), ("false", 401), (1, 401)])
def test_only_a_verified_address_makes_a_session(claim: object, status: int) -> None:
    assert Client(session("eve@example.com", email_verified=claim)).get(ME).status == status


@pytest.mark.parametrize(("setting", "status"), [(None, 401), ("", 401), ("true", 401), ("false", 200)])
def test_a_session_must_state_that_its_address_is_verified_unless_the_installation_waives_it(
    monkeypatch: pytest.MonkeyPatch, setting: str | None, status: int
) -> None:
    monkeypatch.delenv("REQUIRE_EMAIL_VERIFIED", raising=False)
    if setting is not None:
        monkeypatch.setenv("REQUIRE_EMAIL_VERIFIED", setting)
    settings.cache_clear()
    assert Client(session("eve@example.com", email_verified=None)).get(ME).status == status
    assert Client(session("eve@example.com", email_verified=False)).get(ME).status == 401
    assert Client(session("eve@example.com")).get(ME).status == 200
    monkeypatch.undo()
    settings.cache_clear()
