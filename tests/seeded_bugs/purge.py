"""Bugs in purges, and in what is left to do with the boards of a purged owner."""

from __future__ import annotations

from governance.store import purges, users
from governance.usecases import members, provisioning, purge
from infra.operator import address_removal
from tests.seeded_bugs.bug import Bug

_PURGE = "tests/operator/test_purge.py"

BUGS = (
    Bug(
        "a board whose owner's account is closed cannot be transferred",
        members.move_ownership,
        "users.check_active(new.user_id)",
        "users.check_active(old.user_id)",
        "tests/operator/test_boardctl.py::test_the_operator_gives_the_board_of_a_purged_owner_to_an_active_member",
    ),
    Bug(
        "a purge leaves the votes that the user cast as a guest",
        address_removal._remove,
        'item.get("email") in addresses:',
        'item.get("email") in ():',
        f"{_PURGE}::test_nothing_in_the_table_names_a_purged_user",
    ),
    Bug(
        "a purge leaves closed invites to the address",
        address_removal._remove,
        '{("BOARD", "INVITE"), ("BOARD", "PENDING_INVITE")}',
        '{("BOARD", "PENDING_INVITE")}',
        f"{_PURGE}::test_nothing_in_the_table_names_a_purged_user",
    ),
    Bug(
        "a purge leaves pending invites to the address",
        address_removal._remove,
        '{("BOARD", "INVITE"), ("BOARD", "PENDING_INVITE")}',
        '{("BOARD", "INVITE")}',
        f"{_PURGE}::test_nothing_in_the_table_names_a_purged_user",
    ),
    Bug(
        "the search of a purge stores its progress at the end only",
        address_removal.remove,
        "        transact([step])\n",
        "        if progress.searched:\n            transact([step])\n",
        f"{_PURGE}::test_a_search_goes_on_with_the_page_that_it_was_at",
    ),
    Bug(
        "two purges of one user run side by side",
        purges.advance,
        "Put(item, equals(version=progress.version), fail_with(_already_running))",
        "Put(item)",
        f"{_PURGE}::test_two_purges_of_one_user_do_not_run_side_by_side",
    ),
    Bug(
        "a session brings a purged user's address back",
        provisioning.provision,
        "is_current = not known.purged and claims.issued_at >= known.claims_issued_at",
        "is_current = claims.issued_at >= known.claims_issued_at",
        f"{_PURGE}::test_a_session_brings_no_address_back_while_a_purge_is_interrupted",
    ),
    Bug(
        "a purge leaves the links of invites to the address",
        address_removal._delete_invite,
        "board.invite_code if board else None",
        "None",
        f"{_PURGE}::test_nothing_in_the_table_names_a_purged_user",
    ),
    Bug(
        "queue: a purge does not look again at what the user owns",
        purge._close,
        "        check_owns_none(show_user(user.id)[1])\n",
        "        pass\n",
        "tests/operator/test_purge.py::test_a_user_who_becomes_an_owner_meanwhile_is_not_purged",
    ),
    Bug(
        "a changed address is not kept for a purge",
        users.replace,
        "_put_email(new), _put_former_email(old)]",
        "_put_email(new)]",
        _PURGE,
    ),
    Bug(
        "a purge removes an address that another user has",
        purge.addresses_to_remove,
        " if not users.user_ids_by_email(address))",
        ")",
        _PURGE,
    ),
    Bug(
        "an interrupted purge counts as finished",
        purge._begin,
        "return purges.find(user_id)",
        "return None",
        _PURGE,
    ),
    Bug(
        "a repeated purge records a board again",
        purge.record,
        "if board.id > progress.recorded_to]",
        "]",
        _PURGE,
    ),
    Bug(
        "a purge records boards and its progress one after the other",
        purge.record,
        "transact([step, *(write for board in chunk for write in _entries(progress.user_id, board))])",
        "transact([write for board in chunk for write in _entries(progress.user_id, board)])\n        transact([step])",
        _PURGE,
    ),
    Bug(
        "a purge leaves the messages of the user's invites",
        purge._forget_message,
        "invite.inviter_id == user_id and",
        "invite.inviter_id != user_id and",
        _PURGE,
    ),
    Bug(
        "a purge leaves the address in events",
        address_removal._redact_event,
        "if data or details:",
        "if False:",
        _PURGE,
    ),
    Bug(
        "a purge leaves recorded answers with the address",
        address_removal._delete_answer,
        "if any(text in answer for text in texts):",
        "if False:",
        _PURGE,
    ),
)
