"""What a deletion leaves behind, and its sweep."""

from __future__ import annotations

from governance.store.table import client
from governance.usecases.sweeping import sweep
from tests.harness.agenda import new_agenda
from tests.harness.client import Client
from tests.harness.gathering import Gathering, events_of
from tests.harness.world import World


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
        sweep(event)
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
    sweep(event)
    assert rows_about(store, slot["id"]) == 0
    assert meeting.listed() == [again]


def test_other_events_sweep_nothing(world: World, store: str) -> None:
    meeting = new_agenda(world)
    slot = meeting.slot()
    (event,) = events_of(world, "slot.proposed")
    sweep(event)
    assert meeting.listed() == [slot]
    assert rows_about(store, slot["id"]) == 1
