"""The effects of events over HTTP: the audit entry at once, notifications, mails and pictures a moment later.

`contract/test_event_effects.py` has what follows from every kind of event; here each way it takes is walked once.

The last step checks, after the stream delivered everything, that nobody got an unexpected notification.
"""

from __future__ import annotations

import urllib.request
from collections import Counter
from typing import Any

import boto3
import pytest

from infra.stack import env_file
from tests.e2e.conftest import Service
from tests.e2e.service_scenario import ServiceScenario, boardctl
from tests.harness.meeting_scenario import from_now

pytestmark = pytest.mark.slow
MAILED = {"post_meeting_minutes_distributed", "report_published"}


@pytest.fixture
def scenario(service: Service) -> ServiceScenario:
    """A board that olga owns; ada is its admin, eve a manager, max a collaborator, gus a guest."""
    scenario = ServiceScenario(service)
    scenario.add_people("olga", "ada", "eve", "max", "gus")
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
    meetings(scenario)
    reports(scenario)
    members(scenario)
    operator(scenario)
    no_unexpected_notifications(scenario)


def meetings(scenario: ServiceScenario) -> None:
    olga = scenario.people["olga"]
    path = f"{scenario.path}/meetings"
    draft = olga.call("POST", path, {"title": "Draft"}).data["id"]
    scenario.expect("meetingCreate")
    slot = {"startTime": from_now(days=30), "timezone": "Europe/Berlin"}
    olga.call("POST", f"{path}/{draft}/slots", slot)
    olga.call("PATCH", f"{path}/{draft}", {"title": "Scheduled", "status": "scheduled"})
    assert {entry["action"] for entry in scenario.log()[scenario.audited :]} == {
        "meetingStatusChange",
        "meetingUpdate",
    }
    scenario.audited += 2
    scenario.expect(notified="slot_proposed", to=["ada", "eve", "max"])
    later = {**slot, "startTime": from_now(days=31)}
    proposed = olga.call("POST", f"{path}/{draft}/slots", later).data["id"]  # told with the first
    guests(scenario, f"{path}/{draft}", proposed)
    olga.call("POST", f"{path}/{draft}/slots/{proposed}/confirm")
    everybody = ["ada", "eve", "max", "gus"]
    scenario.expect("meetingUpdate", notified="meeting_scheduled", to=everybody)
    olga.call("PATCH", f"{path}/{draft}", {"status": "completed"})
    scenario.expect("meetingStatusChange")
    olga.call("PUT", f"{path}/{draft}/minutes", {"items": [{"text": "Said"}]})
    olga.call("PATCH", f"{path}/{draft}", {"status": "finalized"})
    scenario.expect("meetingStatusChange", notified="post_meeting_minutes_distributed", to=everybody)


def guests(scenario: ServiceScenario, meeting: str, slot: str) -> None:
    token = scenario.people["olga"].call("POST", f"{meeting}/guest-link").data["token"]
    assert scenario.service.call("GET", f"/api/v1/guest/{token}").status == 200
    scenario.expect("meetingGuestSlotsViewed")
    vote = {"email": "guest@example.org", "vote": "ok"}
    assert scenario.service.call("PUT", f"/api/v1/guest/{token}/slots/{slot}/vote", None, vote).status == 200
    scenario.expect("meetingGuestVoteCast")


def reports(scenario: ServiceScenario) -> None:
    olga = scenario.people["olga"]
    report = olga.call("POST", f"{scenario.path}/reports", {"title": "Q3"}).data["id"]
    olga.call("PATCH", f"{scenario.path}/reports/{report}", {"status": "published"})
    scenario.expect("reportStatusChange", notified="report_published", to=["ada", "eve", "max", "gus"])


def members(scenario: ServiceScenario) -> None:
    olga, ada = scenario.people["olga"], scenario.people["ada"]
    olga.call("PATCH", scenario.path, {"description": "Changed"})
    scenario.expect(notified="board_update", to=["ada", "eve", "max", "gus"])
    ada.call("DELETE", f"{scenario.path}/members/{scenario.member_id('gus')}")
    scenario.expect("memberDelete", notified="membership_removed", to=["gus"])
    olga.call("POST", f"{scenario.path}/ownership-transfer", {"memberId": scenario.member_id("eve")})
    scenario.expect("ownershipTransfer", notified="ownership_transfer", to=["eve"])


def operator(scenario: ServiceScenario) -> None:
    boardctl(scenario.service, "billing", "set", scenario.board, "PAID_ACTIVE")
    scenario.expect("billingPlanOverride")
    boardctl(scenario.service, "user", "purge", scenario.people["max"].id, "--yes")
    scenario.expect("userHardPurge")
    del scenario.people["max"]


def no_unexpected_notifications(scenario: ServiceScenario) -> None:
    """Waits for the notifications of a last event and for all e-mails; the queue may deliver them in any order."""
    scenario.people["eve"].call("PATCH", scenario.path, {"name": "The end"})
    scenario.expect(notified="board_update", to=["olga", "ada"])
    for name in scenario.people:
        scenario.wait_for(name)
    entries = [entry for actor in scenario.people.values() for entry in actor.inbox()]
    expected = Counter({name: sum(kind in MAILED for kind in scenario.expected[name]) for name in scenario.people})
    expected += Counter([*scenario.people, "gus"])  # the calendar entry, and its end for who left
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
        answer = queue.get_queue_attributes(QueueUrl=names["DELIVERIES_QUEUE_URL"], AttributeNames=["All"])
        counts = answer["Attributes"]
        return int(counts["ApproximateNumberOfMessages"]) + int(counts["ApproximateNumberOfMessagesNotVisible"])

    scenario.until(lambda: waiting() == 1, "the poison record does not wait in the queue")
