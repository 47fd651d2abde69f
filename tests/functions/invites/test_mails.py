"""Mails of invites: what they say, how many go out, what happens to one that is refused."""

from __future__ import annotations

import logging
from html.parser import HTMLParser

import pytest
from botocore.exceptions import ConnectTimeoutError, EndpointConnectionError, ReadTimeoutError

from tests.conftest import Clock
from tests.functions.invites.conftest import Inviting
from tests.harness.board_scenario import Person, new_board_scenario
from tests.harness.client import Client, Response, session
from tests.harness.outbox import Outbox, html_of, text_of


def _send(inviting: Inviting, invite: str, by: Client | None = None) -> Response:
    return (by or inviting.owner.client).post(f"/api/invite/{invite}/send-email")


def test_creating_sends_nothing_and_sending_sends_one_mail(inviting: Inviting, outbox: Outbox) -> None:
    invite = inviting.invite("ann@example.com")
    assert outbox.raw == []
    response = _send(inviting, invite)
    assert response.status == 200
    assert response.json.keys() == {"message", "sentTo", "lastSentAt", "throttled"}
    assert (response.json["sentTo"], response.json["throttled"]) == ("ann@example.com", False)
    assert len(outbox.raw) == 1
    assert outbox.requests[0]["Destination"] == {"ToAddresses": ["ann@example.com"]}


def test_the_mail_has_both_parts_sound_headers_and_the_message_unescaped_once(
    inviting: Inviting, outbox: Outbox
) -> None:
    _send(inviting, inviting.invite(message="Dear <b>Ann</b> & co,\nwelcome"))
    mail = outbox.last
    assert mail["To"] == "ann@example.com"
    assert mail["From"] == "no-reply@governance.example.com"
    assert mail["Subject"] == "Olivia Tester invites you to the board Board"
    assert mail["Date"] is not None
    assert str(mail["Message-ID"]).endswith("@governance.example.com>")
    assert mail["List-Unsubscribe"] == "<mailto:no-reply@governance.example.com?subject=unsubscribe>"
    assert mail["List-Unsubscribe-Post"] is None
    assert mail.defects == []
    assert "Dear <b>Ann</b> & co,\nwelcome" in text_of(mail).replace("\r\n", "\n")
    assert "Dear &lt;b&gt;Ann&lt;/b&gt; &amp; co," in html_of(mail)
    assert "&amp;lt;" not in html_of(mail)
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
def test_no_name_adds_a_header_or_breaks_one(inviting: Inviting, outbox: Outbox, name: str) -> None:
    inviting.owner.client.patch(inviting.board.path, {"name": name})
    assert _send(inviting, inviting.invite()).status == 200
    mail = outbox.last
    assert mail["Bcc"] is None
    assert len(mail.get_all("Subject", [])) == 1
    assert mail["Subject"] == f"Olivia Tester invites you to the board {' '.join(name.split())}"
    assert html_of(mail).count("<h1>") == 1


def test_a_subject_has_no_url_and_the_body_has_the_text(inviting: Inviting, outbox: Outbox) -> None:
    inviting.owner.client.patch(inviting.board.path, {"name": "Win at https://evil.example/?a=b now"})
    inviting.owner.client.patch("/api/v1/me", {"firstName": "www.evil.example", "lastName": "Tester"})
    _send(inviting, inviting.invite())
    assert outbox.last["Subject"] == "… Tester invites you to the board Win at … now"
    assert "Win at https://evil.example/?a=b now" in text_of(outbox.last)
    inviting.owner.client.post(f"{inviting.path}/test")
    assert outbox.last["Subject"] == "Preview: … Tester invites you to the board Win at … now"


