"""The rules of voting: ballots, proxies and recusals.

What is accepted, and what comes of it, is judged by `test_vote_histories.py`; here is why an act is refused.
"""

from __future__ import annotations

from typing import Any

import pytest

from governance.domain.resolutions import voting as voting_rules
from governance.ids import UserId
from governance.instants import Instant, shift
from governance.models.resolutions.ballot import BallotBody, StoredBallot, StoredVoter, VoterGroup
from governance.models.resolutions.resolution import Recusal, StoredDeparture
from tests.domain.resolutions.ballots import LEFT, cast_by, resolution, stored_voter
from tests.domain.samples import BOARD, FORBIDDEN, NOW, THEN, changed, conflict, just_before, later, refusal

A, B, C, D = (UserId(name) for name in "abcd")
MANAGER = UserId("m")
BY_MANAGER = Recusal(reason="r", by_user_id=MANAGER, at=THEN)
OPEN = resolution(opened_at=THEN, closes_at=later(NOW), rule={"proxies": True})


def body(**members: Any) -> BallotBody:
    return BallotBody.model_validate({"choice": "against", **members})


def voters(**members: dict[str, Any]) -> dict[UserId, StoredVoter]:
    """Voters `a` to `d`, of whom some have other members than one who has done nothing."""
    return {user_id: stored_voter(user_id, **members.get(user_id, {})) for user_id in (A, B, C, D)}


@pytest.mark.parametrize(
    ("status", "closes_at", "takes_ballots", "is_open", "is_over"),
    [
        ("open", None, True, True, False),
        ("open", later(NOW), True, True, False),
        ("open", NOW, False, True, False),
        ("open", just_before(NOW), False, True, False),
        ("open", later(shift(NOW, seconds=-5)), False, True, False),
        ("open", shift(NOW, seconds=-5), False, False, True),
        ("draft", later(NOW), False, False, False),
        ("carried", just_before(NOW), False, False, False),
        ("withdrawn", None, False, False, False),
    ],
)
def test_a_resolution_takes_ballots_until_the_instant_of_its_end_and_is_over_five_seconds_later(
    status: str, closes_at: Instant | None, takes_ballots: bool, is_open: bool, is_over: bool
) -> None:
    voted_on = resolution(status=status, closes_at=closes_at)
    assert voting_rules.is_open_at(status, closes_at, NOW) is is_open
    assert voting_rules.is_over(voted_on, NOW) is is_over
    if takes_ballots:
        voting_rules.check_open(voted_on, NOW)
    else:
        assert refusal(voting_rules.check_open, voted_on, NOW) == conflict("RESOLUTION_CLOSED")


def departure(*user_ids: str, **members: Any) -> StoredDeparture:
    usual = {"board_id": BOARD, "user_ids": user_ids, "join_id": f"{user_ids[0]}0", "at": NOW}
    return StoredDeparture.model_validate({**usual, **members})


OF_COMMITTEE = {"join_id": None, "committee_id": "k", "committee_version": 4}


@pytest.mark.parametrize(
    ("left", "is_recused"),
    [
        ({}, True),
        ({"join_id": "earlier"}, False),
        ({"at": later(NOW)}, False),
        (OF_COMMITTEE, True),
        ({**OF_COMMITTEE, "committee_version": 3}, False),
        ({**OF_COMMITTEE, "committee_version": 2}, False),
        ({**OF_COMMITTEE, "committee_id": "another"}, False),
    ],
)
def test_who_leaves_board_or_committee_before_the_end_without_a_ballot_is_recused_by_it(
    left: dict[str, Any], is_recused: bool
) -> None:
    of_committee = OPEN.model_copy(update={"committee_id": "k", "committee_version": 3})
    present = voting_rules.as_of(of_committee, voters().values(), [departure("a", **left)])
    expected = Recusal(reason=voting_rules.LEFT, by_user_id=None, at=NOW) if is_recused else None
    assert [voter.recused for voter in present.values()] == [expected, None, None, None]


def test_who_leaves_counts_from_the_first_departure_on() -> None:
    present = voting_rules.as_of(OPEN, voters().values(), [departure("a", "b", at=THEN), departure("a")])
    assert present[A].recused == Recusal(reason="left", by_user_id=None, at=THEN)
    assert present[B].recused is None, "the membership that ended was not theirs"


