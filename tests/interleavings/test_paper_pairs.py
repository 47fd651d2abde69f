"""Concurrent writes to papers: agendas, documents and comments; and to answers, webhooks and tokens."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from governance.ids import new_id
from governance.limits import WEBHOOKS_PER_BOARD
from tests.harness.path_resources import PathResources
from tests.harness.sample_bodies import NEW_VERSION
from tests.interleavings.pair_scenario import Check, PairScenario

pytestmark = pytest.mark.slow
_WEBHOOK = {"url": "https://hooks.example.com/boards", "events": ["meeting.*"]}


def _resources(scenario: PairScenario) -> PathResources:
    return PathResources(scenario.board, scenario.board.owner, "")


# -- comments


def test_comment_delete_meeting(pairs: PairScenario, check: Check) -> None:
    meeting = pairs.new_meeting()
    comment = partial(pairs.ben.client.post, f"{meeting.path}/comments", {"text": "Why?"})
    check(comment, partial(pairs.owner.delete, meeting.path))


def test_comment_delete_document(pairs: PairScenario, check: Check) -> None:
    document = pairs.create(pairs.path("documents"), title="Paper")
    comment = partial(pairs.ben.client.post, f"{document}/comments", {"text": "Why?"})
    check(comment, partial(pairs.owner.delete, document))


def test_comment_delete_dashboard(pairs: PairScenario, check: Check) -> None:
    resources = _resources(pairs)
    dashboard = resources.path("reports", resources["reportId"], "dashboards", resources["dashboardId"])
    comment = partial(pairs.ben.client.post, f"{dashboard}/comments", {"text": "Why?"})
    check(comment, partial(pairs.owner.delete, dashboard))


def test_reply_delete_comment(pairs: PairScenario, check: Check) -> None:
    comments = f"{pairs.new_meeting().path}/comments"
    comment = pairs.create(comments, text="Why?")
    reply = {"text": "Because", "replyToId": comment.rpartition("/")[2]}
    check(partial(pairs.ben.client.post, comments, reply), partial(pairs.owner.delete, comment))


# -- agendas, minutes, versions


def _items(*titles: str) -> dict[str, Any]:
    return {"items": [{"title": title} for title in titles]}


def test_agenda_delete_meeting(pairs: PairScenario, check: Check) -> None:
    meeting = pairs.new_meeting()
    agenda = partial(pairs.owner.put, f"{meeting.path}/agenda", _items("One"))
    check(agenda, partial(pairs.owner.delete, meeting.path))


def test_carry_over_agenda(pairs: PairScenario, check: Check) -> None:
    earlier, meeting = pairs.new_meeting(), pairs.new_meeting()
    assert pairs.owner.put(f"{earlier.path}/agenda", _items("Open")).status == 200
    carried = {"fromMeetingId": earlier.path.rpartition("/")[2]}
    check(
        partial(pairs.owner.post, f"{meeting.path}/agenda/carry-over", carried),
        partial(pairs.owner.put, f"{meeting.path}/agenda", _items("One")),
    )


def test_version_delete_document(pairs: PairScenario, check: Check) -> None:
    document = pairs.create(pairs.path("documents"), title="Paper")
    version = partial(pairs.owner.post, f"{document}/versions", NEW_VERSION)
    check(version, partial(pairs.owner.delete, document))


def _version(scenario: PairScenario) -> str:
    """Returns the path of a version whose file was sent."""
    resources = _resources(scenario)
    return resources.path("documents", resources["documentId"], "versions", resources["versionId"])


def test_complete_complete(pairs: PairScenario, check: Check) -> None:
    complete = partial(pairs.owner.post, f"{_version(pairs)}/complete")
    check(complete, complete)


def test_complete_delete_version(pairs: PairScenario, check: Check) -> None:
    version = _version(pairs)
    check(partial(pairs.owner.post, f"{version}/complete"), partial(pairs.owner.delete, version))


# -- answers to meetings


def _rsvp(scenario: PairScenario, **members: str) -> tuple[str, str]:
    """Returns the paths of a meeting and of an answer to it."""
    meeting = scenario.new_meeting(startTime="2098-01-01T09:00:00Z", **members)
    return meeting.path, f"{meeting.path}/rsvp"


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


# -- one's own


def test_token_remove_member(pairs: PairScenario, check: Check) -> None:
    """A token of the board is made by somebody who is removed meanwhile."""
    body = {"name": new_id(), "preset": "read_only", "expiresInDays": None}
    admin = pairs.member(pairs.ben)
    assert pairs.owner.patch(pairs.path("members", admin), {"adminRole": "admin"}).status == 200
    check(partial(pairs.ben.client.post, pairs.path("tokens"), body), pairs.removal(pairs.ben))
