"""Each act that leaves something behind, over HTTP: its audit entry at once, its notifications a moment later.

Who must not be told is shown in the end, when the stream has carried everything: nobody has more than was expected.
"""

from __future__ import annotations

import urllib.request
from typing import Any

import boto3
import pytest

from infra.stack import env_file
from tests.e2e.conftest import Service
from tests.e2e.walkthrough import Walk, boardctl

pytestmark = pytest.mark.slow
MAILED = {
    "task_assignment",
    "post_meeting_minutes_distributed",
    "report_published",
    "report_finalized",
    "dashboard_ready_for_review",
    "dashboard_changes_requested",
    "dashboard_internally_reviewed",
}


@pytest.fixture
def walk(service: Service) -> Walk:
    """A new board of olga's; ada is its admin, eve a manager, max a collaborator, gus a guest."""
    made = Walk(service)
    made.meet("olga", "ada", "eve", "max", "gus", "ian", "joe")
    olga = made.people["olga"]
    made.board = olga.call("POST", "/api/v1/boards", {"name": "Acts"}).data["id"]
    code = olga.call("GET", f"/api/invite/{made.board}/code").json["inviteCode"]
    for name, change in (
        ("ada", {"adminRole": "admin"}),
        ("eve", {"accessType": "manager"}),
        ("max", {"boardPositions": ["Chair"]}),
        ("gus", {"accessType": "guest"}),
    ):
        olga.call("POST", f"/api/invite/{made.board}", {"inviteeEmail": made.people[name].address})
        made.follows(told="board_invite", to=[name])
        made.people[name].call("PUT", f"/api/invite/join/{code}")
        made.follows("memberChange", told="membership_accepted", to=["olga"])
        olga.call("PATCH", f"{made.path}/members/{made.member_id(name)}", change)
        made.follows("memberChange", told="membership_modified", to=[name])
    return made


def test_every_act_of_the_table(walk: Walk) -> None:
    invites(walk)
    meetings(walk)
    action_items(walk)
    documents(walk)
    reports(walk)
    members(walk)
    operator(walk)
    nobody_was_told_more(walk)


def invites(walk: Walk) -> None:
    olga, ada, ian, joe = (walk.people[name] for name in ("olga", "ada", "ian", "joe"))
    made = ada.call("POST", f"/api/invite/{walk.board}", {"inviteeEmail": ian.address}).json["inviteId"]
    walk.follows(told="board_invite", to=["ian"])
    olga.call("POST", f"/api/invite/{walk.board}", {"inviteeEmail": ian.address})
    walk.follows()
    ian.call("PUT", f"/api/invite/accept/{made}")
    walk.follows("memberChange", told="membership_accepted", to=["ada", "olga"])
    ada.call("POST", f"/api/invite/{walk.board}", {"inviteeEmail": joe.address})
    walk.follows(told="board_invite", to=["joe"])
    code = ada.call("GET", f"/api/invite/{walk.board}/code").json["inviteCode"]
    joe.call("PUT", f"/api/invite/join/{code}")
    walk.follows("memberChange", told="membership_accepted", to=["ada"])


