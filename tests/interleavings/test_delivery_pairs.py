"""Concurrent writes to what tells people and programs: answers, webhooks, feeds, exports and the like."""

from __future__ import annotations

from functools import partial

import pytest

from governance.ids import new_id
from governance.limits import WEBHOOKS_PER_BOARD
from tests.interleavings.pair_scenario import Check, PairScenario

pytestmark = pytest.mark.slow
_WEBHOOK = {"url": "https://hooks.example.com/boards", "events": ["meeting.*"]}


# -- answers to meetings


def _rsvp(scenario: PairScenario, **members: str) -> tuple[str, str]:
    """Returns the paths of a meeting and of an answer to it."""
    meeting = scenario.new_meeting(startTime="2098-01-01T09:00:00Z", **members)
    return meeting.path, f"{meeting.path}/rsvp"


def test_answer_answer(pairs: PairScenario, check: Check) -> None:
    _, rsvp = _rsvp(pairs)
    check(
        partial(pairs.ben.client.put, rsvp, {"status": "accepted"}),
        partial(pairs.ben.client.put, rsvp, {"status": "declined"}),
    )


def test_answer_delete_meeting(pairs: PairScenario, check: Check) -> None:
    meeting, rsvp = _rsvp(pairs)
    check(partial(pairs.ben.client.put, rsvp, {"status": "accepted"}), partial(pairs.owner.delete, meeting))


def test_answer_move_meeting(pairs: PairScenario, check: Check) -> None:
    meeting, rsvp = _rsvp(pairs)
    moved = {"startTime": "2098-02-01T09:00:00Z"}
    check(partial(pairs.ben.client.put, rsvp, {"status": "accepted"}), partial(pairs.owner.patch, meeting, moved))


def test_answer_remove_member(pairs: PairScenario, check: Check) -> None:
    _, rsvp = _rsvp(pairs)
    check(partial(pairs.ben.client.put, rsvp, {"status": "accepted"}), pairs.removal(pairs.ben))


# -- webhooks


def _webhook(scenario: PairScenario) -> str:
    return scenario.create(scenario.path("webhooks"), **_WEBHOOK)


def test_webhook_webhook(pairs: PairScenario, check: Check) -> None:
    """There is room for one more."""
    for _ in range(WEBHOOKS_PER_BOARD - 1):
        _webhook(pairs)
    create = partial(pairs.owner.post, pairs.path("webhooks"), _WEBHOOK)
    check(create, create)


def test_rotate_rotate_secret(pairs: PairScenario, check: Check) -> None:
    rotate = partial(pairs.owner.post, f"{_webhook(pairs)}/rotate-secret")
    check(rotate, rotate)


def test_rotate_secret_delete_webhook(pairs: PairScenario, check: Check) -> None:
    webhook = _webhook(pairs)
    check(partial(pairs.owner.post, f"{webhook}/rotate-secret"), partial(pairs.owner.delete, webhook))


# -- one's own


def test_delete_feed_delete_feed(pairs: PairScenario, check: Check) -> None:
    feed = pairs.create("/api/v1/me/calendar-feeds", name="Mine")
    delete = partial(pairs.owner.delete, feed)
    check(delete, delete)


def test_export_export(pairs: PairScenario, check: Check) -> None:
    begin = partial(pairs.owner.post, pairs.path("exports"))
    check(begin, begin)


def test_example_example(pairs: PairScenario, check: Check) -> None:
    make = partial(pairs.ben.client.post, "/api/v1/me/example-board")
    check(make, make)


def test_token_remove_member(pairs: PairScenario, check: Check) -> None:
    """A token of the board is made by somebody who is removed meanwhile."""
    body = {"name": new_id(), "preset": "read_only", "expiresInDays": None}
    admin = pairs.member(pairs.ben)
    assert pairs.owner.patch(pairs.path("members", admin), {"adminRole": "admin"}).status == 200
    check(partial(pairs.ben.client.post, pairs.path("tokens"), body), pairs.removal(pairs.ben))


def test_answer_take_back(pairs: PairScenario, check: Check) -> None:
    _, rsvp = _rsvp(pairs)
    assert pairs.ben.client.put(rsvp, {"status": "accepted"}).status == 200
    check(partial(pairs.ben.client.put, rsvp, {"status": "declined"}), partial(pairs.ben.client.delete, rsvp))
