"""Invites as they are stored: their count, their rows outside the board, and what links and codes lead to."""

from __future__ import annotations

import pytest

from governance.ids import UserId, new_id
from governance.instants import shift
from governance.models.account.user import StoredUser
from governance.models.invites.invite import StoredInvite
from governance.store.account import users
from governance.store.boards import boards
from governance.store.invites import invite_links, invites, received_invites, sent_invites
from governance.store.invites.invite_links import LinkTarget
from governance.store.invites.invites import InviteChange
from governance.store.paging import Window
from governance.store.schema.entities import (
    BOARD,
    INVITE_LOCATION,
    INVITE_SENT,
    PENDING_INVITE_COUNT,
    pending_invite_key,
    sent_invite_key,
)
from governance.store.schema.entities import USER as USER_KIND
from governance.store.schema.keys import make_item
from governance.store.schema.lookups import board_code_key, invite_link_key, received_invite_key
from governance.store.table import read_one
from governance.store.transactions import transact
from governance.store.writes import Delete, Put, key_of_write
from tests.harness import logs
from tests.harness.store_calls import InlinePool, count_store_calls
from tests.store import stored_items
from tests.store.stored_items import CODE, INVITE, MAIL, NOW, STAMPS, USER, board

pytestmark = pytest.mark.usefixtures("store")
ON = stored_items.BOARD
BEN = UserId("8" * 24)
LATER = shift(NOW, hours=1)
SECOND = INVITE.model_copy(update={"id": "2" * 24, "invitee_email": "ben@example.com", "created_at": LATER})


def newer(invite: StoredInvite, status: str = "pending") -> StoredInvite:
    return invite.model_copy(update={"status": status, "version": invite.version + 1})


@pytest.fixture
def two(store: str) -> None:  # noqa: ARG001 - requested for its effect
    """A board has two pending invites."""
    for invite in (INVITE, SECOND):
        transact(invites.create(invite))


def counted() -> int:
    return invites.pending_counts([ON])[ON]


@pytest.mark.usefixtures("two")
def test_the_count_follows_what_is_deleted_closed_and_kept_pending() -> None:
    assert counted() == 2
    transact(invites.end([InviteChange(INVITE, newer(INVITE))], CODE))
    assert counted() == 2
    transact(invites.end([InviteChange(newer(INVITE), newer(newer(INVITE), "declined"))], CODE))
    assert counted() == 1
    transact(invites.delete(SECOND))
    assert counted() == 0


@pytest.mark.usefixtures("two")
def test_all_pending_invites_are_read_newest_first() -> None:
    counter = read_one(PENDING_INVITE_COUNT.key_for(boardId=ON))
    assert invites.read_pending(ON, counter).invites == [SECOND, INVITE]
    assert invites.read_pending(ON, None).invites == []


def test_the_deletion_of_a_message_makes_a_new_version_of_the_invite() -> None:
    invite = INVITE.model_copy(update={"message": "Welcome"})
    transact(invites.create(invite))
    transact([invites.delete_message(invite)])
    kept = invites.find_pending({}, ON, MAIL)
    assert kept == invite.model_copy(update={"message": None, "version": invite.version + 1})


def test_the_rows_outside_the_board_are_those_of_every_sender_the_address_and_the_link() -> None:
    invite = INVITE.model_copy(update={"also_invited_by": (BEN,)})
    always = {
        INVITE_LOCATION.key_for(inviteId=invite.id),
        INVITE_SENT.key_for(inviteId=invite.id),
        *(sent_invite_key(sender, NOW, invite.id) for sender in (stored_items.USER, BEN)),
    }
    pending = always | {received_invite_key(MAIL, NOW, invite.id)}
    link = invite_link_key(CODE, "x")
    without_link = invite.model_copy(update={"link": None})
    assert set(invites.keys_outside_board(invite, CODE)) == pending | {link}
    assert set(invites.keys_outside_board(invite, None)) == pending
    assert set(invites.keys_outside_board(without_link, CODE)) == pending
    assert set(invites.keys_outside_board(newer(invite, "declined"), CODE)) == always | {link}


