"""Two changes, a change and a deletion, and two deletions of a resource; and writes to related resources."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from tests.harness.client import Client, Response
from tests.harness.meeting_scenario import from_now
from tests.harness.path_resources import PathResources
from tests.interleavings.pair_scenario import Check, PairScenario

pytestmark = pytest.mark.slow
Body = dict[str, Any]
Path = Callable[[PathResources], str]


def _path(*names: str) -> Path:
    """Returns the path of a resource from the names of collections and of path parameters."""
    return lambda resources: resources.path(*(resources[name] if name.endswith("Id") else name for name in names))


CHANGES: dict[str, tuple[Path, Body, Body]] = {
    "meeting": (_path("meetings", "meetingId"), {"title": "One"}, {"location": "Other"}),
    "document": (_path("documents", "documentId"), {"title": "One"}, {"documentType": "minutes"}),
    "dashboard": (
        _path("reports", "reportId", "dashboards", "dashboardId"),
        {"title": "One"},
        {"uniform": {"reviewStatus": "ready_for_review"}},
    ),
    "member": (_path("members", "memberId"), {"accessType": "guest"}, {"adminRole": "admin"}),
}
"""The path of some resources, whose changes write several rows, and two changes to different fields of each."""


def _created(pairs: PairScenario, resource: str) -> str:
    return CHANGES[resource][0](PathResources(pairs.board, pairs.board.owner, ""))


@pytest.mark.parametrize("resource", CHANGES)
def test_two_changes(resource: str, pairs: PairScenario, check: Check) -> None:
    path, (_, first, second) = _created(pairs, resource), CHANGES[resource]
    check(partial(pairs.owner.patch, path, first), partial(pairs.owner.patch, path, second))


@pytest.mark.parametrize("resource", CHANGES)
def test_change_and_deletion(resource: str, pairs: PairScenario, check: Check) -> None:
    path, (_, _, second) = _created(pairs, resource), CHANGES[resource]
    check(partial(pairs.owner.patch, path, second), partial(pairs.owner.delete, path))


@pytest.mark.parametrize("resource", CHANGES)
def test_two_deletions(resource: str, pairs: PairScenario, check: Check) -> None:
    delete = partial(pairs.owner.delete, _created(pairs, resource))
    check(delete, delete)


# -- a thing and what it hangs on


def test_confirm_delete_meeting(pairs: PairScenario, check: Check) -> None:
    meeting = pairs.new_meeting()
    check(partial(meeting.confirm, meeting.slot()), partial(pairs.owner.delete, meeting.path))


def test_delete_slot_delete_slot(pairs: PairScenario, check: Check) -> None:
    meeting = pairs.new_meeting()
    slot = meeting.slot()
    check(partial(meeting.remove, slot), partial(meeting.remove, slot))


def test_hide_open_link(pairs: PairScenario, check: Check) -> None:
    meeting = pairs.new_meeting()
    check(partial(pairs.ben.client.post, f"{meeting.path}/guest-link"), partial(meeting.patch, status="draft"))


def test_guest_vote_confirm(pairs: PairScenario, check: Check) -> None:
    meeting = pairs.new_meeting()
    slot = meeting.slot()
    token = pairs.owner.post(f"{meeting.path}/guest-link").data["token"]
    vote = {"email": "guest@example.org", "vote": "ok"}
    check(partial(Client().put, f"/api/v1/guest/{token}/slots/{slot['id']}/vote", vote), partial(meeting.confirm, slot))


def test_item_status_delete_meeting(pairs: PairScenario, check: Check) -> None:
    meeting = pairs.new_meeting()
    item = pairs.owner.post(f"{meeting.path}/action-items", {"title": "Sign"}).data["_id"]
    close = partial(pairs.owner.patch, f"/api/action-items/{item}/status", {"status": "completed"})
    check(close, partial(pairs.owner.delete, meeting.path))


def _figures(**stated: int) -> Body:
    ids = {"revenue": "finance.revenue", "cost": "finance.cost-of-revenue", "profit": "finance.gross-profit"}
    fields = [
        {"fieldId": name, "rogueId": ids[name], "isStub": False, "label": name, "displayOrder": 1, "value": value}
        for name, value in stated.items()
    ]
    return {"uniform": {"fields": fields}}


def test_change_input_change_figure(pairs: PairScenario, check: Check) -> None:
    """Each of the changes alone contradicts the other dashboard; both together agree."""
    dashboards = f"{pairs.create(pairs.path('reports'), title='Report')}/dashboards"
    inputs = pairs.create(dashboards, dashboardType="uniform", **_figures(revenue=100, cost=40))
    profit = pairs.create(dashboards, dashboardType="uniform", **_figures(profit=60))
    check(
        partial(pairs.owner.patch, inputs, _figures(revenue=200, cost=40)),
        partial(pairs.owner.patch, profit, _figures(profit=160)),
    )


def test_delete_input_create_figure(pairs: PairScenario, check: Check) -> None:
    dashboards = f"{pairs.create(pairs.path('reports'), title='Report')}/dashboards"
    inputs = pairs.create(dashboards, dashboardType="uniform", **_figures(revenue=100, cost=40))
    body = {"dashboardType": "uniform", **_figures(profit=70)}
    check(partial(pairs.owner.delete, inputs), partial(pairs.owner.post, dashboards, body))


def test_delete_committee_move_document(pairs: PairScenario, check: Check) -> None:
    committee = pairs.create(pairs.path("committees"), name="Audit", memberIds=[pairs.member(pairs.board.owner)])
    document = pairs.create(pairs.path("documents"), title="Open")
    body = {"committeeId": committee.rpartition("/")[2]}
    check(partial(pairs.owner.delete, committee), partial(pairs.owner.patch, document, body))


def test_join_committee_remove_member(pairs: PairScenario, check: Check) -> None:
    committee = pairs.create(pairs.path("committees"), name="Audit", memberIds=[])
    seated = {"memberIds": [pairs.member(pairs.ben)]}
    check(partial(pairs.owner.patch, committee, seated), pairs.removal(pairs.ben))


def test_propose_delete_slot(pairs: PairScenario, check: Check) -> None:
    meeting, start = pairs.new_meeting(), from_now(days=1)
    slot = meeting.slot(start)
    check(partial(meeting.propose, pairs.ben.client, start), partial(meeting.remove, slot))


def test_open_link_close_link(pairs: PairScenario, check: Check) -> None:
    link = f"{pairs.new_meeting().path}/guest-link"
    assert pairs.owner.post(link).status == 201
    check(partial(pairs.ben.client.post, link), partial(pairs.owner.delete, link))


def test_discard_votes_open_link(pairs: PairScenario, check: Check) -> None:
    link = f"{pairs.new_meeting().path}/guest-link"
    check(partial(pairs.owner.call, "DELETE", link, query="votes=discard"), partial(pairs.owner.post, link))


def test_finalize_report_create_dashboard(pairs: PairScenario, check: Check) -> None:
    report = pairs.create(pairs.path("reports"), title="Report")
    assert pairs.owner.patch(report, {"status": "published"}).status == 200
    body = {"dashboardType": "uniform"}

    def finalize() -> Response:
        """Returns the dashboards after it, which change no more."""
        assert pairs.owner.patch(report, {"status": "finalized"}).status == 200
        return pairs.owner.get(f"{report}/dashboards")

    check(finalize, partial(pairs.owner.post, f"{report}/dashboards", body))


def test_propose_close(pairs: PairScenario, check: Check) -> None:
    meeting = pairs.new_meeting()
    check(partial(meeting.propose, pairs.ben.client, from_now(days=1)), partial(meeting.patch, status="completed"))


def test_rename_committee_remove_member(pairs: PairScenario, check: Check) -> None:
    committee = pairs.create(pairs.path("committees"), name="Audit", memberIds=[pairs.member(pairs.ben)])
    check(partial(pairs.owner.patch, committee, {"name": "Risk"}), pairs.removal(pairs.ben))
