"""Logs what was recorded before there was a log, or by a release without one: a part of `boardctl migrate`."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

import click

from governance.ids import BoardId, is_id
from governance.log.tiles import tiles_of, unpack_entries
from governance.queue import sending
from governance.sealing.message import leaf_message
from governance.settings import settings
from governance.store.boards import boards
from governance.store.history import leaves, log_files
from governance.store.history.leaves import Mark
from governance.store.schema.keys import PK, Item, key_of
from infra.operator.log import logged_rows, time_of


def log_older(*, dry_run: bool) -> int:
    """Asks for every row to be sealed that has an entry without a place in the log, the oldest first.

    An entry that the log holds already, because the table was restored, gets its first place back. Returns the number
    of rows.
    """
    rows = [row for row in logged_rows() if any(leaf.index is None for leaf in leaves.leaves_of(row))]
    if rows and not dry_run:
        if not settings().leaves_queue_url:
            raise click.ClickException("Entries are not logged. Set LEAVES_QUEUE_URL to the output LeavesQueueUrl.")
        _mark_known(rows)
        sending.send(leaf_message(key_of(row)) for row in sorted(rows, key=time_of))
    return len(rows)


def end_salts_of_deleted_boards(*, dry_run: bool) -> int:
    """Ends the salts that earlier releases left of boards they deleted; returns the number of rows."""
    is_gone = cache(lambda board_id: is_id(board_id) and boards.find(board_id) is None)
    rows = [row for row in logged_rows() if leaves.may_be_opened(row) and is_gone(_board_id_of(row))]
    if not dry_run:
        leaves.end_salts(rows)
    return len(rows)


def _board_id_of(row: Item) -> BoardId:
    """Returns the id of the board that an audit entry is of."""
    return BoardId(row[PK].split("#")[1])


def _mark_known(rows: Iterable[Item]) -> None:
    """Gives entries that are in the log their places."""
    places: dict[bytes, int] = {}
    published = log_files.published()
    bundles = [tile for tile in tiles_of(published.checkpoint.size if published else 0) if tile.level is None]
    logged = (entry for tile in bundles for entry in unpack_entries(log_files.read_tiles([tile])[tile]))
    for place, entry in enumerate(logged):
        places.setdefault(entry, place)
    for row in rows:
        known = [
            (position, places[leaf.entry])
            for position, leaf in enumerate(leaves.leaves_of(row))
            if leaf.index is None and leaf.salt and leaf.entry in places
        ]
        if known:
            leaves.mark([Mark(key_of(row), leaves.TOGETHER in row, tuple(known))])
