"""What a deletion leaves behind, and its sweep."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from governance.domain.events.kind import Leftovers
from governance.domain.events.registry import KINDS
from governance.limits import BATCH_BYTES, DASHBOARD_BYTES
from governance.models.history.event import Event, StoredEvent
from governance.settings import settings
from governance.usecases import cleanup
from governance.usecases.cleanup import delete_leftovers
from tests.harness.action_item_scenario import new_action_item_scenario
from tests.harness.board_scenario import BoardScenario
from tests.harness.bucket import keys
from tests.harness.client import Client
from tests.harness.fault_injection import hooked
from tests.harness.meeting_scenario import MeetingScenario, from_now, leave, stored_events
from tests.harness.resolution_scenario import ResolutionScenario
from tests.harness.sdk import dynamodb as client
from tests.harness.stream import new_event, process_records, record_of
from tests.harness.table_snapshot import TableSnapshot
from tests.harness.uploads import new_document, stored_files
from tests.webhooks.sending import create as create_webhook


def guest_votes(meeting: MeetingScenario, slot_id: str) -> None:
    link = meeting.board.owner.client.post(f"{meeting.path}/guest-link").data["token"]
    for number in range(3):
        body = {"email": f"g{number}@example.org", "vote": "ok"}
        assert Client().put(f"/api/v1/guest/{link}/slots/{slot_id}/vote", body).status == 200


def rows_with(store: str, text: str) -> list[tuple[str, str]]:
    """The keys of the rows that hold a text anywhere, apart from events, audit and idempotency."""
    items = client().scan(TableName=store)["Items"]
    holders = [(item["PK"]["S"], item["SK"]["S"]) for item in items if text in json.dumps(item, default=str)]
    return [key for key in holders if not key[0].startswith(("EVENTS#", "AUDIT#", "IDEMPOTENCY#", "GUARD#"))]


def created(scenario: BoardScenario, path: str, body: dict[str, Any]) -> str:
    made = scenario.owner.client.post(path, body)
    assert made.status == 201, made.text
    return f"{path}/{made.data['id']}"


def comment_on(scenario: BoardScenario, path: str, about: str) -> None:
    for _ in range(2):
        created(scenario, f"{path}/comments", {"text": about.rpartition("/")[2]})


def new_meeting(scenario: BoardScenario) -> str:
    meeting = new_action_item_scenario(scenario)
    meeting.item(assigneeUserId=scenario.owner.id)
    guest_votes(meeting, meeting.slot()["id"])
    assert scenario.owner.client.put(f"{meeting.path}/rsvp", {"status": "accepted"}).status == 200
    comment_on(scenario, meeting.path, meeting.path)
    return meeting.path


def new_report(scenario: BoardScenario) -> str:
    report = created(scenario, f"{scenario.path}/reports", {"title": "Q3"})
    for _ in range(2):
        comment_on(scenario, created(scenario, f"{report}/dashboards", {"dashboardType": "uniform"}), report)
    return report


def new_dashboard(scenario: BoardScenario) -> str:
    report = created(scenario, f"{scenario.path}/reports", {"title": "Q3"})
    dashboard = created(scenario, f"{report}/dashboards", {"dashboardType": "uniform"})
    comment_on(scenario, dashboard, dashboard)
    return dashboard


def new_paper(scenario: BoardScenario) -> str:
    paper = created(scenario, f"{scenario.path}/documents", {"title": "Policy"})
    comment_on(scenario, paper, paper)
    return paper


def new_delivery(scenario: BoardScenario) -> str:
    path = f"{scenario.path}/webhooks/{create_webhook(scenario)['id']}"
    assert scenario.owner.client.post(f"{path}/test").status == 201
    return path


@pytest.mark.parametrize("make", [new_meeting, new_report, new_dashboard, new_paper, new_delivery])
def test_what_is_under_a_deleted_thing_is_swept_and_nothing_under_another(
    make: Callable[[BoardScenario], str], scenario: BoardScenario, store: str
) -> None:
    gone, stays = (make(scenario) for _ in range(2))
    gone_id, kept_id = gone.rpartition("/")[2], stays.rpartition("/")[2]
    before = rows_with(store, kept_id)
    assert scenario.owner.client.delete(gone).status == 200
    (event,) = stored_events(scenario, f"{gone.split('/')[-2].removesuffix('s')}.deleted")
    assert rows_with(store, gone_id) != []
    for _ in range(2):
        assert delete_leftovers(event)
        left = [pk.partition("#")[0] for pk, _ in rows_with(store, gone_id)]
        assert left == (["DUE"] if make is new_meeting else []), "the request for votes is checked when it is due"
    assert rows_with(store, kept_id) == before != []


def test_a_report_is_deleted_in_transactions_of_a_megabyte_at_most(scenario: BoardScenario) -> None:
    report = scenario.owner.client.post(f"{scenario.path}/reports", {"title": "Q1"}).data
    path = f"{scenario.path}/reports/{report['id']}"
    for number in range(7):
        body = {"dashboardType": "uniform", "title": f"D{number}", "uniform": {"narrative": "N"}}
        assert scenario.owner.client.post(f"{path}/dashboards", body).status == 201
    assert scenario.owner.client.delete(path).status == 200
    (event,) = stored_events(scenario, "report.deleted")
    pages = []
    with hooked("before-call.dynamodb.TransactWriteItems", lambda params, **_: pages.append(params["body"])):
        assert delete_leftovers(event)
    payloads = [page.count(b"PAYLOAD#") if isinstance(page, bytes) else page.count("PAYLOAD#") for page in pages]
    assert sum(payloads) == 7
    assert max(payloads) * DASHBOARD_BYTES <= BATCH_BYTES


def test_a_delivery_after_the_cleanup_leaves_no_stamp(scenario: BoardScenario, store: str) -> None:
    meeting = new_action_item_scenario(scenario)
    (created,) = stored_events(scenario, "meeting.created")
    assert meeting.path
    assert scenario.owner.client.delete(scenario.path).status == 200
    (event,) = stored_events(scenario, "board.deleted")
    assert delete_leftovers(event)
    assert process_records([record_of(created)]) == []
    assert [pk for pk, _ in rows_with(store, scenario.board_id) if pk.startswith("CALENDAR#")] == []


def test_the_votes_of_a_meeting_that_is_gone_need_no_discarding(scenario: BoardScenario) -> None:
    meeting = new_action_item_scenario(scenario)
    guest_votes(meeting, meeting.slot()["id"])
    refs, data = {"meetingId": meeting.path.rpartition("/")[2]}, {"votes": "discard"}
    assert scenario.owner.client.delete(meeting.path).status == 200
    assert delete_leftovers(new_event(scenario.board_id, Event.GUEST_LINK_CLOSED, refs=refs, delivery_data=data))


def test_a_removed_slots_votes_are_swept_and_not_those_of_one_that_has_its_start_now(
    scenario: BoardScenario, store: str
) -> None:
    meeting = new_action_item_scenario(scenario)
    slot = meeting.slot()
    guest_votes(meeting, slot["id"])
    meeting.remove(slot)
    again = meeting.slot(slot["startTime"])
    guest_votes(meeting, again["id"])
    (event,) = stored_events(scenario, "slot.removed")
    before = rows_with(store, again["id"])
    assert rows_with(store, slot["id"]) != []
    delete_leftovers(event)
    assert (rows_with(store, slot["id"]), rows_with(store, again["id"])) == ([], before)
    assert [listed["id"] for listed in meeting.listed()] == [again["id"]]


@pytest.mark.usefixtures("store")
def test_the_file_of_a_deleted_version_is_deleted_though_its_document_is_gone_too(
    scenario: BoardScenario, bucket: Any
) -> None:
    document = new_document(scenario)
    version = document.add()
    (file,) = stored_files(bucket)
    for path in (f"{document.path}/versions/{version['id']}", document.path):
        assert scenario.owner.client.delete(path).status == 200
    for kind in ("document.deleted", "document.version_deleted"):
        assert stored_files(bucket) == [file]
        (event,) = stored_events(scenario, kind)
        assert delete_leftovers(event)
    assert keys(bucket, settings().papers_bucket) == []


def test_a_member_who_rejoins_has_the_assigned_items_again(scenario: BoardScenario) -> None:
    """The rows of assigned items survive the membership, and are deleted with the items."""
    ben, meeting = scenario.member("ben"), new_action_item_scenario(scenario)
    item = meeting.item(assigneeUserId=ben.id)["_id"]
    leave(scenario, ben)
    assert ben.client.get("/api/action-items/my").json["actionItems"] == []
    scenario.join(ben)
    assert [entry["_id"] for entry in ben.client.get("/api/action-items/my").json["actionItems"]] == [item]


def forged_events(scenario: BoardScenario) -> list[StoredEvent]:
    """Returns an event of entry deletion, of things that exist and have items under them."""
    meeting = new_action_item_scenario(scenario)
    meeting.item(assigneeUserId=scenario.owner.id)
    slot = meeting.slot()
    guest_votes(meeting, slot["id"])
    owner = scenario.owner.client
    *_, report, _, dashboard = new_dashboard(scenario).split("/")
    bet = {"title": "B", "dueOn": from_now(days=90)[:10], "ownerUserId": scenario.owner.id}
    created(scenario, f"{scenario.path}/bets", bet)
    person = owner.post(f"{scenario.path}/unregistered-users", {"firstName": "Greta"}).data["id"]
    webhook = new_delivery(scenario).rpartition("/")[2]
    document = new_document(scenario)
    version = document.add()["id"]
    votes = ResolutionScenario(scenario)
    resolution = votes.opened(ballots="secret")
    assert votes.vote(resolution, votes.ann).status == 200
    refs = {
        "meetingId": slot["meetingId"],
        "slotId": slot["id"],
        "reportId": report,
        "dashboardId": dashboard,
        "webhookId": webhook,
        "documentId": document.path.rpartition("/")[2],
        "versionId": version,
        "userId": scenario.owner.id,
        "resolutionId": resolution.rpartition("/")[2],
        "unregisteredUserId": person,
    }
    assert set(cleanup._CLEANUPS) == set(Leftovers)
    data = {"votes": "discard"}
    kinds = [event for event, kind in KINDS.items() if kind.leaves]
    return [new_event(scenario.board_id, Event(kind), refs=refs, delivery_data=data) for kind in kinds]


def test_an_event_of_a_deletion_that_did_not_happen_deletes_nothing(
    scenario: BoardScenario, store: str, bucket: Any
) -> None:
    """The role of the public function lets it write events: what they say is not believed."""
    del store
    for event in forged_events(scenario):
        before, files = TableSnapshot().items, keys(bucket, settings().papers_bucket)
        assert delete_leftovers(event)
        assert TableSnapshot().items == before, event.type
        assert keys(bucket, settings().papers_bucket) == files != [], event.type
