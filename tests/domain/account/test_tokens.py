"""Access tokens: base 62, the checksum, and what a token says of itself."""

from __future__ import annotations

import hashlib
import re
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from governance.domain.account import tokens
from governance.ids import BoardId, UserId
from governance.instants import Instant

IDS = st.integers(0, (1 << 96) - 1).map(lambda number: UserId(f"{number:024x}"))


@pytest.mark.parametrize(
    ("number", "text"), [(0, "000"), (9, "009"), (10, "00A"), (35, "00Z"), (36, "00a"), (61, "00z"), (62, "010")]
)
def test_base62_has_digits_capitals_letters_and_the_most_significant_first(number: int, text: str) -> None:
    assert tokens.base62(number, 3) == text


@given(IDS, st.sampled_from(["personal", "board"]))
def test_a_token_names_its_owner_and_its_key(owner: UserId, kind: tokens.TokenKind) -> None:
    text = tokens.mint(kind, owner)
    parsed = tokens.parse(text)
    assert parsed is not None
    assert (parsed.kind, parsed.owner_id) == (kind, owner)
    assert parsed.digest == hashlib.sha256(text.encode()).hexdigest()
    assert re.fullmatch(r"svc_[pb]at_[0-9A-Za-z]{53}", text)
    assert text.startswith("svc_pat_" if kind == "personal" else "svc_bat_")
    assert text[-6:] == tokens.base62(zlib.crc32(text[:-6].encode()), 6)


@given(IDS, st.integers(8, 60), st.sampled_from("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"))
def test_one_wrong_character_is_seen(owner: UserId, at: int, character: str) -> None:
    text = tokens.mint("personal", owner)
    changed = text[:at] + character + text[at + 1 :]
    assert (tokens.parse(changed) is None) is (changed != text)


def test_what_is_stored_reveals_neither_secret_nor_id_of_another() -> None:
    one, other = tokens.mint("board", BoardId("c" * 24)), tokens.mint("board", BoardId("c" * 24))
    assert one != other
    assert tokens.token_id(one) != tokens.token_id(other)
    assert tokens.token_id(one) not in tokens.digest(one)


@pytest.mark.parametrize(
    ("expires", "revoked", "status"),
    [
        (None, None, "active"),
        ("2027-01-01T00:00:00.001Z", None, "active"),
        ("2027-01-01T00:00:00.000Z", None, "expired"),
        ("2026-01-01T00:00:00.000Z", "2025-01-01T00:00:00.000Z", "revoked"),
    ],
)
def test_a_life_ends_to_the_millisecond(expires: Instant | None, revoked: Instant | None, status: str) -> None:
    assert tokens.status(expires, revoked, Instant("2027-01-01T00:00:00.000Z")) == status


def test_the_last_id_owns_a_token_and_the_number_after_it_none() -> None:
    last = "svc_pat_" + tokens.base62((1 << 96) - 1, 17) + "0" * 30
    beyond = "svc_pat_" + tokens.base62(1 << 96, 17) + "0" * 30
    parsed = tokens.parse(last + tokens._checksum(last))
    assert parsed is not None
    assert parsed.owner_id == "f" * 24
    assert tokens.parse(beyond + tokens._checksum(beyond)) is None


def test_the_id_of_a_token_is_one_of_the_service_and_stays_the_same() -> None:
    """Tokens are stored under it: another derivation would lose all tokens."""
    assert tokens.token_id("svc_pat_x") == hashlib.sha256(b"token-id\nsvc_pat_x").hexdigest()[:24]
    assert len(tokens.token_id("svc_pat_x")) == 24
