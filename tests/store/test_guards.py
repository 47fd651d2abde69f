"""Guards: a write lands only while what it is under has the state in which it was read."""

from __future__ import annotations

import pytest

from governance.errors import ApiError, Code, not_found
from governance.instants import epoch, now, shift
from governance.store.guards import Guards
from governance.store.schema.entities import guard_key
from governance.store.schema.keys import Key
from governance.store.table import read
from governance.store.transactions import transact
from governance.store.writes import StaleRead, Write, fail_with, key_of_write

pytestmark = pytest.mark.usefixtures("store")
ROWS = 3
GUARDS = Guards("0" * 24, ROWS)
KEYS = [guard_key(GUARDS.subject_id, row) for row in range(ROWS)]


def checked_keys(state: str = "") -> set[Key]:
    """The rows of many checks, each of which holds one."""
    return {key_of_write(GUARDS.check(state)) for _ in range(200)}


def passes(check: Write) -> bool:
    try:
        transact([check])
    except StaleRead:
        return False
    return True


def test_each_check_holds_one_row_and_all_rows_share_the_checks() -> None:
    assert checked_keys() == {*KEYS}


def test_without_a_change_every_check_passes() -> None:
    assert passes(GUARDS.check())
    assert passes(GUARDS.check("in_progress"))  # the rows of the change may have expired since it was read


def test_after_a_change_only_checks_for_its_state_pass_in_whichever_row() -> None:
    transact(GUARDS.change("in_progress", now()))
    assert not any(passes(GUARDS.check()) for _ in range(10))
    assert all(passes(GUARDS.check("in_progress")) for _ in range(10))
    transact(GUARDS.change("", now()))
    assert all(passes(GUARDS.check()) for _ in range(10))


@pytest.mark.parametrize("state", ["", "in_progress"])
def test_after_a_deletion_no_check_passes_and_each_raises_its_own_error(state: str) -> None:
    transact(GUARDS.close(now()))
    assert not any(passes(GUARDS.check(state)) for _ in range(10))
    with pytest.raises(ApiError) as refusal:
        transact([GUARDS.check(state, fail_with(not_found))])
    assert refusal.value.code is Code.RESOURCE_NOT_FOUND


def test_a_change_writes_every_row_for_a_day() -> None:
    changed_at = now()
    transact(GUARDS.change("in_progress", changed_at))
    rows = read(KEYS)
    assert {*rows} == {*KEYS}
    assert {row["ttl"] for row in rows.values()} == {epoch(shift(changed_at, days=1))}
