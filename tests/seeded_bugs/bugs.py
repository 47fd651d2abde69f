"""All seeded bugs. To add one, append it to the module of its area."""

from __future__ import annotations

from tests.seeded_bugs import bounds, limits, oversight, requests, rules, webhooks, writes

BUGS = (*rules.BUGS, *oversight.BUGS, *requests.BUGS, *writes.BUGS, *bounds.BUGS, *limits.BUGS, *webhooks.BUGS)
