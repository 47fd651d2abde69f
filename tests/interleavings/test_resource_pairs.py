"""For each kind of resource: two changes, a change and a deletion, two deletions; and writes to related resources."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from tests.harness.board_scenario import BoardScenario
from tests.harness.client import Client
from tests.harness.meeting_scenario import from_now
from tests.harness.path_resources import PathResources
from tests.interleavings.pair_scenario import Pair, PairScenario, check_pair

pytestmark = pytest.mark.slow
Body = dict[str, Any]
Path = Callable[[PathResources], str]


def _path(*names: str) -> Path:
    """Returns the path of a resource from the names of collections and of path parameters."""
    return lambda resources: resources.path(*(resources[name] if name.endswith("Id") else name for name in names))


CHANGES: dict[str, tuple[Path, Body, Body]] = {
    "board": (_path(), {"name": "One"}, {"description": "Other"}),
    "meeting": (_path("meetings", "meetingId"), {"title": "One"}, {"location": "Other"}),
    "action item": (
        _path("meetings", "meetingId", "action-items", "actionItemId"),
        {"title": "One"},
        {"status": "completed"},
    ),
    "document": (_path("documents", "documentId"), {"title": "One"}, {"documentType": "minutes"}),
    "committee": (_path("committees", "committeeId"), {"name": "One"}, {"memberIds": []}),
    "report": (_path("reports", "reportId"), {"title": "One"}, {"status": "published"}),
    "dashboard": (
        _path("reports", "reportId", "dashboards", "dashboardId"),
        {"title": "One"},
        {"uniform": {"reviewStatus": "ready_for_review"}},
    ),
    "member": (_path("members", "memberId"), {"accessType": "guest"}, {"adminRole": "admin"}),
}
"""The path of each resource, and two changes to different fields of it."""


def _created(scenario: PairScenario, resource: str) -> str:
    return CHANGES[resource][0](PathResources(scenario.board, scenario.board.owner, ""))


def two_changes(scenario: PairScenario, resource: str) -> Pair:
    path, (_, first, second) = _created(scenario, resource), CHANGES[resource]
    return partial(scenario.owner.patch, path, first), partial(scenario.owner.patch, path, second)


def the_same_change(scenario: PairScenario, resource: str) -> Pair:
    path, (_, change, _) = _created(scenario, resource), CHANGES[resource]
    return partial(scenario.owner.patch, path, change), partial(scenario.owner.patch, path, change)


def change_and_deletion(scenario: PairScenario, resource: str) -> Pair:
    path, (_, _, second) = _created(scenario, resource), CHANGES[resource]
    return partial(scenario.owner.patch, path, second), partial(scenario.owner.delete, path)


def two_deletions(scenario: PairScenario, resource: str) -> Pair:
    path = _created(scenario, resource)
    return partial(scenario.owner.delete, path), partial(scenario.owner.delete, path)


# -- a thing and what it hangs on


def propose_confirm(scenario: PairScenario) -> Pair:
    meeting = scenario.new_meeting()
    return partial(meeting.propose, scenario.ben.client, from_now(days=2)), partial(meeting.confirm, meeting.slot())


def vote_delete_meeting(scenario: PairScenario) -> Pair:
    meeting = scenario.new_meeting()
    return partial(meeting.vote, scenario.ben.client, meeting.slot(), "cant"), partial(
        scenario.owner.delete, meeting.path
    )


def confirm_delete_meeting(scenario: PairScenario) -> Pair:
    meeting = scenario.new_meeting()
    return partial(meeting.confirm, meeting.slot()), partial(scenario.owner.delete, meeting.path)


def confirm_change_start(scenario: PairScenario) -> Pair:
    meeting = scenario.new_meeting()
    return partial(meeting.confirm, meeting.slot()), partial(meeting.patch, startTime="2040-01-01T09:00:00Z")


def delete_slot_delete_slot(scenario: PairScenario) -> Pair:
    meeting = scenario.new_meeting()
    slot = meeting.slot()
    return partial(meeting.remove, slot), partial(meeting.remove, slot)


def hide_vote(scenario: PairScenario) -> Pair:
    meeting = scenario.new_meeting()
    return partial(meeting.vote, scenario.ben.client, meeting.slot(), "cant"), partial(meeting.patch, status="draft")


def hide_open_link(scenario: PairScenario) -> Pair:
    meeting = scenario.new_meeting()
    return partial(scenario.ben.client.post, f"{meeting.path}/guest-link"), partial(meeting.patch, status="draft")


def guest_vote_confirm(scenario: PairScenario) -> Pair:
    meeting = scenario.new_meeting()
    slot = meeting.slot()
    token = scenario.owner.post(f"{meeting.path}/guest-link").data["token"]
    vote = {"email": "guest@example.org", "vote": "ok"}
    return partial(Client().put, f"/api/v1/guest/{token}/slots/{slot['id']}/vote", vote), partial(meeting.confirm, slot)


def item_status_delete_meeting(scenario: PairScenario) -> Pair:
    meeting = scenario.new_meeting()
    item = scenario.owner.post(f"{meeting.path}/action-items", {"title": "Sign"}).data["_id"]
    close = partial(scenario.owner.patch, f"/api/action-items/{item}/status", {"status": "completed"})
    return close, partial(scenario.owner.delete, meeting.path)


def finalize_report_create_dashboard(scenario: PairScenario) -> Pair:
    report = scenario.create(scenario.path("reports"), title="Report")
    assert scenario.owner.patch(report, {"status": "published"}).status == 200
    body = {"dashboardType": "uniform"}
    return partial(scenario.owner.patch, report, {"status": "finalized"}), partial(
        scenario.owner.post, f"{report}/dashboards", body
    )


def delete_report_patch_dashboard(scenario: PairScenario) -> Pair:
    report = scenario.create(scenario.path("reports"), title="Report")
    dashboard = scenario.create(f"{report}/dashboards", dashboardType="uniform")
    return partial(scenario.owner.delete, report), partial(scenario.owner.patch, dashboard, {"title": "Late"})


def _figures(**stated: int) -> Body:
    ids = {"revenue": "finance.revenue", "cost": "finance.cost-of-revenue", "profit": "finance.gross-profit"}
    fields = [
        {"fieldId": name, "rogueId": ids[name], "isStub": False, "label": name, "displayOrder": 1, "value": value}
        for name, value in stated.items()
    ]
    return {"uniform": {"fields": fields}}


def change_input_change_figure(scenario: PairScenario) -> Pair:
    """Each of the changes alone contradicts the other dashboard; both together agree."""
    dashboards = f"{scenario.create(scenario.path('reports'), title='Report')}/dashboards"
    inputs = scenario.create(dashboards, dashboardType="uniform", **_figures(revenue=100, cost=40))
    profit = scenario.create(dashboards, dashboardType="uniform", **_figures(profit=60))
    return partial(scenario.owner.patch, inputs, _figures(revenue=200, cost=40)), partial(
        scenario.owner.patch, profit, _figures(profit=160)
    )


def delete_input_create_figure(scenario: PairScenario) -> Pair:
    dashboards = f"{scenario.create(scenario.path('reports'), title='Report')}/dashboards"
    inputs = scenario.create(dashboards, dashboardType="uniform", **_figures(revenue=100, cost=40))
    body = {"dashboardType": "uniform", **_figures(profit=70)}
    return partial(scenario.owner.delete, inputs), partial(scenario.owner.post, dashboards, body)


def delete_committee_move_document(scenario: PairScenario) -> Pair:
    committee = scenario.create(
        scenario.path("committees"), name="Audit", memberIds=[scenario.member(scenario.board.owner)]
    )
    document = scenario.create(scenario.path("documents"), title="Open")
    body = {"committeeId": committee.rpartition("/")[2]}
    return partial(scenario.owner.delete, committee), partial(scenario.owner.patch, document, body)


def join_committee_remove_member(scenario: PairScenario) -> Pair:
    committee = scenario.create(scenario.path("committees"), name="Audit", memberIds=[])
    seated = {"memberIds": [scenario.member(scenario.ben)]}
    return partial(scenario.owner.patch, committee, seated), scenario.removal(scenario.ben)


def rename_committee_remove_member(scenario: PairScenario) -> Pair:
    committee = scenario.create(scenario.path("committees"), name="Audit", memberIds=[scenario.member(scenario.ben)])
    return partial(scenario.owner.patch, committee, {"name": "Risk"}), scenario.removal(scenario.ben)


def vote_vote(scenario: PairScenario) -> Pair:
    meeting = scenario.new_meeting()
    slot = meeting.slot()
    return partial(meeting.vote, scenario.ben.client, slot, "cant"), partial(
        meeting.vote, scenario.ben.client, slot, "ok"
    )


def propose_delete_slot(scenario: PairScenario) -> Pair:
    meeting, start = scenario.new_meeting(), from_now(days=1)
    slot = meeting.slot(start)
    return partial(meeting.propose, scenario.ben.client, start), partial(meeting.remove, slot)


def propose_close(scenario: PairScenario) -> Pair:
    meeting = scenario.new_meeting()
    return partial(meeting.propose, scenario.ben.client, from_now(days=1)), partial(meeting.patch, status="completed")


def open_link_close_link(scenario: PairScenario) -> Pair:
    link = f"{scenario.new_meeting().path}/guest-link"
    assert scenario.owner.post(link).status == 201
    return partial(scenario.ben.client.post, link), partial(scenario.owner.delete, link)


def close_link_close_link(scenario: PairScenario) -> Pair:
    link = f"{scenario.new_meeting().path}/guest-link"
    assert scenario.owner.post(link).status == 201
    return partial(scenario.ben.client.delete, link), partial(scenario.owner.delete, link)


def discard_votes_open_link(scenario: PairScenario) -> Pair:
    link = f"{scenario.new_meeting().path}/guest-link"
    return partial(scenario.owner.call, "DELETE", link, query="votes=discard"), partial(scenario.owner.post, link)


KINDS = (two_changes, the_same_change, change_and_deletion, two_deletions)
KINDS_OF = {"board": (two_changes, the_same_change)}
"""Other pairs cover the deletion of a board."""
PAIRS: tuple[Callable[[PairScenario], Pair], ...] = (
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
    change_input_change_figure,
    delete_input_create_figure,
    delete_committee_move_document,
    join_committee_remove_member,
    rename_committee_remove_member,
    vote_vote,
    propose_delete_slot,
    propose_close,
    open_link_close_link,
    close_link_close_link,
    discard_votes_open_link,
)


def of_resources() -> list[Any]:
    return [
        pytest.param(kind, resource, id=f"{resource}-{kind.__name__}")
        for resource in CHANGES
        for kind in KINDS_OF.get(resource, KINDS)
    ]


@pytest.mark.parametrize(("kind", "resource"), of_resources())
def test_concurrent_changes_of_a_resource_have_the_effect_of_one_after_the_other(
    kind: Callable[[PairScenario, str], Pair], resource: str, scenario: BoardScenario, monkeypatch: pytest.MonkeyPatch
) -> None:
    check_pair(*kind(PairScenario(scenario, scenario.member("ben")), resource), monkeypatch)


@pytest.mark.parametrize("pair", [pytest.param(pair, id=pair.__name__) for pair in PAIRS])
def test_concurrent_writes_to_related_resources_have_the_effect_of_one_after_the_other(
    pair: Callable[[PairScenario], Pair], scenario: BoardScenario, monkeypatch: pytest.MonkeyPatch
) -> None:
    check_pair(*pair(PairScenario(scenario, scenario.member("ben"))), monkeypatch)