def test_a_name_is_text_and_never_markup(inviting: Inviting, outbox: Outbox) -> None:
    inviting.owner.client.patch(inviting.board.path, {"name": "<script>alert(1)</script>"})
    inviting.owner.client.patch("/api/v1/me", {"firstName": "<img src=x>"})
    _send(inviting, inviting.invite())
    seen: list[str] = []

    class Tags(HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:  # noqa: ARG002
            seen.append(tag)

    Tags().feed(html_of(outbox.last))
    assert {"script", "img"}.isdisjoint(seen)
    assert "<script>alert(1)</script>" in text_of(outbox.last)


def test_odd_but_sound_addresses_can_be_written_to(inviting: Inviting, outbox: Outbox) -> None:
    longest = f"{'a' * 64}@{'.'.join(['d' * 60] * 3)}.{'e' * 6}"
    for email in (longest, "=?utf-8?q?a?=@example.com", "o'hara+x@example.com"):
        assert _send(inviting, inviting.invite(email)).status == 200
        assert outbox.requests[-1]["Destination"] == {"ToAddresses": [email]}
        assert outbox.last["To"] in {email, "undisclosed-recipients:;"}


def test_the_link_is_the_same_in_every_mail_and_its_token_is_logged_nowhere(
    inviting: Inviting,
    outbox: Outbox,
    clock: Clock,
    caplog: pytest.LogCaptureFixture,
    capsys: pytest.CaptureFixture[str],
) -> None:
    caplog.set_level(logging.DEBUG)
    invite = inviting.invite()
    _send(inviting, invite)
    first = outbox.link()
    assert first[0] == inviting.code()
    clock.advance(hours=1)
    _send(inviting, invite)
    assert outbox.link() == first
    Client().get(f"/api/v1/invite/status/{first[0]}", i=first[1])
    Client().get(f"/api/v1/invite/preview/{first[0]}", i=first[1])
    service = [record.getMessage() for record in caplog.records if record.name == "board-governance"]
    assert first[1] not in "".join(service) + capsys.readouterr().out
    assert first[1] not in str([record.__dict__ for record in caplog.records if record.name == "board-governance"])


def test_one_mail_an_hour_for_each_invite(inviting: Inviting, outbox: Outbox, clock: Clock) -> None:
    invite = inviting.invite()
    sent = _send(inviting, invite).json
    clock.advance(minutes=59)
    throttled = _send(inviting, invite)
    assert throttled.status == 200
    assert throttled.json.keys() == {"message", "sentTo", "lastSentAt", "throttled", "throttleReason"}
    assert (throttled.json["throttled"], throttled.json["throttleReason"]) == (True, "per-invite")
    assert throttled.json["lastSentAt"] == sent["lastSentAt"]
    assert len(outbox.raw) == 1
    clock.advance(hours=1)
    assert _send(inviting, invite).json["throttled"] is False
    assert len(outbox.raw) == 2


def test_five_mails_a_day_for_each_recipient_over_all_boards(inviting: Inviting, outbox: Outbox, clock: Clock) -> None:
    boards = [Inviting(new_board_scenario(f"owner{number}")) for number in range(6)]
    invites = [(board, board.invite("ANN@example.com")) for board in boards]
    for board, invite in invites[:5]:
        assert _send(board, invite).json["throttled"] is False
    late = _send(*invites[5]).json
    assert (late["throttleReason"], late["lastSentAt"]) == ("global-recipient", None)
    both = _send(*invites[0]).json
    assert both["throttleReason"] == "per-invite"
    assert _send(inviting, inviting.invite("bob@example.com")).json["throttled"] is False
    clock.advance(hours=23, minutes=59)
    assert _send(*invites[5]).json["throttleReason"] == "global-recipient"
    clock.advance(hours=24)
    assert _send(*invites[5]).json["throttled"] is False
    assert len(outbox.raw) == 7


def test_tags_of_one_address_share_its_five_mails(inviting: Inviting, outbox: Outbox) -> None:
    invites = [inviting.invite(f"victim+{number}@example.com") for number in range(8)]
    answers = [_send(inviting, invite).json for invite in invites]
    assert [answer["throttled"] for answer in answers] == [False] * 5 + [True] * 3
    assert [answer["sentTo"] for answer in answers] == [f"victim+{number}@example.com" for number in range(8)]
    assert [mail["To"] for mail in outbox.mails] == [f"victim+{number}@example.com" for number in range(5)]
    assert _send(inviting, inviting.invite("vic.tim@example.com")).json["throttled"] is False


@pytest.mark.parametrize(
    "trouble",
    [
        "MessageRejected",
        "TooManyRequestsException",
        "InternalFailure",
        EndpointConnectionError(endpoint_url="x"),
        ConnectTimeoutError(endpoint_url="x"),
    ],
    ids=str,
)
def test_a_refused_mail_is_a_503_and_gives_its_allowance_back(
    inviting: Inviting, outbox: Outbox, trouble: Exception | str
) -> None:
    invite = inviting.invite()
    outbox.failure = trouble
    for _ in range(7):
        refused = _send(inviting, invite)
        assert refused.failure == (503, "SERVICE_UNAVAILABLE")
        assert "Retry-After" in refused.headers
    outbox.failure = None
    assert _send(inviting, invite).json["throttled"] is False


def test_a_lost_answer_counts_as_a_mail_and_is_not_tried_twice(inviting: Inviting, outbox: Outbox) -> None:
    invite = inviting.invite()
    outbox.failure = ReadTimeoutError(endpoint_url="x")
    assert _send(inviting, invite).failure == (503, "SERVICE_UNAVAILABLE")
    outbox.failure = None
    response = _send(inviting, invite).json
    assert (response["throttleReason"], response["lastSentAt"]) == ("per-invite", None)
    assert outbox.raw == []


def test_who_has_a_mail_sent(inviting: Inviting, outbox: Outbox, clock: Clock, ann: Person) -> None:
    scenario = inviting.board
    ben, cleo = scenario.member("ben"), scenario.member("cleo", access_type="manager")
    admin = scenario.member("ada", admin_role="admin")
    invite = inviting.invite(ann.email, by=ben.client)
    for caller in (cleo.client, ann.client, new_board_scenario("otto").owner.client):
        assert _send(inviting, invite, caller).failure == (404, "RESOURCE_NOT_FOUND")
    for caller in (scenario.personal_token(ben), scenario.token(), Client()):
        assert _send(inviting, invite, caller).failure == (401, "UNAUTHENTICATED")
    assert outbox.raw == []
    inviting.invite(ann.email, by=cleo.client)
    for hours, who in enumerate((ben, cleo, admin, scenario.owner), 1):
        clock.advance(hours=hours)
        assert _send(inviting, invite, who.client).json["throttled"] is False
    assert {mail["Subject"] for mail in outbox.mails} == {"Ben Tester invites you to the board Board"}


def test_sending_is_a_write_without_a_body(inviting: Inviting, outbox: Outbox) -> None:
    invite = inviting.invite()
    path = f"/api/invite/{invite}/send-email"
    assert inviting.owner.client.post(path, {}).failure == (400, "INVALID_REQUEST_BODY")
    inviting.board.set_billing_state("CANCELLED")
    assert inviting.owner.client.post(path, {}).failure == (403, "BILLING_RESTRICTED")
    for unknown in ("0" * 24, "nonsense"):
        assert inviting.owner.client.post(f"/api/invite/{unknown}/send-email").failure == (404, "RESOURCE_NOT_FOUND")
    assert outbox.raw == []


def test_the_preview_goes_to_the_caller_and_says_what_it_is(inviting: Inviting, outbox: Outbox) -> None:
    guest = inviting.board.member("gus", access_type="guest")
    response = guest.client.post(f"{inviting.path}/test")
    assert response.status == 200
    assert response.json == {"message": response.json["message"], "sentTo": guest.email}
    assert outbox.last["To"] == guest.email
    assert outbox.last["Subject"] == "Preview: Gus Tester invites you to the board Board"
    assert "This is a preview" in text_of(outbox.last)
    assert "This is a preview" in html_of(outbox.last)
    code, token = outbox.link()
    assert Client().get(f"/api/v1/invite/status/{code}", i=token).json == {"pending": False}


def test_five_previews_an_hour_and_refused_ones_do_not_count(inviting: Inviting, outbox: Outbox, clock: Clock) -> None:
    path = f"{inviting.path}/test"
    outbox.failure = "MessageRejected"
    assert inviting.owner.client.post(path).failure == (503, "SERVICE_UNAVAILABLE")
    outbox.failure = None
    for _ in range(5):
        assert inviting.owner.client.post(path).status == 200
    refused = inviting.owner.client.post(path)
    assert refused.failure == (429, "RATE_LIMITED")
    assert 3500 < int(refused.headers["Retry-After"]) <= 3600
    other = inviting.owner.client.post("/api/v1/boards", {"name": "Other"}).data["id"]
    assert inviting.owner.client.post(f"/api/invite/{other}/test").status == 429
    assert inviting.board.member("ben").client.post(path).status == 200
    clock.advance(hours=1)
    assert inviting.owner.client.post(path).status == 200
    assert len(outbox.raw) == 7


def test_who_gets_a_preview(inviting: Inviting, outbox: Outbox, ann: Person) -> None:
    path, scenario = f"{inviting.path}/test", inviting.board
    for caller in (ann.client, scenario.token(), scenario.personal_token(scenario.owner, "read_only")):
        assert caller.post(path).failure == (403, "FORBIDDEN")
    assert scenario.owner.client.post(f"/api/invite/{'0' * 24}/test").failure == (404, "RESOURCE_NOT_FOUND")
    assert scenario.owner.client.post(path, {}).failure == (400, "INVALID_REQUEST_BODY")
    scenario.set_billing_state("CANCELLED")
    assert scenario.owner.client.post(path).failure == (403, "BILLING_RESTRICTED")
    assert outbox.raw == []


def test_an_inviter_without_a_name_is_a_member(inviting: Inviting, outbox: Outbox) -> None:
    nobody = Client(session("nobody@example.com", given_name=None, family_name=None))
    inviting.board.join(Person(nobody.get("/api/v1/me").data["id"], "nobody@example.com", nobody))
    _send(inviting, inviting.invite(by=nobody), nobody)
    assert outbox.last["Subject"] == "A member invites you to the board Board"
