"""Bugs in the limits of what is stored."""

from __future__ import annotations

from governance.store import counters
from governance.store.account import tokens
from governance.store.meetings import guest_votes
from tests.seeded_bugs.bug import Bug

_LIMITS = "tests/functions/limits"
_TOKENS = "tests/functions/limits/test_token_limits.py"

BUGS = (
    Bug("a limit takes one too many", counters.add, "#n < :limit", "#n <= :limit", _LIMITS),
    Bug(
        "a recount overwrites what is added meanwhile",
        counters.set_number,
        ", equals(**{_CHANGES: counter[_CHANGES]}))",
        ")",
        "tests/store/test_counters.py",
    ),
    Bug(
        "a vote that is cast while its slot is deleted goes on counting for the meeting",
        guest_votes.stop_counting,
        "return [Check(key, ABSENT)]",
        "return []",
        "tests/interleavings/test_closed_meeting.py",
    ),
    Bug("a board has a token too many", tokens._add_active, "size(#t) < :limit", "size(#t) <= :limit", _TOKENS),
    Bug(
        "a full board removes its active tokens to make room",
        tokens._full,
        " if _has_expired(entry, now))",
        ")",
        _TOKENS,
    ),
)