def test_an_invite_is_closed_on_a_board_without_a_code() -> None:
    closed = newer(INVITE, "declined")
    with_code, without = ({*map(key_of_write, invites.close(INVITE, closed, code))} for code in (CODE, None))
    assert with_code ^ without == {invite_link_key(CODE, "x")}


def test_only_users_are_taken_from_what_was_read(capfd: pytest.CaptureFixture[str]) -> None:
    user = StoredUser.model_validate({"id": BEN, "email": "ben@example.com", **stored_items.STAMPS})
    rows = [(USER_KIND.key_for(userId=BEN), user), (BOARD.key_for(boardId=ON), stored_items.board())]
    assert invites.users_in({key: make_item(key, row.item()) for key, row in rows}) == {BEN: user}
    assert logs.lines(capfd.readouterr().out) == []


def listed() -> list[str]:
    """Returns the ids of the invites that the address sees."""
    page, _ = received_invites.page_of_address(MAIL, Window(10, descending=True))
    return [entry.invite.id for entry in page]


def test_a_row_shows_the_invite_that_it_names_and_no_other() -> None:
    board = stored_items.board()
    transact([Put(make_item(BOARD.key_for(boardId=board.id), board.item())), *invites.create(INVITE)])
    assert listed() == [INVITE.id]
    transact([Delete(pending_invite_key(board.id, MAIL))])
    assert listed() == []
    transact(invites.create(INVITE.model_copy(update={"id": "2" * 24})))
    assert listed() == ["2" * 24]


def test_an_invite_that_was_made_anew_is_not_behind_the_row_of_the_former_one() -> None:
    transact([invites.add_to_sent_list(INVITE, USER)])
    [row] = sent_invites.list_of_sender(USER)
    assert sent_invites.find_invite(row) is None
    transact(invites.create(INVITE))
    assert sent_invites.find_invite(row) == INVITE
    transact(invites.delete(INVITE))
    transact(invites.create(INVITE.model_copy(update={"id": "2" * 24})))
    assert sent_invites.find_invite(row) is None


def test_what_is_behind_a_row_is_each_read_as_what_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    sender, sent_to = StoredUser(id=USER, email="ann@example.com", **STAMPS), board()
    transact([invites.add_to_sent_list(INVITE, USER), boards.create(sent_to), *users.create(sender)])
    transact(invites.create(INVITE))
    capsys.readouterr()
    behind = sent_invites.invites_behind(USER, sent_invites.list_of_sender(USER))
    assert (behind.invites, behind.boards, behind.inviters) == ([INVITE], {sent_to.id: sent_to}, {USER: sender})
    assert capsys.readouterr().out == "", "nothing is unreadable"


def test_a_link_leads_to_its_invite_while_its_board_exists() -> None:
    row = {"boardId": stored_items.BOARD, "inviterId": USER, "inviteId": "1" * 24}
    assert invite_links.read_target(None) is None
    assert invite_links.read_target(row) is None
    board = stored_items.board(CODE)
    transact([Put(make_item(BOARD.key_for(boardId=board.id), board.item()))])
    assert invite_links.read_target(row) == LinkTarget("1" * 24, board, None)
    assert invite_links.read_target({**row, "boardId": new_id()}) is None
    assert invite_links.read_target(None) is None


def test_a_code_gives_the_id_of_its_board_alone(pool: InlinePool) -> None:
    transact([Put(make_item(board_code_key(CODE), {"boardId": stored_items.BOARD, "name": "B"}))])
    assert invite_links.board_of_code(CODE.upper()) == {"boardId": stored_items.BOARD}
    with count_store_calls(pool) as calls:
        assert invite_links.board_of_code("x" * 5000) is None  # longer than any key
    assert (calls.sequential, calls.concurrent) == ([], [])


def test_all_malformed_links_lead_to_the_same_rows() -> None:
    assert invite_links.link_keys("x" * 5000, "y") == invite_links.link_keys("a", "b" * 5000)
