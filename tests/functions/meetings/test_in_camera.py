"""Items in camera: who puts them there, what others see, and how a version of minutes is checked (ADR in-camera)."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any

import pytest
import rfc8785

from governance.store.meetings import meetings
from tests.harness.board_scenario import BoardScenario, Person
from tests.harness.client import Client, Response
from tests.harness.in_camera import CANARY, START, entry, post, put, secret
from tests.harness.meeting_scenario import MeetingScenario, leave, new_meeting_scenario

WITHHELD = {
    **dict.fromkeys(("title", "presenterUserId", "presenterName", "presenterUnregisteredUserId", "kind", "notes")),
    "documentIds": None,
    "audience": None,
    "withheld": True,
}
WITHHELD_ENTRY = {
    **dict.fromkeys(("agendaItemId", "text", "decision", "resolutionId", "actionItemIds", "audience")),
    "withheld": True,
}


@dataclass
class Scenario:
    """A meeting with an item in camera for two members, which the owner and others do not see."""

    meeting: MeetingScenario
    mia: Person
    ben: Person
    eve: Person

    @property
    def owner(self) -> Client:
        """The owner of the board."""
        return self.meeting.board.owner.client

    @property
    def agenda(self) -> str:
        """The path of the agenda."""
        return f"{self.meeting.path}/agenda"

    @property
    def minutes(self) -> str:
        """The path of the minutes."""
        return f"{self.meeting.path}/minutes"

    def write(self, *items: dict[str, Any]) -> list[dict[str, Any]]:
        """Completes the meeting, writes its minutes as the manager in the audience, and returns their items."""
        assert self.meeting.patch(status="completed").status == 200
        written: list[dict[str, Any]] = put(self.mia.client, self.minutes, {"items": [*items]})["items"]
        return written


@pytest.fixture
def room(scenario: BoardScenario) -> Scenario:
    meeting = new_meeting_scenario(scenario)
    assert meeting.patch(startTime=START).status == 200
    mia = scenario.member("mia", access_type="manager")
    ben, eve = scenario.member("ben"), scenario.member("eve", access_type="manager")
    room = Scenario(meeting, mia, ben, eve)
    put(mia.client, room.agenda, {"items": [{"title": "A", "minutes": 5}, secret(mia, ben), {"title": "C"}]})
    return room


def items(client: Client, path: str) -> list[dict[str, Any]]:
    answer = client.get(path)
    assert answer.status == 200, answer.text
    found: list[dict[str, Any]] = answer.data["items"]
    return found


def titles(client: Client, path: str) -> list[str | None]:
    return [item["title"] for item in items(client, path)]


def sent_back(item: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in item.items() if name != "startsAt"}


def reason(response: Response) -> tuple[int, str]:
    return response.status, response.json["error"]["details"]["reason"]


# -- who sees what


def test_others_see_the_place_and_the_audience_sees_the_item_and_itself(room: Scenario) -> None:
    _, item, after = items(room.ben.client, room.agenda)
    assert (item["title"], item["withheld"]) == (CANARY, False)
    assert item["audience"] == {"userIds": [room.mia.id, room.ben.id]}
    for client in (room.owner, room.eve.client, room.meeting.board.token("read_only")):
        place = items(client, room.agenda)[1]
        assert place == {**WITHHELD, "id": item["id"], "minutes": 10, "startsAt": item["startsAt"]}
        assert items(client, room.agenda)[2]["startsAt"] == after["startsAt"]


def test_who_leaves_sees_it_no_more_and_after_the_last_the_owner_does(room: Scenario) -> None:
    leave(room.meeting.board, room.ben)
    assert items(room.mia.client, room.agenda)[1]["audience"] == {"userIds": [room.mia.id]}
    room.meeting.board.join(room.ben)
    assert items(room.ben.client, room.agenda)[1]["withheld"]
    assert items(room.owner, room.agenda)[1]["withheld"]
    leave(room.meeting.board, room.mia)
    left = items(room.owner, room.agenda)[1]
    assert (left["title"], left["audience"]) == (CANARY, {"userIds": [room.meeting.board.owner.id]})
    assert items(room.eve.client, room.agenda)[1]["withheld"]
    opened = put(room.owner, room.agenda, {"items": [{**sent_back(left), "audience": None}]})["items"]
    assert [(item["title"], item["audience"]) for item in opened] == [(CANARY, None)]
    assert titles(room.eve.client, room.agenda) == [CANARY]


# -- who puts an item there


@pytest.mark.parametrize(
    ("audience", "field"),
    [
        ([], "audience.userIds"),
        (["ben"], "audience.userIds"),
        (["mia", "0" * 24], "audience.userIds.1"),
        (101 * ["mia"], "audience.userIds"),
    ],
)
def test_an_audience_is_of_members_and_has_who_sets_it(room: Scenario, audience: list[str], field: str) -> None:
    ids = {"mia": room.mia.id, "ben": room.ben.id}
    chosen = {"userIds": [ids.get(each, each) for each in audience]}
    item = {"title": "New", "text": "New", "audience": chosen}
    refused = room.mia.client.put(room.agenda, {"items": [{n: item[n] for n in ("title", "audience")}]})
    assert (refused.status, [*refused.fields]) == (400, [f"items.0.{field}"])
    assert room.meeting.patch(status="completed").status == 200
    refused = room.mia.client.put(room.minutes, {"items": [{n: item[n] for n in ("text", "audience")}]})
    assert (refused.status, [*refused.fields]) == (400, [f"items.0.{field}"])


def test_members_who_are_no_managers_change_the_item_and_not_its_audience(room: Scenario) -> None:
    first, item, last = map(sent_back, items(room.ben.client, room.agenda))
    changed = put(room.ben.client, room.agenda, {"items": [first, {**item, "title": "B2"}, last]})["items"]
    assert (changed[1]["title"], changed[1]["audience"]) == ("B2", item["audience"])
    for audience in (None, {"userIds": [room.ben.id]}):
        refused = room.ben.client.put(room.agenda, {"items": [{**item, "audience": audience}]})
        assert refused.failure == (403, "FORBIDDEN")
    own = {"title": "New", "audience": {"userIds": [room.ben.id]}}
    assert room.ben.client.put(room.agenda, {"items": [own]}).failure == (403, "FORBIDDEN")


def test_what_does_not_name_the_audience_keeps_it(room: Scenario) -> None:
    item = items(room.mia.client, room.agenda)[1]
    kept = put(room.mia.client, room.agenda, {"items": [{"id": item["id"], "title": "B2"}]})["items"]
    assert [entry["audience"] for entry in kept] == [item["audience"]]


def test_a_paper_is_not_requested_for_an_item_in_camera(room: Scenario) -> None:
    item = items(room.mia.client, room.agenda)[1]
    asked = {"title": "P", "agendaItemId": item["id"], "from": {"userId": room.ben.id}, "dueAt": START}
    refused = room.mia.client.post(f"{room.meeting.path}/paper-requests", asked)
    assert (refused.status, [*refused.fields]) == (400, ["agendaItemId"])


# -- what others cannot change


def test_what_a_writer_does_not_see_stays_in_its_place_in_every_body(room: Scenario) -> None:
    first, place, last = map(sent_back, items(room.owner, room.agenda))
    mine = {**place, "title": "Mine", "withheld": False}
    for body in ([first, place, last], [last, first, place], [last, first], [last, mine]):
        put(room.owner, room.agenda, {"items": body})
        assert items(room.ben.client, room.agenda)[1]["title"] == CANARY
    put(room.owner, room.agenda, {"items": []})
    assert titles(room.ben.client, room.agenda) == [CANARY]
    assert room.owner.put(room.agenda, {"items": [{"withheld": True}]}).fields.keys() == {"items.0.id"}
    assert room.owner.put(room.agenda, {"items": [{"minutes": 1}]}).fields.keys() == {"items.0.title"}
    moved = room.owner.post(f"{room.agenda}/items/{place['id']}/postpone", {"to": "backlog"})
    assert moved.status == 404


def test_an_item_that_waits_in_camera_is_changed_and_placed_by_its_audience(room: Scenario) -> None:
    item = items(room.mia.client, room.agenda)[1]
    post(room.mia.client, f"{room.agenda}/items/{item['id']}/postpone", {"to": "backlog"})
    backlog = f"{room.meeting.board.path}/backlog"
    (shown,) = room.owner.get(backlog).data
    assert {name: shown[name] for name in WITHHELD} == WITHHELD
    path, meeting_id = f"{backlog}/{item['id']}", room.meeting.path.rpartition("/")[2]
    refused = [room.owner.patch(path, {"title": "Mine"}), room.owner.delete(path)]
    refused.append(room.owner.post(f"{path}/place", {"meetingId": meeting_id}))
    assert {answer.failure for answer in refused} == {(403, "FORBIDDEN")}
    again = room.owner.post(backlog, {"title": "Mine"}, Idempotency_Key="k")
    post(room.mia.client, f"{backlog}/{again.data['id']}/place", {"meetingId": meeting_id})
    own = {**sent_back(items(room.mia.client, room.agenda)[-1]), "audience": {"userIds": [room.mia.id]}}
    put(room.mia.client, room.agenda, {"items": [own]})
    post(room.mia.client, f"{room.agenda}/items/{own['id']}/postpone", {"to": "backlog"})
    assert room.owner.post(backlog, {"title": "Mine"}, Idempotency_Key="k").status == 404
    assert room.ben.client.patch(path, {"notes": "Later"}).data["audience"] == item["audience"]
    placed = post(room.ben.client, f"{path}/place", {"meetingId": meeting_id})
    assert placed["items"][-1]["audience"] == item["audience"]
    assert items(room.owner, room.agenda)[-1]["withheld"]


def test_a_repeat_shows_nothing_that_went_in_camera_meanwhile(room: Scenario) -> None:
    other = new_meeting_scenario(room.meeting.board)
    body = {"fromMeetingId": room.meeting.path.rpartition("/")[2]}
    key = {"Idempotency_Key": "k1"}
    first = room.owner.post(f"{other.path}/agenda/carry-over", body, **key)
    assert first.status == 200, first.text
    assert room.owner.post(f"{other.path}/agenda/carry-over", body, **key).data == first.data
    carried = [sent_back(item) for item in items(room.mia.client, f"{other.path}/agenda")]
    carried[0]["audience"] = {"userIds": [room.mia.id]}
    put(room.mia.client, f"{other.path}/agenda", {"items": carried})
    assert room.owner.post(f"{other.path}/agenda/carry-over", body, **key).status == 404


@pytest.mark.parametrize("about", ["agenda item that all see", "item in camera"])
def test_no_act_tells_others_what_an_entry_in_camera_is_about(room: Scenario, about: str) -> None:
    open_item, place, _ = items(room.mia.client, room.agenda)
    named = open_item if about == "agenda item that all see" else place
    room.write({**entry(room.mia, room.ben), "agendaItemId": named["id"]})
    later, body = new_meeting_scenario(room.meeting.board), {"fromMeetingId": room.meeting.path.rpartition("/")[2]}
    by_others = post(room.owner, f"{later.path}/agenda/carry-over", body)["items"]
    if named is place:
        assert [item["title"] for item in by_others] == ["A", "C"], "the place alone is left out"
        return
    assert [item["title"] for item in by_others] == ["A", None, "C"], "as without the entry"
    mine = new_meeting_scenario(room.meeting.board)
    by_audience = post(room.mia.client, f"{mine.path}/agenda/carry-over", body)["items"]
    assert [item["title"] for item in by_audience] == [CANARY, "C"]
    path = f"{room.agenda}/items/{named['id']}/postpone"
    assert room.mia.client.post(path, {"to": "backlog"}).details == {"reason": "IN_MINUTES"}
    assert room.owner.post(path, {"to": "backlog"}).status == 200


# -- minutes


def test_an_entry_about_an_item_in_camera_is_in_camera_unless_a_manager_says_otherwise(room: Scenario) -> None:
    item = items(room.mia.client, room.agenda)[1]
    assert room.meeting.patch(status="completed").status == 200
    about = {"agendaItemId": item["id"], "text": "Said"}
    kept, opened = put(room.mia.client, room.minutes, {"items": [about, {**about, "audience": None}]})["items"]
    assert (kept["audience"], opened["audience"]) == (item["audience"], None)
    place, seen = items(room.owner, room.minutes)
    assert place == {**WITHHELD_ENTRY, "id": kept["id"]}
    assert seen == {**opened, "agendaItemId": item["id"]}
    put(room.owner, room.minutes, {"items": [{**seen, "text": "Open"}, {**place, "text": "Mine", "withheld": False}]})
    assert [entry["text"] for entry in items(room.mia.client, room.minutes)] == ["Said", "Open"]


def _hash(form: Any, salt: str = "") -> str:
    return hashlib.sha256(bytes.fromhex(salt) + rfc8785.dumps(form)).hexdigest()


def _fixed(version: dict[str, Any]) -> dict[str, Any]:
    return {name: version[name] for name in ("attendance", "createdAt", "items", "meetingId")}


def test_everybody_recomputes_the_hash_of_a_version_and_its_audience_the_seals(room: Scenario) -> None:
    said, _ = room.write(entry(room.mia, room.ben), {"text": "Open"})
    post(room.mia.client, f"{room.minutes}/circulation", {})
    versions = [person.client.get(f"{room.minutes}/versions/1").data for person in (room.eve, room.ben)]
    for version in versions:
        assert _hash(_fixed(version)) == version["sha256"]
        assert version["items"][0].keys() == {"id", "sealed"}
        assert version["items"][1]["text"] == "Open"
    assert versions[0]["inCamera"] == []
    (opened,) = versions[1]["inCamera"]
    assert (opened["item"]["text"], opened["audience"]) == (said["text"], said["audience"])
    assert len(bytes.fromhex(opened["salt"])) == 32
    assert _hash(opened["item"], opened["salt"]) == versions[1]["items"][0]["sealed"]


def test_a_seal_changes_whenever_the_item_or_its_audience_does(room: Scenario) -> None:
    said, _ = room.write(entry(room.mia, room.ben), {"text": "Open"})
    seals = []
    for sent in (said, said, {**said, "audience": {"userIds": [room.mia.id]}}, {**said, "text": "Other"}, said):
        put(room.mia.client, room.minutes, {"items": [sent, {"text": "Open"}]})
        post(room.mia.client, f"{room.minutes}/circulation", {})
        number = room.owner.get(f"{room.minutes}/approval").data["version"]
        seals.append(room.owner.get(f"{room.minutes}/versions/{number}").data["items"][0]["sealed"])
    assert seals[0] == seals[1]
    assert len({*seals}) == len(seals) - 1


def test_remarks_on_an_item_in_camera_are_seen_made_and_counted_by_its_audience(room: Scenario) -> None:
    room.write(entry(room.mia, room.ben), {"text": "Open"})
    post(room.owner, f"{room.minutes}/circulation", {})
    path = f"{room.minutes}/remarks"
    body = {"version": 1, "itemIndex": 0, "text": "Not so"}
    for more in ({}, {"quote": CANARY}):
        refused = room.eve.client.post(path, {**body, **more})
        assert (refused.status, [*refused.fields]) == (400, ["itemIndex"])
    made = [post(room.ben.client, path, {**body, "quote": CANARY})["id"] for _ in range(3)]
    plain = [post(room.eve.client, path, {"version": 1, "itemIndex": 1, "text": "Fine"})["id"] for _ in range(2)]
    made.append(post(room.mia.client, path, body)["id"])
    for limit in (1, 2, 3, 20):
        pages = [*room.eve.client.pages(path, limit=limit)]
        assert [[remark["id"] for remark in page] for page in pages] == [
            plain[at : at + limit] for at in range(0, len(plain), limit)
        ]
    assert {remark["id"] for remark in room.mia.client.all(path)} == {*made, *plain}
    disposition = {"disposition": "noted"}
    assert room.eve.client.put(f"{path}/{made[0]}/disposition", disposition).status == 404
    for remark in (*made[1:], *plain):
        put(room.mia.client, f"{path}/{remark}/disposition", disposition)
    later = new_meeting_scenario(room.meeting.board)
    assert later.patch(startTime="2027-05-01T09:00:00.000Z", status="in_progress").status == 200
    approved = {"manner": "as_presented", "inMeetingId": later.path.rpartition("/")[2]}
    assert reason(room.owner.post(f"{room.minutes}/approval", approved)) == (409, "REMARKS_OPEN")
    put(room.ben.client, f"{path}/{made[0]}/disposition", disposition)
    assert room.owner.post(f"{room.minutes}/approval", approved).status == 200


def test_a_correction_by_others_keeps_what_they_do_not_see_as_it_is_there(room: Scenario) -> None:
    said, plain = room.write(entry(room.mia, room.ben), {"text": "Open"})
    post(room.owner, f"{room.minutes}/circulation", {})
    later = new_meeting_scenario(room.meeting.board)
    assert later.patch(startTime="2027-05-01T09:00:00.000Z", status="in_progress").status == 200
    approved = {"manner": "as_presented", "inMeetingId": later.path.rpartition("/")[2]}
    post(room.owner, f"{room.minutes}/approval", approved)
    path = f"{room.minutes}/corrections"
    refused = room.owner.post(path, {"items": [{"id": plain["id"], "text": "Open"}]})
    assert (refused.status, [*refused.fields]) == (400, ["items"])
    post(room.mia.client, path, {"items": [{**said, "text": "Corrected"}, plain]})
    post(room.eve.client, path, {"items": [{**plain, "text": "Open too"}]})
    assert [item["text"] for item in items(room.mia.client, path)] == ["Corrected", "Open too"]
    assert items(room.eve.client, path)[0] == {**WITHHELD_ENTRY, "id": said["id"]}


def test_calendars_and_the_plan_show_the_place_alone(room: Scenario) -> None:
    board = room.meeting.board
    matter = post(room.owner, f"{board.path}/plan", {"title": CANARY, "months": [3]})["id"]
    meeting_id = room.meeting.path.rpartition("/")[2]
    placed = post(room.mia.client, f"{board.path}/plan/{matter}/place", {"meetingId": meeting_id})["items"]
    hidden = {**sent_back(placed[-1]), "audience": {"userIds": [room.mia.id]}}
    put(room.mia.client, room.agenda, {"items": [*map(sent_back, placed[:-1]), hidden]})
    stored = meetings.visible_by_ids(board.board_id, [meeting_id], board.owner.id)[meeting_id]
    assert stored.matters == ()
    assert CANARY not in stored.agenda_summary
    assert stored.agenda_summary.splitlines()[1] == "2. withheld / vertraulich (10 min)"
