"""A user whose address, former address and name are in every kind of row that can hold them."""

from __future__ import annotations

import json
import time
from typing import Any

from governance.ids import BoardId
from governance.models.history.event import Event
from governance.settings import settings
from governance.store.attributes import unmarshal
from governance.store.schema.keys import PK
from governance.store.schema.live import SYSTEM_AUDIT_PREFIX
from tests.harness import sdk
from tests.harness.board_scenario import BoardScenario, Person, new_board_scenario
from tests.harness.client import Client, session
from tests.harness.history import audit_items
from tests.harness.meeting_scenario import new_meeting_scenario
from tests.harness.stream import deliver, new_event

NAME = "bartholomew"
OLD, NEW = f"{NAME}.old@example.com", f"{NAME}+new@example.com"


def person_with_a_former_address() -> Person:
    """Creates a user who had one address in an earlier session and has another one now."""
    at = int(time.time())
    Client(session(OLD, NAME, iat=at - 60)).get("/api/v1/me")
    client = Client(session(NEW, NAME, iat=at))
    return Person(client.get("/api/v1/me").data["id"], NEW, client)


def fill(scenario: BoardScenario, other: BoardScenario) -> Person:
    """Creates the user with all that refers to them, on two boards."""
    bart = person_with_a_former_address()
    _as_invitee(scenario, other, bart)
    _as_guest(other)
    _as_member(scenario, bart)
    _as_inviter(scenario, bart)
    return bart


def _as_invitee(scenario: BoardScenario, other: BoardScenario, bart: Person) -> None:
    for board in (scenario, other):
        for address in (OLD, NEW):
            body = {"inviteeEmail": address, "message": "Welcome"}
            sent = board.owner.client.post(f"/api/invite/{board.board_id}", body, idempotency_key=address)
            assert sent.status == 200, sent.text
            assert board.owner.client.post(f"/api/invite/{sent.json['inviteId']}/send-email").status == 200
            if board is other:
                assert board.owner.client.put(f"/api/invite/retract/{sent.json['inviteId']}").status == 200
            elif address == NEW:
                assert bart.client.put(f"/api/invite/accept/{sent.json['inviteId']}").status == 200


def _as_guest(board: BoardScenario) -> None:
    meeting = new_meeting_scenario(board)
    slot = meeting.slot()["id"]
    link = board.owner.client.post(f"{meeting.path}/guest-link").data["token"]
    for voter in (OLD, NEW, "guest@example.org"):
        vote = {"email": voter, "vote": "ok", "comment": f"as {voter}"}
        assert Client().put(f"/api/v1/guest/{link}/slots/{slot}/vote", vote).status == 200


def _as_member(scenario: BoardScenario, bart: Person) -> None:
    owner = scenario.owner.client
    members = {member["userId"]: member["id"] for member in owner.all(f"{scenario.path}/members")}
    path, key = f"{scenario.path}/ownership-transfer", {"idempotency_key": "transfer"}
    assert owner.post(path, {"memberId": members[bart.id]}, **key).status in {200, 201}
    assert bart.client.post(path, {"memberId": members[scenario.owner.id]}, **key).status in {200, 201}
    assert owner.delete(f"{scenario.path}/members/{members[bart.id]}").status == 200
    scenario.join(bart)
    token = {"name": f"{NAME}'s", "preset": "read_only", "expiresInDays": 30}
    assert bart.client.post("/api/v1/me/tokens", token, idempotency_key="token").status == 201
    meeting = new_meeting_scenario(scenario)
    remark = {"status": "accepted", "comment": f"{NAME} comes by train"}
    assert bart.client.put(f"{meeting.path}/rsvp", remark).status == 200
    assert meeting.vote(bart.client, meeting.slot(), comment=f"{NAME} is on a train").status == 200
    item = {"title": "Sign", "assigneeUserId": bart.id, "assigneeName": NAME.capitalize()}
    assert owner.post(f"{meeting.path}/action-items", item).status == 201
    said = {"details": {"from": "draft", "to": "published"}, "refs": {"reportId": "d" * 24}, "delivery_data": {}}
    deliver(new_event(scenario.board_id, Event.REPORT_STATUS_CHANGED, scenario.owner.id, **said))


def _as_inviter(scenario: BoardScenario, bart: Person) -> None:
    for invitee in ("next@example.com", "closed@example.com"):
        body = {"inviteeEmail": invitee, "message": f"Yours, {NAME}"}
        invite = bart.client.post(f"/api/invite/{scenario.board_id}", body)
        assert invite.status == 200
    assert bart.client.put(f"/api/invite/retract/{invite.json['inviteId']}").status == 200


def new_scenarios() -> tuple[BoardScenario, BoardScenario]:
    return new_board_scenario("olivia"), new_board_scenario("oscar")


def rows_with(text: str) -> list[tuple[str, str]]:
    """Returns the keys of all rows of the table that hold a text, in any case; without the audit trails."""
    pages = sdk.dynamodb().get_paginator("scan").paginate(TableName=settings().table_name, ConsistentRead=True)
    items: list[dict[str, Any]] = [unmarshal(raw) for page in pages for raw in page["Items"]]
    matching = [item for item in items if text.lower() in json.dumps(item, ensure_ascii=False, default=str).lower()]
    return [(item[PK], item["SK"]) for item in matching if not item[PK].startswith(("AUDIT#", SYSTEM_AUDIT_PREFIX))]


def recorded(board_id: BoardId) -> list[str]:
    """Returns the actions in a board's audit log."""
    return [json.loads(item["entry"])["action"] for item in audit_items(board_id)]
