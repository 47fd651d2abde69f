"""The size of a response as Lambda sends it (ADR limits)."""

from __future__ import annotations

import json

LONGEST_CHARACTER = 12
"""Bytes of a character at most: two escaped surrogates."""


def sent_bytes(text: str) -> int:
    """Returns the bytes of a text inside Lambda's own JSON: quotes are escaped there, and what is not ASCII.

    Newer runtimes send other characters than quotes as they are, which is never longer.
    """
    return len(json.dumps(text)) - 2
