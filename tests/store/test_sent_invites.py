"""The rows of the invites that a user sent, and what is found behind them."""

from __future__ import annotations

import pytest

from governance.store import invites, sent_invites
from governance.store.transactions import transact
from tests.store.stored_items import INVITE, USER


@pytest.mark.usefixtures("store")
def test_an_invite_that_was_made_anew_is_not_behind_the_row_of_the_former_one() -> None:
    transact([invites.add_to_sent_list(INVITE, USER)])
    [row] = sent_invites.list_of_sender(USER)
    assert sent_invites.find_invite(row) is None
    transact(invites.create(INVITE))
    assert sent_invites.find_invite(row) == INVITE
    transact(invites.delete(INVITE))
    transact(invites.create(INVITE.model_copy(update={"id": "2" * 24})))
    assert sent_invites.find_invite(row) is None
