"""A row of every kind, made of the samples of what is written."""

from __future__ import annotations

from governance.store.schema.keys import TTL, Item, Key, key_of
from governance.store.writes import Check, Delete, Put, Update, Write
from tests.store.written_elsewhere import ELSEWHERE
from tests.store.written_on_boards import ON_BOARDS

SAMPLES = {**ON_BOARDS, **ELSEWHERE}
OUTLIVES_BOARD = {key for sample in SAMPLES.values() for key in sample.outlives_board}
OUTLIVES_USER = {key for sample in SAMPLES.values() for key in sample.outlives_user}
"""The keys, as `samples.spelled`, of the rows that are said to stay."""


def whole_rows() -> dict[Key, Item]:
    """Returns what the samples write whole; where two kinds of writes make the same row, the first."""
    return {key_of(write.item): write.item for write in reversed(_writes()) if isinstance(write, Put)}


def all_rows() -> dict[Key, Item]:
    """Returns these rows, and those that the samples only change or delete, with their keys and their expiry alone."""
    changed = [write for write in _writes() if not isinstance(write, Put)]
    return {write.key: _key_and_expiry(write) for write in changed} | whole_rows()


def _writes() -> list[Write]:
    return [write for sample in SAMPLES.values() for write in sample.make()]


def _key_and_expiry(write: Update | Delete | Check) -> Item:
    expiry = write.values.get(":ttl") if isinstance(write, Update) else None
    return {**write.key.attributes, **({TTL: expiry} if expiry else {})}
