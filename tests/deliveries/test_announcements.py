"""What an event makes known besides itself: opened drafts, and tokens that a former admin leaves behind."""

from __future__ import annotations

from typing import Any

import pytest

from governance.ids import membership_id
from tests.functions.meetings.links import open_link
from tests.harness.action_item_scenario import ActionItemScenario, new_action_item_scenario
from tests.harness.board_scenario import BoardScenario, Person, person
from tests.harness.client import Client
from tests.harness.clock import Clock
from tests.harness.meeting_scenario import new_meeting_scenario
from tests.harness.outbox import Outbox
from tests.harness.stream import event_records, process_records

LIST = "/api/notification/"


def inbox(user: Person) -> list[dict[str, Any]]:
    """Returns a user's notifications; of an avatar's URL only the path, since the signature names the second."""
    return [{**entry, "avatar": entry["avatar"].partition("?")[0]} for entry in user.client.get(LIST).json]


def messages(user: Person, type_: str) -> list[str]:
    return sorted(entry["message"] for entry in inbox(user) if entry["type"] == type_)


def deliver_all(scenario: BoardScenario) -> None:
    """Delivers every event of the board, those delivered before once more."""
    assert process_records(event_records(scenario.board_id)) == []


def membership(scenario: BoardScenario, user: Person) -> str:
    return f"{scenario.path}/members/{membership_id(scenario.board_id, user.id)}"


def mint(scenario: BoardScenario, user: Person, name: str = "robot", days: int | None = None) -> Client:
    body = {"name": name, "preset": "read_write", "expiresInDays": days}
    return Client(user.client.post(f"{scenario.path}/tokens", body).data["secret"])


def hints(scenario: BoardScenario, reader: Person) -> list[str]:
    """Delivers everything; returns what a reader is told of things that a former admin left behind."""
    deliver_all(scenario)
    return [message for message in messages(reader, "board_update") if "no longer" in message]


@pytest.fixture
def draft(scenario: BoardScenario) -> ActionItemScenario:
    return new_action_item_scenario(scenario, "draft")


@pytest.mark.usefixtures("outbox")
def test_an_opened_draft_notifies_what_it_held_back(scenario: BoardScenario, draft: ActionItemScenario) -> None:
    ben, cleo = scenario.member("ben"), scenario.member("cleo")
    guest = scenario.member("gil", access_type="guest")
    for user, title in ((ben, "One"), (ben, "Two"), (cleo, "Three"), (scenario.owner, "Own")):
        draft.item(title=title, assigneeUserId=user.id)
    draft.item(title="Nobody's")
    draft.slot()
    draft.slot("2099-01-01T00:00:00Z")
    deliver_all(scenario)
    assert inbox(ben) == inbox(cleo) == []
    assert draft.patch(status="scheduled").status == 200
    for _ in range(2):
        deliver_all(scenario)
        assert messages(ben, "task_assignment") == [
            "Olivia Tester assigned the action item “One” to you.",
            "Olivia Tester assigned the action item “Two” to you.",
        ]
        assert messages(cleo, "task_assignment") == ["Olivia Tester assigned the action item “Three” to you."]
        for user, slots in ((ben, 1), (cleo, 1), (guest, 0), (scenario.owner, 0)):
            assert len(messages(user, "slot_proposed")) == slots
        assert messages(scenario.owner, "task_assignment") == []
    assert inbox(cleo)[0]["meetingLink"] == draft.path.removeprefix("/api/v1")


@pytest.mark.usefixtures("outbox")
def test_a_task_of_an_opened_draft_that_is_created_before_its_delivery_is_told_once(
    scenario: BoardScenario, draft: ActionItemScenario, clock: Clock
) -> None:
    ben = scenario.member("ben")
    draft.patch(status="scheduled")
    clock.move(1)
    draft.item(title="Later", assigneeUserId=ben.id)
    deliver_all(scenario)
    assert messages(ben, "task_assignment") == ["Olivia Tester assigned the action item “Later” to you."]


