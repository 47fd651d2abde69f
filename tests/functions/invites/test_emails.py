"""Invitation e-mails and their previews: who sends them, and what they say."""

from __future__ import annotations

import logging
from html.parser import HTMLParser

import pytest

from tests.functions.invites.conftest import InviteScenario, send_email
from tests.harness.board_scenario import Person, new_board_scenario
from tests.harness.client import Client, session
from tests.harness.clock import Clock
from tests.harness.fault_injection import meanwhile
from tests.harness.outbox import Outbox, html_of, text_of


def test_an_email_is_sent_only_on_request(invites: InviteScenario, outbox: Outbox) -> None:
    invite = invites.invite("ann@example.com")
    assert outbox.raw == []
    response = send_email(invites, invite)
    assert response.status == 200
    assert response.json.keys() == {"message", "sentTo", "lastSentAt", "throttled"}
    assert (response.json["sentTo"], response.json["throttled"]) == ("ann@example.com", False)
    assert len(outbox.raw) == 1
    assert outbox.requests[0]["Destination"] == {"ToAddresses": ["ann@example.com"]}


def test_the_email_has_two_parts_valid_headers_and_the_message(invites: InviteScenario, outbox: Outbox) -> None:
    send_email(invites, invites.invite(message="Dear <b>Ann</b> & co,\nwelcome"))
    mail = outbox.last
    assert mail["To"] == "ann@example.com"
    assert mail["From"] == "no-reply@governance.example.com"
    assert mail["Subject"] == "Olivia Tester invites you to the board Board"
    assert mail["Date"] is not None
    assert str(mail["Message-ID"]).endswith("@governance.example.com>")
    assert mail["List-Unsubscribe"] is None  # nobody reads what is sent to the sender
    assert mail.defects == []
    assert "Dear <b>Ann</b> & co,\nwelcome" in text_of(mail).replace("\r\n", "\n")
    assert "Dear &lt;b&gt;Ann&lt;/b&gt; &amp; co," in html_of(mail)
    assert "&amp;lt;" not in html_of(mail)
    assert "preview" not in f"{text_of(mail)}{html_of(mail)}".lower()
    assert max(len(line) for line in outbox.raw[0].splitlines()) <= 998


@pytest.mark.parametrize(
    "name",
    [
        "Evil\r\nBcc: everybody",
        "Evil\nBcc: everybody",
        "a\u2028b\u2029c\u0085d",
        "x" * 120,
        "Räte \U0001f600" * 10,
    ],
)
def test_a_name_cannot_add_or_break_a_header(invites: InviteScenario, outbox: Outbox, name: str) -> None:
    invites.owner.client.patch(invites.board.path, {"name": name})
    assert send_email(invites, invites.invite()).status == 200
    mail = outbox.last
    assert mail["Bcc"] is None
    assert len(mail.get_all("Subject", [])) == 1
    assert mail["Subject"] == f"Olivia Tester invites you to the board {' '.join(name.split())}"
    assert html_of(mail).count("<h1>") == 1


def test_a_subject_has_no_url_and_the_body_has_the_text(invites: InviteScenario, outbox: Outbox) -> None:
    invites.owner.client.patch(invites.board.path, {"name": "Win at https://evil.example/?a=b now"})
    invites.owner.client.patch("/api/v1/me", {"firstName": "www.evil.example", "lastName": "Tester"})
    send_email(invites, invites.invite())
    assert outbox.last["Subject"] == "… Tester invites you to the board Win at … now"
    assert "Win at https://evil.example/?a=b now" in text_of(outbox.last)
    invites.owner.client.post(f"{invites.path}/test")
    assert outbox.last["Subject"] == "Preview: … Tester invites you to the board Win at … now"


