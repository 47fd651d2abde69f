"""Invites as they are stored: their count, the rows outside their board, and what is left of a deleted message."""

from __future__ import annotations

import pytest

from governance.ids import UserId
from governance.instants import shift
from governance.models.account.user import StoredUser
from governance.models.invite import StoredInvite
from governance.store.invites import invites
from governance.store.invites.invites import InviteChange
from governance.store.schema.entities import (
    BOARD,
    INVITE_LOCATION,
    INVITE_SENT,
    PENDING_INVITE_COUNT,
    USER,
    sent_invite_key,
)
from governance.store.schema.keys import make_item
from governance.store.schema.lookups import invite_link_key, received_invite_key
from governance.store.table import read_one
from governance.store.transactions import transact
from tests.harness import logs
from tests.store import stored_items
from tests.store.stored_items import CODE, INVITE, MAIL, NOW

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


@pytest.mark.usefixtures("store")
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
    with_code, without = (stored_items.keys_of(invites.close(INVITE, closed, code)) for code in (CODE, None))
    link = invite_link_key(CODE, "x")
    assert set(with_code) ^ set(without) == {(link.pk, link.sk)}


def test_only_users_are_taken_from_what_was_read(capfd: pytest.CaptureFixture[str]) -> None:
    user = StoredUser.model_validate({"id": BEN, "email": "ben@example.com", **stored_items.STAMPS})
    rows = [(USER.key_for(userId=BEN), user), (BOARD.key_for(boardId=ON), stored_items.board())]
    assert invites.users_in({key: make_item(key, row.item()) for key, row in rows}) == {BEN: user}
    assert logs.lines(capfd.readouterr().out) == []