@pytest.mark.parametrize(
    ("left", "holds"),
    [({}, False), ({"at": THEN}, False), ({"at": just_before(THEN)}, True), ({"at": later(NOW)}, True)],
)
def test_who_leaves_while_a_resolution_is_open_holds_no_proxies_from_then_on_even_back_again(
    left: dict[str, Any], holds: bool
) -> None:
    gone = [departure("b", join_id="earlier", **left)]
    present = voting_rules.as_of(OPEN, voters(a={"proxy_user_id": "b", "ballot": cast_by("b")}).values(), gone)
    assert voting_rules.gone_since(OPEN, gone) == (frozenset() if holds else {B})
    assert present[A].proxy_user_id == (B if holds else None)
    assert present[A].ballot == cast_by("b"), "what the holder has cast stays"


def test_a_resolution_without_an_end_takes_every_departure_into_account() -> None:
    endless = resolution(opened_at=THEN)
    assert voting_rules.gone_since(endless, [departure("a", at=later(NOW, days=900))]) == {A}
    assert voting_rules.gone_since(resolution(), [departure("a", at=THEN)]) == {A}
    twice = [departure("a", at=at) for at in (just_before(THEN), NOW)]
    assert voting_rules.gone_since(endless, twice) == {A}


def test_choices_are_those_of_named_and_hidden_ballots() -> None:
    of_board = voters(a={"ballot": cast_by("a", "abstain")}, b={"ballot": cast_by("b", None)})
    assert voting_rules.choices(of_board.values()) == {A: "abstain"}


def test_only_a_voter_votes_and_only_the_holder_of_a_proxy_votes_for_another() -> None:
    of_board = voters(a={"proxy_user_id": "b"})
    assert voting_rules.voter_in(of_board, A) == of_board[A]
    assert refusal(voting_rules.voter_in, of_board, MANAGER) == FORBIDDEN
    assert (voting_rules.no_voter().code.status, voting_rules.no_voter().code.name) == (403, "FORBIDDEN")
    voting_rules.check_may_cast(of_board[A], A)
    voting_rules.check_may_cast(of_board[A], B)
    assert refusal(voting_rules.check_may_cast, of_board[A], C) == FORBIDDEN
    assert refusal(voting_rules.check_may_cast, of_board[B], A) == FORBIDDEN


@pytest.mark.parametrize("ballots", ["named", "hidden"])
def test_a_ballot_says_who_cast_it_what_was_chosen_and_when(ballots: str) -> None:
    of = resolution(ballots=ballots)
    cast = voting_rules.cast(of, stored_voter("a", weight=3), B, body(comment="Why"), NOW)
    assert cast == stored_voter(
        "a", weight=3, ballot=StoredBallot(cast_by_user_id=B, choice="against", comment="Why", updated_at=NOW)
    )
    assert voting_rules.taken_back(of, cast, A) == stored_voter("a", weight=3)


def test_of_a_secret_ballot_only_that_they_voted_is_stored() -> None:
    cast = voting_rules.cast(resolution(ballots="secret"), stored_voter("a"), A, body(), NOW)
    assert cast.ballot == StoredBallot(cast_by_user_id=A, choice=None, comment=None, updated_at=None)


def test_a_secret_ballot_has_no_comment_whatever_else_is_wrong() -> None:
    secret = resolution(ballots="secret")
    for comment in ("Why", ""):
        status, _, details = refusal(
            voting_rules.cast, secret, stored_voter("a", recused=LEFT), A, body(comment=comment), NOW
        )
        assert (status, set(details["fields"])) == (400, {"comment"})


@pytest.mark.parametrize(
    ("ballots", "members", "caster", "reason"),
    [
        ("named", {"recused": LEFT}, A, "RECUSED"),
        ("named", {"recused": BY_MANAGER, "ballot": cast_by("a")}, A, "RECUSED"),
        ("named", {"ballot": cast_by("a")}, A, None),
        ("named", {"ballot": cast_by("b")}, A, None),
        ("named", {"ballot": cast_by("b")}, B, None),
        ("named", {"ballot": cast_by("a")}, B, "ALREADY_VOTED"),
        ("hidden", {"ballot": cast_by("a")}, A, None),
        ("hidden", {"ballot": cast_by("a")}, B, "ALREADY_VOTED"),
        ("secret", {"ballot": cast_by("a", None)}, A, "ALREADY_VOTED"),
        ("secret", {}, A, None),
    ],
)
def test_a_ballot_is_replaced_and_taken_back_until_the_end_but_not_a_secret_one_nor_a_voters_own_by_another(
    ballots: str, members: dict[str, Any], caster: UserId, reason: str | None
) -> None:
    of, voter = resolution(ballots=ballots), stored_voter("a", **members)
    if reason is None:
        assert (voting_rules.cast(of, voter, caster, body(), NOW).ballot or cast_by("x")).cast_by_user_id == caster
        assert voting_rules.taken_back(of, voter, caster).ballot is None
    else:
        assert refusal(voting_rules.cast, of, voter, caster, body(), NOW) == conflict(reason)
        assert refusal(voting_rules.taken_back, of, voter, caster) == conflict(reason)


