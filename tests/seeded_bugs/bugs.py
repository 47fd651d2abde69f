"""All seeded bugs. To add one, append it to the module of its area."""

from __future__ import annotations

from tests.seeded_bugs import bounds, oversight, received_mails, requests, rules, webhooks, writes

BUGS = (*rules.BUGS, *oversight.BUGS, *requests.BUGS, *writes.BUGS, *bounds.BUGS, *webhooks.BUGS, *received_mails.BUGS)