def meetings(walk: Walk) -> None:
    olga = walk.people["olga"]
    path = f"{walk.path}/meetings"
    draft = olga.call("POST", path, {"title": "Draft"}).data["id"]
    walk.follows("meetingCreate")
    slot = {"startTime": "2031-05-05T09:00:00Z", "timezone": "Europe/Berlin"}
    olga.call("POST", f"{path}/{draft}/slots", slot)
    item = {"title": "Hidden", "assigneeUserId": walk.people["max"].id}
    olga.call("POST", f"{path}/{draft}/action-items", item)
    walk.follows("actionItemCreate")
    olga.call("PATCH", f"{path}/{draft}", {"title": "Scheduled", "status": "scheduled"})
    assert {entry["action"] for entry in walk.log()[walk.audited :]} == {"meetingStatusChange", "meetingUpdate"}
    walk.audited += 2
    later = {**slot, "startTime": "2031-05-06T09:00:00Z"}
    proposed = olga.call("POST", f"{path}/{draft}/slots", later).data["id"]
    walk.follows(told="slot_proposed", to=["ada", "eve", "max", "ian", "joe"])
    guests(walk, f"{path}/{draft}", proposed)
    olga.call("POST", f"{path}/{draft}/slots/{proposed}/confirm")
    walk.follows("meetingUpdate")
    olga.call("PATCH", f"{path}/{draft}", {"status": "completed"})
    walk.follows("meetingStatusChange")
    olga.call("PATCH", f"{path}/{draft}", {"status": "finalized"})
    everybody = ["ada", "eve", "max", "gus", "ian", "joe"]
    walk.follows("meetingStatusChange", told="post_meeting_minutes_distributed", to=everybody)
    other = olga.call("POST", path, {"title": "Gone", "status": "scheduled"}).data["id"]
    olga.call("DELETE", f"{path}/{other}")
    walk.follows("meetingCreate", "meetingDelete")


def guests(walk: Walk, meeting: str, slot: str) -> None:
    token = walk.people["olga"].call("POST", f"{meeting}/guest-link").data["token"]
    assert walk.service.call("GET", f"/api/v1/guest/{token}").status == 200
    walk.follows("meetingGuestSlotsViewed")
    vote = {"email": "guest@example.org", "vote": "ok"}
    assert walk.service.call("PUT", f"/api/v1/guest/{token}/slots/{slot}/vote", None, vote).status == 200
    walk.follows("meetingGuestVoteCast")


def action_items(walk: Walk) -> None:
    eve, path = walk.people["eve"], f"{walk.path}/meetings"
    meeting = eve.call("POST", path, {"title": "Tasks", "status": "scheduled"}).data["id"]
    walk.follows("meetingCreate")
    items = f"{path}/{meeting}/action-items"
    item = eve.call("POST", items, {"title": "Sign", "assigneeUserId": walk.people["max"].id}).data["_id"]
    walk.follows("actionItemCreate", told="task_assignment", to=["max"])
    eve.call("PATCH", f"{items}/{item}", {"assigneeUserId": walk.people["joe"].id})
    walk.follows("actionItemUpdate", told="task_assignment", to=["joe"])
    eve.call("PATCH", f"{items}/{item}", {"assigneeUserId": eve.id})
    walk.follows("actionItemUpdate")
    eve.call("PATCH", f"/api/action-items/{item}/status", {"status": "completed"})
    walk.follows("actionItemStatusChange")
    eve.call("DELETE", f"{items}/{item}")
    walk.follows("actionItemDelete")


def documents(walk: Walk) -> None:
    eve = walk.people["eve"]
    made = {"title": "Minutes", "latestVersionId": "a" * 24}
    document = f"{walk.path}/documents/{eve.call('POST', f'{walk.path}/documents', made).data['id']}"
    walk.follows()
    eve.call("GET", document)
    walk.follows("documentView")
    eve.call("PATCH", document, {"latestVersionId": "b" * 24})
    walk.follows("documentVersionDelete")
    eve.call("DELETE", document)
    walk.follows("documentDelete")


def reports(walk: Walk) -> None:
    eve, olga = walk.people["eve"], walk.people["olga"]
    report = f"{walk.path}/reports/{olga.call('POST', f'{walk.path}/reports', {'title': 'Q3'}).data['id']}"
    body = {"dashboardType": "uniform", "title": "Figures"}
    dashboard = f"{report}/dashboards/{eve.call('POST', f'{report}/dashboards', body).data['id']}"
    for status, told, to in (
        ("ready_for_review", "dashboard_ready_for_review", ["ada", "eve"]),
        ("changes_requested", "dashboard_changes_requested", ["eve"]),
        ("ready_for_review", "dashboard_ready_for_review", ["ada", "eve"]),
        ("internally_reviewed", "dashboard_internally_reviewed", ["eve"]),
    ):
        olga.call("PATCH", dashboard, {"uniform": {"reviewStatus": status}})
        walk.follows("dashboardReviewStatusChange", told=told, to=to)
    everybody = ["ada", "eve", "max", "gus", "ian", "joe"]
    for status, told in (("published", "report_published"), ("finalized", "report_finalized")):
        olga.call("PATCH", report, {"status": status})
        walk.follows("reportStatusChange", told=told, to=everybody)


