"""Concurrent writes to what tells people and programs: answers, webhooks, feeds, exports and the like."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest

from governance.ids import new_id
from governance.limits import WEBHOOKS_PER_BOARD
from tests.harness.board_scenario import BoardScenario
from tests.harness.path_resources import NEW_WEBHOOK
from tests.interleavings.pair_scenario import Pair, PairScenario, check_pair

pytestmark = pytest.mark.slow


# -- answers to meetings


def _rsvp(scenario: PairScenario, **members: str) -> tuple[str, str]:
    """Returns the paths of a meeting and of an answer to it."""
    meeting = scenario.new_meeting(startTime="2098-01-01T09:00:00Z", **members)
    return meeting.path, f"{meeting.path}/rsvp"


def answer_answer(scenario: PairScenario) -> Pair:
    _, rsvp = _rsvp(scenario)
    return partial(scenario.ben.client.put, rsvp, {"status": "accepted"}), partial(
        scenario.ben.client.put, rsvp, {"status": "declined"}
    )


def answer_take_back(scenario: PairScenario) -> Pair:
    _, rsvp = _rsvp(scenario)
    assert scenario.ben.client.put(rsvp, {"status": "accepted"}).status == 200
    return partial(scenario.ben.client.put, rsvp, {"status": "declined"}), partial(scenario.ben.client.delete, rsvp)


def answer_delete_meeting(scenario: PairScenario) -> Pair:
    meeting, rsvp = _rsvp(scenario)
    return partial(scenario.ben.client.put, rsvp, {"status": "accepted"}), partial(scenario.owner.delete, meeting)


def answer_move_meeting(scenario: PairScenario) -> Pair:
    meeting, rsvp = _rsvp(scenario)
    moved = {"startTime": "2098-02-01T09:00:00Z"}
    return partial(scenario.ben.client.put, rsvp, {"status": "accepted"}), partial(scenario.owner.patch, meeting, moved)


def answer_remove_member(scenario: PairScenario) -> Pair:
    _, rsvp = _rsvp(scenario)
    return partial(scenario.ben.client.put, rsvp, {"status": "accepted"}), scenario.removal(scenario.ben)


# -- webhooks


def _webhook(scenario: PairScenario) -> str:
    return scenario.create(scenario.path("webhooks"), **NEW_WEBHOOK)


def webhook_webhook(scenario: PairScenario) -> Pair:
    """There is room for one more."""
    for _ in range(WEBHOOKS_PER_BOARD - 1):
        _webhook(scenario)
    create = partial(scenario.owner.post, scenario.path("webhooks"), NEW_WEBHOOK)
    return create, create


def change_change_webhook(scenario: PairScenario) -> Pair:
    webhook = _webhook(scenario)
    return partial(scenario.owner.patch, webhook, {"name": "One"}), partial(
        scenario.owner.patch, webhook, {"events": ["document.*"]}
    )


def change_delete_webhook(scenario: PairScenario) -> Pair:
    webhook = _webhook(scenario)
    return partial(scenario.owner.patch, webhook, {"name": "One"}), partial(scenario.owner.delete, webhook)


def rotate_rotate_secret(scenario: PairScenario) -> Pair:
    rotate = partial(scenario.owner.post, f"{_webhook(scenario)}/rotate-secret")
    return rotate, rotate


def rotate_secret_delete_webhook(scenario: PairScenario) -> Pair:
    webhook = _webhook(scenario)
    return partial(scenario.owner.post, f"{webhook}/rotate-secret"), partial(scenario.owner.delete, webhook)


# -- one's own


def delete_feed_delete_feed(scenario: PairScenario) -> Pair:
    feed = scenario.create("/api/v1/me/calendar-feeds", name="Mine")
    delete = partial(scenario.owner.delete, feed)
    return delete, delete


def export_export(scenario: PairScenario) -> Pair:
    begin = partial(scenario.owner.post, scenario.path("exports"))
    return begin, begin


def export_delete_board(scenario: PairScenario) -> Pair:
    return partial(scenario.owner.post, scenario.path("exports")), partial(scenario.owner.delete, scenario.board.path)


def example_example(scenario: PairScenario) -> Pair:
    make = partial(scenario.ben.client.post, "/api/v1/me/example-board")
    return make, make


def token_remove_member(scenario: PairScenario) -> Pair:
    """A token of the board is made by somebody who is removed meanwhile."""
    body = {"name": new_id(), "preset": "read_only", "expiresInDays": None}
    admin = scenario.member(scenario.ben)
    assert scenario.owner.patch(scenario.path("members", admin), {"adminRole": "admin"}).status == 200
    return partial(scenario.ben.client.post, scenario.path("tokens"), body), scenario.removal(scenario.ben)


PAIRS: tuple[Callable[[PairScenario], Pair], ...] = (
    answer_answer,
    answer_take_back,
    answer_delete_meeting,
    answer_move_meeting,
    answer_remove_member,
    webhook_webhook,
    change_change_webhook,
    change_delete_webhook,
    rotate_rotate_secret,
    rotate_secret_delete_webhook,
    delete_feed_delete_feed,
    export_export,
    export_delete_board,
    example_example,
    token_remove_member,
)


@pytest.mark.parametrize("pair", [pytest.param(pair, id=pair.__name__) for pair in PAIRS])
def test_concurrent_writes_have_the_effect_of_one_after_the_other(
    pair: Callable[[PairScenario], Pair], scenario: BoardScenario, monkeypatch: pytest.MonkeyPatch
) -> None:
    check_pair(*pair(PairScenario(scenario, scenario.member("ben"))), monkeypatch)
