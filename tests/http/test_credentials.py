"""Bearer credentials: what holds, and what is refused before the store is asked anything."""

from __future__ import annotations

import base64
import json
import time
from typing import Any

import jwt
import pytest

from governance.domain.account import tokens
from governance.ids import UserId, user_id
from governance.store.schema.entities import BOARD_TOKEN
from governance.store.transactions import transact
from governance.store.writes import EXISTS, Update
from governance.usecases.operator import operator
from tests.harness.board_scenario import BoardScenario
from tests.harness.client import ISSUER, SECRET, Client, session
from tests.harness.store_calls import InlinePool, count_store_calls

pytestmark = pytest.mark.usefixtures("store")
WHOAMI = "/api/v1/whoami"
NOW = int(time.time())


def part(value: Any) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")


def signed(**claims: Any) -> str:
    return session("eve@example.com", **claims)


GOOD = jwt.decode(signed(), options={"verify_signature": False})
TOKEN = tokens.mint("personal", UserId("a" * 24))
HOSTILE = {
    "alg none in capitals": f"{part({'alg': 'NONE'})}.{part(GOOD)}.",
    "no signature": signed().rpartition(".")[0] + ".",
    "true for iat": signed(iat=True),
    "empty sub": signed(sub=""),
    "a number for sub": signed(sub=7),
    "a long sub": signed(sub="x" * 256),
    "half a surrogate in sub": signed(sub="\ud800"),
    "no email": signed(email=None),
    "no address for email": signed(email="eve"),
    "another string for email_verified": signed(email_verified="yes"),
    "claims that are not an object": jwt.api_jws.encode(b"[]", SECRET, "HS256"),
    "claims that are nested deep": jwt.api_jws.encode(b"[" * 100_000, SECRET, "HS256"),
    "no JWT": "x",
    "dots": "...",
    "huge": "a" * 100_000,
    "a checksum that is wrong": TOKEN[:-1] + ("0" if TOKEN[-1] != "0" else "1"),
    "a token cut short": TOKEN[:-1],
    "a token too long": TOKEN + "0",
    "a token of another kind": "svc_xat_" + TOKEN[8:],
    "a token's prefix": "svc_pat_",
}
"""Credentials that hold in no way; tests/http/test_sessions.py has forged signatures and all claims of a session."""


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_credential_is_refused_without_a_store_call(name: str, pool: InlinePool) -> None:
    with count_store_calls(pool) as calls:
        assert Client(HOSTILE[name]).get(WHOAMI).failure == (401, "INVALID_API_TOKEN")
    assert calls.sequential == calls.concurrent == []


MALFORMED = (
    *(None, "", "Bearer", "Bearer ", "Basic abc", "Token abc"),
    *("Bearer a b", "Bearer é", "Bearer a,Bearer b", "bearer\ta"),
)


@pytest.mark.parametrize("header", MALFORMED)
def test_no_or_a_malformed_header_is_unauthenticated(header: str | None, pool: InlinePool) -> None:
    headers = {} if header is None else {"authorization": header}
    with count_store_calls(pool) as calls:
        assert Client().call("GET", WHOAMI, headers=headers).failure == (401, "UNAUTHENTICATED")
    assert calls.sequential == calls.concurrent == []


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("Zoë", "Zoë"),
        ("Ngũgĩ\u00a0wa", "Ngũgĩ\u00a0wa"),
        ("👩\u200d🚀", "👩\u200d🚀"),
        ("x" * 101, "x" * 100),
        ("  ", None),
        ("a\nb", None),
        ("a\x85b", None),
        ("\ud800", None),
        (7, None),
    ],
)
def test_a_claimed_name_is_kept_as_far_as_it_is_one(given: Any, kept: str | None) -> None:
    assert Client(signed(given_name=given)).get("/api/v1/me").data["firstName"] == kept


def test_a_session_brings_its_user_and_keeps_the_address_in_step() -> None:
    first = Client(session("Eve@Example.com", "s-1")).get("/api/v1/me").data
    assert (first["email"], first["fullName"]) == ("eve@example.com", "Eve Tester")
    second = Client(session("eva@example.com", "s-1")).get("/api/v1/me").data
    assert (second["id"], second["email"]) == (first["id"], "eva@example.com")


def test_a_name_that_the_user_did_not_choose_follows_the_claims_and_outlives_a_session_without_one(clock: Any) -> None:
    def me(**claims: Any) -> list[str]:
        clock.advance(seconds=1)
        user = Client(session("eve@example.com", **claims)).get("/api/v1/me").data
        return [user[member] for member in ("firstName", "lastName", "updatedAt")]

    first = me()
    later = me(given_name="Eva", family_name="Smith")
    assert (later[:2], later[2] > first[2]) == (["Eva", "Smith"], True)
    assert me(given_name=None, family_name=None) == later


def test_issuers_do_not_share_subjects() -> None:
    assert Client(session("eve@example.com", "s")).get("/api/v1/me").data["id"] == user_id(ISSUER, "s")
    assert user_id(ISSUER, "s") != user_id("another", "s")


def test_a_revoked_token_is_dead_on_the_next_call(scenario: BoardScenario) -> None:
    minted = scenario.owner.client.post(
        "/api/v1/me/tokens", {"name": "t", "preset": "full_access", "expiresInDays": None}
    )
    token = Client(minted.data["secret"])
    assert token.get(WHOAMI).status == 200
    assert scenario.owner.client.delete(f"/api/v1/me/tokens/{minted.data['id']}").data == {"deleted": True}
    assert token.get(WHOAMI).failure == (401, "INVALID_API_TOKEN")


def test_only_the_stored_digest_decides(scenario: BoardScenario) -> None:
    """A token is found by an id that follows from it; what lies there may still be another's."""
    robot = scenario.token()
    parsed = tokens.parse(robot.bearer or "")
    assert parsed is not None
    key = BOARD_TOKEN.key_for(boardId=scenario.board_id, tokenId=parsed.token_id)
    transact([Update(key, "SET digest = :d", {}, {":d": "0" * 64}, EXISTS)])
    assert robot.get(WHOAMI).failure == (401, "INVALID_API_TOKEN")


def test_a_board_token_outlives_its_maker(scenario: BoardScenario) -> None:
    token = scenario.token()
    operator.set_user_status(scenario.owner.id, "suspended")
    assert token.get(scenario.path).status == 200
