"""All seeded bugs. To add one, append it to the module of its area."""

from __future__ import annotations

from tests.seeded_bugs import requests, rules, writes

BUGS = (*rules.BUGS, *requests.BUGS, *writes.BUGS)
