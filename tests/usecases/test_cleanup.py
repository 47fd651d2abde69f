"""What a deletion leaves behind, and its sweep."""

from __future__ import annotations

import json
from typing import Any

import pytest

from governance.domain.events.kind import Leftovers
from governance.domain.events.registry import KINDS
from governance.limits import BATCH_BYTES, DASHBOARD_BYTES
from governance.models.event import Event, StoredEvent
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


def rows_about(store: str, text: str) -> int:
    """How many rows, apart from events, audit and closed guards, which expire, have the text in a key."""
    items = client().scan(TableName=store)["Items"]
    keys = [(item["PK"]["S"], item["SK"]["S"]) for item in items]
    return sum(text in pk + sk for pk, sk in keys if not pk.startswith(("EVENTS#", "AUDIT#", "GUARD#")))


def guest_votes(meeting: MeetingScenario, slot_id: str) -> None:
    link = meeting.board.owner.client.post(f"{meeting.path}/guest-link").data["token"]
    for number in range(3):
        body = {"email": f"g{number}@example.org", "vote": "ok"}
        assert Client().put(f"/api/v1/guest/{link}/slots/{slot_id}/vote", body).status == 200


def test_a_deleted_meeting_is_swept_whole_and_only_it(scenario: BoardScenario, store: str) -> None:
    gone, stays = new_action_item_scenario(scenario), new_action_item_scenario(scenario)
    items = [meeting.item(assigneeUserId=scenario.owner.id)["_id"] for meeting in (gone, stays)]
    for meeting in (gone, stays):
        guest_votes(meeting, meeting.slot()["id"])
        assert scenario.owner.client.put(f"{meeting.path}/rsvp", {"status": "accepted"}).status == 200
    before = rows_about(store, stays.path.rsplit("/", 1)[1]), rows_about(store, items[1])
    assert scenario.owner.client.delete(gone.path).status == 200
    assert rows_about(store, items[0]) == 3
    (event,) = stored_events(scenario, "meeting.deleted")
    for _ in range(2):
        delete_leftovers(event)
        assert rows_about(store, gone.path.rsplit("/", 1)[1]) == 1  # the request for votes, checked when it is due
        assert rows_about(store, items[0]) == 0
    assert (rows_about(store, stays.path.rsplit("/", 1)[1]), rows_about(store, items[1])) == before


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
    assert rows_about(store, f"CALENDAR#{scenario.board_id}") == 0


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
    before = rows_about(store, again["id"])
    assert rows_about(store, slot["id"]) == 4
    delete_leftovers(event)
    assert (rows_about(store, slot["id"]), rows_about(store, again["id"])) == (0, before)
    assert [listed["id"] for listed in meeting.listed()] == [again["id"]]


def new_delivery(scenario: BoardScenario) -> str:
    """Creates a webhook with a delivery; returns the webhook's path."""
    path = f"{scenario.path}/webhooks/{create_webhook(scenario)['id']}"
    assert scenario.owner.client.post(f"{path}/test").status == 201
    return path


def test_a_deleted_webhooks_deliveries_are_swept_and_no_others(scenario: BoardScenario, store: str) -> None:
    gone, stays = (new_delivery(scenario) for _ in range(2))
    before = rows_about(store, stays.rpartition("/")[2])
    assert scenario.owner.client.delete(gone).status == 200
    (event,) = stored_events(scenario, "webhook.deleted")
    assert rows_about(store, gone.rpartition("/")[2]) > 0
    assert delete_leftovers(event)
    assert rows_about(store, gone.rpartition("/")[2]) == 0
    assert rows_about(store, stays.rpartition("/")[2]) == before > 0


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


def rows_with(store: str, text: str) -> list[tuple[str, str]]:
    """The keys of the rows that hold a text anywhere, apart from events, audit and idempotency."""
    items = client().scan(TableName=store)["Items"]
    found = [(item["PK"]["S"], item["SK"]["S"]) for item in items if text in json.dumps(item, default=str)]
    return [key for key in found if not key[0].startswith(("EVENTS#", "AUDIT#", "IDEMPOTENCY#", "GUARD#"))]