def test_a_name_is_escaped_in_html(invites: InviteScenario, outbox: Outbox) -> None:
    invites.owner.client.patch(invites.board.path, {"name": "<script>alert(1)</script>"})
    invites.owner.client.patch("/api/v1/me", {"firstName": "<img src=x>"})
    send_email(invites, invites.invite())
    seen: list[str] = []

    class Tags(HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:  # noqa: ARG002
            seen.append(tag)

    Tags().feed(html_of(outbox.last))
    assert {"script", "img"}.isdisjoint(seen)
    assert "<script>alert(1)</script>" in text_of(outbox.last)


def test_unusual_valid_addresses_receive_emails(invites: InviteScenario, outbox: Outbox) -> None:
    longest = f"{'a' * 64}@{'.'.join(['d' * 60] * 3)}.{'e' * 6}"
    for email in (longest, "=?utf-8?q?a?=@example.com", "o'hara+x@example.com"):
        assert send_email(invites, invites.invite(email)).status == 200
        assert outbox.requests[-1]["Destination"] == {"ToAddresses": [email]}
        assert outbox.last["To"] in {email, "undisclosed-recipients:;"}


def test_the_link_is_the_same_in_every_email_and_its_token_is_not_logged(
    invites: InviteScenario,
    outbox: Outbox,
    clock: Clock,
    caplog: pytest.LogCaptureFixture,
    capsys: pytest.CaptureFixture[str],
) -> None:
    caplog.set_level(logging.DEBUG)
    invite = invites.invite()
    send_email(invites, invite)
    first = outbox.link()
    assert first[0] == invites.code()
    clock.advance(hours=1)
    send_email(invites, invite)
    assert outbox.link() == first
    Client().get(f"/api/v1/invite/status/{first[0]}", i=first[1])
    Client().get(f"/api/v1/invite/preview/{first[0]}", i=first[1])
    service = [record.getMessage() for record in caplog.records if record.name == "board-governance"]
    assert first[1] not in "".join(service) + capsys.readouterr().out
    assert first[1] not in str([record.__dict__ for record in caplog.records if record.name == "board-governance"])


@pytest.mark.parametrize("sent_before", [False, True])
@pytest.mark.parametrize("what", ["invite", "board"])
def test_no_email_is_sent_for_what_ends_meanwhile(
    invites: InviteScenario, outbox: Outbox, clock: Clock, sent_before: bool, what: str
) -> None:
    invite = invites.invite()
    if sent_before:
        send_email(invites, invite)
        clock.advance(hours=2)
    owner = invites.owner.client
    ends = {
        "invite": lambda: owner.put(f"/api/invite/retract/{invite}"),
        "board": lambda: owner.delete(invites.board.path),
    }
    with meanwhile(ends[what]):
        assert send_email(invites, invite).status == 404
    assert len(outbox.raw) == sent_before


def test_only_senders_of_the_invite_and_admins_send_its_email(
    invites: InviteScenario, outbox: Outbox, clock: Clock, ann: Person
) -> None:
    scenario = invites.board
    ben, cleo = scenario.member("ben"), scenario.member("cleo", access_type="manager")
    admin = scenario.member("ada", admin_role="admin")
    invite = invites.invite(ann.email, by=ben.client)
    for caller in (cleo.client, ann.client, new_board_scenario("otto").owner.client):
        assert send_email(invites, invite, caller).failure == (404, "RESOURCE_NOT_FOUND")
    for caller in (scenario.personal_token(ben), scenario.token(), Client()):
        assert send_email(invites, invite, caller).failure == (401, "UNAUTHENTICATED")
    assert outbox.raw == []
    invites.invite(ann.email, by=cleo.client)
    for hours, user in enumerate((ben, cleo, admin, scenario.owner), 1):
        clock.advance(hours=hours)
        assert send_email(invites, invite, user.client).json["throttled"] is False
    assert {mail["Subject"] for mail in outbox.mails} == {"Ben Tester invites you to the board Board"}


def test_sending_takes_no_body_and_obeys_billing(invites: InviteScenario, outbox: Outbox) -> None:
    invite = invites.invite()
    path = f"/api/invite/{invite}/send-email"
    assert invites.owner.client.post(path, {"a": 1}).failure == (400, "INVALID_REQUEST_BODY")
    invites.board.set_billing_state("CANCELLED")
    assert invites.owner.client.post(path, {"a": 1}).failure == (403, "BILLING_RESTRICTED")
    for unknown in ("0" * 24, "nonsense"):
        assert invites.owner.client.post(f"/api/invite/{unknown}/send-email").failure == (404, "RESOURCE_NOT_FOUND")
    assert outbox.raw == []


def test_the_preview_email_goes_to_the_caller_and_is_marked(invites: InviteScenario, outbox: Outbox) -> None:
    guest = invites.board.member("gus", access_type="guest")
    response = guest.client.post(f"{invites.path}/test")
    assert response.status == 200
    assert response.json == {"message": response.json["message"], "sentTo": guest.email}
    assert outbox.last["To"] == guest.email
    assert outbox.last["Subject"] == "Preview: Gus Tester invites you to the board Board"
    assert "This is a preview" in text_of(outbox.last)
    assert "This is a preview" in html_of(outbox.last)
    assert "observer" in text_of(outbox.last)
    code, token = outbox.link()
    assert Client().get(f"/api/v1/invite/status/{code}", i=token).json == {"pending": False}


def test_only_members_with_write_scope_get_a_preview_email(
    invites: InviteScenario, outbox: Outbox, ann: Person
) -> None:
    path, scenario = f"{invites.path}/test", invites.board
    for caller in (ann.client, scenario.token(), scenario.personal_token(scenario.owner, "read_only")):
        assert caller.post(path).failure == (403, "FORBIDDEN")
    assert scenario.owner.client.post(f"/api/invite/{'0' * 24}/test").failure == (404, "RESOURCE_NOT_FOUND")
    assert scenario.owner.client.post(path, {"a": 1}).failure == (400, "INVALID_REQUEST_BODY")
    scenario.set_billing_state("CANCELLED")
    assert scenario.owner.client.post(path).failure == (403, "BILLING_RESTRICTED")
    assert outbox.raw == []


def test_an_inviter_without_a_name_is_called_a_member(invites: InviteScenario, outbox: Outbox) -> None:
    nobody = Client(session("nobody@example.com", given_name=None, family_name=None))
    invites.board.join(Person(nobody.get("/api/v1/me").data["id"], "nobody@example.com", nobody))
    send_email(invites, invites.invite(by=nobody), nobody)
    assert outbox.last["Subject"] == "A member invites you to the board Board"


def test_an_invitation_is_in_the_language_of_its_inviter_and_a_preview_in_that_of_its_reader(
    invites: InviteScenario, outbox: Outbox
) -> None:
    assert invites.owner.client.patch("/api/v1/me", {"language": "de"}).status == 200
    send_email(invites, invites.invite(boardPositions=["cfo", "board chair"]))
    assert outbox.last["Subject"] == "Olivia Tester lädt Sie in das Gremium Board ein"
    assert "Wenn Sie annehmen, haben Sie diese Funktionen: cfo, board chair." in text_of(outbox.last)
    assert "<bdi>Olivia Tester</bdi> lädt Sie in das Gremium „<bdi>Board</bdi>“ ein" in html_of(outbox.last)
    assert invites.owner.client.post(f"{invites.path}/test").status == 200
    assert str(outbox.last["Subject"]).startswith("Vorschau: Olivia Tester lädt Sie")
