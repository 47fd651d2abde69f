"""The rows of the invites that a user sent, and what is found behind them."""

from __future__ import annotations

import pytest

from governance.models.account.user import StoredUser
from governance.store.account import users
from governance.store.boards import boards
from governance.store.invites import invites, sent_invites
from governance.store.transactions import transact
from tests.store.stored_items import INVITE, STAMPS, USER, board


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


@pytest.mark.usefixtures("store")
def test_what_is_behind_a_row_is_each_read_as_what_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    sender, sent_to = StoredUser(id=USER, email="ann@example.com", **STAMPS), board()
    transact([invites.add_to_sent_list(INVITE, USER), boards.create(sent_to), *users.create(sender)])
    transact(invites.create(INVITE))
    capsys.readouterr()
    found = sent_invites.invites_behind(USER, sent_invites.list_of_sender(USER))
    assert (found.invites, found.boards, found.inviters) == ([INVITE], {sent_to.id: sent_to}, {USER: sender})
    assert capsys.readouterr().out == "", "nothing is unreadable"
