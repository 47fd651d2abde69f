"""The rules of invites."""

from __future__ import annotations

import pytest

from governance.domain.invites import invite as invite_rules
from governance.ids import BoardId, UserId
from governance.instants import Instant
from governance.limits import RE_INVITERS
from governance.models.boards.board import AccessType
from governance.models.invites.invite import FormerBoard, InviteCreate, StoredInvite
from governance.scopes import Tier
from tests.domain.samples import FORBIDDEN, board, changed, conflict, refusal, user

NOW, LATER = Instant("2030-01-01T00:00:00.000Z"), Instant("2030-01-02T00:00:00.000Z")
OLIVIA, BEN, CLEO = UserId("olivia"), UserId("ben"), UserId("cleo")


def body(**members: object) -> InviteCreate:
    return InviteCreate.model_validate({"inviteeEmail": "Ann@Example.com", **members})


def invite(**members: object) -> StoredInvite:
    return invite_rules.new_invite(body(**members), "1" * 24, BoardId("b" * 24), OLIVIA, NOW)


def test_a_message_is_escaped_when_it_is_written_down() -> None:
    assert invite(message="<&>\"'").message == "&lt;&amp;&gt;&quot;&#x27;"
    assert invite().message is None
    assert invite(message="").message == ""


def test_the_original_inviter_keeps_what_he_leaves_out() -> None:
    first = invite(message="One", boardPositions=["ceo"])
    again = invite_rules.re_invite(first, body(message="Two"), OLIVIA, Tier.COLLABORATOR, LATER)
    assert (again.message, again.board_positions, again.version) == ("Two", ("ceo",), 2)
    again = invite_rules.re_invite(first, body(boardPositions=["cfo"]), OLIVIA, Tier.COLLABORATOR, LATER)
    assert (again.message, again.board_positions) == ("One", ("cfo",))


def test_an_invite_sent_again_unchanged_is_the_very_same() -> None:
    first = invite(message="One <")
    assert invite_rules.re_invite(first, body(), OLIVIA, Tier.COLLABORATOR, LATER) is first
    assert invite_rules.re_invite(first, body(message="One <"), OLIVIA, Tier.COLLABORATOR, LATER) is first
    noted = invite_rules.re_invite(first, body(), BEN, Tier.COLLABORATOR, LATER)
    assert invite_rules.re_invite(noted, body(message="Two"), BEN, Tier.COLLABORATOR, LATER) is noted


def test_others_are_noted_in_order_and_change_nothing_else() -> None:
    sent = invite(message="One")
    for sender in (BEN, CLEO, BEN):
        sent = invite_rules.re_invite(
            sent, body(message="Mine", boardPositions=["ceo"]), sender, Tier.COLLABORATOR, LATER
        )
    assert sent.also_invited_by == ("ben", "cleo")
    assert (sent.message, sent.board_positions, sent.inviter_id) == ("One", ("observer",), "olivia")


def test_only_the_addressee_answers() -> None:
    invite_rules.check_addressee(invite(), "ann@example.com")
    assert refusal(invite_rules.check_addressee, invite(), "bob@example.com") == FORBIDDEN


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
    known = invite_rules.re_invite(invite(), body(), BEN, Tier.COLLABORATOR, LATER)
    assert invite_rules.may_send(known, user, tier) == sends
    if retracts:
        invite_rules.check_retractable(known, user, tier)
    else:
        assert refusal(invite_rules.check_retractable, known, user, tier) == FORBIDDEN


def test_a_new_invite_is_pending_and_gives_a_collaborators_access_unless_it_names_another() -> None:
    sent = invite(accessType="guest", boardPositions=["ceo"])
    assert (sent.status, sent.access_type, sent.board_positions, sent.version) == ("pending", "guest", ("ceo",), 1)
    assert (sent.id, sent.inviter_id, sent.created_at, sent.updated_at) == ("1" * 24, OLIVIA, NOW, NOW)
    assert (invite().access_type, invite().board_positions) == ("collaborator", ("observer",))


@pytest.mark.parametrize("access", ["guest", "collaborator", "manager", None])
@pytest.mark.parametrize("tier", [None, *Tier])
def test_only_admins_invite_managers(access: AccessType | None, tier: Tier | None) -> None:
    if access == "manager" and (tier is None or tier < Tier.ADMIN):
        assert refusal(invite_rules.check_may_give, access, tier) == FORBIDDEN
    else:
        invite_rules.check_may_give(access, tier)


@pytest.mark.parametrize(
    ("sender", "tier", "given"),
    [
        (OLIVIA, Tier.COLLABORATOR, "guest"),
        (OLIVIA, Tier.ADMIN, "guest"),
        (BEN, Tier.COLLABORATOR, "collaborator"),
        (BEN, Tier.MANAGER, "collaborator"),
        (BEN, None, "collaborator"),
        (BEN, Tier.ADMIN, "guest"),
        (BEN, Tier.OWNER, "guest"),
    ],
)
def test_the_inviter_and_admins_change_the_access_of_an_invite_that_is_sent_again(
    sender: UserId, tier: Tier | None, given: str
) -> None:
    sent = invite_rules.re_invite(invite(), body(accessType="guest"), sender, tier, LATER)
    assert sent.access_type == given
    assert invite_rules.re_invite(invite(accessType="manager"), body(), sender, tier, LATER).access_type == "manager"