def test_to_take_back_what_is_not_there_changes_nothing() -> None:
    voter = stored_voter("a")
    assert voting_rules.taken_back(OPEN, voter, A) is voter
    assert voting_rules.without_proxy(voter) is voter
    assert voting_rules.not_recused(voter) is voter


def test_proxies_are_given_where_the_rule_allows_them() -> None:
    voting_rules.check_proxies(OPEN)
    assert refusal(voting_rules.check_proxies, resolution()) == conflict("PROXIES_NOT_ALLOWED")


@pytest.mark.parametrize(
    ("members", "holder", "gone", "reason"),
    [
        ({"a": {"recused": LEFT}}, B, (), "RECUSED"),
        ({"b": {"recused": LEFT}}, B, (), "RECUSED"),
        ({}, B, {B}, "RECUSED"),
        ({}, B, {C}, None),
        ({"b": {"proxy_user_id": "c"}}, B, (), "PROXY_CHAIN"),
        ({"c": {"proxy_user_id": "a"}}, B, (), "PROXY_CHAIN"),
        ({"b": {"proxy_user_id": "a"}}, B, (), "PROXY_CHAIN"),
        ({"c": {"proxy_user_id": "b"}}, B, (), None),
        ({"a": {"ballot": cast_by("a")}}, B, (), "ALREADY_VOTED"),
        ({"a": {"ballot": cast_by("a")}, "b": {"proxy_user_id": "c"}}, B, (), "PROXY_CHAIN"),
        ({"b": {"recused": LEFT, "proxy_user_id": "c"}}, B, (), "RECUSED"),
    ],
)
def test_a_proxy_goes_from_one_who_has_not_voted_to_one_who_votes_themselves(
    members: dict[str, Any], holder: UserId, gone: Any, reason: str | None
) -> None:
    of_board = voters(**members)
    if reason is None:
        given_to = voting_rules.with_proxy(of_board, of_board[A], holder, gone)
        assert changed(of_board[A], given_to) == {"proxy_user_id": holder}
    else:
        assert refusal(voting_rules.with_proxy, of_board, of_board[A], holder, gone) == conflict(reason)


@pytest.mark.parametrize("holder", [A, MANAGER])
def test_a_proxy_for_oneself_or_for_no_voter_is_an_error_of_the_body_whatever_else_is_wrong(holder: UserId) -> None:
    of_board = voters(a={"recused": LEFT})
    status, _, details = refusal(voting_rules.with_proxy, of_board, of_board[A], holder)
    assert (status, set(details["fields"])) == (400, {"userId"})


def test_a_proxy_that_is_given_to_another_takes_its_ballot_along_and_one_that_is_given_again_changes_nothing() -> None:
    of_board = voters(a={"proxy_user_id": "b", "ballot": cast_by("b")})
    assert voting_rules.with_proxy(of_board, of_board[A], B) is of_board[A]
    assert changed(of_board[A], voting_rules.with_proxy(of_board, of_board[A], C)) == {
        "proxy_user_id": C,
        "ballot": None,
    }


def test_a_proxy_ends_with_the_ballot_of_its_holder_and_leaves_ones_own() -> None:
    for ballot, kept in ((None, None), (cast_by("b"), None), (cast_by("a"), cast_by("a"))):
        giver = stored_voter("a", proxy_user_id="b", ballot=ballot)
        assert voting_rules.without_proxy(giver) == stored_voter("a", ballot=kept)


def test_the_recused_give_take_and_end_no_proxy() -> None:
    own = stored_voter("a", ballot=cast_by("a"))
    assert voting_rules.without_proxy(own) is own
    assert refusal(voting_rules.without_proxy, stored_voter("a", recused=LEFT, proxy_user_id="b")) == conflict(
        "RECUSED"
    )


