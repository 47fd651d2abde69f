"""Entries that are stored together are paged through one by one (ADR 0092)."""

from __future__ import annotations

from itertools import chain

from governance.instants import shift
from governance.store import audit
from governance.store.transactions import transact
from tests.store.expected_other_keys import audit_entry
from tests.store.stored_items import NOW, board

ENTRIES = [audit_entry("meetingCreate").model_copy(update={"id": f"{number:024x}"}) for number in range(60)]


def positions(after: str | None) -> list[str]:
    chunks = audit.iter_chunks(board(), shift(NOW, minutes=1), after, 100)
    return [entry.position for entry in chain.from_iterable(chunks)]


def test_behind_each_entry_are_all_later_ones_and_no_other(store: str) -> None:
    del store
    transact(audit.put_together(ENTRIES))
    found = positions(None)
    assert len(found) == len(set(found)) == len(ENTRIES)
    assert found == sorted(found)
    for number, position in enumerate(found):
        assert positions(position) == found[number + 1 :]
