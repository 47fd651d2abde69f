"""What a deletion leaves behind, and its sweep."""

from __future__ import annotations

import json

from governance.store.table import client
from governance.usecases.cleanup import delete_leftovers
from tests.harness.action_item_scenario import new_action_item_scenario
from tests.harness.board_scenario import BoardScenario, person
from tests.harness.client import Client
from tests.harness.meeting_scenario import MeetingScenario, stored_events
from tests.harness.outbox import Outbox


def rows_about(store: str, text: str) -> int:
    """How many rows, apart from events, audit and idempotency, have the text in a key."""
    items = client().scan(TableName=store)["Items"]
    keys = [(item["PK"]["S"], item["SK"]["S"]) for item in items]
    return sum(text in pk + sk for pk, sk in keys if not pk.startswith(("EVENTS#", "AUDIT#")))


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
    before = rows_about(store, stays.path.rsplit("/", 1)[1]), rows_about(store, items[1])
    assert scenario.owner.client.delete(gone.path).status == 200
    assert rows_about(store, items[0]) == 3
    (event,) = stored_events(scenario, "meeting.deleted")
    for _ in range(2):
        delete_leftovers(event)
        assert rows_about(store, gone.path.rsplit("/", 1)[1]) == 0
        assert rows_about(store, items[0]) == 0
    assert (rows_about(store, stays.path.rsplit("/", 1)[1]), rows_about(store, items[1])) == before


def test_a_removed_slots_votes_are_swept_and_not_its_successors(scenario: BoardScenario, store: str) -> None:
    meeting = new_action_item_scenario(scenario)
    slot = meeting.slot()
    guest_votes(meeting, slot["id"])
    meeting.remove(slot)
    again = meeting.slot(slot["startTime"])
    (event,) = stored_events(scenario, "slot.removed")
    assert rows_about(store, slot["id"]) == 4
    delete_leftovers(event)
    assert rows_about(store, slot["id"]) == 0
    assert meeting.listed() == [again]


def rows_with(store: str, text: str) -> list[tuple[str, str]]:
    """The keys of the rows that hold a text anywhere, apart from events, audit and idempotency."""
    items = client().scan(TableName=store)["Items"]
    found = [(item["PK"]["S"], item["SK"]["S"]) for item in items if text in json.dumps(item, default=str)]
    return [key for key in found if not key[0].startswith(("EVENTS#", "AUDIT#", "IDEMPOTENCY#"))]


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
        assert (len(rows_with(store, gone)), len(rows_with(store, stays))) == (0, 2)


def test_a_deleted_board_leaves_nothing_behind_but_its_trail(
    scenario: BoardScenario, store: str, outbox: Outbox
) -> None:
    owner, meeting = scenario.owner.client, new_action_item_scenario(scenario)
    meeting.item(assigneeUserId=scenario.owner.id)
    guest_votes(meeting, meeting.slot()["id"])
    report = owner.post(f"{scenario.path}/reports", {"title": "Q3"}).data["id"]
    assert owner.post(f"{scenario.path}/reports/{report}/dashboards", {"dashboardType": "uniform"}).status == 201
    for name in ("sent", "declined"):
        invitee = person(name)
        invite = owner.post(f"/api/invite/{scenario.board_id}", {"inviteeEmail": invitee.email}).json["inviteId"]
        assert owner.post(f"/api/invite/{invite}/send-email").status == 200
        if name == "declined":
            assert invitee.client.put(f"/api/invite/decline/{invite}").status == 200
    assert scenario.token().get(scenario.path).status == 200
    assert len(outbox.mails) == 2
    assert owner.delete(scenario.path).status == 200
    (event,) = stored_events(scenario, "board.deleted")
    for _ in range(2):
        delete_leftovers(event)
        assert rows_with(store, scenario.board_id) == []
    partitions = {key[0].partition("#")[0] for key in rows_with(store, "")}
    assert partitions == {"USER", "EMAIL", "ALLOWANCE", "RATE"}


def test_a_member_who_rejoins_has_the_assigned_items_again(scenario: BoardScenario) -> None:
    """The rows of assigned items survive the membership, and are deleted with the items."""
    ben, meeting = scenario.member("ben"), new_action_item_scenario(scenario)
    item = meeting.item(assigneeUserId=ben.id)["_id"]
    (member,) = [
        each["id"] for each in scenario.owner.client.all(f"{scenario.path}/members") if each["userId"] == ben.id
    ]
    ben.client.delete(f"{scenario.path}/members/{member}")
    assert ben.client.get("/api/action-items/my").json["actionItems"] == []
    scenario.join(ben)
    assert [each["_id"] for each in ben.client.get("/api/action-items/my").json["actionItems"]] == [item]


def test_other_events_sweep_nothing(scenario: BoardScenario, store: str) -> None:
    meeting = new_action_item_scenario(scenario)
    slot = meeting.slot()
    (event,) = stored_events(scenario, "slot.proposed")
    delete_leftovers(event)
    assert meeting.listed() == [slot]
    assert rows_about(store, slot["id"]) == 1
