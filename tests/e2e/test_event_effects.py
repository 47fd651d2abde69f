"""The effects of every kind of event, over HTTP: its audit entry at once, its notifications a moment later.

The last step checks, after the stream delivered everything, that nobody got an unexpected notification.
"""

from __future__ import annotations

import urllib.request
from collections import Counter
from collections.abc import Sequence
from typing import Any

import boto3
import pytest

from infra.stack import env_file
from tests.e2e.conftest import Service
from tests.e2e.service_scenario import ServiceScenario, boardctl
from tests.harness.meeting_scenario import from_now

pytestmark = pytest.mark.slow
MAILED = {
    "post_meeting_minutes_distributed",
    "report_published",
    "report_finalized",
    "dashboard_ready_for_review",
    "dashboard_changes_requested",
    "dashboard_internally_reviewed",
}
"""Types whose mails are sent here; each task is passed on within the twenty seconds that its mail waits."""


@pytest.fixture
def scenario(service: Service) -> ServiceScenario:
    """A board that olga owns; ada is its admin, eve a manager, max a collaborator, gus a guest."""
    scenario = ServiceScenario(service)
    scenario.add_people("olga", "ada", "eve", "max", "gus", "ian", "joe")
    olga = scenario.people["olga"]
    scenario.board = olga.call("POST", "/api/v1/boards", {"name": "Events"}).data["id"]
    code = olga.call("GET", f"/api/invite/{scenario.board}/code").json["inviteCode"]
    for name, change in (
        ("ada", {"adminRole": "admin"}),
        ("eve", {"accessType": "manager"}),
        ("max", {"boardPositions": ["Chair"]}),
        ("gus", {"accessType": "guest"}),
    ):
        olga.call("POST", f"/api/invite/{scenario.board}", {"inviteeEmail": scenario.people[name].address})
        scenario.expect(notified="board_invite", to=[name])
        scenario.people[name].call("PUT", f"/api/invite/join/{code}")
        scenario.expect("memberChange", notified="membership_accepted", to=["olga"])
        olga.call("PATCH", f"{scenario.path}/members/{scenario.member_id(name)}", change)
        scenario.expect("memberChange", notified="membership_modified", to=[name])
    return scenario


def test_every_event_has_its_effects(scenario: ServiceScenario) -> None:
    invites(scenario)
    meetings(scenario)
    action_items(scenario)
    documents(scenario)
    reports(scenario)
    members(scenario)
    operator(scenario)
    no_unexpected_notifications(scenario)


def invites(scenario: ServiceScenario) -> None:
    olga, ada, ian, joe = (scenario.people[name] for name in ("olga", "ada", "ian", "joe"))
    invite = ada.call("POST", f"/api/invite/{scenario.board}", {"inviteeEmail": ian.address}).json["inviteId"]
    scenario.expect(notified="board_invite", to=["ian"])
    olga.call("POST", f"/api/invite/{scenario.board}", {"inviteeEmail": ian.address})
    scenario.expect()
    ian.call("PUT", f"/api/invite/accept/{invite}")
    scenario.expect("memberChange", notified="membership_accepted", to=["ada", "olga"])
    ada.call("POST", f"/api/invite/{scenario.board}", {"inviteeEmail": joe.address})
    scenario.expect(notified="board_invite", to=["joe"])
    code = ada.call("GET", f"/api/invite/{scenario.board}/code").json["inviteCode"]
    joe.call("PUT", f"/api/invite/join/{code}")
    scenario.expect("memberChange", notified="membership_accepted", to=["ada"])