def test_an_invite_has_500_further_senders_at_most() -> None:
    others = tuple(UserId(str(number)) for number in range(RE_INVITERS))
    almost = invite().model_copy(update={"also_invited_by": others[1:]})
    assert invite_rules.re_invite(almost, body(), BEN, None, LATER).also_invited_by == (*others[1:], BEN)
    full = invite().model_copy(update={"also_invited_by": others})
    assert refusal(invite_rules.re_invite, full, body(), BEN, None, LATER) == conflict("LIMIT_REACHED")
    assert invite_rules.re_invite(full, body(), others[0], None, LATER) is full


def test_a_closed_invite_has_no_link_and_every_change_is_a_new_version() -> None:
    linked = invite_rules.with_link(invite(), "digest", LATER)
    assert changed(invite(), linked) == {"link": "digest", "updated_at": LATER, "version": 2}
    ended = {"status": "declined", "link": None, "version": 3}
    assert changed(linked, invite_rules.close(linked, "declined", LATER)) == ended


def test_a_user_without_a_first_name_is_asked_for_it() -> None:
    assert invite_rules.needs_name(None)
    assert invite_rules.needs_name(user())
    assert invite_rules.needs_name(user(first_name=""))
    assert not invite_rules.needs_name(user(first_name="Ada"))


def test_an_invite_to_a_member_is_refused_by_the_name_of_the_field() -> None:
    error = invite_rules.already_member_error()
    assert error.code.status == 400
    assert error.details == {"fields": {"inviteeEmail": "must not be the address of a member of this board"}}


@pytest.mark.parametrize(
    ("tiers", "access", "becomes"),
    [
        ({}, "guest", "retracted"),
        ({OLIVIA: Tier.GUEST}, "guest", "retracted"),
        ({OLIVIA: Tier.GUEST, BEN: Tier.COLLABORATOR}, "guest", "guest"),
        ({CLEO: Tier.OWNER}, "guest", "retracted"),
        ({OLIVIA: Tier.COLLABORATOR}, "collaborator", "collaborator"),
        ({OLIVIA: Tier.MANAGER}, "manager", "collaborator"),
        ({OLIVIA: Tier.MANAGER, BEN: Tier.ADMIN}, "manager", "manager"),
        ({OLIVIA: Tier.OWNER}, "manager", "manager"),
    ],
)
def test_an_invite_reaches_as_far_as_the_present_rights_of_its_senders(
    tiers: dict[UserId, Tier], access: str, becomes: str
) -> None:
    sent = invite_rules.re_invite(invite(accessType=access), body(), BEN, Tier.COLLABORATOR, NOW)
    left = invite_rules.by_right_of(sent, tiers, LATER)
    if becomes == "retracted":
        assert changed(sent, left) == {"status": "retracted", "updated_at": LATER, "version": 3}
    elif becomes == access:
        assert left is sent
    else:
        assert changed(sent, left) == {"access_type": becomes, "updated_at": LATER, "version": 3}


def test_the_strongest_sender_is_the_member_of_the_highest_tier() -> None:
    sent = invite_rules.re_invite(invite(), body(), BEN, Tier.COLLABORATOR, NOW)
    assert invite_rules.strongest(sent, {OLIVIA: Tier.COLLABORATOR, BEN: Tier.ADMIN}) == BEN
    assert invite_rules.strongest(sent, {OLIVIA: Tier.ADMIN, BEN: Tier.COLLABORATOR, CLEO: Tier.OWNER}) == OLIVIA
    assert invite_rules.strongest(sent, {OLIVIA: Tier.ADMIN, BEN: Tier.ADMIN}) == max(OLIVIA, BEN)
    assert invite_rules.strongest(sent, {CLEO: Tier.OWNER}) is None


def test_who_left_knows_a_board_by_the_name_that_it_had_and_not_its_description() -> None:
    now_called = board(name="New", description="D")
    former = FormerBoard(board_id=now_called.id, name="Old", left_at=NOW)
    assert changed(now_called, invite_rules.board_as_left(now_called, former)) == {"name": "Old", "description": None}
    assert changed(now_called, invite_rules.board_as_left(now_called, None)) == {"name": "", "description": None}


def test_who_left_knows_others_as_far_as_they_have_not_changed_since() -> None:
    former = FormerBoard(board_id=BoardId("b"), name="Old", left_at=NOW)
    as_it_was, changed_since = user(updated_at=NOW), user(updated_at="2030-01-01T00:00:00.001Z")
    assert invite_rules.person_as_left(as_it_was, former) is as_it_was
    assert invite_rules.person_as_left(changed_since, former) is None
    assert invite_rules.person_as_left(as_it_was, None) is None
    assert invite_rules.person_as_left(None, former) is None