@pytest.mark.usefixtures("outbox")
def test_an_opened_draft_without_slots_or_tasks_notifies_nobody(
    scenario: BoardScenario, draft: ActionItemScenario
) -> None:
    ben = scenario.member("ben")
    slot = draft.slot()
    draft.remove(slot)
    draft.patch(status="scheduled")
    deliver_all(scenario)
    assert inbox(ben) == []


@pytest.mark.usefixtures("outbox")
def test_a_meeting_that_is_a_draft_again_disappears_from_the_notifications_of_others(scenario: BoardScenario) -> None:
    ben, meeting = scenario.member("ben"), new_action_item_scenario(scenario)
    item = meeting.item(assigneeUserId=ben.id)
    deliver_all(scenario)
    (before,) = inbox(ben)
    path = f"{LIST}read/{before['_id']}"
    meeting.patch(status="draft")
    assert inbox(ben) == []
    assert ben.client.put(path).failure == (404, "RESOURCE_NOT_FOUND")
    assert ben.client.delete(f"{LIST}{before['_id']}").failure == (404, "RESOURCE_NOT_FOUND")
    assert item["title"] not in ben.client.get(LIST).text
    meeting.patch(status="scheduled")
    assert before in inbox(ben)
    assert ben.client.put(path).json["read"] is True


@pytest.mark.usefixtures("outbox")
@pytest.mark.parametrize("deleted", ["meeting", "board"])
def test_a_draft_that_is_deleted_stays_out_of_the_notifications_of_others(
    scenario: BoardScenario, deleted: str
) -> None:
    ben, adam = scenario.member("ben"), scenario.member("adam", admin_role="admin")
    meeting, other = new_action_item_scenario(scenario), new_action_item_scenario(scenario)
    meeting.item(title="Secret", assigneeUserId=ben.id)
    other.item(title="Open", assigneeUserId=ben.id)
    adam.client.put(f"{meeting.path}/rsvp", {"status": "accepted"})
    deliver_all(scenario)
    (hidden,) = [entry for entry in inbox(ben) if "Secret" in entry["message"]]
    meeting.patch(status="draft")
    for path in [scenario.path] if deleted == "board" else [meeting.path, other.path]:
        assert scenario.owner.client.delete(path).status == 200
    for _ in range(2):
        assert messages(ben, "task_assignment") == ["Olivia Tester assigned the action item “Open” to you."]
        assert ben.client.put(f"{LIST}read/{hidden['_id']}").failure == (404, "RESOURCE_NOT_FOUND")
        assert len(messages(scenario.owner, "meeting_rsvp_changed")) == 1
        deliver_all(scenario)


@pytest.mark.usefixtures("outbox")
def test_who_left_a_board_learns_no_later_name(scenario: BoardScenario) -> None:
    ben, owner = scenario.member("ben"), scenario.owner.client
    owner.patch(scenario.path, {"description": "New"})
    deliver_all(scenario)
    (before,) = inbox(ben)
    assert ben.client.delete(membership(scenario, ben)).status == 200
    assert inbox(ben) == [before]
    owner.patch(scenario.path, {"name": "Secret merger"})
    owner.patch("/api/v1/me", {"lastName": "Newname"})
    (after,) = inbox(ben)
    assert after["boardId"] == {"_id": scenario.board_id, "name": "Board"}
    assert after["triggeringUserId"] == {"_id": scenario.owner.id, "firstName": None, "lastName": None}
    assert after["message"] == "Somebody changed the board “Board”."
    assert "/avatars/neutral.svg" in after["avatar"]
    scenario.join(ben)
    (again,) = inbox(ben)
    assert again["boardId"]["name"] == "Secret merger"
    assert again["message"].startswith("Olivia Newname")


@pytest.mark.usefixtures("outbox")
def test_an_invitee_sees_the_names_of_today_while_the_invite_is_pending(scenario: BoardScenario) -> None:
    ann, owner = person("ann"), scenario.owner.client
    invite = owner.post(f"/api/invite/{scenario.board_id}", {"inviteeEmail": ann.email}).json["inviteId"]
    deliver_all(scenario)
    owner.patch("/api/v1/me", {"firstName": "Olive"})
    owner.patch(scenario.path, {"name": "Renamed"})
    (entry,) = inbox(ann)
    assert (entry["boardId"]["name"], entry["inviterId"]["firstName"]) == ("Renamed", "Olive")
    assert ann.client.put(f"/api/invite/decline/{invite}").status == 200
    (entry,) = inbox(ann)
    assert (entry["boardId"]["name"], entry["inviterId"]["firstName"]) == ("Board", None)


