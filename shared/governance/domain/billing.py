"""Billing states, and which of them restrict a board (ADR 0005)."""

from __future__ import annotations

ALLOWING = ("TRIAL_ACTIVE", "PAID_ACTIVE", "PAST_DUE_GRACE")
RESTRICTING = ("TRIAL_EXPIRED", "PAST_DUE_RESTRICTED", "CANCELLED")
STATES = ALLOWING + RESTRICTING


def is_restricted(state: str) -> bool:
    """Returns whether writes on a board in this billing state are refused; reads never are."""
    return state not in ALLOWING