def meetings(scenario: ServiceScenario) -> None:
    olga = scenario.people["olga"]
    path = f"{scenario.path}/meetings"
    draft = olga.call("POST", path, {"title": "Draft"}).data["id"]
    scenario.expect("meetingCreate")
    slot = {"startTime": from_now(days=30), "timezone": "Europe/Berlin"}
    olga.call("POST", f"{path}/{draft}/slots", slot)
    item = {"title": "Hidden", "assigneeUserId": scenario.people["max"].id}
    olga.call("POST", f"{path}/{draft}/action-items", item)
    scenario.expect("actionItemCreate")
    olga.call("PATCH", f"{path}/{draft}", {"title": "Scheduled", "status": "scheduled"})
    assert {entry["action"] for entry in scenario.log()[scenario.audited :]} == {
        "meetingStatusChange",
        "meetingUpdate",
    }
    scenario.audited += 2
    scenario.expected["max"].insert(0, "task_assignment")
    scenario.expect(notified="slot_proposed", to=["ada", "eve", "max", "ian", "joe"])
    later = {**slot, "startTime": from_now(days=31)}
    proposed = olga.call("POST", f"{path}/{draft}/slots", later).data["id"]  # told with the first
    guests(scenario, f"{path}/{draft}", proposed)
    olga.call("POST", f"{path}/{draft}/slots/{proposed}/confirm")
    everybody = ["ada", "eve", "max", "gus", "ian", "joe"]
    scenario.expect("meetingUpdate", notified="meeting_scheduled", to=everybody)
    olga.call("PATCH", f"{path}/{draft}", {"status": "completed"})
    scenario.expect("meetingStatusChange")
    olga.call("PUT", f"{path}/{draft}/minutes", {"items": [{"text": "Said"}]})
    olga.call("PATCH", f"{path}/{draft}", {"status": "finalized"})
    scenario.expect("meetingStatusChange", notified="post_meeting_minutes_distributed", to=everybody)
    other = olga.call("POST", path, {"title": "Gone", "status": "scheduled"}).data["id"]
    olga.call("DELETE", f"{path}/{other}")
    scenario.expect("meetingCreate", "meetingDelete")


def guests(scenario: ServiceScenario, meeting: str, slot: str) -> None:
    token = scenario.people["olga"].call("POST", f"{meeting}/guest-link").data["token"]
    assert scenario.service.call("GET", f"/api/v1/guest/{token}").status == 200
    scenario.expect("meetingGuestSlotsViewed")
    vote = {"email": "guest@example.org", "vote": "ok"}
    assert scenario.service.call("PUT", f"/api/v1/guest/{token}/slots/{slot}/vote", None, vote).status == 200
    scenario.expect("meetingGuestVoteCast")


def action_items(scenario: ServiceScenario) -> None:
    eve, path = scenario.people["eve"], f"{scenario.path}/meetings"
    meeting = eve.call("POST", path, {"title": "Tasks", "status": "scheduled"}).data["id"]
    scenario.expect("meetingCreate")
    items = f"{path}/{meeting}/action-items"
    item = eve.call("POST", items, {"title": "Sign", "assigneeUserId": scenario.people["max"].id}).data["_id"]
    scenario.expect("actionItemCreate", notified="task_assignment", to=["max"])
    eve.call("PATCH", f"{items}/{item}", {"assigneeUserId": scenario.people["joe"].id})
    scenario.expect("actionItemUpdate", notified="task_assignment", to=["joe"])
    eve.call("PATCH", f"{items}/{item}", {"assigneeUserId": eve.id})
    scenario.expect("actionItemUpdate")
    eve.call("PATCH", f"/api/action-items/{item}/status", {"status": "completed"})
    scenario.expect("actionItemStatusChange")
    eve.call("DELETE", f"{items}/{item}")
    scenario.expect("actionItemDelete")


def documents(scenario: ServiceScenario) -> None:
    eve = scenario.people["eve"]
    body = {"title": "Minutes", "latestVersionId": "a" * 24}
    document = f"{scenario.path}/documents/{eve.call('POST', f'{scenario.path}/documents', body).data['id']}"
    scenario.expect()
    eve.call("GET", document)
    scenario.expect("documentView")
    eve.call("PATCH", document, {"latestVersionId": "b" * 24})
    scenario.expect("documentVersionDelete")
    eve.call("DELETE", document)
    scenario.expect("documentDelete")


def reports(scenario: ServiceScenario) -> None:
    eve, olga = scenario.people["eve"], scenario.people["olga"]
    report = f"{scenario.path}/reports/{olga.call('POST', f'{scenario.path}/reports', {'title': 'Q3'}).data['id']}"
    body = {"dashboardType": "uniform", "title": "Figures"}
    dashboard = f"{report}/dashboards/{eve.call('POST', f'{report}/dashboards', body).data['id']}"
    for status, notified, to in (
        ("ready_for_review", "dashboard_ready_for_review", ["ada", "eve"]),
        ("changes_requested", "dashboard_changes_requested", ["eve"]),
        ("ready_for_review", "dashboard_ready_for_review", ["ada", "eve"]),
        ("internally_reviewed", "dashboard_internally_reviewed", ["eve"]),
    ):
        olga.call("PATCH", dashboard, {"uniform": {"reviewStatus": status}})
        scenario.expect("dashboardReviewStatusChange", notified=notified, to=to)
    everybody = ["ada", "eve", "max", "gus", "ian", "joe"]
    for status, notified in (("published", "report_published"), ("finalized", "report_finalized")):
        olga.call("PATCH", report, {"status": status})
        scenario.expect("reportStatusChange", notified=notified, to=everybody)