def test_a_change_of_seats_is_told_to_all_who_were_or_are_in_the_committee(
    scenario: BoardScenario, outbox: Outbox
) -> None:
    ben, eve, ada = scenario.member("ben"), scenario.member("eve"), scenario.member("ada", admin_role="admin")
    seats = [membership_id(scenario.board_id, user.id) for user in (ben, eve, ada)]
    body = {"name": "Audit", "memberIds": seats[:1]}
    committee = scenario.owner.client.post(f"{scenario.path}/committees", body).data["id"]
    path = f"{scenario.path}/committees/{committee}"
    for change in ({"memberIds": seats}, {"name": "Renamed"}, {"memberIds": seats[::-1]}, {"memberIds": seats[2:]}):
        assert ada.client.patch(path, change).status == 200
    deliver_all(scenario)
    told = [
        f"Ada Tester changed who is in the committee “{name}” of the board “Board”." for name in ("Audit", "Renamed")
    ]
    assert sorted(messages(ben, "board_update")) == sorted(messages(eve, "board_update")) == told
    assert messages(ada, "board_update") == messages(scenario.owner, "board_update") == []
    assert outbox.mails == []


def test_the_owner_hears_of_a_board_token_that_somebody_else_creates(scenario: BoardScenario, outbox: Outbox) -> None:
    adam, ben = scenario.member("adam", admin_role="admin"), scenario.member("ben")
    mint(scenario, adam, "Exporter")
    mint(scenario, scenario.owner, "Own")
    deliver_all(scenario)
    assert messages(scenario.owner, "board_update") == [
        "Adam Tester created the access token “Exporter” of the board “Board”."
    ]
    assert inbox(ben) == inbox(adam) == []
    assert outbox.mails == []


@pytest.mark.usefixtures("outbox")
@pytest.mark.parametrize("ending", ["removed", "left", "demoted"])
def test_owner_and_admins_hear_once_of_the_tokens_webhooks_and_invites_that_a_former_admin_leaves(
    scenario: BoardScenario, ending: str
) -> None:
    """A token that was revoked is no more, and what others made is not meant. The first few tokens are named."""
    adam, ada = (scenario.member(name, admin_role="admin") for name in ("adam", "ada"))
    tokens = [mint(scenario, adam, f"robot {number}") for number in range(6)]
    revoked = scenario.owner.client.get(f"{scenario.path}/tokens").data[0]["id"]
    assert scenario.owner.client.delete(f"{scenario.path}/tokens/{revoked}").status == 200
    mint(scenario, scenario.owner)
    for maker in (adam, adam, scenario.owner):
        hook = {"url": "https://example.com/hook", "events": ["*"]}
        assert maker.client.post(f"{scenario.path}/webhooks", hook).status == 201
    for sender in (adam, scenario.owner):
        invited = sender.client.post(f"/api/invite/{scenario.board_id}", {"inviteeEmail": "ann@example.com"})
        assert invited.status == 200
    if ending == "demoted":
        change = {"adminRole": "member", "accessType": "guest"}
        assert scenario.owner.client.patch(membership(scenario, adam), change).status == 200
    else:
        (scenario.owner if ending == "removed" else adam).client.delete(membership(scenario, adam))
    assert tokens[0].get(scenario.path).status == 200
    told = (
        "Adam Tester no longer has the same rights on the board “Board”, but 5 access tokens that they created are "
        "still active: “robot 0”, “robot 1”, “robot 2” and 2 more; 2 webhooks that they created are still there; "
        "1 invite that they made is still pending. Revoke what is not needed."
    )
    for reader in (scenario.owner, ada) * 2:
        assert hints(scenario, reader) == [told]
    created = [message for message in messages(scenario.owner, "board_update") if "created a webhook" in message]
    assert created == ["Adam Tester created a webhook that gets the events of the board “Board”."] * 2


