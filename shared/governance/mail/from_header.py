"""Reads the one address in a header `From`, whatever name stands before it and however it is quoted (ADR calendars).

Many programs do not quote a name as RFC 5322 wants: `Doe, Jane <jane@example.com>` is one address, and so is a name
that is an address itself. But an address that stands alone between commas is a sender of its own.
"""

from __future__ import annotations

import re

from governance.models.text import email

_QUOTED = re.compile(r'"(?:[^"\\]|\\[\s\S]?)*+("|\Z)')
"""A quoted string; or the rest behind a quotation mark that is never closed, so that nothing is searched twice."""
_COMMENT = re.compile(r"\([^()]*\)")
_COMMENT_LEVELS = 4
_IN_BRACKETS = re.compile(r"<([^<>]*)>")
_SEPARATORS = re.compile("[,;]")


def single_address(header: str) -> str:
    """Returns the address in lower case. Raises `ValueError` unless the header has one, well-formed and at its end."""
    text = _QUOTED.sub(lambda match: " " if match[1] else match[0], header)
    for _ in range(_COMMENT_LEVELS):
        text = _COMMENT.sub(" ", text)
    text = text.strip(" ,;")
    bracketed = _IN_BRACKETS.findall(text)
    if len(bracketed) > 1 or (bracketed and not text.endswith(">")):
        raise ValueError("must have one address, at its end")
    alone = [part.strip() for part in _SEPARATORS.split(text)]
    addresses = {email(part) for part in (*bracketed, *filter(_is_address, alone))}
    (address,) = addresses
    return address


def _is_address(text: str) -> bool:
    try:
        return bool(email(text))
    except ValueError:
        return False
