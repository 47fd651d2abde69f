"""Invite codes, the status probe and the preview of links."""

from __future__ import annotations

from collections.abc import Callable
from uuid import UUID, uuid1, uuid4

import pytest

from governance.settings import settings
from tests.conftest import Clock
from tests.functions.invites.conftest import Inviting
from tests.harness.board_scenario import Person, new_board_scenario
from tests.harness.client import Client, Response
from tests.harness.outbox import Outbox
from tests.harness.store_calls import InlinePool, count_store_calls

Link = tuple[str, str]


@pytest.fixture
def link(inviting: Inviting, outbox: Outbox) -> Link:
    """The code and the token that ann was mailed."""
    invite = inviting.invite("ann@example.com")
    inviting.owner.client.post(f"/api/invite/{invite}/send-email")
    return outbox.link()


def _probe(code: str, query: str) -> Response:
    return Client().call("GET", f"/api/v1/invite/status/{code}", query=query)


def _preview(code: str, query: str) -> Response:
    return Client().call("GET", f"/api/v1/invite/preview/{code}", query=query)


WRONG: dict[str, Callable[[Link], tuple[str, str]]] = {
    "unknown code": lambda link: (str(uuid4()), f"i={link[1]}"),
    "foreign token": lambda link: (link[0], f"i={uuid4()}"),
    "missing token": lambda link: (link[0], ""),
    "empty token": lambda link: (link[0], "i="),
    "malformed token": lambda link: (link[0], f"i={link[1]}x"),
    "token without hyphens": lambda link: (link[0], f"i={link[1].replace('-', '')}"),
    "token of version 1": lambda link: (link[0], f"i={uuid1()}"),
    "token twice": lambda link: (link[0], f"i={link[1]}&i={link[1]}"),
    "token in another parameter": lambda link: (link[0], f"token={link[1]}"),
    "token that is not UTF-8": lambda link: (link[0], "i=%ff%fe"),
    "NUL": lambda link: (link[0], f"i={link[1]}%00"),
    "malformed code": lambda link: ("nonsense", f"i={link[1]}"),
    "code with a space": lambda link: ("a b", f"i={link[1]}"),
    "code of other letters": lambda link: ("ünï", f"i={link[1]}"),
    "code of version 1": lambda link: (str(uuid1()), f"i={link[1]}"),
    "the two exchanged": lambda link: (link[1], f"i={link[0]}"),
    "a dot": lambda link: ("x.y", f"i={link[1]}"),
    "very long": lambda _: ("x" * 3000, f"i={'y' * 3000}"),
    "a flood of parameters": lambda link: (link[0], "&".join(f"a{n}=1" for n in range(200)) + f"&i={link[1]}"),
}


def test_the_probe_says_pending_and_ignores_everything_else_that_is_asked(link: Link) -> None:
    code, token = link
    for query in (f"i={token}", f"i={token}&x=1&x=2&limit=0", f"i={token.upper()}"):
        response = _probe(code.upper(), query)
        assert (response.status, response.text) == (200, '{"pending":true}')


@pytest.mark.parametrize("why", WRONG)
def test_every_wrong_link_has_one_answer_after_one_read(link: Link, pool: InlinePool, why: str) -> None:
    code, query = WRONG[why](link)
    with count_store_calls(pool) as calls:
        response = _probe(code, query)
    assert (response.status, response.text) == (200, '{"pending":false}')
    assert calls.sequential == ["BatchGetItem"]
    with count_store_calls(pool) as calls:
        unseen = _preview(code, query)
    assert unseen.failure == (404, "RESOURCE_NOT_FOUND")
    assert calls.sequential == ["BatchGetItem", "BatchGetItem"]


def test_a_right_link_costs_what_a_wrong_one_does(link: Link, pool: InlinePool) -> None:
    with count_store_calls(pool) as calls:
        _probe(link[0], f"i={link[1]}")
    assert calls.sequential == ["BatchGetItem"]
    with count_store_calls(pool) as calls:
        _preview(link[0], f"i={link[1]}")
    assert calls.sequential == ["BatchGetItem", "BatchGetItem"]


@pytest.mark.parametrize("ending", ["accept", "decline", "retract", "join", "delete"])
def test_a_link_is_dead_once_its_invite_has_ended(inviting: Inviting, link: Link, ann: Person, ending: str) -> None:
    invite = inviting.listed()[0]["inviteId"]
    if ending == "delete":
        assert inviting.owner.client.delete(inviting.board.path).status == 200
    else:
        who = inviting.owner if ending == "retract" else ann
        named = link[0] if ending == "join" else invite
        assert who.client.put(f"/api/invite/{ending}/{named}").status == 200
    assert _probe(link[0], f"i={link[1]}").text == '{"pending":false}'
    assert _preview(link[0], f"i={link[1]}").status == 404


