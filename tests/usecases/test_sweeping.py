"""What a deletion leaves behind, and its sweep."""

from __future__ import annotations

import json

from governance.store.table import client
from governance.usecases.cleanup import delete_leftovers
from tests.harness.agenda import new_agenda
from tests.harness.client import Client
from tests.harness.gathering import Gathering, events_of
from tests.harness.outbox import Outbox
from tests.harness.world import World, person


def rows_about(store: str, text: str) -> int:
    """How many rows, apart from events, audit and idempotency, have the text in a key."""
    items = client().scan(TableName=store)["Items"]
    keys = [(item["PK"]["S"], item["SK"]["S"]) for item in items]
    return sum(text in pk + sk for pk, sk in keys if not pk.startswith(("EVENTS#", "AUDIT#")))


def guest_votes(meeting: Gathering, slot_id: str) -> None:
    link = meeting.world.owner.client.post(f"{meeting.path}/guest-link").data["token"]
    for number in range(3):
        body = {"email": f"g{number}@example.org", "vote": "ok"}
        assert Client().put(f"/api/v1/guest/{link}/slots/{slot_id}/vote", body).status == 200


def test_a_deleted_meeting_is_swept_whole_and_only_it(world: World, store: str) -> None:
    gone, stays = new_agenda(world), new_agenda(world)
    items = [agenda.item(assigneeUserId=world.owner.id)["_id"] for agenda in (gone, stays)]
    for agenda in (gone, stays):
        guest_votes(agenda, agenda.slot()["id"])
    before = rows_about(store, stays.path.rsplit("/", 1)[1]), rows_about(store, items[1])
    assert world.owner.client.delete(gone.path).status == 200
    assert rows_about(store, items[0]) == 3
    (event,) = events_of(world, "meeting.deleted")
    for _ in range(2):
        delete_leftovers(event)
        assert rows_about(store, gone.path.rsplit("/", 1)[1]) == 0
        assert rows_about(store, items[0]) == 0
    assert (rows_about(store, stays.path.rsplit("/", 1)[1]), rows_about(store, items[1])) == before


def test_a_removed_slots_votes_are_swept_and_not_its_successors(world: World, store: str) -> None:
    meeting = new_agenda(world)
    slot = meeting.slot()
    guest_votes(meeting, slot["id"])
    meeting.remove(slot)
    again = meeting.slot(slot["startTime"])
    (event,) = events_of(world, "slot.removed")
    assert rows_about(store, slot["id"]) == 4
    delete_leftovers(event)
    assert rows_about(store, slot["id"]) == 0
    assert meeting.listed() == [again]


def rows_with(store: str, text: str) -> list[tuple[str, str]]:
    """The keys of the rows that hold a text anywhere, apart from events, audit and idempotency."""
    items = client().scan(TableName=store)["Items"]
    found = [(item["PK"]["S"], item["SK"]["S"]) for item in items if text in json.dumps(item, default=str)]
    return [key for key in found if not key[0].startswith(("EVENTS#", "AUDIT#", "IDEMPOTENCY#"))]


def test_a_deleted_reports_dashboards_are_swept_and_no_others(world: World, store: str) -> None:
    owner, path = world.owner.client, f"{world.path}/reports"
    gone, stays = (owner.post(path, {"title": title}).data["id"] for title in ("Q3", "Q4"))
    for report in (gone, gone, stays):
        assert owner.post(f"{path}/{report}/dashboards", {"dashboardType": "uniform"}).status == 201
    assert owner.delete(f"{path}/{gone}").status == 200
    assert len(rows_with(store, gone)) == 2
    (event,) = events_of(world, "report.deleted")
    assert event.details == {"id": gone, "title": "Q3"}
    for _ in range(2):
        delete_leftovers(event)
        assert (len(rows_with(store, gone)), len(rows_with(store, stays))) == (0, 2)


def test_a_deleted_board_leaves_nothing_behind_but_its_trail(world: World, store: str, outbox: Outbox) -> None:
    owner, meeting = world.owner.client, new_agenda(world)
    meeting.item(assigneeUserId=world.owner.id)
    guest_votes(meeting, meeting.slot()["id"])
    report = owner.post(f"{world.path}/reports", {"title": "Q3"}).data["id"]
    assert owner.post(f"{world.path}/reports/{report}/dashboards", {"dashboardType": "uniform"}).status == 201
    for name in ("sent", "declined"):
        invitee = person(name)
        invite = owner.post(f"/api/invite/{world.board_id}", {"inviteeEmail": invitee.email}).json["inviteId"]
        assert owner.post(f"/api/invite/{invite}/send-email").status == 200
        if name == "declined":
            assert invitee.client.put(f"/api/invite/decline/{invite}").status == 200
    assert world.token().get(world.path).status == 200
    assert len(outbox.mails) == 2
    assert owner.delete(world.path).status == 200
    (event,) = events_of(world, "board.deleted")
    for _ in range(2):
        delete_leftovers(event)
        assert rows_with(store, world.board_id) == []
    partitions = {key[0].partition("#")[0] for key in rows_with(store, "")}
    assert partitions == {"USER", "EMAIL", "ALLOWANCE", "RATE"}


def test_a_former_member_who_comes_back_has_his_items_again(world: World) -> None:
    """So the rows of what is assigned to him outlive his membership, and go with the items."""
    ben, meeting = world.member("ben"), new_agenda(world)
    item = meeting.item(assigneeUserId=ben.id)["_id"]
    (member,) = [each["id"] for each in world.owner.client.all(f"{world.path}/members") if each["userId"] == ben.id]
    ben.client.delete(f"{world.path}/members/{member}")
    assert ben.client.get("/api/action-items/my").json["actionItems"] == []
    world.join(ben)
    assert [each["_id"] for each in ben.client.get("/api/action-items/my").json["actionItems"]] == [item]


def test_other_events_sweep_nothing(world: World, store: str) -> None:
    meeting = new_agenda(world)
    slot = meeting.slot()
    (event,) = events_of(world, "slot.proposed")
    delete_leftovers(event)
    assert meeting.listed() == [slot]
    assert rows_about(store, slot["id"]) == 1
