"""Who hears a ring: whoever may GET what changed, judged when it is sent, and nobody else."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import pytest

from governance.instants import now, shift
from governance.limits import LIVE_OPENING_SECONDS
from tests.harness import stream
from tests.harness.board_scenario import BoardScenario, Person, person
from tests.harness.clock import Clock
from tests.harness.live import Channel, Tab

MEETING = {"title": "Board meeting", "status": "scheduled"}


@dataclass
class Room:
    """A board with a tab of each kind of member; `heard` says who heard of what since it was asked last."""

    scenario: BoardScenario
    channel: Channel
    people: dict[str, Person]
    tabs: dict[str, Tab]

    @property
    def path(self) -> str:
        return self.scenario.path

    def as_(self, name: str) -> Person:
        return self.people[name]

    def heard(self, act: Callable[[], object]) -> dict[str, set[str]]:
        """Returns the names of those who heard of each event of an act."""
        for tab in self.tabs.values():
            tab.forget()
        with self.channel.watched():
            act()
        heard: dict[str, set[str]] = {}
        for name, tab in self.tabs.items():
            for _, event in tab.rings():
                heard.setdefault(event, set()).add(name)
        return heard


@pytest.fixture
def room(channel: Channel, scenario: BoardScenario) -> Room:
    people = {
        "owner": scenario.owner,
        "admin": scenario.member("admin", admin_role="admin"),
        "manager": scenario.member("manager", access_type="manager"),
        "maker": scenario.member("maker"),
        "guest": scenario.member("guest", access_type="guest"),
        "seated": scenario.member("seated", access_type="guest"),
    }
    tabs = {name: channel.open(person.client) for name, person in people.items()}
    for tab in tabs.values():
        assert tab.join(scenario.board_id)[0]["type"] == "joined"
    tabs["outsider"] = channel.open(person("outsider").client)
    tabs["outsider"].join(scenario.board_id)
    people["outsider"] = person("outsider")
    return Room(scenario, channel, people, tabs)


MEMBERS = {"owner", "admin", "manager", "maker", "guest", "seated"}
ADMINS = {"owner", "admin"}


def test_a_closed_guest_link_rings_admins_and_all_members_if_votes_go_with_it(room: Room) -> None:
    maker = room.as_("maker").client
    link = f"{room.path}/meetings/{maker.post(f'{room.path}/meetings', MEETING).data['id']}/guest-link"
    for query, hearers in (("", ADMINS), ("votes=discard", MEMBERS)):
        maker.post(link)
        assert room.heard(partial(maker.call, "DELETE", link, query=query)) == {"guest_link.closed": hearers}


def test_a_ring_names_ids_and_nothing_of_the_meeting(room: Room) -> None:
    with room.channel.watched():
        meeting = room.as_("maker").client.post(f"{room.path}/meetings", MEETING).data
    (ring,) = [message for message in room.tabs["guest"].told if message["type"] == "ring"]
    assert ring == {
        "type": "ring",
        "room": f"boards/{room.scenario.board_id}",
        "event": "meeting.created",
        "ids": {"boardId": room.scenario.board_id, "meetingId": meeting["id"]},
        "at": meeting["createdAt"],
    }


def test_what_admins_alone_may_read_rings_for_admins(room: Room) -> None:
    owner = room.as_("owner").client
    reminder = {"title": "Poll", "status": "scheduled"}
    path = f"{room.path}/meetings/" + owner.post(f"{room.path}/meetings", reminder).data["id"]
    assert room.heard(lambda: owner.post(f"{path}/guest-link"))["guest_link.opened"] == ADMINS
    assert room.heard(lambda: owner.post(f"{room.path}/exports"))["export.requested"] == ADMINS
    document = owner.post(f"{room.path}/documents", {"title": "Plan", "documentType": "policy"}).data["id"]
    heard = room.heard(lambda: room.as_("guest").client.get(f"{room.path}/documents/{document}"))
    assert heard == {"document.viewed": ADMINS}


def test_drafts_of_resolutions_ring_for_managers_and_hidden_ballots_for_their_voter(room: Room) -> None:
    maker, manager = room.as_("maker").client, room.as_("manager").client
    managers, made = {"owner", "admin", "manager"}, []

    def draft(ballots: str) -> None:
        body = {"title": "Lease", "text": "We sign it.", "ballots": ballots, "closesAt": shift(now(), hours=1)}
        made.append(maker.post(f"{room.path}/resolutions", body).data["id"])

    for ballots, hearing in (("hidden", {"maker"}), ("named", MEMBERS)):
        assert room.heard(lambda ballots=ballots: draft(ballots)) == {"resolution.created": managers | {"maker"}}  # type: ignore[misc]
        path = f"{room.path}/resolutions/{made[-1]}"
        assert room.heard(lambda path=path: manager.post(f"{path}/open")) == {"resolution.opened": MEMBERS}  # type: ignore[misc]
        cast = room.heard(lambda path=path: maker.put(f"{path}/ballot", {"choice": "for"}))  # type: ignore[misc]
        assert cast == {"resolution.ballot_cast": hearing}


def test_a_notification_rings_for_its_user_alone_made_read_and_deleted(room: Room) -> None:
    maker, guest = room.as_("maker").client, room.as_("guest").client

    def promote() -> None:
        path = room.scenario.member_path(room.as_("maker"))
        room.as_("owner").client.patch(path, {"accessType": "manager"})
        stream.process_records(stream.event_records(room.scenario.board_id))

    heard = room.heard(promote)
    assert heard == {"member.changed": MEMBERS, "notification.created": {"maker"}}
    (notification,) = maker.get("/api/notification/").json
    ids = {"notificationId": notification["_id"], "boardId": room.scenario.board_id}
    ring = next(message for message in room.tabs["maker"].told if message.get("event") == "notification.created")
    assert (ring["room"], ring["ids"]) == ("me", ids)
    path = f"/api/notification/{notification['_id']}"
    for act in (
        lambda: maker.put(f"/api/notification/read/{notification['_id']}"),
        lambda: maker.put("/api/notification/read/all"),
        lambda: maker.delete(path),
    ):
        assert room.heard(act) == {"notification.updated": {"maker"}}
    assert guest.get("/api/notification/").json == []


def test_all_tabs_of_a_user_are_rung_and_only_in_rooms_that_they_joined(room: Room) -> None:
    second, silent = (room.channel.open(room.as_("guest").client) for _ in range(2))
    second.join(room.scenario.board_id)
    room.heard(lambda: room.as_("maker").client.post(f"{room.path}/meetings", MEETING))
    assert len(second.rings()) == len(room.tabs["guest"].rings()) == 1
    assert silent.rings() == room.tabs["outsider"].rings() == []
    second.leave(room.scenario.board_id)
    second.forget()
    room.heard(lambda: room.as_("maker").client.post(f"{room.path}/meetings", MEETING))
    assert second.rings() == []


def test_a_connection_that_has_ended_unsaid_is_forgotten_by_the_next_ring(room: Room, clock: Clock) -> None:
    from governance.store.live import connections

    clock.advance(seconds=LIVE_OPENING_SECONDS)
    room.channel.says_ends = False
    room.channel.end(room.tabs["guest"])
    assert len(connections.in_room(room.scenario.board_id, None)) == len(MEMBERS)
    room.heard(lambda: room.as_("maker").client.post(f"{room.path}/meetings", MEETING))
    assert len(connections.in_room(room.scenario.board_id, None)) == len(MEMBERS) - 1
    assert connections.of_user(room.as_("guest").id) == []


def test_a_large_room_is_rung_in_parts_each_connection_once(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("governance.live.rings.RINGS_AT_ONCE", 3)
    heard = room.heard(lambda: room.as_("maker").client.post(f"{room.path}/meetings", MEETING))
    assert heard == {"meeting.created": MEMBERS}
    assert all(len(room.tabs[name].rings()) == 1 for name in MEMBERS)
    assert room.channel.invoked == 1 + len(MEMBERS) // 3


def test_an_old_change_rings_no_more(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("governance.live.rings.RING_SECONDS", 0)
    assert room.heard(lambda: room.as_("maker").client.post(f"{room.path}/meetings", MEETING)) == {}


def test_of_a_document_in_camera_its_audience_hears_and_others_hear_that_it_goes(room: Room) -> None:
    writer, audience = room.as_("manager"), [room.as_("manager").id, room.as_("maker").id]
    paper = writer.client.post(f"{room.path}/documents", {"title": "Pay"}).data["id"]
    meeting = writer.client.post(f"{room.path}/meetings", MEETING).data["id"]
    item = {"title": "Pay", "documentIds": [paper], "audience": {"userIds": audience}}
    agenda, document = f"{room.path}/meetings/{meeting}/agenda", f"{room.path}/documents/{paper}"
    heard = room.heard(lambda: writer.client.put(agenda, {"items": [item]}))
    assert heard["document.updated"] == {*room.people} - {"outsider"}
    heard = room.heard(lambda: writer.client.patch(document, {"title": "Pay of the CEO"}))
    assert heard == {"document.updated": {"manager", "maker"}}
