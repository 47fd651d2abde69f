"""Billing states: which of them let a board be written to (ADR 0005)."""

from __future__ import annotations

ALLOWING = ("TRIAL_ACTIVE", "PAID_ACTIVE", "PAST_DUE_GRACE")
RESTRICTING = ("TRIAL_EXPIRED", "PAST_DUE_RESTRICTED", "CANCELLED")
STATES = ALLOWING + RESTRICTING


def is_restricted(state: str) -> bool:
    """Every write on a board in such a state is refused; reads go on."""
    return state not in ALLOWING
