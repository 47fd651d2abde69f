"""The rules of bets."""

from __future__ import annotations

import json

from governance.domain.reports import bet as bet_rules
from governance.ids import BoardId, UserId
from governance.instants import Instant, shift
from governance.models.reports.bet import BetCreate, BetPatch, StoredBet

NOW = Instant("2027-01-01T00:00:00.000Z")
LATER = shift(NOW, days=1)
BOARD, ANN, BEN = BoardId("b" * 24), UserId("a" * 24), UserId("e" * 24)


def a_bet(owner: str | None = ANN, **members: object) -> StoredBet:
    body = BetCreate.model_validate({"title": "T", "dueOn": "2027-03-31", "ownerUserId": owner, **members})
    return bet_rules.created(BOARD, body, NOW)


def patched(bet: StoredBet, **members: object) -> StoredBet:
    return bet_rules.patched(bet, BetPatch.model_validate(members), LATER)


def test_a_new_bet_is_open_and_owned_from_its_creation_on() -> None:
    bet = a_bet()
    assert (bet.status, bet.owned_since, bet.created_at, bet.version) == ("open", NOW, NOW, 1)
    assert a_bet(None).owned_since is None


def test_a_change_moves_the_version_and_the_same_values_change_nothing() -> None:
    bet = a_bet(target={"atLeast": 1.5})
    assert patched(bet, title="T", target={"atLeast": 1.5}) is bet
    changed = patched(bet, status="won")
    assert (changed.status, changed.version, changed.updated_at, changed.owned_since) == ("won", 2, LATER, NOW)


def test_a_new_owner_owns_from_then_on_and_nobody_since_never() -> None:
    assert patched(a_bet(), ownerUserId=BEN).owned_since == LATER
    assert patched(a_bet(), ownerUserId=None).owned_since is None


def test_a_target_keeps_its_number_as_it_was_written() -> None:
    for number in (0, -1, 1.0, 0.1, 10**15):
        target = bet_rules.to_resource(a_bet(target={"atMost": number}), None).target
        assert target is not None
        assert json.dumps(target.at_most) == json.dumps(number)
        assert target.at_least is None


def test_who_leaves_loses_the_bets_given_before_and_no_others() -> None:
    bet = a_bet()
    released = bet_rules.without_owner(bet, ANN, NOW, LATER)
    assert released is not None
    assert (released.owner_user_id, released.owned_since, released.version) == (None, None, 2)
    assert bet_rules.without_owner(bet, BEN, LATER, LATER) is None
    given_anew = patched(patched(bet, ownerUserId=None), ownerUserId=ANN)
    assert bet_rules.without_owner(given_anew, ANN, NOW, LATER) is None
