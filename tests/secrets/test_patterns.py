"""The patterns that `SECURITY.md` gives to secret scanners find every secret that the service hands out."""

from __future__ import annotations

import re
import zlib
from pathlib import Path

import pytest

from governance.domain import guest_link, invite_link, tokens

_ROW = re.compile(r"^\| ([A-Z][a-z ]+) \| `(.+)` \|$", re.MULTILINE)
_PAGE = (Path(__file__).parents[2] / "SECURITY.md").read_text()
PATTERNS = dict(_ROW.findall(_PAGE.partition("## Patterns")[2].partition("\n## ")[0]))
_DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


def checksum(text: str) -> str:
    """As the page describes it."""
    left, digits = zlib.crc32(text.encode()), ""
    for _ in range(6):
        left, digit = divmod(left, 62)
        digits = _DIGITS[digit] + digits
    return digits


@pytest.mark.parametrize(("name", "kind"), [("Personal access token", "personal"), ("Board access token", "board")])
def test_a_token_is_found_and_told_from_a_look_alike(name: str, kind: tokens.Kind) -> None:
    secret = tokens.mint(kind, "5" * 24)
    (found,) = re.findall(PATTERNS[name], f"curl -H 'Authorization: Bearer {secret}'")
    assert found == secret
    assert checksum(secret[:-6]) == secret[-6:]


def test_a_guest_link_is_found() -> None:
    token = guest_link.mint("a" * 24, "b" * 24)
    assert re.search(PATTERNS["Guest link"], f"https://governance.example.com/api/v1/guest/{token}")


def test_an_invite_link_is_found() -> None:
    code = "0f5b8c0e-6d7a-4c1b-9a39-5f1f6d1a2b3c"
    url = invite_link.url("https://governance.example.com", code, invite_link.token("secret", "a" * 24))
    assert re.search(PATTERNS["Invite link"], url)
