"""Seals entries: gives each its place in the log, and publishes a checkpoint that holds them.

A batch is staged, then the lock moves under its condition, then the tiles are created, the rows get their indexes, and
the checkpoint is published. The lock decides: before it moves nothing has happened, and once it has moved, any sealer
that finds it ahead of the checkpoint finishes from the staged batch. So there are never two checkpoints of one size
that differ, whatever dies or runs twice.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from urllib.parse import urlsplit

from governance import telemetry
from governance.log.leaves import Leaf
from governance.log.merkle import EMPTY_ROOT
from governance.log.notes import Checkpoint, InvalidNoteError, open_checkpoint, sign_checkpoint
from governance.log.tiles import Edge, Tile, edge_tiles, read_edge
from governance.settings import settings
from governance.store.history import leaves, log_files, log_key, log_lock
from governance.store.history.leaves import Mark
from governance.store.history.log_files import Published, TileReplacedError
from governance.store.schema.keys import Item, Key, key_of
from governance.store.table import read
from governance.store.writes import StaleRead, retry_stale_reads
from governance.telemetry import Metric


class LogStoppedError(Exception):
    """The log cannot go on without its operator: what is published is not the past of what would follow."""


@dataclass(frozen=True)
class _Batch:
    """What makes up the next checkpoint: the tiles that it adds, and the rows that it logs."""

    tiles: Mapping[Tile, bytes]
    marks: Sequence[Mark]

    def to_json(self) -> bytes:
        tiles = [
            [tile.level, tile.number, tile.width, base64.b64encode(content).decode()]
            for tile, content in self.tiles.items()
        ]
        return json.dumps(
            {"tiles": tiles, "marks": [[*mark.key, mark.together, mark.indexes] for mark in self.marks]}
        ).encode()

    @classmethod
    def from_json(cls, content: bytes) -> _Batch:
        read_ = json.loads(content)
        tiles = {Tile(level, number, width): base64.b64decode(text) for level, number, width, text in read_["tiles"]}
        marks = [
            Mark(Key(pk, sk), together, tuple((at, index) for at, index in indexes))
            for pk, sk, together, indexes in read_["marks"]
        ]
        return cls(tiles, marks)


def start() -> Checkpoint:
    """Begins the log with an empty tree, under the name that the installation has now; returns where the log is.

    A batch that another sealer left unfinished is finished. Raises `LogStoppedError`.
    """
    return retry_stale_reads(lambda: _head()[0])


def seal(keys: Iterable[Key]) -> Checkpoint:
    """Logs the entries of rows that are not logged yet, and returns the checkpoint. Raises `LogStoppedError`."""
    wanted = list(dict.fromkeys(keys))
    return retry_stale_reads(lambda: _seal(wanted))


def _seal(keys: Sequence[Key]) -> Checkpoint:
    head, published = _head()
    rows = read(keys)
    new = [row for key in keys if (row := rows.get(key)) and any(leaf.index is None for leaf in leaves.leaves_of(row))]
    if not new:
        return head
    edge = _edge(head)
    batch = _batch(edge, [leaves.with_salts(row) for row in new])
    if edge.size == head.size:
        return head
    following = Checkpoint(head.origin, edge.size, edge.root)
    log_files.stage(following, batch.to_json())
    log_lock.move(head, following)
    _finish(following, batch, published)
    return following


def _batch(edge: Edge, rows: Iterable[Item]) -> _Batch:
    """Appends the rows' entries to the tree; returns what that adds. A log that follows another begins with its end."""
    marks: list[Mark] = []
    old = log_files.predecessor() if edge.size == 0 else None
    entries = [] if old is None else [hashlib.sha256(old).digest()]
    for row in rows:
        open_ = [(at, leaf) for at, leaf in enumerate(leaves.leaves_of(row)) if _is_open(leaf)]
        first = edge.size + len(entries)
        indexes = tuple((at, first + number) for number, (at, _) in enumerate(open_))
        marks.append(Mark(key_of(row), leaves.TOGETHER in row, indexes))
        entries += [leaf.entry for _, leaf in open_]
    return _Batch(edge.append(entries), marks)


