"""Bugs in what admins, owners and guests do being seen, and in who may still act."""

from __future__ import annotations

from governance.domain import membership
from governance.models import token
from governance.store import users
from governance.usecases import operator
from tests.seeded_bugs.bug import Bug

BUGS = (
    Bug(
        "a token without a lifetime never expires",
        token,
        "    expires_in_days: Expiry\n\n\nclass BoardTokenCreate",
        "    expires_in_days: Expiry = None\n\n\nclass BoardTokenCreate",
        "tests/boundaries/test_bodies.py",
    ),
    Bug(
        "a closed account can become the owner",
        membership.transfer_ownership,
        'if user is None or user.status != "active":',
        "if user is None:",
        "tests/functions/boards/test_members.py",
    ),
    Bug(
        "an account that closes during a transfer becomes the owner",
        users.check_active,
        'equals(status="active")',
        "equals(id=user_id)",
        "tests/functions/boards/test_members.py",
    ),
    Bug(
        "an owner can be purged",
        operator._check_owns_none,
        "    if owned:",
        "    if owned == own_boards:",
        "tests/operator/test_boardctl.py",
    ),
)
