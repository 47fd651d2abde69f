"""Bugs in purges, and in what is left to do with the boards of a purged owner."""

from __future__ import annotations

from governance.store import purges
from governance.usecases.account import provisioning
from governance.usecases.operator import purge
from infra.operator import address_removal
from tests.seeded_bugs.bug import Bug

_PURGE = "tests/operator/test_purge.py"
_PROGRESS = "tests/operator/test_purge_progress.py"

BUGS = (
    Bug(
        "a purge leaves the votes that the user cast as a guest",
        address_removal._is_wanted,
        'item.get("email") in wanted.addresses',
        'item.get("email") in ()',
        f"{_PURGE}::test_nothing_in_the_table_names_a_purged_user",
    ),
    Bug(
        "two purges of one user run side by side",
        purges.advance,
        "Put(item, equals(version=progress.version), fail_with(_already_running))",
        "Put(item)",
        f"{_PROGRESS}::test_two_purges_of_one_user_do_not_run_side_by_side",
    ),
    Bug(
        "a session brings a purged user's address back",
        provisioning.provision,
        "is_current = not known.purged and claims.issued_at >= known.claims_issued_at",
        "is_current = claims.issued_at >= known.claims_issued_at",
        f"{_PURGE}::test_a_session_brings_no_address_back_while_a_purge_is_interrupted",
    ),
    Bug(
        "queue: a purge does not look again at what the user owns",
        purge._close,
        "        check_owns_none(show_user(user.id)[1])\n",
        "        pass\n",
        "tests/usecases/test_purge.py::test_who_becomes_an_owner_while_the_account_is_closed_is_not_purged_and_it_is_open_again",
    ),
    Bug(
        "an interrupted purge counts as finished",
        purge._begin,
        "return purges.find(user_id)",
        "return None",
        _PROGRESS,
    ),
    Bug(
        "a purge leaves the address in events",
        address_removal._redaction,
        "if delivery_data or details else None",
        "if False else None",
        _PURGE,
    ),
    Bug(
        "a purge leaves recorded answers with the address",
        address_removal._is_wanted,
        "any(text in answer for text in wanted.texts)",
        "False",
        _PURGE,
    ),
)
