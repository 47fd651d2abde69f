"""From the stream to notifications and their e-mails: who gets one, once, what it says, and when it is tried again."""

from __future__ import annotations

import json

import pytest
from botocore.exceptions import ReadTimeoutError

from governance.deliveries.notifications import plans
from governance.domain.notifications.addressee import of_user
from governance.mail import rendering
from governance.mail.unsubscribing import unsubscribe_page
from governance.models.history.event import Event
from governance.store.account import users
from governance.store.schema.entities import BOARD
from governance.store.transactions import transact
from governance.store.writes import Delete
from tests.deliveries.inboxes import addresses, inbox, published, types
from tests.harness.board_scenario import BoardScenario, Person, person
from tests.harness.client import FUNCTIONS
from tests.harness.clock import Clock
from tests.harness.outbox import Outbox, html_of, text_of
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


def test_a_mail_says_what_happened_and_where(scenario: BoardScenario, outbox: Outbox) -> None:
    ben = scenario.member("ben")
    event = published(scenario, delivery_data={"title": "<b>Q3</b>"})
    deliver(event)
    text = text_of(outbox.last)
    assert "published the report “<b>Q3</b>”" in text
    root = "https://governance.example.com"
    links = [line for line in text.splitlines() if line.startswith(root)]
    report = f"{root}/boards/{scenario.board_id}/reports/{event.refs['reportId']}"
    stored = users.find(ben.id)
    assert stored is not None
    turn_off = unsubscribe_page(of_user(stored), "package_status")
    assert links == [report, turn_off, f"{root}/app/account"]
    assert f'href="{turn_off}"' in html_of(outbox.last)
    assert f'href="{root}/app/account"' in html_of(outbox.last)
    assert "<b>Q3</b>" not in html_of(outbox.last)


def test_of_a_task_on_a_meeting_that_is_a_draft_again_no_mail_is_sent(scenario: BoardScenario, outbox: Outbox) -> None:
    """A list hides such a notification anyway; a mail would name the task."""
    ben, path = scenario.member("ben"), f"{scenario.path}/meetings"
    meeting = scenario.owner.client.post(path, {"title": "M", "status": "scheduled"}).data["id"]
    body = {"title": "Sign", "assigneeUserId": ben.id}
    item = scenario.owner.client.post(f"{path}/{meeting}/action-items", body).data["_id"]
    refs, data = {"meetingId": meeting, "actionItemId": item}, {"title": "Sign", "assigneeUserId": ben.id}
    event = new_event(scenario.board_id, Event.ACTION_ITEM_UPDATED, scenario.owner.id, refs=refs, delivery_data=data)
    scenario.owner.client.patch(f"{path}/{meeting}", {"status": "draft"})
    deliver(event)
    assert outbox.mails == []
    scenario.owner.client.patch(f"{path}/{meeting}", {"status": "scheduled"})
    deliver(event)
    assert addresses(outbox) == [ben.email]


def test_a_subject_has_no_url_and_the_body_has_the_text(scenario: BoardScenario, outbox: Outbox) -> None:
    scenario.member("ben")
    title = "Q3 (evil.example/login) for all"
    deliver(published(scenario, delivery_data={"title": title}))
    assert outbox.last["Subject"] == "Olivia Tester published the report “Q3 … for all”."
    assert title in text_of(outbox.last)


def test_a_refused_mail_is_tried_again_and_the_others_are_not(scenario: BoardScenario, outbox: Outbox) -> None:
    ben, eve = scenario.member("ben"), scenario.member("eve")
    event = record_of(published(scenario))
    outbox.failure = "TooManyRequestsException"
    assert len(process_records([event])) == 1
    assert (types(ben), outbox.mails) == (["report_published"], [])
    outbox.failure = None
    assert process_records([event]) == process_records([event]) == []
    assert addresses(outbox) == [ben.email, eve.email]


def test_a_mail_whose_answer_was_lost_is_not_sent_again(scenario: BoardScenario, outbox: Outbox) -> None:
    scenario.member("ben")
    event = record_of(published(scenario))
    outbox.failure = ReadTimeoutError(endpoint_url="https://mail.example")
    assert process_records([event]) == []
    outbox.failure = None
    assert process_records([event]) == []
    assert outbox.mails == []


def test_a_mail_service_in_trouble_keeps_nobody_from_being_notified(
    scenario: BoardScenario, outbox: Outbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plans, "_RECIPIENTS_PER_MESSAGE", 1)
    people = [scenario.member(name) for name in ("ben", "eve", "max")]
    outbox.failure = "TooManyRequestsException"
    assert len(process_records([record_of(published(scenario))])) == 3
    assert [types(who) for who in people] == [["report_published"]] * 3


def test_a_mail_that_could_not_be_written_is_still_due(
    scenario: BoardScenario, outbox: Outbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    scenario.member("ben")
    event = record_of(published(scenario))
    with monkeypatch.context() as broken:
        broken.setattr(rendering, "_templates", dict)
        assert len(process_records([event])) == 1
    assert process_records([event]) == []
    assert len(outbox.mails) == 1


@pytest.mark.parametrize(
    ("channels", "shown", "mailed"), [(["email"], 0, 1), (["in_app"], 1, 0), ([], 0, 0), (["email", "in_app"], 1, 1)]
)
def test_preferences_decide_the_channels(
    scenario: BoardScenario, outbox: Outbox, channels: list[str], shown: int, mailed: int
) -> None:
    ben = scenario.member("ben")
    body = {"eventCategory": "package_status", "channels": channels}
    assert ben.client.put("/api/notification/preferences", body).status == 200
    event = published(scenario)
    deliver(event, event)
    deliver(new_event(scenario.board_id, Event.BOARD_CHANGED, scenario.owner.id))
    assert types(ben).count("report_published") == shown
    assert types(ben).count("board_update") == 1
    assert len(outbox.mails) == mailed


def test_a_preference_of_later_does_not_undo_what_was_decided(scenario: BoardScenario, outbox: Outbox) -> None:
    ben = scenario.member("ben")
    ben.client.put("/api/notification/preferences", {"eventCategory": "package_status", "channels": ["email"]})
    event = published(scenario)
    deliver(event)
    ben.client.put("/api/notification/preferences", {"eventCategory": "package_status", "channels": ["in_app"]})
    deliver(event)
    assert inbox(ben) == []
    assert len(outbox.mails) == 1
