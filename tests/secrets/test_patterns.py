"""The patterns for secret scanners in `SECURITY.md` match every secret that the service issues."""

from __future__ import annotations

import re
import zlib
from pathlib import Path

import pytest

from governance.domain.account import tokens
from governance.domain.calendars import calendar_feed
from governance.domain.invites import invite_link
from governance.domain.meetings import guest_link, personal_link
from governance.ids import BoardId, UserId
from tests.domain.samples import person

_ROW = re.compile(r"^\| ([A-Z][a-z ]+) \| `(.+)` \|$", re.MULTILINE)
_PAGE = (Path(__file__).parents[2] / "SECURITY.md").read_text()
PATTERNS = dict(_ROW.findall(_PAGE.partition("## Patterns")[2].partition("\n## ")[0]))
_HOST = "https://governance.example.com"
_DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


def checksum(text: str) -> str:
    """Computes a token's checksum as the page describes it."""
    remainder, digits = zlib.crc32(text.encode()), ""
    for _ in range(6):
        remainder, digit = divmod(remainder, 62)
        digits = _DIGITS[digit] + digits
    return digits


@pytest.mark.parametrize(
    ("name", "secret", "around"),
    [
        ("Personal access token", tokens.mint("personal", UserId("5" * 24)), "curl -H 'Authorization: Bearer {}'"),
        ("Board access token", tokens.mint("board", BoardId("5" * 24)), "curl -H 'Authorization: Bearer {}'"),
        ("Calendar feed", calendar_feed.mint(UserId("5" * 24)), f"{_HOST}/calendar/{{}}.ics"),
    ],
    ids=["personal token", "board token", "calendar feed"],
)
def test_a_pattern_finds_a_secret_and_the_checksum_confirms_it(name: str, secret: str, around: str) -> None:
    (match,) = re.findall(PATTERNS[name], around.format(secret))
    assert match == secret
    assert checksum(secret[:-6]) == secret[-6:]


def test_the_patterns_find_the_links_of_guests_and_invites() -> None:
    token = guest_link.mint(BoardId("a" * 24), "b" * 24)
    assert re.search(PATTERNS["Guest link"], f"{_HOST}/guest/{token}")
    assert re.search(PATTERNS["Guest link"], f"{_HOST}/api/v1/guest/{token}")
    paper = personal_link.token("s", person(), "b" * 24, "paper link")
    assert re.search(PATTERNS["Paper link"], f"{_HOST}/paper/{paper}")
    assert re.search(PATTERNS["Paper link"], f"{_HOST}/api/v1/paper/{paper}/versions")
    url = invite_link.url(_HOST, "0f5b8c0e-6d7a-4c1b-9a39-5f1f6d1a2b3c", invite_link.token("secret", "a" * 24))
    assert re.search(PATTERNS["Invite link"], url)
