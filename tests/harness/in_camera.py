"""A board with something in camera in every place of an item, all of which says one word that occurs nowhere else."""

from __future__ import annotations

from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from tests.harness.actors import Actors, new_actors
from tests.harness.board_scenario import Person
from tests.harness.client import Client
from tests.harness.meeting_scenario import MeetingScenario, new_meeting_scenario
from tests.harness.stored_versions import ready_version

CANARY = "Kanarienvogel"
START, LATER = "2027-03-01T09:00:00.000Z", "2027-04-01T09:00:00.000Z"


@dataclass
class InCamera:
    """A meeting whose minutes are approved and corrected, a later one, and the place of everything by its name."""

    actors: Actors
    meeting: MeetingScenario
    later: MeetingScenario
    ids: dict[str, str]
    """The ids of the items, of a remark, and of the paper with its version and comment, by the parameters of paths."""

    @property
    def places(self) -> dict[str, str]:
        """The ids by which a path names what is in camera, by its parameters."""
        return {"boardId": self.actors.board.board_id, "version": "1", "year": "2027", **self.ids}


def put(client: Client, path: str, body: Any) -> Any:
    """Sends a PUT that succeeds, and returns the data of the response."""
    answer = client.put(path, body)
    assert answer.status == 200, answer.text
    return answer.data


def post(client: Client, path: str, body: Any) -> Any:
    """Sends a POST that succeeds, and returns the data of the response."""
    answer = client.post(path, body)
    assert answer.status in (200, 201), answer.text
    return answer.data


def secret(*audience: Person, **members: Any) -> dict[str, Any]:
    """Returns an item of an agenda in camera that says the word in every text of it."""
    said = {"title": CANARY, "notes": CANARY, "presenterName": CANARY, "minutes": 10}
    return {**said, "audience": {"userIds": [person.id for person in audience]}, **members}


def entry(*audience: Person, **members: Any) -> dict[str, Any]:
    """Returns an item of minutes in camera that says the word in every text of it."""
    said = {"text": f"{CANARY} sang", "decision": {"text": CANARY, "result": "carried"}}
    return {**said, "audience": {"userIds": [person.id for person in audience]}, **members}


def new_in_camera(*names: str) -> InCamera:
    """Returns a board with what is in camera for these principals; the first of them is a manager, who writes it."""
    actors = new_actors()
    audience = [actors.people[name] for name in names]
    writer, owner = audience[0].client, actors.board.owner.client
    meeting, later = (new_meeting_scenario(actors.board, title=title) for title in ("Spring", "Summer"))
    assert meeting.patch(startTime=START).status == 200
    assert later.patch(startTime=LATER).status == 200
    paper = post(writer, f"{actors.board.path}/documents", {"title": CANARY, "meetingIds": [meeting.path[-24:]]})["id"]
    with_paper = secret(*audience, documentIds=[paper])
    said, _, waits, _ = put(
        writer,
        f"{meeting.path}/agenda",
        {"items": [with_paper, {"title": "Open"}, with_paper, secret(*audience)]},
    )["items"]
    version = ready_version(actors.board.board_id, paper, writer, fileName=f"{CANARY}.pdf")
    assert writer.get(f"{actors.board.path}/documents/{paper}").status == HTTPStatus.OK  # which is an event
    comment = {"text": f"Another {CANARY}", "mentions": [audience[-1].id]}
    comment = post(writer, f"{actors.board.path}/documents/{paper}/comments", comment)
    post(writer, f"{meeting.path}/agenda/items/{waits['id']}/postpone", {"to": "backlog"})
    assert meeting.patch(status="completed").status == 200
    written = [entry(*audience, agendaItemId=said["id"]), {"text": "Open"}]
    minutes = put(writer, f"{meeting.path}/minutes", {"items": written})["items"]
    post(writer, f"{meeting.path}/minutes/circulation", {})
    remark = {"version": 1, "itemIndex": 0, "quote": CANARY, "text": f"Not a {CANARY}"}
    remark_id = post(writer, f"{meeting.path}/minutes/remarks", remark)["id"]
    assert later.patch(status="in_progress").status == 200
    approved_by = {"manner": "as_presented", "inMeetingId": later.path.rpartition("/")[2], "force": True}
    post(writer, f"{meeting.path}/minutes/approval", approved_by)
    assert meeting.patch(status="finalized").status == 200
    post(writer, f"{meeting.path}/minutes/corrections", {"items": [{**minutes[0], "text": CANARY, "withheld": False}]})
    post(owner, f"{later.path}/agenda/carry-over", {"fromMeetingId": meeting.path.rpartition("/")[2]})
    of_paper = {"documentId": paper, "versionId": version, "commentId": comment["id"]}
    items = {"itemId": said["id"], "remarkId": remark_id, "backlogItemId": waits["id"]}
    return InCamera(actors, meeting, later, items | of_paper)
