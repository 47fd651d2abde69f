"""The rows of a bet."""

from __future__ import annotations

from governance.store.reports import bets
from governance.store.schema.keys import key_of
from governance.store.writes import Delete, Put
from tests.store.stored_items import BET, NOW, USER


def test_a_bet_ends_with_its_reminders() -> None:
    bet = BET.model_copy(update={"owner_user_id": USER})
    created = {key_of(write.item) for write in bets.create(bet) if isinstance(write, Put)}
    assert len(created) > 1
    assert {write.key for write in bets.delete(bet, NOW) if isinstance(write, Delete)} == created