@pytest.mark.parametrize("kind", ["meetings", "documents", "dashboards", "reports"])
def test_the_comments_on_what_is_deleted_are_swept_and_no_others(
    scenario: BoardScenario, store: str, kind: str
) -> None:
    owner = scenario.owner.client
    report = f"{scenario.path}/reports/{owner.post(f'{scenario.path}/reports', {'title': 'R'}).data['id']}"
    places = {"meetings": f"{scenario.path}/meetings", "documents": f"{scenario.path}/documents"}
    place = places.get(kind, f"{report}/dashboards")
    body = {"title": "T"} if kind in places else {"dashboardType": "uniform"}
    gone, stays = (f"{place}/{owner.post(place, body).data['id']}" for _ in range(2))
    written = {
        path: [owner.post(f"{path}/comments", {"text": "Why?"}).data["id"] for _ in range(2)] for path in (gone, stays)
    }
    assert owner.delete(report if kind == "reports" else gone).status == 200
    (event,) = stored_events(scenario, f"{kind.removesuffix('s')}.deleted")
    assert delete_leftovers(StoredEvent.model_validate(event))
    rows = [sort_key for _, sort_key in rows_with(store, "") if "#COMMENT" in sort_key]
    assert not any(comment in row for row in rows for comment in written[gone])
    assert len(rows) == (0 if kind == "reports" else 3), "two comments and their count"


def test_a_deleted_reports_dashboards_are_swept_and_no_others(scenario: BoardScenario, store: str) -> None:
    owner, path = scenario.owner.client, f"{scenario.path}/reports"
    gone, stays = (owner.post(path, {"title": title}).data["id"] for title in ("Q3", "Q4"))
    for report in (gone, gone, stays):
        assert owner.post(f"{path}/{report}/dashboards", {"dashboardType": "uniform"}).status == 201
    assert owner.delete(f"{path}/{gone}").status == 200
    assert len(rows_with(store, gone)) == 2
    (event,) = stored_events(scenario, "report.deleted")
    assert event.details == {"id": gone, "title": "Q3"}
    for _ in range(2):
        delete_leftovers(event)
        assert len(rows_with(store, gone)) == 0
        assert len(rows_with(store, stays)) == 3, "the report, its dashboard and their count"


def test_a_member_who_rejoins_has_the_assigned_items_again(scenario: BoardScenario) -> None:
    """The rows of assigned items survive the membership, and are deleted with the items."""
    ben, meeting = scenario.member("ben"), new_action_item_scenario(scenario)
    item = meeting.item(assigneeUserId=ben.id)["_id"]
    leave(scenario, ben)
    assert ben.client.get("/api/action-items/my").json["actionItems"] == []
    scenario.join(ben)
    assert [entry["_id"] for entry in ben.client.get("/api/action-items/my").json["actionItems"]] == [item]


def test_the_bets_of_one_who_left_are_nobodys_though_they_joined_again_before_the_cleanup(
    scenario: BoardScenario,
) -> None:
    ben = scenario.member("ben")
    bet = {"title": "B", "dueOn": from_now(days=90)[:10], "ownerUserId": ben.id}
    path = f"{scenario.path}/bets/{scenario.owner.client.post(f'{scenario.path}/bets', bet).data['id']}"
    of_others = [{**bet, "ownerUserId": owner} for owner in (scenario.owner.id, None)]
    stay = [scenario.owner.client.post(f"{scenario.path}/bets", entry).data for entry in of_others]
    leave(scenario, ben)
    scenario.join(ben)
    (event,) = stored_events(scenario, "member.left")
    assert delete_leftovers(event)
    assert scenario.owner.client.get(path).data["ownerUserId"] is None
    for entry in stay:
        assert scenario.owner.client.get(f"{scenario.path}/bets/{entry['id']}").data == entry


def test_other_events_sweep_nothing(scenario: BoardScenario, store: str) -> None:
    meeting = new_action_item_scenario(scenario)
    slot = meeting.slot()
    (event,) = stored_events(scenario, "slot.proposed")
    assert delete_leftovers(event)
    assert meeting.listed() == [slot]
    assert rows_about(store, slot["id"]) == 1


def forged_events(scenario: BoardScenario) -> list[StoredEvent]:
    """Returns an event of entry deletion, of things that exist and have items under them."""
    meeting = new_action_item_scenario(scenario)
    meeting.item(assigneeUserId=scenario.owner.id)
    slot = meeting.slot()
    guest_votes(meeting, slot["id"])
    owner = scenario.owner.client
    report = owner.post(f"{scenario.path}/reports", {"title": "Q3"}).data["id"]
    dashboards = f"{scenario.path}/reports/{report}/dashboards"
    dashboard = owner.post(dashboards, {"dashboardType": "uniform"}).data["id"]
    assert owner.post(f"{dashboards}/{dashboard}/comments", {"text": "Why?"}).status == 201
    bet = {"title": "B", "dueOn": from_now(days=90)[:10], "ownerUserId": scenario.owner.id}
    assert owner.post(f"{scenario.path}/bets", bet).status == 201
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
