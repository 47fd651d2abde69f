"""Concurrent writes to comments, agendas, minutes and files, and to what these hang on."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from tests.harness.board_scenario import BoardScenario
from tests.harness.path_resources import NEW_VERSION, PathResources
from tests.interleavings.pair_scenario import Pair, PairScenario, check_pair

pytestmark = pytest.mark.slow


def _resources(scenario: PairScenario) -> PathResources:
    return PathResources(scenario.board, scenario.board.owner, "")


# -- comments


def comment_delete_meeting(scenario: PairScenario) -> Pair:
    meeting = scenario.new_meeting()
    comment = partial(scenario.ben.client.post, f"{meeting.path}/comments", {"text": "Why?"})
    return comment, partial(scenario.owner.delete, meeting.path)


def comment_delete_document(scenario: PairScenario) -> Pair:
    document = scenario.create(scenario.path("documents"), title="Paper")
    comment = partial(scenario.ben.client.post, f"{document}/comments", {"text": "Why?"})
    return comment, partial(scenario.owner.delete, document)


def comment_delete_dashboard(scenario: PairScenario) -> Pair:
    resources = _resources(scenario)
    dashboard = resources.path("reports", resources["reportId"], "dashboards", resources["dashboardId"])
    comment = partial(scenario.ben.client.post, f"{dashboard}/comments", {"text": "Why?"})
    return comment, partial(scenario.owner.delete, dashboard)


def reply_delete_comment(scenario: PairScenario) -> Pair:
    comments = f"{scenario.new_meeting().path}/comments"
    comment = scenario.create(comments, text="Why?")
    reply = {"text": "Because", "replyToId": comment.rpartition("/")[2]}
    return partial(scenario.ben.client.post, comments, reply), partial(scenario.owner.delete, comment)


def resolve_resolve(scenario: PairScenario) -> Pair:
    comment = scenario.create(f"{scenario.new_meeting().path}/comments", text="Why?")
    return partial(scenario.ben.client.put, f"{comment}/resolution"), partial(
        scenario.owner.put, f"{comment}/resolution"
    )


def edit_resolve(scenario: PairScenario) -> Pair:
    comment = scenario.create(f"{scenario.new_meeting().path}/comments", text="Why?")
    return partial(scenario.owner.patch, comment, {"text": "How?"}), partial(
        scenario.ben.client.put, f"{comment}/resolution"
    )


def resolve_delete_comment(scenario: PairScenario) -> Pair:
    comment = scenario.create(f"{scenario.new_meeting().path}/comments", text="Why?")
    return partial(scenario.ben.client.put, f"{comment}/resolution"), partial(scenario.owner.delete, comment)


# -- agendas, minutes, versions


def _items(*titles: str) -> dict[str, Any]:
    return {"items": [{"title": title} for title in titles]}


def agenda_agenda(scenario: PairScenario) -> Pair:
    agenda = f"{scenario.new_meeting().path}/agenda"
    return partial(scenario.owner.put, agenda, _items("One")), partial(scenario.owner.put, agenda, _items("Other"))


def agenda_delete_meeting(scenario: PairScenario) -> Pair:
    meeting = scenario.new_meeting()
    agenda = partial(scenario.owner.put, f"{meeting.path}/agenda", _items("One"))
    return agenda, partial(scenario.owner.delete, meeting.path)


def carry_over_agenda(scenario: PairScenario) -> Pair:
    earlier, meeting = scenario.new_meeting(), scenario.new_meeting()
    assert scenario.owner.put(f"{earlier.path}/agenda", _items("Open")).status == 200
    carried = {"fromMeetingId": earlier.path.rpartition("/")[2]}
    return partial(scenario.owner.post, f"{meeting.path}/agenda/carry-over", carried), partial(
        scenario.owner.put, f"{meeting.path}/agenda", _items("One")
    )


def minutes_minutes(scenario: PairScenario) -> Pair:
    meeting = scenario.new_meeting(status="completed")
    assert scenario.owner.put(f"{meeting.path}/agenda", _items("One")).status < 300
    minutes = f"{meeting.path}/minutes"
    return partial(scenario.owner.put, minutes, {"items": [{"text": "One"}]}), partial(
        scenario.owner.put, minutes, {"items": [{"text": "Other"}]}
    )


def version_version(scenario: PairScenario) -> Pair:
    versions = f"{scenario.create(scenario.path('documents'), title='Paper')}/versions"
    return partial(scenario.owner.post, versions, NEW_VERSION), partial(scenario.owner.post, versions, NEW_VERSION)


def version_delete_document(scenario: PairScenario) -> Pair:
    document = scenario.create(scenario.path("documents"), title="Paper")
    version = partial(scenario.owner.post, f"{document}/versions", NEW_VERSION)
    return version, partial(scenario.owner.delete, document)


def _version(scenario: PairScenario) -> str:
    """Returns the path of a version whose file was sent."""
    resources = _resources(scenario)
    return resources.path("documents", resources["documentId"], "versions", resources["versionId"])


def complete_complete(scenario: PairScenario) -> Pair:
    complete = partial(scenario.owner.post, f"{_version(scenario)}/complete")
    return complete, complete


def complete_delete_version(scenario: PairScenario) -> Pair:
    version = _version(scenario)
    return partial(scenario.owner.post, f"{version}/complete"), partial(scenario.owner.delete, version)


def delete_version_delete_version(scenario: PairScenario) -> Pair:
    delete = partial(scenario.owner.delete, _version(scenario))
    return delete, delete


PAIRS: tuple[Callable[[PairScenario], Pair], ...] = (
    comment_delete_meeting,
    comment_delete_document,
    comment_delete_dashboard,
    reply_delete_comment,
    resolve_resolve,
    resolve_delete_comment,
    edit_resolve,
    agenda_agenda,
    agenda_delete_meeting,
    carry_over_agenda,
    minutes_minutes,
    version_version,
    version_delete_document,
    complete_complete,
    complete_delete_version,
    delete_version_delete_version,
)


@pytest.mark.parametrize("pair", [pytest.param(pair, id=pair.__name__) for pair in PAIRS])
def test_concurrent_writes_have_the_effect_of_one_after_the_other(
    pair: Callable[[PairScenario], Pair], scenario: BoardScenario, monkeypatch: pytest.MonkeyPatch
) -> None:
    check_pair(*pair(PairScenario(scenario, scenario.member("ben"))), monkeypatch)
