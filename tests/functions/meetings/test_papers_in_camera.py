"""Papers of items in camera: what puts them there and opens them, and who sees them meanwhile (ADR in-camera)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from tests.harness.board_scenario import BoardScenario, Person
from tests.harness.client import Client
from tests.harness.fault_injection import meanwhile
from tests.harness.in_camera import START, post, put, secret
from tests.harness.meeting_scenario import MeetingScenario, leave, new_meeting_scenario
from tests.harness.outbox import Outbox
from tests.harness.paper_scenario import DUE
from tests.harness.stored_versions import ready_version
from tests.harness.stream import event_records, process_records


@dataclass
class Scenario:
    """Two meetings, a manager and a collaborator in the audience, and others outside of it."""

    meeting: MeetingScenario
    other: MeetingScenario
    mia: Person
    ben: Person
    eve: Person

    @property
    def owner(self) -> Client:
        """The owner of the board."""
        return self.meeting.board.owner.client

    @property
    def documents(self) -> str:
        """The path of the documents of the board."""
        return f"{self.meeting.board.path}/documents"

    def paper(self, author: Person | None = None, **members: Any) -> str:
        """Creates a document that anybody sees, by the manager in the audience; returns its id."""
        return str(post((author or self.mia).client, self.documents, {"title": "Pay", **members})["id"])

    def put(self, *items: dict[str, Any], meeting: MeetingScenario | None = None, by: Person | None = None) -> Any:
        """Sets an agenda as the manager in the audience; returns its items."""
        path = f"{(meeting or self.meeting).path}/agenda"
        return put((by or self.mia).client, path, {"items": [*items]})["items"]

    def seen_by(self, document: str) -> set[str]:
        """Returns who sees a document, by every route of it alike."""
        people = {"owner": self.owner, "mia": self.mia.client, "ben": self.ben.client, "eve": self.eve.client}
        seen = {name for name, client in people.items() if client.get(f"{self.documents}/{document}").status == 200}
        for name, client in people.items():
            listed = [found["id"] for found in client.all(self.documents)]
            assert (document in listed) == (name in seen), name
            for part in ("versions", "comments"):
                assert (client.get(f"{self.documents}/{document}/{part}").status == 200) == (name in seen), name
        return seen


ALL = {"owner", "mia", "ben", "eve"}


@pytest.fixture
def room(scenario: BoardScenario) -> Scenario:
    meeting, other = new_meeting_scenario(scenario), new_meeting_scenario(scenario)
    assert meeting.patch(startTime=START).status == 200
    mia, eve = (scenario.member(name, access_type="manager") for name in ("mia", "eve"))
    return Scenario(meeting, other, mia, scenario.member("ben"), eve)


def sent_back(item: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in item.items() if name != "startsAt"}


def test_a_paper_is_for_the_audience_while_all_its_items_are_in_camera(room: Scenario) -> None:
    paper = room.paper()
    hidden, shared = secret(room.mia, room.ben, documentIds=[paper]), {"title": "Open", "documentIds": [paper]}
    assert room.seen_by(paper) == ALL
    first, *_ = room.put(hidden, shared)
    assert room.seen_by(paper) == ALL
    first, second = room.put(sent_back(first), {"title": "Open"})
    assert room.seen_by(paper) == {"mia", "ben"}
    room.put(sent_back(first), {**sent_back(second), "documentIds": [paper]})
    assert room.seen_by(paper) == ALL
    (first,) = room.put(sent_back(first))
    assert room.seen_by(paper) == {"mia", "ben"}
    room.put({**sent_back(first), "audience": None})
    assert room.seen_by(paper) == ALL


def test_the_papers_of_an_item_follow_its_audience(room: Scenario) -> None:
    papers = [room.paper(), room.paper()]
    (item,) = room.put({"title": "Pay", "documentIds": papers})
    both = {"userIds": [room.mia.id, room.ben.id]}
    (item,) = room.put({**sent_back(item), "audience": both})
    assert [room.seen_by(paper) for paper in papers] == [{"mia", "ben"}] * 2
    room.put({**sent_back(item), "audience": {"userIds": [room.mia.id]}})
    assert room.ben.client.get(f"{room.documents}/{papers[0]}").status == 404
    leave(room.meeting.board, room.mia)
    assert room.owner.get(f"{room.documents}/{papers[0]}").status == 200
    assert room.eve.client.get(f"{room.documents}/{papers[0]}").status == 404


def test_of_two_items_in_camera_both_audiences_see_the_paper(room: Scenario) -> None:
    paper = room.paper()
    eve_too = secret(room.mia, room.eve, documentIds=[paper])
    first, second = room.put(secret(room.mia, room.ben, documentIds=[paper]), eve_too)
    assert room.seen_by(paper) == {"mia", "ben", "eve"}
    room.put({**sent_back(first), "audience": {"userIds": [room.mia.id]}}, sent_back(second))
    assert room.seen_by(paper) == {"mia", "eve"}


def test_a_committees_paper_in_camera_is_for_those_of_the_audience_in_the_committee(room: Scenario) -> None:
    committee = room.meeting.board.committee(room.ben, room.eve)
    paper = room.paper(room.eve, committeeId=committee)
    (item,) = room.put({"title": "Pay", "documentIds": [paper]}, by=room.eve)
    assert room.seen_by(paper) == {"ben", "eve"}
    (item,) = room.put({**sent_back(item), "documentIds": [], "audience": {"userIds": [room.mia.id, room.ben.id]}})
    assert room.seen_by(paper) == {"ben"}
    room.put({**sent_back(item), "audience": None})
    assert room.seen_by(paper) == {"ben", "eve"}


def test_taking_a_paper_off_opens_nothing(room: Scenario) -> None:
    paper = room.paper()
    (item,) = room.put(secret(room.mia, room.ben, documentIds=[paper]))
    room.put({**sent_back(item), "documentIds": []})
    assert room.seen_by(paper) == {"mia", "ben"}
    room.put()
    assert room.seen_by(paper) == {"mia", "ben"}
    room.put({"title": "Open", "documentIds": [paper]}, meeting=room.other)
    assert room.seen_by(paper) == ALL


def test_only_its_creator_and_managers_put_a_document_in_camera_or_open_it(room: Scenario) -> None:
    (item,) = room.put(secret(room.mia, room.ben))
    mine, board = room.paper(room.ben), room.paper(room.eve)
    agenda = f"{room.meeting.path}/agenda"
    refused = room.ben.client.put(agenda, {"items": [{**sent_back(item), "documentIds": [board]}]})
    assert refused.failure == (403, "FORBIDDEN")
    room.put({**sent_back(item), "documentIds": [mine]}, by=room.ben)
    assert room.seen_by(mine) == {"mia", "ben"}
    (item,) = room.put({**sent_back(item), "documentIds": [mine, board]})
    assert room.seen_by(board) == {"mia", "ben"}
    opening = {"items": [{"title": "Open", "documentIds": [board]}]}
    assert room.ben.client.put(f"{room.other.path}/agenda", opening).failure == (403, "FORBIDDEN")
    unknown = room.eve.client.put(f"{room.other.path}/agenda", opening)
    assert (unknown.status, [*unknown.fields]) == (400, ["items.0.documentIds.0"])


def test_what_others_do_to_the_agenda_leaves_papers_that_they_do_not_see(room: Scenario) -> None:
    paper = room.paper()
    (shared,) = room.put({"title": "Open", "documentIds": [paper]}, meeting=room.other)
    room.put(secret(room.mia, room.ben, documentIds=[paper]))
    assert room.seen_by(paper) == {"mia", "ben"}
    own = {"userIds": [room.eve.id]}
    shown = room.eve.client.get(f"{room.other.path}/agenda").data["items"][0]
    assert shown["documentIds"] == []
    (shared,) = room.put({**sent_back(shown), "audience": own}, meeting=room.other, by=room.eve)
    room.put({**sent_back(shared), "audience": None}, meeting=room.other, by=room.eve)
    room.put(by=room.eve)
    assert room.seen_by(paper) == {"mia", "ben"}


def test_an_item_takes_its_papers_to_the_backlog_and_to_other_meetings_also_by_others(room: Scenario) -> None:
    paper, later = room.paper(), room.paper()
    (item,) = room.put(secret(room.mia, room.ben, documentIds=[paper]))
    put_on = {"fromMeetingId": room.meeting.path.rpartition("/")[2]}
    post(room.owner, f"{room.other.path}/agenda/carry-over", put_on)
    (carried,) = room.ben.client.get(f"{room.other.path}/agenda").data["items"]
    assert carried["documentIds"] == [paper]
    post(room.mia.client, f"{room.meeting.path}/agenda/items/{item['id']}/postpone", {"to": "backlog"})
    waiting = f"{room.meeting.board.path}/backlog/{item['id']}"
    assert room.mia.client.patch(waiting, {"documentIds": [paper, later]}).data["documentIds"] == [paper, later]
    assert [room.seen_by(document) for document in (paper, later)] == [{"mia", "ben"}] * 2


def test_a_page_of_documents_is_full_and_tells_nothing_of_others(room: Scenario) -> None:
    meeting_id = room.meeting.path.rpartition("/")[2]
    papers = [room.paper(meetingIds=[meeting_id]) for _ in range(6)]
    room.put(secret(room.mia, documentIds=papers[:2]), secret(room.mia, room.ben, documentIds=papers[2:3]))
    shown = {"eve": papers[3:], "ben": papers[2:], "mia": papers}
    for name, client in {"eve": room.eve.client, "ben": room.ben.client, "mia": room.mia.client}.items():
        for query in ({}, {"meetingId": meeting_id}):
            for limit in (1, 2, 3, 10):
                pages = [
                    [found["id"] for found in page]
                    for page in client.pages(room.documents, limit=limit, order="asc", **query)
                ]
                listed = [id_ for page in pages for id_ in page]
                assert sorted(listed) == sorted(shown[name])
                assert [len(page) for page in pages[:-1]] == [limit] * (len(pages) - 1)
                assert pages[-1]
    assert {found["id"] for found in room.meeting.board.token("read_only").all(room.documents)} == {*papers[3:]}


def test_a_document_that_changes_meanwhile_goes_in_camera_as_it_is_then(room: Scenario) -> None:
    paper = room.paper()
    with meanwhile(lambda: room.mia.client.patch(f"{room.documents}/{paper}", {"title": "Pay of the CEO"})):
        room.put(secret(room.mia, room.ben, documentIds=[paper]))
    assert room.seen_by(paper) == {"mia", "ben"}
    assert room.ben.client.get(f"{room.documents}/{paper}").data["title"] == "Pay of the CEO"


def test_more_papers_than_a_transaction_takes_go_in_camera_one_change_after_the_other(room: Scenario) -> None:
    papers = [room.paper() for _ in range(61)]
    parts = [papers[at : at + 20] for at in range(0, 61, 20)]
    items = [secret(room.mia, documentIds=part) for part in parts]
    refused = room.mia.client.put(f"{room.meeting.path}/agenda", {"items": items})
    assert (refused.status, refused.json["error"]["details"]["reason"]) == (409, "LIMIT_REACHED")
    assert room.seen_by(papers[0]) == ALL
    placed = room.put(*items[:3])
    room.put(*map(sent_back, placed), items[3])
    assert room.eve.client.all(room.documents) == []


def test_requests_and_resolutions_name_no_paper_in_camera(room: Scenario) -> None:
    board = room.meeting.board
    paper, voted = room.paper(), room.paper()
    ready_version(board.board_id, paper, room.mia.client)
    draft = post(room.mia.client, f"{board.path}/resolutions", {"title": "R", "text": "T", "documentIds": [voted]})
    request = {"title": "Pay", "from": {"userId": room.ben.id}, "dueAt": DUE}
    requests = f"{room.meeting.path}/paper-requests"
    asked = f"{requests}/{post(room.mia.client, requests, request)['id']}"
    delivery = {"documentId": paper}
    post(room.ben.client, f"{asked}/delivery", delivery)
    room.put(secret(room.mia, room.ben, documentIds=[paper, voted]))
    assert room.eve.client.get(asked).data["documentId"] is None
    assert room.ben.client.get(asked).data["documentId"] == paper
    decided = room.mia.client.post(f"{asked}/decision", {"decision": "approved"})
    assert (decided.status, decided.json["error"]["details"]["reason"]) == (409, "NOT_DELIVERED")
    assert [*room.ben.client.post(f"{asked}/delivery", delivery).fields] == ["documentId"]
    resolution = f"{board.path}/resolutions/{draft['id']}"
    assert "documentIds.0" in room.mia.client.post(f"{resolution}/open").fields
    assert [*room.mia.client.patch(resolution, {"documentIds": [paper]}).fields] == ["documentIds.0"]


def test_a_mention_is_of_the_audience_and_the_notification_has_no_title(room: Scenario, outbox: Outbox) -> None:
    paper = room.paper()
    room.put(secret(room.mia, room.ben, documentIds=[paper]))
    path = f"{room.documents}/{paper}/comments"
    refused = room.mia.client.post(path, {"text": "Look", "mentions": [room.eve.id]})
    assert (refused.status, [*refused.fields]) == (400, ["mentions.0"])
    post(room.mia.client, path, {"text": "Look", "mentions": [room.ben.id]})
    process_records(event_records(room.meeting.board.board_id))
    told = [entry["message"] for entry in room.ben.client.get("/api/notification/").json]
    assert any("has commented on a document in camera." in message for message in told)
    assert outbox.raw
