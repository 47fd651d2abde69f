"""The rules of invites."""

from __future__ import annotations

import pytest

from governance.domain import invite as rules
from governance.errors import ApiError
from governance.ids import BoardId, UserId
from governance.instants import Instant
from governance.models.invite import InviteCreate, StoredInvite
from governance.scopes import Tier

NOW, LATER = Instant("2030-01-01T00:00:00.000Z"), Instant("2030-01-02T00:00:00.000Z")
OLIVIA, BEN, CLEO = UserId("olivia"), UserId("ben"), UserId("cleo")


def body(**members: object) -> InviteCreate:
    return InviteCreate.model_validate({"inviteeEmail": "Ann@Example.com", **members})


def invite(**members: object) -> StoredInvite:
    return rules.new_invite(body(**members), "1" * 24, BoardId("b" * 24), OLIVIA, NOW)


def test_a_message_is_escaped_when_it_is_written_down() -> None:
    assert invite(message="<&>\"'").message == "&lt;&amp;&gt;&quot;&#x27;"
    assert invite().message is None
    assert invite(message="").message == ""


def test_the_original_inviter_keeps_what_he_leaves_out() -> None:
    first = invite(message="One", boardPositions=["ceo"])
    again = rules.re_invite(first, body(message="Two"), OLIVIA, LATER)
    assert (again.message, again.board_positions, again.version) == ("Two", ("ceo",), 2)
    again = rules.re_invite(first, body(boardPositions=["cfo"]), OLIVIA, LATER)
    assert (again.message, again.board_positions) == ("One", ("cfo",))


def test_an_invite_sent_again_unchanged_is_the_very_same() -> None:
    first = invite(message="One <")
    assert rules.re_invite(first, body(), OLIVIA, LATER) is first
    assert rules.re_invite(first, body(message="One <"), OLIVIA, LATER) is first
    noted = rules.re_invite(first, body(), BEN, LATER)
    assert rules.re_invite(noted, body(message="Two"), BEN, LATER) is noted


def test_others_are_noted_in_order_and_change_nothing_else() -> None:
    found = invite(message="One")
    for sender in (BEN, CLEO, BEN):
        found = rules.re_invite(found, body(message="Mine", boardPositions=["ceo"]), sender, LATER)
    assert found.also_invited_by == ("ben", "cleo")
    assert (found.message, found.board_positions, found.inviter_id) == ("One", ("observer",), "olivia")


def test_only_the_addressee_answers() -> None:
    rules.check_addressee(invite(), "ann@example.com")
    with pytest.raises(ApiError):
        rules.check_addressee(invite(), "bob@example.com")


@pytest.mark.parametrize(
    ("user", "tier", "retracts", "sends"),
    [
        ("olivia", Tier.COLLABORATOR, True, True),
        ("olivia", Tier.GUEST, True, True),
        ("olivia", None, True, True),
        ("ben", Tier.MANAGER, False, True),
        ("ben", None, False, True),
        ("cleo", Tier.MANAGER, False, False),
        ("cleo", Tier.ADMIN, True, True),
        ("cleo", Tier.OWNER, True, True),
        ("cleo", None, False, False),
    ],
)
def test_who_retracts_and_who_sends(user: UserId, tier: Tier | None, retracts: bool, sends: bool) -> None:
    known = rules.re_invite(invite(), body(), BEN, LATER)
    assert rules.may_send(known, user, tier) == sends
    try:
        rules.check_retractable(known, user, tier)
    except ApiError:
        assert not retracts
    else:
        assert retracts
