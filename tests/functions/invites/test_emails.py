"""Invitation e-mails and their previews: who sends them, and what they say."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest

from tests.functions.invites.conftest import InviteScenario, send_email
from tests.harness.board_scenario import Person
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
    ("name", "subject"),
    [
        ("Evil\r\nBcc: everybody", "Evil Bcc: everybody"),
        ("a\u2028b\u2029c\u0085d", "a b c d"),
        ("x" * 120, "x" * 120),
        ("Räte \U0001f600" * 10, "Räte \U0001f600" * 10),
        ("Win at https://evil.example/?a=b now", "Win at … now"),
    ],
)
def test_a_name_cannot_add_or_break_a_header(invites: InviteScenario, outbox: Outbox, name: str, subject: str) -> None:
    invites.owner.client.patch(invites.board.path, {"name": name})
    assert send_email(invites, invites.invite()).status == 200
    mail = outbox.last
    assert mail["Bcc"] is None
    assert mail.get_all("Subject", []) == [f"Olivia Tester invites you to the board {subject}"]
    assert html_of(mail).count("<h1>") == 1


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


@pytest.mark.parametrize("what", ["invite", "board"])
def test_no_email_is_sent_for_what_ends_meanwhile(invites: InviteScenario, outbox: Outbox, what: str) -> None:
    invite, owner = invites.invite(), invites.owner.client
    ends = {
        "invite": lambda: owner.put(f"/api/invite/retract/{invite}"),
        "board": lambda: owner.delete(invites.board.path),
    }
    with meanwhile(ends[what]):
        assert send_email(invites, invite).status == 404
    assert outbox.raw == []


def test_every_sender_of_the_invite_and_admins_send_its_email_in_the_name_of_the_first(
    invites: InviteScenario, outbox: Outbox, clock: Clock
) -> None:
    ben, cleo = invites.board.member("ben"), invites.board.member("cleo", access_type="manager")
    admin = invites.board.member("ada", admin_role="admin")
    invite = invites.invite(by=ben.client)
    assert send_email(invites, invite, cleo.client).failure == (404, "RESOURCE_NOT_FOUND")
    invites.invite(by=cleo.client)
    for hours, user in enumerate((ben, cleo, admin, invites.owner), 1):
        clock.advance(hours=hours)
        assert send_email(invites, invite, user.client).json["throttled"] is False
    assert [mail["Subject"] for mail in outbox.mails] == ["Ben Tester invites you to the board Board"] * 4


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
