"""The files of the log in the bucket: what everybody reads, below `log/`, and batches that are about to follow.

A tile is created once and never replaced. The checkpoint is replaced only while it is the one that was read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any

from governance import aws
from governance.errors import unavailable
from governance.log.merkle import inclusion_proof
from governance.log.notes import Checkpoint, SignedCheckpoint, VerifierKey, parse_checkpoint, proof_text
from governance.log.tiles import Tile, parse_path, subtree_of, tiles_for_proof
from governance.settings import settings
from governance.store import objects
from governance.store.dynamodb import run_async

client = aws.s3
FOLDER = "log/"
_STAGED = "log-staged/"
_CHECKPOINT, _KEY, _PREDECESSOR = f"{FOLDER}checkpoint", f"{FOLDER}key", f"{FOLDER}predecessor"
_TEXT = "text/plain; charset=utf-8"
_FRESH, _IMMUTABLE = "max-age=5", "public, max-age=31536000, immutable"


class TileReplacedError(Exception):
    """A tile exists with other bytes: the log has a past that is not ours."""


@dataclass(frozen=True)
class Published:
    """The checkpoint that everybody reads, and the tag under which it is replaced."""

    signed: SignedCheckpoint
    tag: str

    @property
    def checkpoint(self) -> Checkpoint:
        """The checkpoint without its signatures."""
        return self.signed.checkpoint


def published() -> Published | None:
    """Returns the published checkpoint; None if the log has not begun. Raises 503 if it cannot be read."""
    file = _find(_CHECKPOINT)
    return None if file is None else Published(parse_checkpoint(file[0].decode()), file[1])


def publish(signed: SignedCheckpoint, old: Published | None) -> bool:
    """Publishes a checkpoint in place of the one that was read; returns False if that has changed meanwhile."""
    condition = {"IfNoneMatch": "*"} if old is None else {"IfMatch": old.tag}
    return _put(_CHECKPOINT, signed.text.encode(), ContentType=_TEXT, CacheControl=_FRESH, **condition)


def publish_key(key: VerifierKey) -> None:
    """Publishes the verifier key."""
    _put(_KEY, f"{key.text}\n".encode(), ContentType=_TEXT, CacheControl=_FRESH)


def published_key() -> str | None:
    """Returns the published verifier key; None if the log has not begun."""
    file = _find(_KEY)
    return None if file is None else file[0].decode()


def predecessor() -> bytes | None:
    """Returns the last checkpoint of the log that this one follows, because its key was given up; usually None."""
    file = _find(_PREDECESSOR)
    return None if file is None else file[0]


def create(tiles: Mapping[Tile, bytes]) -> None:
    """Creates tiles, at the same time. Raises `TileReplacedError` if one exists with other bytes."""
    for done in [run_async(partial(_create, tile, content)) for tile, content in tiles.items()]:
        done.result()


def _create(tile: Tile, content: bytes) -> None:
    key = FOLDER + tile.path
    created = _put(key, content, ContentType="application/octet-stream", CacheControl=_IMMUTABLE, IfNoneMatch="*")
    if created:
        return
    file = _find(key)
    if file is None:
        raise unavailable()  # another write of it has not ended
    if file[0] != content:
        raise TileReplacedError(tile.path)


def created_tiles() -> list[Tile]:
    """Returns all tiles that exist, also those that no published checkpoint has. Raises 503.

    Other objects among them are none of the log's: systems leave files of their own in folders.
    """
    tiles: list[Tile] = []
    for key in objects.keys(settings().bucket_name, f"{FOLDER}tile/"):
        with suppress(ValueError):
            tiles.append(parse_path(key.removeprefix(FOLDER)))
    return tiles


def holds(tile: Tile, wanted: Mapping[Tile, bytes]) -> bool:
    """Returns whether a tile that exists is wanted, and has these bytes. Raises 503."""
    return tile in wanted and _read_tile(tile) == wanted[tile]


def drop(tiles: Iterable[Tile]) -> None:
    """Deletes tiles that no published checkpoint has. Raises 503."""
    objects.delete(settings().bucket_name, [FOLDER + tile.path for tile in tiles])


def read_tiles(tiles: Iterable[Tile]) -> dict[Tile, bytes]:
    """Returns tiles, read at the same time. Raises 503 if one cannot be read."""
    started = {tile: run_async(partial(_read_tile, tile)) for tile in tiles}
    return {tile: reading.result() for tile, reading in started.items()}


def _read_tile(tile: Tile) -> bytes:
    file = _find(FOLDER + tile.path)
    if file is None:
        raise unavailable()
    return file[0]


def proof(index: int) -> str | None:
    """Returns the proof that an entry is in the published log; None if it is not, yet. Raises 503."""
    current = published()
    if current is None or index >= current.checkpoint.size:
        return None
    size = current.checkpoint.size
    tiles = read_tiles(tiles_for_proof(index, size))
    path = inclusion_proof(subtree_of(tiles.__getitem__, size), index, size)
    return proof_text(index, path, current.signed)


def stage(checkpoint: Checkpoint, content: bytes) -> None:
    """Keeps what makes up the log's next checkpoint, under a name that no other batch has."""
    _put(_staged_key(checkpoint), content, ContentType="application/json")


def staged(checkpoint: Checkpoint) -> bytes | None:
    """Returns what makes up a checkpoint; None if it was never staged, or expired."""
    file = _find(_staged_key(checkpoint))
    return None if file is None else file[0]


def _staged_key(checkpoint: Checkpoint) -> str:
    return f"{_STAGED}{checkpoint.size}-{checkpoint.root.hex()}"


def _find(key: str) -> tuple[bytes, str] | None:
    """Returns an object and its tag; None if it is absent. Raises 503 if it cannot be read."""
    answer = objects.find(lambda: client().get_object(Bucket=settings().bucket_name, Key=key))
    return None if answer is None else (b"".join(objects.chunks(answer["Body"])), answer["ETag"])


def _put(key: str, body: bytes, **options: Any) -> bool:
    """Puts an object; returns False if a condition among the options does not hold. Raises 503 if it fails."""
    call: Callable[[], Any] = partial(client().put_object, Bucket=settings().bucket_name, Key=key, Body=body, **options)
    return objects.find(call, objects.TAKEN) is not None