def _is_open(leaf: Leaf) -> bool:
    """Returns whether an entry is to be logged; one without a salt is of a row that was deleted meanwhile."""
    return leaf.index is None and leaf.salt is not None


def _head() -> tuple[Checkpoint, Published]:
    """Returns the checkpoint that the lock holds, once it is published.

    Raises `StaleRead` after it has published one, `LogStoppedError` if the published one is not the lock's past.
    """
    head, published = log_lock.read(), _published()
    if head is None:
        if published is not None:
            raise _stopped("the log is published, but the table does not know it")
        head = Checkpoint(f"{urlsplit(settings().root_url).hostname}/log", 0, EMPTY_ROOT)
        log_lock.move(None, head)
    if published is not None and published.checkpoint == head:
        return head, published
    if published is not None and published.checkpoint.size >= head.size:
        raise _stopped("the published checkpoint is not behind the table")
    _finish(head, _staged(head), published)
    raise StaleRead


def _published() -> Published | None:
    """Returns the published checkpoint. Raises `LogStoppedError` if its file is damaged."""
    try:
        return log_files.published()
    except ValueError:
        raise _stopped("the published checkpoint is damaged") from None


def _staged(head: Checkpoint) -> _Batch:
    if head.size == 0:
        return _Batch({}, [])
    content = log_files.staged(head)
    if content is None:
        raise _stopped("the batch of the lock is not staged")
    try:
        return _Batch.from_json(content)
    except ValueError:
        raise _stopped("the staged batch of the lock is damaged") from None


def _edge(head: Checkpoint) -> Edge:
    """Returns the right edge of the published tree. Raises `LogStoppedError` if its tiles are not those of its root."""
    tiles = log_files.read_tiles(edge_tiles(head.size))
    with suppress(ValueError):  # a tile is cut short
        edge = read_edge(head.size, tiles.__getitem__)
        if edge.root == head.root:
            return edge
    raise _stopped("the tiles are not those of the checkpoint")


def _finish(checkpoint: Checkpoint, batch: _Batch, published: Published | None) -> None:
    """Does what follows from the lock. Each step may be repeated, by several sealers at once.

    Raises `StaleRead` if the published checkpoint has changed meanwhile, and `LogStoppedError`.
    """
    try:
        log_files.create(batch.tiles)
    except TileReplacedError as error:
        raise _stopped(f"the tile {error} has other bytes") from None
    leaves.mark(batch.marks)
    key = log_key.verifier_key(checkpoint.origin)
    if published is None:
        log_files.publish_key(key)
    if not log_files.publish(sign_checkpoint(checkpoint, key, log_key.sign), published):
        raise StaleRead


def _stopped(reason: str) -> LogStoppedError:
    telemetry.count(Metric.LOG_STOPPED)
    telemetry.logger().error("log stopped", reason=reason)
    return LogStoppedError(reason)


def resume() -> Checkpoint | None:
    """Takes up from the published checkpoint, whose entries the table has lost; returns it, None if there is none.

    Tiles beyond it are dropped, unless they are of the batch that the lock has decided on: the table has lost what they
    were made from. Raises `LogStoppedError` if it is not signed by our key, or its tiles are not those of its root.
    """
    created = log_files.created_tiles()  # before the lock is read: what is created later belongs to a later batch
    published = _published()
    if published is None:
        return None
    checkpoint = published.checkpoint
    try:
        open_checkpoint(published.signed.text, log_key.verifier_key(checkpoint.origin))
    except InvalidNoteError as error:
        raise _stopped(str(error)) from None
    _edge(checkpoint)
    head = log_lock.read()
    following = _staged(head).tiles if head is not None and head.size > checkpoint.size else {}
    log_files.drop(tile for tile in created if tile.end > checkpoint.size and not log_files.holds(tile, following))
    if head is None or head.size < checkpoint.size:
        log_lock.move(head, checkpoint)
    return checkpoint