def test_the_next_invite_of_the_address_has_another_link(inviting: Inviting, link: Link, outbox: Outbox) -> None:
    inviting.owner.client.put(f"/api/invite/retract/{inviting.listed()[0]['inviteId']}")
    inviting.owner.client.post(f"/api/invite/{inviting.invite('ann@example.com')}/send-email")
    code, token = outbox.link()
    assert code == link[0]
    assert token != link[1]
    assert _probe(code, f"i={token}").json == {"pending": True}
    assert _probe(code, f"i={link[1]}").json == {"pending": False}


def test_the_probe_needs_no_credential_and_minds_none(link: Link) -> None:
    for bearer in ("", "nonsense", "svc_pat_x"):
        response = Client(bearer).call("GET", f"/api/v1/invite/status/{link[0]}", query=f"i={link[1]}")
        assert response.json == {"pending": True}


def test_the_probe_is_counted_for_its_address_alone(link: Link) -> None:
    caller = Client(address="203.0.113.99")
    responses = [caller.get(f"/api/v1/invite/status/{link[0]}", i="x") for _ in range(301)]
    assert {response.status for response in responses[:300]} == {200}
    assert responses[300].failure == (429, "RATE_LIMITED")
    assert "Retry-After" in responses[300].headers
    assert _probe(link[0], f"i={link[1]}").json == {"pending": True}


def test_the_preview_names_board_and_inviter_and_nothing_else(inviting: Inviting, link: Link) -> None:
    response = _preview(link[0], f"i={link[1]}")
    assert response.json == {"data": {"object": "invite_preview", "boardName": "Board", "inviterName": "Olivia Tester"}}
    inviting.owner.client.patch("/api/v1/me", {"firstName": None, "lastName": None})
    assert _preview(link[0], f"i={link[1]}").data["inviterName"] is None


def test_a_token_that_was_never_mailed_is_good_for_nothing(inviting: Inviting, outbox: Outbox) -> None:
    inviting.invite("ann@example.com")
    other = inviting.invite("bob@example.com")
    inviting.owner.client.post(f"/api/invite/{other}/send-email")
    code, token = outbox.link()
    assert _probe(code, f"i={token}").json == {"pending": True}
    foreign = Inviting(new_board_scenario("otto"))
    assert _probe(foreign.code(), f"i={token}").json == {"pending": False}


def test_a_new_secret_kills_no_board_and_the_next_mail_has_a_link_that_holds(
    inviting: Inviting, link: Link, outbox: Outbox, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CURSOR_SECRET", "another secret")
    settings.cache_clear()
    clock.advance(hours=1)
    invite = inviting.listed()[0]["inviteId"]
    assert _probe(link[0], f"i={link[1]}").json == {"pending": True}
    inviting.owner.client.post(f"/api/invite/{invite}/send-email")
    code, token = outbox.link()
    assert token != link[1]
    assert _probe(code, f"i={token}").json == {"pending": True}
    assert _probe(code, f"i={link[1]}").json == {"pending": False}
    inviting.owner.client.put(f"/api/invite/retract/{invite}")
    assert _probe(code, f"i={token}").json == {"pending": False}


def test_the_boards_code_is_a_uuid_made_once_for_all_members(inviting: Inviting, ann: Person) -> None:
    guest = inviting.board.member("gus", access_type="guest")
    before = inviting.owner.client.get(inviting.board.path).data
    path = f"{inviting.path}/code"
    inviting.board.set_billing_state("CANCELLED")
    response = guest.client.get(path)
    assert response.json.keys() == {"inviteCode"}
    assert UUID(response.json["inviteCode"]).version == 4
    inviting.board.set_billing_state(before["billingState"])
    assert inviting.owner.client.get(path).json == response.json
    assert inviting.owner.client.get(inviting.board.path).data == before
    for caller in (ann.client, inviting.board.token()):
        assert caller.get(path).failure == (403, "FORBIDDEN")
    assert Client().get(path).failure == (401, "UNAUTHENTICATED")
    assert ann.client.get(f"/api/invite/{'0' * 24}/code").failure == (404, "RESOURCE_NOT_FOUND")
    assert ann.client.get("/api/invite/nonsense/code").failure == (404, "RESOURCE_NOT_FOUND")


def test_the_code_survives_a_change_of_the_board(inviting: Inviting) -> None:
    code = inviting.code()
    inviting.owner.client.patch(inviting.board.path, {"name": "Council"})
    assert inviting.code() == code
