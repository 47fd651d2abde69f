"""From the stream to notifications: who gets one, once, and of what nobody hears."""

from __future__ import annotations

import json

from governance.models.event import Event
from governance.store.schema.entities import BOARD
from governance.store.transactions import transact
from governance.store.writes import Delete
from tests.deliveries.inboxes import addresses, inbox, published, types
from tests.harness.board_scenario import BoardScenario, Person, person
from tests.harness.client import FUNCTIONS
from tests.harness.clock import Clock
from tests.harness.outbox import Outbox
from tests.harness.stream import deliver, event_records, new_event, process_records, record, record_of


def test_everybody_but_who_acted_is_notified_and_mailed(scenario: BoardScenario, outbox: Outbox) -> None:
    ben, eve = scenario.member("ben"), scenario.member("eve", access_type="guest")
    deliver(published(scenario))
    assert (types(ben), types(eve), types(scenario.owner)) == (["report_published"], ["report_published"], [])
    assert addresses(outbox) == [ben.email, eve.email]
    assert inbox(ben)[0]["message"] == "Olivia Tester published the report “Q3”."


def test_a_repeat_and_any_order_make_no_second_one(scenario: BoardScenario, outbox: Outbox) -> None:
    ben = scenario.member("ben")
    first, second = published(scenario), published(scenario)
    deliver(second, first, second)
    deliver(first)
    assert len(inbox(ben)) == len(outbox.mails) == 2


def test_a_repeat_brings_back_neither_what_is_deleted_nor_what_is_unread(
    scenario: BoardScenario, outbox: Outbox
) -> None:
    ben = scenario.member("ben")
    gone, read = published(scenario), published(scenario)
    deliver(gone, read)
    one, other = inbox(ben)
    assert ben.client.delete(f"/api/notification/{one['_id']}").status == 200
    assert ben.client.put(f"/api/notification/read/{other['_id']}").status == 200
    deliver(gone, read)
    assert [(entry["_id"], entry["read"]) for entry in inbox(ben)] == [(other["_id"], True)]
    assert len(outbox.mails) == 2


def test_poison_keeps_no_neighbour_from_its_delivery(scenario: BoardScenario, outbox: Outbox) -> None:
    ben = scenario.member("ben")
    before, after = record_of(published(scenario)), record_of(published(scenario))
    poison = record({"PK": f"EVENTS#{scenario.board_id}", "SK": "BOARD#x#y", "nonsense": True})
    assert len(process_records([before, poison, after])) == 1
    assert len(inbox(ben)) == len(outbox.mails) == 2


def test_what_is_no_new_event_is_nothing(scenario: BoardScenario) -> None:
    ben = scenario.member("ben")
    item = {**published(scenario).item(), "PK": f"EVENTS#{scenario.board_id}", "SK": "BOARD#x"}
    assert process_records([record(item, "MODIFY"), record(item, "REMOVE")]) == []
    assert inbox(ben) == []


def test_who_has_left_is_not_notified_who_was_removed_is(scenario: BoardScenario) -> None:
    ben = scenario.member("ben")
    event = new_event(scenario.board_id, Event.BOARD_CHANGED, scenario.owner.id)
    member = next(m for m in scenario.owner.client.get(f"{scenario.path}/members").data if m["userId"] == ben.id)
    assert scenario.owner.client.delete(f"{scenario.path}/members/{member['id']}").status == 200
    deliver(event)
    assert process_records(event_records(scenario.board_id)) == []
    assert types(ben) == ["membership_removed"]


def test_who_was_removed_learns_no_name_of_later_by_a_late_delivery(scenario: BoardScenario) -> None:
    ben, before = scenario.member("ben"), scenario.owner.client.get(scenario.path).data["name"]
    member = next(m for m in scenario.owner.client.get(f"{scenario.path}/members").data if m["userId"] == ben.id)
    assert scenario.owner.client.delete(f"{scenario.path}/members/{member['id']}").status == 200
    assert scenario.owner.client.patch(scenario.path, {"name": "Renamed"}).status == 200
    assert scenario.owner.client.patch("/api/v1/me", {"firstName": "Renamed"}).status == 200
    assert process_records(event_records(scenario.board_id)) == []
    (entry,) = inbox(ben)
    assert (entry["type"], entry["boardId"]["name"]) == ("membership_removed", before)
    assert entry["message"] == f"Somebody removed you from the board “{before}”."


def test_of_a_deleted_board_nobody_hears(scenario: BoardScenario) -> None:
    ben = scenario.member("ben")
    event = published(scenario)
    transact([Delete(BOARD.key_for(boardId=scenario.board_id))])
    deliver(event)
    assert inbox(ben) == []


def test_an_inviter_announces_one_invite_a_day_to_a_user_on_a_board(scenario: BoardScenario, clock: Clock) -> None:
    ann, ada = person("ann"), scenario.member("ada", admin_role="admin")

    def invite(by: Person, id_: str) -> None:
        refs, data = {"inviteId": id_ * 24, "inviterId": by.id}, {"inviteeEmail": ann.email}
        event = new_event(scenario.board_id, Event.INVITE_CREATED, by.id, refs=refs, delivery_data=data)
        for _ in range(2):  # a delivery may be repeated
            deliver(event)

    for id_ in "abc":
        invite(scenario.owner, id_)
    assert [entry["inviteId"] for entry in inbox(ann)] == ["a" * 24]
    invite(ada, "d")
    assert len(inbox(ann)) == 2
    clock.advance(days=1, seconds=1)
    invite(scenario.owner, "e")
    assert len(inbox(ann)) == 3


def test_every_user_who_has_the_invited_address_is_notified(scenario: BoardScenario) -> None:
    ben = person("ben")
    data, refs = {"inviteeEmail": ben.email}, {"inviteId": "a" * 24}
    deliver(new_event(scenario.board_id, Event.INVITE_CREATED, scenario.owner.id, refs=refs, delivery_data=data))
    deliver(
        new_event(
            scenario.board_id,
            Event.INVITE_CREATED,
            scenario.owner.id,
            delivery_data={"inviteeEmail": "no@user.example"},
        )
    )
    (entry,) = inbox(ben)
    assert (entry["type"], entry["inviteId"]) == ("board_invite", "a" * 24)


def test_a_token_of_the_board_notifies_every_member(scenario: BoardScenario) -> None:
    deliver(new_event(scenario.board_id, Event.BOARD_CHANGED, None))
    assert types(scenario.owner) == ["board_update"]
    assert "triggeringUserId" not in inbox(scenario.owner)[0]


def test_the_sample_event_is_one_that_the_function_takes(scenario: BoardScenario) -> None:
    sample = json.loads((FUNCTIONS.parent / "events" / "events" / "stream.json").read_text())
    assert process_records(sample["Records"]) == []
    assert inbox(scenario.owner) == []