@pytest.mark.usefixtures("outbox")
def test_nobody_hears_of_an_admin_who_stays_one_or_whose_tokens_are_over(scenario: BoardScenario, clock: Clock) -> None:
    adam, ben = scenario.member("adam", admin_role="admin"), scenario.member("ben")
    mint(scenario, adam, days=30)
    assert scenario.owner.client.patch(membership(scenario, adam), {"isInternalMgmt": True}).status == 200
    assert hints(scenario, scenario.owner) == []
    clock.advance(days=30)
    for user in (adam, ben):
        assert scenario.owner.client.delete(membership(scenario, user)).status == 200
    assert hints(scenario, scenario.owner) == []


@pytest.mark.usefixtures("outbox")
def test_who_was_an_admin_before_and_may_invite_no_more_leaves_invites_alone(scenario: BoardScenario) -> None:
    adam = scenario.member("adam", admin_role="admin")
    mint(scenario, adam)
    assert scenario.owner.client.patch(membership(scenario, adam), {"adminRole": "member"}).status == 200
    for sender in (adam, scenario.owner):
        invited = sender.client.post(f"/api/invite/{scenario.board_id}", {"inviteeEmail": "ann@example.com"})
        assert invited.status == 200
    assert scenario.owner.client.patch(membership(scenario, adam), {"accessType": "guest"}).status == 200
    told = [hint.partition("but ")[2].partition(".")[0] for hint in hints(scenario, scenario.owner)]
    assert told == [
        "1 access token that they created is still active: “robot”",
        "1 invite that they made is still pending",
    ]


@pytest.mark.usefixtures("outbox")
def test_who_has_voted_on_a_removed_slot_is_told_its_time(scenario: BoardScenario) -> None:
    ada, ben = scenario.member("ada"), scenario.member("ben")
    meeting = new_meeting_scenario(scenario)
    slot = meeting.slot("2098-03-02T09:00:00.000Z")
    assert meeting.vote(ada.client, slot).status == 200
    assert meeting.remove(slot).status == 200
    deliver_all(scenario)
    (told,) = messages(ada, "slot_removed")
    assert "2 March 2098, 10:00 (Europe/Paris)" in told
    assert "Spring" in told
    assert messages(ben, "slot_removed") == messages(scenario.owner, "slot_removed") == []


@pytest.mark.usefixtures("outbox")
def test_a_moved_meeting_is_told_with_the_time_that_it_had(scenario: BoardScenario) -> None:
    ada = scenario.member("ada")
    meeting = new_meeting_scenario(scenario)
    assert meeting.patch(startTime="2098-03-02T09:00:00.000Z").status == 200
    assert meeting.patch(startTime="2098-03-02T14:00:00.000Z").status == 200
    deliver_all(scenario)
    (told,) = messages(ada, "meeting_changed")
    assert "to Sunday, 2 March 2098, 14:00 (UTC). It was scheduled for Sunday, 2 March 2098, 09:00 (UTC)" in told


@pytest.mark.usefixtures("outbox")
@pytest.mark.parametrize("ending", ["removed", "left"])
def test_managers_hear_once_of_the_guest_links_that_a_departure_closes(scenario: BoardScenario, ending: str) -> None:
    mona, manager = scenario.member("mona"), scenario.member("max", access_type="manager")
    reader = scenario.member("cleo")
    for title in ("Autumn", "Budget"):
        open_link(new_meeting_scenario(scenario, title=title), mona.client)
    open_link(new_meeting_scenario(scenario, title="Others'"))
    assert (scenario.owner if ending == "removed" else mona).client.delete(membership(scenario, mona)).status == 200
    told = (
        "Mona Tester is no longer a member of the board “Board”. This closed 2 guest links that they made, to the "
        "meetings “Autumn” and “Budget”. If guests are still to vote, make new ones."
    )
    for user in (scenario.owner, manager) * 2:
        assert hints(scenario, user) == [told]
    assert hints(scenario, reader) == []
