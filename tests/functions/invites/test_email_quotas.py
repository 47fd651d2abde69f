"""How many invitation e-mails are sent, and what a refused or lost one counts."""

from __future__ import annotations

from governance import instants
from governance.domain.quota import INVITE_MAILS_OF_SENDER
from governance.limits import INVITE_MAILS_PER_SENDER_AND_DAY
from governance.store import quotas
from governance.store.schema.keys import make_item
from governance.store.transactions import transact
from governance.store.writes import Put
from tests.functions.invites.conftest import InviteScenario, send_email
from tests.harness.board_scenario import new_board_scenario
from tests.harness.clock import Clock
from tests.harness.outbox import Outbox


def test_an_inviter_sends_so_many_invitations_a_day_and_then_none(
    invites: InviteScenario, outbox: Outbox, clock: Clock
) -> None:
    ada = invites.board.member("ada", admin_role="admin")
    first = invites.invite("n0@example.com")
    key, used = quotas.key(INVITE_MAILS_OF_SENDER, invites.owner.id), instants.now()
    slots = INVITE_MAILS_OF_SENDER.permits
    transact([Put(make_item(key, dict.fromkeys(slots[: INVITE_MAILS_PER_SENDER_AND_DAY - 1], used)))])
    assert len(slots) == INVITE_MAILS_PER_SENDER_AND_DAY == 200
    assert send_email(invites, first).status == 200
    second = invites.invite("n1@example.com")
    refused = send_email(invites, second)
    assert refused.failure == (429, "RATE_LIMITED")
    assert 0 < int(refused.headers["Retry-After"]) <= 24 * 3600
    assert len(outbox.mails) == 1
    assert ada.client.post(f"/api/invite/{second}/send-email").status == 200
    clock.advance(days=1, minutes=1)
    assert send_email(invites, second).status == 200


def test_an_invite_sends_one_email_an_hour(invites: InviteScenario, outbox: Outbox, clock: Clock) -> None:
    invite = invites.invite()
    sent = send_email(invites, invite).json
    clock.advance(minutes=59)
    throttled = send_email(invites, invite)
    assert throttled.status == 200
    assert throttled.json.keys() == {"message", "sentTo", "lastSentAt", "throttled", "throttleReason"}
    assert (throttled.json["throttled"], throttled.json["throttleReason"]) == (True, "per-invite")
    assert throttled.json["lastSentAt"] == sent["lastSentAt"]
    assert len(outbox.raw) == 1
    clock.advance(hours=1)
    assert send_email(invites, invite).json["throttled"] is False
    assert len(outbox.raw) == 2


def test_a_recipient_gets_five_emails_a_day_from_all_boards_whatever_the_tag(
    invites: InviteScenario, outbox: Outbox, clock: Clock
) -> None:
    boards = [InviteScenario(new_board_scenario(f"owner{number}")) for number in range(6)]
    invited = [(board, board.invite(f"ann+{number}@example.com")) for number, board in enumerate(boards)]
    for board, invite in invited[:5]:
        assert send_email(board, invite).json["throttled"] is False
    late = send_email(*invited[5]).json
    assert (late["throttleReason"], late["lastSentAt"]) == ("global-recipient", None)
    assert send_email(*invited[0]).json["throttleReason"] == "per-invite"
    assert send_email(invites, invites.invite("bob@example.com")).json["throttled"] is False
    clock.advance(hours=23, minutes=59)
    assert send_email(*invited[5]).json["throttleReason"] == "global-recipient"
    clock.advance(hours=24)
    assert send_email(*invited[5]).json["throttled"] is False
    assert [mail["To"] for mail in outbox.mails[:5]] == [f"ann+{number}@example.com" for number in range(5)]
    assert len(outbox.raw) == 7


def test_a_caller_gets_five_preview_emails_an_hour_without_refused_ones(
    invites: InviteScenario, outbox: Outbox, clock: Clock
) -> None:
    path = f"{invites.path}/test"
    outbox.failure = "MessageRejected"
    assert invites.owner.client.post(path).failure == (503, "SERVICE_UNAVAILABLE")
    outbox.failure = None
    for _ in range(5):
        assert invites.owner.client.post(path).status == 200
    refused = invites.owner.client.post(path)
    assert refused.failure == (429, "RATE_LIMITED")
    assert 3500 < int(refused.headers["Retry-After"]) <= 3600
    other = invites.owner.client.post("/api/v1/boards", {"name": "Other"}).data["id"]
    assert invites.owner.client.post(f"/api/invite/{other}/test").status == 429
    assert invites.board.member("ben").client.post(path).status == 200
    clock.advance(hours=1)
    assert invites.owner.client.post(path).status == 200
    assert len(outbox.raw) == 7