def members(walk: Walk) -> None:
    olga, ada, joe = walk.people["olga"], walk.people["ada"], walk.people["joe"]
    olga.call("PATCH", walk.path, {"description": "Changed"})
    walk.follows(told="board_update", to=["ada", "eve", "max", "gus", "ian", "joe"])
    ada.call("DELETE", f"{walk.path}/members/{walk.member_id('ian')}")
    walk.follows("memberDelete", told="membership_removed", to=["ian"])
    joe.call("DELETE", f"{walk.path}/members/{walk.member_id('joe')}")
    walk.follows("memberLeft", told="member_left", to=["olga", "ada"])
    olga.call("POST", f"{walk.path}/ownership-transfer", {"memberId": walk.member_id("eve")})
    walk.follows("ownershipTransfer", told="ownership_transfer", to=["eve"])


def operator(walk: Walk) -> None:
    boardctl(walk.service, "billing", "set", walk.board, "PAID_ACTIVE")
    walk.follows("billingPlanOverride")
    boardctl(walk.service, "user", "purge", walk.people["max"].id, "--yes")
    walk.follows("userHardPurge")
    del walk.people["max"]


def nobody_was_told_more(walk: Walk) -> None:
    """The last event of all reaches the last to be told; whatever came before it has been carried by then."""
    walk.people["eve"].call("PATCH", walk.path, {"name": "The end"})
    walk.follows(told="board_update", to=["olga", "ada", "gus"])
    for name in walk.people:
        walk.wait_for(name)
    entries = [entry for who in walk.people.values() for entry in who.inbox()]
    mailed = {name: sum(kind in MAILED for kind in walk.expected[name]) for name in walk.people}
    assert walk.mails() == {name: count for name, count in mailed.items() if count}
    for address in {entry["avatar"] for entry in entries}:
        with urllib.request.urlopen(address) as picture:  # noqa: S310 - the bucket's own address
            assert picture.headers["Content-Type"] == "image/svg+xml"


def test_poison_in_the_stream_is_set_aside_and_its_neighbours_are_delivered(walk: Walk) -> None:
    names = env_file.read(walk.service.state / "env")
    client = boto3.client(
        "dynamodb",
        endpoint_url=names.get("AWS_ENDPOINT_URL_DYNAMODB") or names["AWS_ENDPOINT_URL"],
        region_name=names["AWS_REGION"],
        aws_access_key_id=names["AWS_ACCESS_KEY_ID"],
        aws_secret_access_key=names["AWS_SECRET_ACCESS_KEY"],
    )
    olga, mark = walk.people["olga"], f"BOARD#poison#{walk.board}"
    olga.call("PATCH", walk.path, {"name": "Before"})
    poison: dict[str, Any] = {"PK": {"S": f"EVENTS#{walk.board}"}, "SK": {"S": mark}, "nonsense": {"BOOL": True}}
    client.put_item(TableName=names["TABLE_NAME"], Item=poison)
    olga.call("PATCH", walk.path, {"name": "After"})
    for name in ("ada", "eve", "max", "gus"):
        walk.expected[name][:0] = ["board_update", "board_update"]
        walk.wait_for(name)
    queue = walk.service.state / "failed-events.jsonl"
    walk.until(lambda: queue.exists() and mark in queue.read_text(), "the poison was not set aside")
