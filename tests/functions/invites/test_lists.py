"""The lists of invites: the board's, the sender's, all boards'."""

from __future__ import annotations

from tests.functions.invites.conftest import Inviting
from tests.harness.board_scenario import Person, new_board_scenario
from tests.harness.client import Client


def _ids(entries: list[dict[str, str]]) -> list[str]:
    return [entry["inviteId"] for entry in entries]


def test_the_boards_list_has_every_state_newest_first(inviting: Inviting, ann: Person) -> None:
    accepted = inviting.invite(ann.email)
    retracted = inviting.invite("bob@example.com")
    pending = inviting.invite("cleo@example.com")
    ann.client.put(f"/api/invite/accept/{accepted}")
    inviting.owner.client.put(f"/api/invite/retract/{retracted}")
    shown = inviting.listed()
    assert _ids(shown) == [pending, retracted, accepted]
    assert [entry["status"] for entry in shown] == ["pending", "retracted", "accepted"]


def test_who_reads_the_boards_list(inviting: Inviting, ann: Person) -> None:
    scenario = inviting.board
    guest = scenario.member("gus", access_type="guest")
    inviting.invite()
    assert len(inviting.listed(guest.client)) == 1
    assert len(inviting.listed(scenario.personal_token(guest, "read_only"))) == 1
    path = f"{inviting.path}/invites"
    for caller in (ann.client, scenario.token()):
        assert caller.get(path).failure == (403, "FORBIDDEN")
    assert Client().get(path).failure == (401, "UNAUTHENTICATED")
    assert guest.client.get(f"/api/invite/{'0' * 24}/invites").failure == (404, "RESOURCE_NOT_FOUND")
    assert guest.client.get("/api/invite/nonsense/invites").failure == (404, "RESOURCE_NOT_FOUND")
    other = new_board_scenario("otto")
    assert other.token().get(path).failure == (404, "RESOURCE_NOT_FOUND")
    scenario.set_billing_state("CANCELLED")
    assert len(inviting.listed()) == 1


def test_names_and_board_are_those_of_today(inviting: Inviting) -> None:
    inviting.invite()
    inviting.owner.client.patch("/api/v1/me", {"firstName": "Liv", "lastName": None})
    inviting.owner.client.patch(inviting.board.path, {"name": "Council", "description": "All of us"})
    for entry in (inviting.listed()[0], inviting.owner.client.get("/api/invite/sent").json[0]):
        assert (entry["inviterFirstName"], entry["inviterLastName"]) == ("Liv", "")
        assert (entry["boardName"], entry["boardDescription"]) == ("Council", "All of us")


def test_the_sent_list_has_what_one_sent_or_sent_again_in_any_state(inviting: Inviting, ann: Person) -> None:
    ben = inviting.board.member("ben")
    first = inviting.invite(ann.email)
    again = inviting.invite("bob@example.com", by=ben.client)
    for _ in range(2):
        inviting.invite("bob@example.com")
    sent = inviting.owner.client.get("/api/invite/sent").json
    assert _ids(sent) == [again, first]
    assert (sent[0]["inviterId"], sent[0]["alsoInvitedBy"]) == (ben.id, [inviting.owner.id])
    assert _ids(ben.client.get("/api/invite/sent").json) == [again]
    ann.client.put(f"/api/invite/decline/{first}")
    assert [entry["status"] for entry in inviting.owner.client.get("/api/invite/sent").json] == ["pending", "declined"]
    assert ann.client.get("/api/invite/sent").json == []


def test_the_sent_list_tells_the_closed_invite_from_the_new_one_of_its_address(inviting: Inviting) -> None:
    first = inviting.invite()
    inviting.owner.client.put(f"/api/invite/retract/{first}")
    second = inviting.invite()
    sent = inviting.owner.client.get("/api/invite/sent").json
    assert [(entry["inviteId"], entry["status"]) for entry in sent] == [(second, "pending"), (first, "retracted")]


def test_who_left_a_board_sees_nothing_of_it_in_the_sent_list(inviting: Inviting) -> None:
    ben = inviting.board.member("ben")
    inviting.invite(by=ben.client)
    members = inviting.owner.client.all(f"{inviting.board.path}/members")
    (membership,) = [entry["id"] for entry in members if entry["userId"] == ben.id]
    assert ben.client.delete(f"{inviting.board.path}/members/{membership}").status == 200
    assert ben.client.get("/api/invite/sent").json == []


def test_a_deleted_board_takes_its_invites_along(inviting: Inviting, ann: Person) -> None:
    invite, code = inviting.invite(ann.email), inviting.code()
    assert inviting.owner.client.delete(inviting.board.path).status == 200
    assert inviting.owner.client.get("/api/invite/sent").json == []
    assert inviting.owner.client.get("/api/invite/all-boards").json == {}
    assert ann.client.put(f"/api/invite/accept/{invite}").failure == (404, "RESOURCE_NOT_FOUND")
    assert ann.client.put(f"/api/invite/join/{code}").json["code"] == "INVALID_INVITE_CODE"


def test_all_boards_has_a_key_for_every_board_and_only_pending_invites(inviting: Inviting) -> None:
    client = inviting.owner.client
    empty = client.post("/api/v1/boards", {"name": "Empty"}).data["id"]
    new_board_scenario("otto")
    closed = inviting.invite("bob@example.com")
    client.put(f"/api/invite/retract/{closed}")
    older, newer = inviting.invite("ann@example.com"), inviting.invite("cleo@example.com")
    found = client.get("/api/invite/all-boards").json
    assert found.keys() == {inviting.board.board_id, empty}
    assert _ids(found[inviting.board.board_id]) == [newer, older]
    assert found[empty] == []


def test_session_only_lists_refuse_tokens_with_401_whosever_they_are(inviting: Inviting) -> None:
    scenario = inviting.board
    for path in ("/api/invite/sent", "/api/invite/all-boards"):
        for caller in (scenario.personal_token(scenario.owner), scenario.token(), Client()):
            assert caller.get(path).failure == (401, "UNAUTHENTICATED")


def test_legacy_lists_ignore_unknown_parameters(inviting: Inviting) -> None:
    inviting.invite()
    for path in (f"{inviting.path}/invites", "/api/invite/sent"):
        assert len(inviting.owner.client.get(path, limit="x", more=1).json) == 1
