"""The lists of invites: of a board, of a sender, of an invited user, and of all boards; what they offer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from governance.usecases import chunks
from governance.usecases.invites import invites as usecases
from tests.functions.invites.conftest import InviteScenario, send_email
from tests.harness.board_scenario import Person, new_board_scenario, person
from tests.harness.client import Client, session
from tests.harness.meeting_scenario import leave
from tests.harness.outbox import Outbox


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


def test_one_who_left_sees_what_they_knew_then_and_no_board_that_is_deleted(invites: InviteScenario) -> None:
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
    assert owner.delete(invites.board.path).status == 200
    assert ben.client.get("/api/invite/sent").json == []


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


def _path(invites: InviteScenario) -> str:
    return f"{invites.board.path}/sent-invites"


def _offered(invites: InviteScenario, **query: Any) -> list[dict[str, Any]]:
    return list(invites.owner.client.all(_path(invites), **query))


def _offer_of(invites: InviteScenario, invite: str) -> tuple[str, list[str]]:
    (offer,) = [offered for offered in _offered(invites) if offered["inviteId"] == invite]
    return offer["accessType"], offer["boardPositions"]


def test_an_invite_is_listed_with_what_it_offers(invites: InviteScenario) -> None:
    invite = invites.invite("Ann@Example.com", accessType="manager", boardPositions=["cfo", "observer"])
    (offered,) = invites.owner.client.get(_path(invites)).data
    assert offered == {
        "object": "sent_invite",
        "inviteId": invite,
        "inviteeEmail": "ann@example.com",
        "accessType": "manager",
        "boardPositions": ["cfo", "observer"],
        "status": "pending",
        "inviterId": invites.owner.id,
        "lastSentAt": None,
        "createdAt": invites.listed()[0]["createdAt"],
    }


def test_the_last_mail_is_the_one_that_was_sent(invites: InviteScenario, outbox: Outbox) -> None:
    mailed, other = invites.invite(), invites.invite("bob@example.com")
    sent_at = send_email(invites, mailed).json["lastSentAt"]
    throttled = send_email(invites, mailed).json
    assert (throttled["throttled"], len(outbox.raw)) == (True, 1)
    assert [(offered["inviteId"], offered["lastSentAt"]) for offered in _offered(invites)] == [
        (other, None),
        (mailed, sent_at),
    ]


def test_a_status_lists_the_invites_that_have_it_now(invites: InviteScenario, ann: Person) -> None:
    accepted = invites.invite(ann.email)
    retracted, declined, pending = (invites.invite(f"{name}@example.com") for name in ("bob", "cleo", "dan"))
    assert ann.client.put(f"/api/invite/accept/{accepted}").status == 200
    assert invites.owner.client.put(f"/api/invite/retract/{retracted}").status == 200
    assert person("cleo").client.put(f"/api/invite/decline/{declined}").status == 200
    by_status = {"pending": pending, "accepted": accepted, "declined": declined, "retracted": retracted}
    for status, invite in by_status.items():
        assert [(shown["inviteId"], shown["status"]) for shown in _offered(invites, status=status, limit=1)] == [
            (invite, status)
        ]
    in_order = [shown["inviteId"] for shown in _offered(invites, order="asc", limit=1)]
    assert in_order == [accepted, retracted, declined, pending]


@pytest.mark.parametrize("way", ["accept", "join"])
@pytest.mark.parametrize("access", ["guest", "manager"])
def test_the_new_member_has_what_the_list_says(invites: InviteScenario, ann: Person, way: str, access: str) -> None:
    invite = invites.invite(ann.email, accessType=access, boardPositions=["cfo"])
    offer = _offer_of(invites, invite)
    assert ann.client.put(f"/api/invite/{way}/{invite if way == 'accept' else invites.code()}").status == 200
    member = invites.member(ann)
    assert member is not None
    assert (member["accessType"], member["boardPositions"]) == offer == (access, ["cfo"])


_PATH = "/api/v1/me/invites"


def _received(caller: Person, **query: int) -> list[str]:
    return [entry["inviteId"] for entry in caller.client.all(_PATH, **query)]


def test_an_invited_user_finds_the_invites_of_every_board_newest_first(invites: InviteScenario, ann: Person) -> None:
    first = invites.invite(ann.email)
    second, third = (InviteScenario(new_board_scenario(name)).invite(ann.email) for name in ("otto", "oscar"))
    invites.invite("bob@example.com")
    assert _received(ann) == _received(ann, limit=2) == [third, second, first]


def test_a_received_invite_looks_as_in_the_list_of_its_board(invites: InviteScenario, ann: Person) -> None:
    invites.invite(ann.email, message="Join us")
    assert ann.client.get(_PATH).data == invites.listed()


ENDINGS: dict[str, Callable[[InviteScenario, Person, str], object]] = {
    "accepted": lambda _, ann, invite: ann.client.put(f"/api/invite/accept/{invite}"),
    "declined": lambda _, ann, invite: ann.client.put(f"/api/invite/decline/{invite}"),
    "retracted": lambda invites, _, invite: invites.owner.client.put(f"/api/invite/retract/{invite}"),
    "its board is deleted": lambda invites, *_: invites.owner.client.delete(invites.board.path),
}


@pytest.mark.parametrize("ending", ENDINGS)
def test_an_invite_that_ended_is_no_longer_listed(invites: InviteScenario, ann: Person, ending: str) -> None:
    invite = invites.invite(ann.email)
    assert _received(ann) == [invite]
    ENDINGS[ending](invites, ann, invite)
    assert _received(ann) == []
