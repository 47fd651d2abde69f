"""Invite codes, and the status and preview of invite links."""

from __future__ import annotations

from collections.abc import Callable
from uuid import UUID, uuid1, uuid4

import pytest

from governance.settings import settings
from infra.local.event import HttpRequest
from infra.local.gateway import Gateway
from infra.local.service import published, service
from infra.stack.template import Template
from tests.functions.invites.conftest import InviteScenario, send_email
from tests.harness.board_scenario import Person, new_board_scenario
from tests.harness.client import HANDLERS, Client, Response, gateway_event
from tests.harness.clock import Clock
from tests.harness.outbox import Outbox
from tests.harness.privileges import acting_as

Link = tuple[str, str]


@pytest.fixture
def link(invites: InviteScenario, outbox: Outbox) -> Link:
    """The code and the token from the e-mail to ann."""
    invite = invites.invite("ann@example.com")
    invites.owner.client.post(f"/api/invite/{invite}/send-email")
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


def test_the_status_ignores_unknown_parameters(link: Link) -> None:
    code, token = link
    for query in (f"i={token}", f"i={token}&x=1&x=2&limit=0", f"i={token.upper()}"):
        response = _probe(code.upper(), query)
        assert (response.status, response.text) == (200, '{"pending":true}')


@pytest.mark.parametrize("code", ["\x00", "a\x1fb", "x\n", "%2f", "a%5Cb", "a/b", "x/", "/", "..", ".", "\ud800"])
@pytest.mark.usefixtures("store")
def test_the_status_answers_whatever_stands_in_the_place_of_the_code(code: str) -> None:
    """Among it what API Gateway decodes in a path before it hands it over."""

    def answer(method: str, path: str) -> tuple[int, str]:
        event = gateway_event(method, "/", "i=x", {}, None) | {"rawPath": f"/api/v1/invite/{path}/{code}"}
        with acting_as("invites"):
            reply = HANDLERS["invites"].lambda_handler(event, None)
        return reply["statusCode"], reply["body"]

    assert answer("GET", "status") == (200, '{"pending":false}')
    assert answer("POST", "status")[0] == 405
    assert answer("GET", "preview")[0] == 404


@pytest.mark.parametrize("query", ["?i=1", ""])
@pytest.mark.usefixtures("store")
def test_the_status_answers_behind_the_cdn_whatever_separators_the_code_encodes(query: str) -> None:
    behind_cdn = service(Gateway(Template()).handle, published({}))
    for code in ("-", "a%2Fb", "a%5Cb", "a%00", "a%3Fi=x", "%2e%2e%2Fpreview%2Fx"):
        reply = behind_cdn(HttpRequest("GET", f"/api/v1/invite/status/{code}{query}", [], address="192.0.2.7"))
        assert (reply.status, reply.body) == (200, b'{"pending":false}'), code


@pytest.mark.parametrize(
    "header", ["if-none-match", "if-match", "if-modified-since", "if-unmodified-since", "if-range"]
)
def test_the_status_looks_at_no_conditional_header(link: Link, header: str) -> None:
    for value in ("*", "", '"a" "b"', "x"):
        path = f"/api/v1/invite/status/{link[0]}"
        response = Client().call("GET", path, query=f"i={link[1]}", headers={header: value})
        assert (response.status, response.text) == (200, '{"pending":true}')
        assert "etag" not in response.headers


@pytest.mark.parametrize("why", WRONG)
def test_every_invalid_link_has_the_same_response(link: Link, why: str) -> None:
    code, query = WRONG[why](link)
    response = _probe(code, query)
    assert (response.status, response.text) == (200, '{"pending":false}')
    assert _preview(code, query).failure == (404, "RESOURCE_NOT_FOUND")


@pytest.mark.parametrize("ending", ["accept", "decline", "retract", "join", "delete"])
def test_a_link_is_invalid_once_its_invite_closed(
    invites: InviteScenario, link: Link, ann: Person, ending: str
) -> None:
    invite = invites.listed()[0]["inviteId"]
    if ending == "delete":
        assert invites.owner.client.delete(invites.board.path).status == 200
    else:
        user = invites.owner if ending == "retract" else ann
        named = link[0] if ending == "join" else invite
        assert user.client.put(f"/api/invite/{ending}/{named}").status == 200
    assert _probe(link[0], f"i={link[1]}").text == '{"pending":false}'
    assert _preview(link[0], f"i={link[1]}").status == 404


def test_the_next_invite_of_an_address_has_another_link_that_opens_no_other_board(
    invites: InviteScenario, link: Link, outbox: Outbox
) -> None:
    invites.owner.client.put(f"/api/invite/retract/{invites.listed()[0]['inviteId']}")
    send_email(invites, invites.invite("ann@example.com"))
    code, token = outbox.link()
    assert code == link[0]
    assert token != link[1]
    assert _probe(code, f"i={token}").json == {"pending": True}
    assert _probe(code, f"i={link[1]}").json == {"pending": False}
    assert _probe(InviteScenario(new_board_scenario("otto")).code(), f"i={token}").json == {"pending": False}


def test_the_status_ignores_credentials(link: Link) -> None:
    for bearer in ("", "nonsense", "svc_pat_x"):
        response = Client(bearer).call("GET", f"/api/v1/invite/status/{link[0]}", query=f"i={link[1]}")
        assert response.json == {"pending": True}


def test_the_preview_names_only_the_invite_the_board_and_the_inviter(invites: InviteScenario, link: Link) -> None:
    response = _preview(link[0], f"i={link[1]}")
    assert response.json == {
        "data": {
            "object": "invite_preview",
            "inviteId": invites.listed()[0]["inviteId"],
            "boardId": invites.board.board_id,
            "boardName": "Board",
            "inviterName": "Olivia Tester",
        }
    }
    invites.owner.client.patch("/api/v1/me", {"firstName": None, "lastName": None})
    assert _preview(link[0], f"i={link[1]}").data["inviterName"] is None


def test_after_a_change_of_the_secret_the_next_email_has_a_valid_link(
    invites: InviteScenario, link: Link, outbox: Outbox, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("INVITE_LINK_SECRET", "another secret")
    settings.cache_clear()
    clock.advance(hours=1)
    invite = invites.listed()[0]["inviteId"]
    assert _probe(link[0], f"i={link[1]}").json == {"pending": True}
    invites.owner.client.post(f"/api/invite/{invite}/send-email")
    code, token = outbox.link()
    assert token != link[1]
    assert _probe(code, f"i={token}").json == {"pending": True}
    assert _probe(code, f"i={link[1]}").json == {"pending": False}
    invites.owner.client.put(f"/api/invite/retract/{invite}")
    assert _probe(code, f"i={token}").json == {"pending": False}


def test_the_boards_code_is_one_uuid_for_all_members_and_outlives_changes(invites: InviteScenario) -> None:
    guest = invites.board.member("gus", access_type="guest")
    response = guest.client.get(f"{invites.path}/code")
    assert response.json.keys() == {"inviteCode"}
    assert UUID(response.json["inviteCode"]).version == 4
    invites.owner.client.patch(invites.board.path, {"name": "Council"})
    assert invites.code() == response.json["inviteCode"]
