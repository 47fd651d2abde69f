"""Audit entries and events: each once, in the order of time, wherever it is stored, and what is emptied of one."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from governance.instants import Instant, shift
from governance.models.history.audit import AuditAction, AuditEntry
from governance.store.history import audit, events
from governance.store.schema.keys import key_of, position
from governance.store.table import read_one
from governance.store.transactions import transact
from governance.store.writes import Put, in_reserve
from tests.store import stored_items
from tests.store.stored_items import COMMITTEE, NOW, board
from tests.store.written_elsewhere import audit_entry

pytestmark = pytest.mark.usefixtures("store")


def entry(number: int, at: Instant = NOW, action: AuditAction = "memberDelete") -> AuditEntry:
    stamps = {"id": f"{number:024x}", "created_at": at, "updated_at": at}
    return audit_entry(action).model_copy(update=stamps)


def positions(entries: Sequence[AuditEntry]) -> list[str]:
    return [position(kept.created_at, kept.id) for kept in entries]


def read(now: Instant = NOW, after: str | None = None, limit: int | None = None) -> list[str]:
    return [kept.position for chunk in audit.iter_chunks(board(), now, after, limit) for kept in chunk]


@pytest.mark.parametrize("limit", [None, 1, 2])
def test_the_log_reads_on_behind_each_of_the_entries_that_share_an_item(limit: int | None) -> None:
    entries = [entry(number) for number in range(3)]
    transact(audit.put_together(entries))
    expected = positions(entries)
    assert read(limit=limit) == expected
    for number, after in enumerate(expected):
        assert read(after=after, limit=limit) == expected[number + 1 :]


@pytest.mark.parametrize("limit", [None, 1, 2, 3, 6, 7])
def test_the_log_has_every_entry_of_the_reserve_once(limit: int | None) -> None:
    entries = [entry(number, shift(NOW, minutes=number)) for number in range(7)]
    for kept in entries:
        reserved = in_reserve(audit.put(kept, is_protecting=True))
        assert reserved is not None
        transact([reserved])
    assert read(shift(NOW, hours=1), limit=limit) == positions(entries)


def test_only_what_protects_is_written_to_the_reserve() -> None:
    for write, is_reserved in (
        (audit.put(entry(1), is_protecting=True), True),
        (audit.put(entry(1)), False),
        (*audit.put_together([entry(1), entry(2)], is_protecting=True), True),
    ):
        assert isinstance(write, Put)
        assert (in_reserve(write) is not None) == is_reserved


def test_the_log_has_the_entry_of_a_function_whose_clock_is_ahead_and_in_the_next_month() -> None:
    now, ahead = Instant("2027-03-31T23:58:00.000Z"), Instant("2027-04-01T00:02:00.000Z")
    transact([audit.put(entry(1, ahead))])
    assert read(now) == positions([entry(1, ahead)])


def test_all_named_members_of_an_event_are_emptied_and_no_others() -> None:
    data, details = {"email": "a", "name": "b", "kept": "c"}, {"to": "d", "from": "e"}
    made = stored_items.event().model_copy(update={"delivery_data": data, "details": details})
    put = events.put(made)
    assert isinstance(put, Put)
    key = key_of(put.item)
    transact([put])
    transact([events.redact(key, ["email", "name"], ["to", "from"])])
    row = read_one(key)
    assert row is not None
    assert row["deliveryData"] == {"email": "", "name": "", "kept": "c"}
    assert row["details"] == {"to": None, "from": None}


def test_only_an_event_of_the_whole_board_that_protects_it_has_a_reserve() -> None:
    whole, of_committee = stored_items.event(), stored_items.event(committee_id=COMMITTEE)
    writes = [events.put(whole, is_protecting=True), events.put(of_committee, is_protecting=True), events.put(whole)]
    assert [isinstance(write, Put) and write.reserve is not None for write in writes] == [True, False, False]