def members(scenario: ServiceScenario) -> None:
    olga, ada, joe = scenario.people["olga"], scenario.people["ada"], scenario.people["joe"]
    olga.call("PATCH", scenario.path, {"description": "Changed"})
    scenario.expect(notified="board_update", to=["ada", "eve", "max", "gus", "ian", "joe"])
    ada.call("DELETE", f"{scenario.path}/members/{scenario.member_id('ian')}")
    scenario.expect("memberDelete", notified="membership_removed", to=["ian"])
    joe.call("DELETE", f"{scenario.path}/members/{scenario.member_id('joe')}")
    scenario.expect("memberLeft", notified="member_left", to=["olga", "ada"])
    olga.call("POST", f"{scenario.path}/ownership-transfer", {"memberId": scenario.member_id("eve")})
    scenario.expect("ownershipTransfer", notified="ownership_transfer", to=["eve"])


def operator(scenario: ServiceScenario) -> None:
    boardctl(scenario.service, "billing", "set", scenario.board, "PAID_ACTIVE")
    scenario.expect("billingPlanOverride")
    boardctl(scenario.service, "user", "purge", scenario.people["max"].id, "--yes")
    scenario.expect("userHardPurge")
    del scenario.people["max"]


def emails_for(kinds: Sequence[str]) -> int:
    """Returns how many e-mails these notifications send: the one dashboard is ready twice within ten minutes."""
    counts = Counter(kind for kind in kinds if kind in MAILED)
    return counts.total() - max(0, counts["dashboard_ready_for_review"] - 1)


def no_unexpected_notifications(scenario: ServiceScenario) -> None:
    """Waits for the notifications of a last event and for all e-mails; the queue may deliver them in any order."""
    scenario.people["eve"].call("PATCH", scenario.path, {"name": "The end"})
    scenario.expect(notified="board_update", to=["olga", "ada", "gus"])
    for name in scenario.people:
        scenario.wait_for(name)
    entries = [entry for actor in scenario.people.values() for entry in actor.inbox()]
    expected = Counter({name: emails_for(scenario.expected[name]) for name in scenario.people})
    expected += Counter([*scenario.people, "ian", "joe"])  # the calendar entry, and its end for who left
    scenario.until(lambda: scenario.mails() == expected, "not every e-mail was sent, or one too many")
    for address in {entry["avatar"] for entry in entries}:
        with urllib.request.urlopen(address) as picture:  # noqa: S310 - the bucket's own address
            assert picture.headers["Content-Type"] == "image/svg+xml"


def test_a_poison_record_is_set_aside_and_other_events_are_delivered(scenario: ServiceScenario) -> None:
    names = env_file.read(scenario.service.state / "env")
    local: dict[str, Any] = {
        "region_name": names["AWS_REGION"],
        "aws_access_key_id": names["AWS_ACCESS_KEY_ID"],
        "aws_secret_access_key": names["AWS_SECRET_ACCESS_KEY"],
    }
    endpoint = names["AWS_ENDPOINT_URL"]
    client = boto3.client("dynamodb", endpoint_url=names.get("AWS_ENDPOINT_URL_DYNAMODB") or endpoint, **local)
    queue = boto3.client("sqs", endpoint_url=endpoint, **local)
    olga, mark = scenario.people["olga"], f"BOARD#poison#{scenario.board}"
    olga.call("PATCH", scenario.path, {"name": "Before"})
    poison: dict[str, Any] = {"PK": {"S": f"EVENTS#{scenario.board}"}, "SK": {"S": mark}, "nonsense": {"BOOL": True}}
    client.put_item(TableName=names["TABLE_NAME"], Item=poison)
    olga.call("PATCH", scenario.path, {"name": "After"})
    for name in ("ada", "eve", "max", "gus"):
        scenario.expected[name][:0] = ["board_update", "board_update"]
        scenario.wait_for(name)

    def waiting() -> int:
        found = queue.get_queue_attributes(QueueUrl=names["DELIVERIES_QUEUE_URL"], AttributeNames=["All"])["Attributes"]
        return int(found["ApproximateNumberOfMessages"]) + int(found["ApproximateNumberOfMessagesNotVisible"])

    scenario.until(lambda: waiting() == 1, "the poison record does not wait in the queue")
