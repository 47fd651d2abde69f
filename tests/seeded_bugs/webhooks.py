"""Bugs in what webhooks send, where to, how often, and what survives a crash."""

from __future__ import annotations

from governance import addresses
from governance.domain import webhook
from governance.models import webhook_url
from governance.usecases import webhooks
from governance.webhooks import client
from tests.seeded_bugs.bug import Bug

_CLIENT = "tests/webhooks/test_addresses.py tests/webhooks/test_client.py tests/webhooks/test_tls.py"
_ATTEMPTS = "tests/webhooks/test_attempts.py"
_ROUTES = "tests/functions/webhooks"

BUGS = (
    Bug(
        "one public address is enough for a name",
        client._judged_addresses,
        "if not all(is_allowed",
        "if not any(is_allowed",
        _CLIENT,
    ),
    Bug(
        "a connection looks the name up again",
        client._open,
        "socket.create_connection((str(address), port), timeout)",
        "socket.create_connection((look_up('hooks.example.com', port)[0], port), timeout)",
        _CLIENT,
    ),
    Bug(
        "an IPv4 address inside an IPv6 address is not judged",
        addresses.is_public,
        "if inner is not None:",
        "if False:",
        _CLIENT,
    ),
    Bug(
        "this machine's addresses are allowed everywhere",
        webhook_url.is_allowed,
        "settings().webhook_allow_loopback and addresses",
        "addresses",
        _CLIENT,
    ),
    Bug(
        "webhooks hear of drafts and committees",
        webhook.wants,
        "not is_board_wide(event)",
        "False",
        _ATTEMPTS,
    ),
    Bug(
        "the old secret signs for ever",
        webhook.signing_secrets,
        "now < webhook.previous_until",
        "now",
        _ATTEMPTS,
    ),
    Bug(
        "a secret is in the replay of its request",
        webhooks._with_secret,
        '"secret": None',
        '"secret": secret',
        _ROUTES,
    ),
)
