"""Bugs in the limit of active tokens, and in what the plan of an invitation reads."""

from __future__ import annotations

from governance.events import invitations
from governance.store import calendars, tokens
from tests.seeded_bugs.bug import ROOT, Bug

_TOKENS = "tests/functions/limits/test_token_limits.py"

BUGS = (
    Bug("a board has a token too many", tokens._add_active, "size(#t) < :limit", "size(#t) <= :limit", _TOKENS),
    Bug(
        "a revoked token counts as active",
        tokens.revoke,
        "    return [mark, _remove_active(_active_key(token), frozenset({_entry(token)}))]\n",
        "    return [mark]\n",
        _TOKENS,
    ),
    Bug(
        "an expired token counts as active",
        tokens._full,
        "if not expired:",
        "if expired is not None:",
        _TOKENS,
    ),
    Bug(
        "a full board removes its active tokens to make room",
        tokens._full,
        " if _has_expired(entry, now))",
        ")",
        _TOKENS,
    ),
    Bug(
        "a meeting's change reads every membership",
        invitations.plan_invitations,
        "boards.roster(",
        "boards.members(",
        "tests/contract/test_scale.py",
    ),
    Bug(
        "a meeting's change reads every setting consistently",
        calendars.invited,
        ", consistent=False",
        "",
        "tests/calendar/test_invitations.py",
    ),
    Bug(
        "the user pool mails by Cognito whatever is asked for",
        ROOT / "infra/user_pool/template.yaml",
        "EmailSendingAccount: DEVELOPER",
        "EmailSendingAccount: COGNITO_DEFAULT",
        "tests/contract/test_template_stack.py",
    ),
)