def test_a_recusal_takes_the_ballot_back_and_ends_the_proxies_on_both_sides() -> None:
    before = voters(
        a={"proxy_user_id": "b", "ballot": cast_by("b")}, b={"ballot": cast_by("b")}, c={"proxy_user_id": "d"}
    )
    recused = voting_rules.recused(OPEN, before, B, "Interest", MANAGER, NOW)
    assert recused == {
        A: stored_voter("a", ballot=cast_by("b")),
        B: stored_voter("b", recused=Recusal(reason="Interest", by_user_id=MANAGER, at=NOW)),
    }
    assert changed(before[C], voting_rules.recused(OPEN, before, C, "r", C, NOW)[C]).keys() == {
        "recused",
        "proxy_user_id",
    }


def test_who_is_recused_already_or_has_voted_in_secret_is_not_recused() -> None:
    assert voting_rules.recused(OPEN, voters(a={"recused": LEFT}), A, "r", MANAGER, NOW) == {}
    secret, voted = resolution(ballots="secret"), voters(a={"ballot": cast_by("a", None)})
    assert refusal(voting_rules.recused, secret, voted, A, "r", MANAGER, NOW) == conflict("ALREADY_VOTED")
    assert voting_rules.recused(secret, voters(a={"recused": LEFT, "ballot": cast_by("a", None)}), A, "r", A, NOW) == {}


def test_once_there_are_secret_ballots_voters_are_recused_by_themselves_alone() -> None:
    secret, voted = resolution(ballots="secret"), voters(a={"ballot": cast_by("a", None)})
    assert refusal(voting_rules.recused, secret, voted, B, "r", MANAGER, NOW) == conflict("BALLOTS_CAST")
    assert voting_rules.recused(secret, voted, B, "r", B, NOW).keys() == {B}
    assert voting_rules.recused(secret, voters(), B, "r", MANAGER, NOW).keys() == {B}
    assert voting_rules.recused(OPEN, voters(a={"ballot": cast_by("a")}), B, "r", MANAGER, NOW).keys() == {B}


@pytest.mark.parametrize(
    ("old_by", "by", "reason", "replaces"),
    [
        (A, MANAGER, "r", True),  # who recused themselves and is recused by a manager cannot undo it
        (A, A, "another", True),
        (MANAGER, C, "r", True),
        (MANAGER, A, "r", False),
        (MANAGER, MANAGER, "r", False),
        (None, MANAGER, "r", False),
    ],
)
def test_a_recusal_replaces_an_earlier_one_but_not_a_managers_by_the_voters(
    old_by: UserId | None, by: UserId, reason: str, replaces: bool
) -> None:
    before = voters(a={"recused": Recusal(reason="r", by_user_id=old_by, at=NOW)}, b={"proxy_user_id": "c"})
    after = {A: stored_voter("a", recused=Recusal(reason=reason, by_user_id=by, at=later(NOW)))} if replaces else {}
    assert voting_rules.recused(OPEN, before, A, reason, by, later(NOW)) == after


@pytest.mark.parametrize(
    ("recused", "by", "is_manager", "may"),
    [
        (BY_MANAGER, MANAGER, False, True),
        (BY_MANAGER, A, False, False),
        (BY_MANAGER, A, True, True),
        (LEFT, A, False, False),
        (LEFT, A, True, True),
        (None, A, False, True),
    ],
)
def test_a_recusal_is_undone_by_who_made_it_or_a_manager(
    recused: Recusal | None, by: UserId, is_manager: bool, may: bool
) -> None:
    voter = stored_voter("a", recused=recused)
    if may:
        voting_rules.check_may_undo(voter, by, is_manager=is_manager)
    else:
        assert refusal(voting_rules.check_may_undo, voter, by, is_manager=is_manager)[0] == 403


def test_a_recusal_is_undone_unless_the_voter_left() -> None:
    assert voting_rules.not_recused(stored_voter("a", recused=BY_MANAGER)) == stored_voter("a")
    assert refusal(voting_rules.not_recused, stored_voter("a", recused=LEFT)) == conflict("RECUSED")


def test_what_a_user_wrote_with_ballots_goes_with_them_and_nothing_else() -> None:
    theirs = {"ballot": cast_by("b", comment="b wrote")}
    others = {"ballot": cast_by("c", comment="c wrote")}
    group = VoterGroup(resolution_id="r", voters=tuple(voters(a=theirs, b=theirs, c=others).values()), version=7)
    left = voting_rules.without_comments(group, {B})
    bare = {"ballot": cast_by("b")}
    assert left.voters == tuple(voters(a=bare, b=bare, c=others).values())
    assert left.version == 8
    assert voting_rules.without_comments(left, {B}) is left
    assert voting_rules.without_comments(left, {A, D}) is left
