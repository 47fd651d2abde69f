"""Bugs in what webhooks send, where to, how often, and what survives a crash."""

from __future__ import annotations

from governance import addresses
from governance.domain.webhooks import webhook
from governance.models.webhooks import webhook_url
from governance.store.webhooks.webhook_deliveries import WebhookState
from governance.usecases import webhooks
from governance.webhooks import attempts, client, lanes, planning
from tests.seeded_bugs.bug import Bug

_CLIENT = "tests/webhooks/test_addresses.py tests/webhooks/test_client.py tests/webhooks/test_tls.py"
_ATTEMPTS = "tests/webhooks/test_attempts.py"
_LANES = "tests/webhooks/test_lanes.py"
_ROUTES = "tests/functions/webhooks"

BUGS = (
    Bug(
        "one public address is enough for a name",
        client._checked_addresses,
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
        "an IPv4 address inside an IPv6 address is not checked",
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
        webhook.receives,
        "not is_board_wide(event)",
        "False",
        _ATTEMPTS,
    ),
    Bug(
        "an owner's attempts are counted for each board",
        planning._message,
        '{"ownerId": owner_id,',
        '{"ownerId": board_id,',
        _LANES,
    ),
    Bug(
        "an owner may take all of a lane",
        lanes.permits,
        "concurrency // _OWNERS",
        "concurrency",
        _LANES,
    ),
    Bug(
        "a slow receiver stays in the lane of all",
        attempts._start,
        "if job.lane not in lanes:",
        "if False:",
        _LANES,
    ),
    Bug(
        "a webhook that fails is attempted by many at a time",
        WebhookState.probe,
        "if self.failing_since is None:",
        "if True:",
        _LANES,
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
