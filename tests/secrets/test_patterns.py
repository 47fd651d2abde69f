"""The patterns for secret scanners in `SECURITY.md` match every secret that the service issues."""

from __future__ import annotations

import re
import zlib
from pathlib import Path

import pytest

from governance.domain.account import tokens
from governance.domain.calendars import calendar_feed
from governance.domain.invites import invite_link
from governance.domain.meetings import guest_link
from governance.ids import BoardId, UserId

_ROW = re.compile(r"^\| ([A-Z][a-z ]+) \| `(.+)` \|$", re.MULTILINE)
_PAGE = (Path(__file__).parents[2] / "SECURITY.md").read_text()
PATTERNS = dict(_ROW.findall(_PAGE.partition("## Patterns")[2].partition("\n## ")[0]))
_DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


def checksum(text: str) -> str:
    """Computes a token's checksum as the page describes it."""
    remainder, digits = zlib.crc32(text.encode()), ""
    for _ in range(6):
        remainder, digit = divmod(remainder, 62)
        digits = _DIGITS[digit] + digits
    return digits


@pytest.mark.parametrize(("name", "kind"), [("Personal access token", "personal"), ("Board access token", "board")])
def test_the_pattern_finds_a_token_and_the_checksum_confirms_it(name: str, kind: tokens.TokenKind) -> None:
    secret = tokens.mint(kind, UserId("5" * 24))
    (match,) = re.findall(PATTERNS[name], f"curl -H 'Authorization: Bearer {secret}'")
    assert match == secret
    assert checksum(secret[:-6]) == secret[-6:]


def test_the_pattern_finds_the_secret_of_a_calendar_feed() -> None:
    secret = calendar_feed.mint(UserId("5" * 24))
    (match,) = re.findall(PATTERNS["Calendar feed"], f"https://governance.example.com/calendar/{secret}.ics")
    assert match == secret
    assert checksum(secret[:-6]) == secret[-6:]


def test_the_pattern_finds_a_guest_link() -> None:
    token = guest_link.mint(BoardId("a" * 24), "b" * 24)
    assert re.search(PATTERNS["Guest link"], f"https://governance.example.com/guest/{token}")
    assert re.search(PATTERNS["Guest link"], f"https://governance.example.com/api/v1/guest/{token}")


def test_the_pattern_finds_an_invite_link() -> None:
    code = "0f5b8c0e-6d7a-4c1b-9a39-5f1f6d1a2b3c"
    url = invite_link.url("https://governance.example.com", code, invite_link.token("secret", "a" * 24))
    assert re.search(PATTERNS["Invite link"], url)
