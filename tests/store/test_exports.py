"""Exports as they are stored: the marker of the one that runs, and how long they are listed."""

from __future__ import annotations

import pytest

from governance.domain.export import ended, requested, running
from governance.errors import ApiError
from governance.ids import new_id, time_ordered_id
from governance.instants import Instant, millis, shift
from governance.limits import EXPORT_DAYS, EXPORT_HOURS
from governance.models.export import StoredExport
from governance.store.exports import exports
from governance.store.schema.entities import EXPORT_RUNNING
from governance.store.table import read_one
from governance.store.transactions import transact
from governance.store.writes import StaleRead
from tests.store.stored_items import BOARD, NOW, USER

LATE = shift(NOW, hours=EXPORT_HOURS)


def begin(at: Instant = NOW) -> StoredExport:
    """Stores a new export of the board and returns it."""
    export = requested(USER, BOARD, at)
    transact(exports.create(export))
    return export


def end(export: StoredExport) -> None:
    transact(exports.end(export, ended(export, 1)))


@pytest.mark.usefixtures("store")
def test_an_export_that_ends_lets_the_next_one_begin() -> None:
    first = begin()
    item = read_one(EXPORT_RUNNING.key_for(exportedId=BOARD))
    assert exports.running_from_item(item) == running(first)
    assert exports.running_from_item(None) is None
    with pytest.raises(ApiError):
        begin()
    end(first)
    begin()


@pytest.mark.usefixtures("store")
def test_an_export_that_ends_late_does_not_end_the_next_one() -> None:
    first = begin()
    second = begin(LATE)
    end(first)
    assert exports.running_from_item(read_one(EXPORT_RUNNING.key_for(exportedId=BOARD))) == running(second)
    with pytest.raises(ApiError):
        begin(LATE)


@pytest.mark.usefixtures("store")
def test_an_export_whose_marker_became_that_of_another_meanwhile_is_not_ended() -> None:
    first = begin()
    writes = exports.end(first, ended(first, 1))
    begin(LATE)
    with pytest.raises(StaleRead):
        transact(writes)


@pytest.mark.usefixtures("store")
def test_an_export_without_its_marker_ends() -> None:
    first = begin()
    transact(exports.end(first, first)[1:])
    end(first)
    found = exports.get(BOARD, USER, first.id)
    assert found is not None
    assert found.status == "ready"
    assert exports.get(BOARD, USER, new_id()) is None


def test_exports_are_listed_for_a_week() -> None:
    bound, kept = exports.oldest_kept(NOW), millis(shift(NOW, days=-EXPORT_DAYS))
    assert time_ordered_id(kept - 1) < bound <= time_ordered_id(kept, "0" * 12)
