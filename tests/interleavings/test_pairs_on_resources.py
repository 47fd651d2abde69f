"""Of each resource: two changes, a change and a removal, two removals; and what holds of its neighbours."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from tests.harness.board_scenario import BoardScenario
from tests.harness.client import Client
from tests.harness.meeting_scenario import from_now
from tests.harness.sample_requests import PathResources
from tests.interleavings.pair_scenario import Pair, Stage, check_pair

pytestmark = pytest.mark.slow
Body = dict[str, Any]
Path = Callable[[PathResources], str]


def _below(*names: str) -> Path:
    """The path of a thing: names of collections, and of the parameters that name things in them."""
    return lambda things: things.path(*(things[name] if name.endswith("Id") else name for name in names))


CHANGES: dict[str, tuple[Path, Body, Body]] = {
    "board": (_below(), {"name": "One"}, {"description": "Other"}),
    "meeting": (_below("meetings", "meetingId"), {"title": "One"}, {"location": "Other"}),
    "action item": (
        _below("meetings", "meetingId", "action-items", "actionItemId"),
        {"title": "One"},
        {"status": "completed"},
    ),
    "document": (_below("documents", "documentId"), {"title": "One"}, {"documentType": "minutes"}),
    "committee": (_below("committees", "committeeId"), {"name": "One"}, {"memberIds": []}),
    "report": (_below("reports", "reportId"), {"title": "One"}, {"status": "published"}),
    "dashboard": (
        _below("reports", "reportId", "dashboards", "dashboardId"),
        {"title": "One"},
        {"uniform": {"reviewStatus": "ready_for_review"}},
    ),
    "member": (_below("members", "memberId"), {"accessType": "guest"}, {"adminRole": "admin"}),
}
"""What is changed, and two changes that do not touch the same member of it."""


def _found(stage: Stage, resource: str) -> str:
    return CHANGES[resource][0](PathResources(stage.board, stage.board.owner, ""))


def two_changes(stage: Stage, resource: str) -> Pair:
    path, (_, one, other) = _found(stage, resource), CHANGES[resource]
    return partial(stage.owner.patch, path, one), partial(stage.owner.patch, path, other)


def the_same_change(stage: Stage, resource: str) -> Pair:
    path, (_, one, _other) = _found(stage, resource), CHANGES[resource]
    return partial(stage.owner.patch, path, one), partial(stage.owner.patch, path, one)


def change_and_removal(stage: Stage, resource: str) -> Pair:
    path, (_, _one, other) = _found(stage, resource), CHANGES[resource]
    return partial(stage.owner.patch, path, other), partial(stage.owner.delete, path)


def two_removals(stage: Stage, resource: str) -> Pair:
    path = _found(stage, resource)
    return partial(stage.owner.delete, path), partial(stage.owner.delete, path)


# -- a thing and what it hangs on


def propose_confirm(stage: Stage) -> Pair:
    meeting = stage.new_meeting()
    return partial(meeting.propose, stage.ben.client, from_now(days=2)), partial(meeting.confirm, meeting.slot())


def vote_delete_meeting(stage: Stage) -> Pair:
    meeting = stage.new_meeting()
    return partial(meeting.vote, stage.ben.client, meeting.slot(), "cant"), partial(stage.owner.delete, meeting.path)


def confirm_delete_meeting(stage: Stage) -> Pair:
    meeting = stage.new_meeting()
    return partial(meeting.confirm, meeting.slot()), partial(stage.owner.delete, meeting.path)


def confirm_change_start(stage: Stage) -> Pair:
    meeting = stage.new_meeting()
    return partial(meeting.confirm, meeting.slot()), partial(meeting.patch, startTime="2040-01-01T09:00:00Z")


def delete_slot_delete_slot(stage: Stage) -> Pair:
    meeting = stage.new_meeting()
    slot = meeting.slot()
    return partial(meeting.remove, slot), partial(meeting.remove, slot)


def hide_vote(stage: Stage) -> Pair:
    meeting = stage.new_meeting()
    return partial(meeting.vote, stage.ben.client, meeting.slot(), "cant"), partial(meeting.patch, status="draft")


def hide_open_link(stage: Stage) -> Pair:
    meeting = stage.new_meeting()
    return partial(stage.ben.client.post, f"{meeting.path}/guest-link"), partial(meeting.patch, status="draft")


def guest_vote_confirm(stage: Stage) -> Pair:
    meeting = stage.new_meeting()
    slot = meeting.slot()
    token = stage.owner.post(f"{meeting.path}/guest-link").data["token"]
    vote = {"email": "guest@example.org", "vote": "ok"}
    return partial(Client().put, f"/api/v1/guest/{token}/slots/{slot['id']}/vote", vote), partial(meeting.confirm, slot)


def item_status_delete_meeting(stage: Stage) -> Pair:
    meeting = stage.new_meeting()
    item = stage.owner.post(f"{meeting.path}/action-items", {"title": "Sign"}).data["_id"]
    close = partial(stage.owner.patch, f"/api/action-items/{item}/status", {"status": "completed"})
    return close, partial(stage.owner.delete, meeting.path)


def finalize_report_create_dashboard(stage: Stage) -> Pair:
    report = stage.made(stage.path("reports"), title="Report")
    assert stage.owner.patch(report, {"status": "published"}).status == 200
    body = {"dashboardType": "uniform"}
    return partial(stage.owner.patch, report, {"status": "finalized"}), partial(
        stage.owner.post, f"{report}/dashboards", body
    )


def delete_report_patch_dashboard(stage: Stage) -> Pair:
    report = stage.made(stage.path("reports"), title="Report")
    dashboard = stage.made(f"{report}/dashboards", dashboardType="uniform")
    return partial(stage.owner.delete, report), partial(stage.owner.patch, dashboard, {"title": "Late"})


def delete_committee_move_document(stage: Stage) -> Pair:
    committee = stage.made(stage.path("committees"), name="Audit", memberIds=[stage.member(stage.board.owner)])
    document = stage.made(stage.path("documents"), title="Open")
    body = {"committeeId": committee.rpartition("/")[2]}
    return partial(stage.owner.delete, committee), partial(stage.owner.patch, document, body)


def seat_remove_member(stage: Stage) -> Pair:
    committee = stage.made(stage.path("committees"), name="Audit", memberIds=[])
    seated = {"memberIds": [stage.member(stage.ben)]}
    return partial(stage.owner.patch, committee, seated), stage.removal(stage.ben)


def vote_vote(stage: Stage) -> Pair:
    meeting = stage.new_meeting()
    slot = meeting.slot()
    return partial(meeting.vote, stage.ben.client, slot, "cant"), partial(meeting.vote, stage.ben.client, slot, "ok")


def propose_delete_slot(stage: Stage) -> Pair:
    meeting, start = stage.new_meeting(), from_now(days=1)
    slot = meeting.slot(start)
    return partial(meeting.propose, stage.ben.client, start), partial(meeting.remove, slot)


def propose_close(stage: Stage) -> Pair:
    meeting = stage.new_meeting()
    return partial(meeting.propose, stage.ben.client, from_now(days=1)), partial(meeting.patch, status="completed")


def open_link_close_link(stage: Stage) -> Pair:
    link = f"{stage.new_meeting().path}/guest-link"
    assert stage.owner.post(link).status == 201
    return partial(stage.ben.client.post, link), partial(stage.owner.delete, link)


KINDS = (two_changes, the_same_change, change_and_removal, two_removals)
KINDS_OF = {"board": (two_changes, the_same_change)}
"""What a deleted board takes with it is told by other pairs."""
PAIRS: tuple[Callable[[Stage], Pair], ...] = (
    propose_confirm,
    vote_delete_meeting,
    confirm_delete_meeting,
    confirm_change_start,
    delete_slot_delete_slot,
    hide_vote,
    hide_open_link,
    guest_vote_confirm,
    item_status_delete_meeting,
    finalize_report_create_dashboard,
    delete_report_patch_dashboard,
    delete_committee_move_document,
    seat_remove_member,
    vote_vote,
    propose_delete_slot,
    propose_close,
    open_link_close_link,
)


def of_resources() -> list[Any]:
    return [
        pytest.param(kind, resource, id=f"{resource}-{kind.__name__}")
        for resource in CHANGES
        for kind in KINDS_OF.get(resource, KINDS)
    ]


@pytest.mark.parametrize(("kind", "resource"), of_resources())
def test_changes_of_a_resource_are_one_after_the_other(
    kind: Callable[[Stage, str], Pair], resource: str, scenario: BoardScenario, monkeypatch: pytest.MonkeyPatch
) -> None:
    check_pair(*kind(Stage(scenario, scenario.member("ben")), resource), monkeypatch)


@pytest.mark.parametrize("pair", [pytest.param(pair, id=pair.__name__) for pair in PAIRS])
def test_writes_on_neighbours_are_one_after_the_other(
    pair: Callable[[Stage], Pair], scenario: BoardScenario, monkeypatch: pytest.MonkeyPatch
) -> None:
    check_pair(*pair(Stage(scenario, scenario.member("ben"))), monkeypatch)
