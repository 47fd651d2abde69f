"""The lists of invites: of a board, of a sender, and of all boards."""

from __future__ import annotations

import pytest

from governance.usecases import chunks
from governance.usecases.invites import invites as usecases
from tests.functions.invites.conftest import InviteScenario
from tests.harness.board_scenario import Person, new_board_scenario
from tests.harness.client import Client, session
from tests.harness.meeting_scenario import leave


def _ids(entries: list[dict[str, str]]) -> list[str]:
    return [entry["inviteId"] for entry in entries]


def test_the_boards_list_has_every_status_newest_first(invites: InviteScenario, ann: Person) -> None:
    accepted = invites.invite(ann.email)
    retracted = invites.invite("bob@example.com")
    pending = invites.invite("cleo@example.com")
    ann.client.put(f"/api/invite/accept/{accepted}")
    invites.owner.client.put(f"/api/invite/retract/{retracted}")
    shown = invites.listed()
    assert _ids(shown) == [pending, retracted, accepted]
    assert [entry["status"] for entry in shown] == ["pending", "retracted", "accepted"]


def test_the_lists_show_current_names(invites: InviteScenario) -> None:
    invites.invite()
    invites.owner.client.patch("/api/v1/me", {"firstName": "Liv", "lastName": None})
    invites.owner.client.patch(invites.board.path, {"name": "Council", "description": "All of us"})
    for entry in (invites.listed()[0], invites.owner.client.get("/api/invite/sent").json[0]):
        assert (entry["inviterFirstName"], entry["inviterLastName"]) == ("Liv", "")
        assert (entry["boardName"], entry["boardDescription"]) == ("Council", "All of us")


def test_the_sent_list_has_every_invite_that_the_caller_sent(invites: InviteScenario, ann: Person) -> None:
    ben = invites.board.member("ben")
    first = invites.invite(ann.email)
    again = invites.invite("bob@example.com", by=ben.client)
    for _ in range(2):
        invites.invite("bob@example.com")
    sent = invites.owner.client.get("/api/invite/sent").json
    assert _ids(sent) == [again, first]
    assert (sent[0]["inviterId"], sent[0]["alsoInvitedBy"]) == (ben.id, [invites.owner.id])
    assert _ids(ben.client.get("/api/invite/sent").json) == [again]
    ann.client.put(f"/api/invite/decline/{first}")
    assert [entry["status"] for entry in invites.owner.client.get("/api/invite/sent").json] == ["pending", "declined"]
    assert ann.client.get("/api/invite/sent").json == []


def test_one_who_left_sees_what_they_knew_then(invites: InviteScenario) -> None:
    owner, ben = invites.owner.client, invites.board.member("ben")
    invites.invite(by=ben.client)
    invites.invite("bob@example.com")
    invites.invite("bob@example.com", by=ben.client)
    assert owner.patch(invites.board.path, {"name": "As it was", "description": "Secret"}).status == 200
    leave(invites.board, ben)
    assert owner.patch(invites.board.path, {"name": "Later", "description": "Newer"}).status == 200
    sent = ben.client.get("/api/invite/sent").json
    assert [(entry["boardName"], entry["boardDescription"]) for entry in sent] == [("As it was", None)] * 2
    assert [entry["inviterEmail"] for entry in sent] == [invites.owner.email, ben.email]
    moved = Client(session("moved@example.com", invites.owner.email))
    assert moved.get("/api/v1/me").data["email"] == "moved@example.com"
    after = ben.client.get("/api/invite/sent").json
    assert [entry["inviterEmail"] for entry in after] == ["", ben.email]
    assert [entry["boardName"] for entry in moved.get("/api/invite/sent").json] == ["Later"]


def test_the_list_of_all_boards_has_only_pending_invites(invites: InviteScenario) -> None:
    client = invites.owner.client
    empty = client.post("/api/v1/boards", {"name": "Empty"}).data["id"]
    new_board_scenario("otto")
    closed = invites.invite("bob@example.com")
    client.put(f"/api/invite/retract/{closed}")
    older, newer = invites.invite("ann@example.com"), invites.invite("cleo@example.com")
    by_board = client.get("/api/invite/all-boards").json
    assert by_board.keys() == {invites.board.board_id, empty}
    assert _ids(by_board[invites.board.board_id]) == [newer, older]
    assert by_board[empty] == []


def test_lists_that_are_read_in_several_chunks_keep_their_order_and_name_every_inviter(
    invites: InviteScenario, monkeypatch: pytest.MonkeyPatch
) -> None:
    ben = invites.board.member("ben")
    made = [invites.invite("first@example.com", by=ben.client)]
    made += [invites.invite(f"n{number}@example.com") for number in range(4)]
    monkeypatch.setattr(chunks, "CHUNK_ROWS", 2)
    monkeypatch.setattr(usecases, "_PENDING_ROWS", 2)
    listed = invites.listed()
    pending = invites.owner.client.get("/api/invite/all-boards").json[invites.board.board_id]
    assert _ids(listed) == _ids(pending) == made[::-1]
    assert _ids(invites.owner.client.get("/api/invite/sent").json) == made[:0:-1]
    for entry in (listed[-1], pending[-1]):
        assert (entry["inviterFirstName"], entry["inviterLastName"]) == ("Ben", "Tester")


def test_the_list_of_all_boards_has_each_board_once(invites: InviteScenario, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(usecases, "_BOARDS_AT_ONCE", 1)
    invites.invite()
    client = invites.owner.client
    ids = [client.post("/api/v1/boards", {"name": name}).data["id"] for name in ("Second", "Third")]
    text = client.get("/api/invite/all-boards").text
    assert [text.count(f'"{board_id}":[') for board_id in (invites.board.board_id, *ids)] == [1, 1, 1]


def test_one_who_left_finds_themself_as_they_are_now_and_no_board_that_is_deleted(invites: InviteScenario) -> None:
    ben = invites.board.member("ben")
    invites.invite(by=ben.client)
    invites.invite("ann@example.com")
    leave(invites.board, ben)
    ben.client.patch("/api/v1/me", {"firstName": "Benjamin"})
    (shown,) = ben.client.get("/api/invite/sent").json
    assert shown["inviterFirstName"] == "Benjamin"
    assert invites.owner.client.delete(invites.board.path).status == 200
    assert ben.client.get("/api/invite/sent").json == []
