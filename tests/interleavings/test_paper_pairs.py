"""Concurrent writes to comments, agendas, minutes and files, and to what these hang on."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from tests.harness.path_resources import PathResources
from tests.harness.sample_bodies import NEW_VERSION
from tests.interleavings.pair_scenario import Check, PairScenario

pytestmark = pytest.mark.slow


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


def test_edit_resolve(pairs: PairScenario, check: Check) -> None:
    comment = pairs.create(f"{pairs.new_meeting().path}/comments", text="Why?")
    check(partial(pairs.owner.patch, comment, {"text": "How?"}), partial(pairs.ben.client.put, f"{comment}/resolution"))


def test_resolve_delete_comment(pairs: PairScenario, check: Check) -> None:
    comment = pairs.create(f"{pairs.new_meeting().path}/comments", text="Why?")
    check(partial(pairs.ben.client.put, f"{comment}/resolution"), partial(pairs.owner.delete, comment))


# -- agendas, minutes, versions


def _items(*titles: str) -> dict[str, Any]:
    return {"items": [{"title": title} for title in titles]}


def test_agenda_agenda(pairs: PairScenario, check: Check) -> None:
    agenda = f"{pairs.new_meeting().path}/agenda"
    check(partial(pairs.owner.put, agenda, _items("One")), partial(pairs.owner.put, agenda, _items("Other")))


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


def test_minutes_minutes(pairs: PairScenario, check: Check) -> None:
    meeting = pairs.new_meeting(status="completed")
    assert pairs.owner.put(f"{meeting.path}/agenda", _items("One")).status < 300
    minutes = f"{meeting.path}/minutes"
    check(
        partial(pairs.owner.put, minutes, {"items": [{"text": "One"}]}),
        partial(pairs.owner.put, minutes, {"items": [{"text": "Other"}]}),
    )


def test_version_version(pairs: PairScenario, check: Check) -> None:
    versions = f"{pairs.create(pairs.path('documents'), title='Paper')}/versions"
    check(partial(pairs.owner.post, versions, NEW_VERSION), partial(pairs.owner.post, versions, NEW_VERSION))


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


def test_delete_version_delete_version(pairs: PairScenario, check: Check) -> None:
    delete = partial(pairs.owner.delete, _version(pairs))
    check(delete, delete)
