"""The log in tests: seals what was recorded, as stream, queue and sealer do, and reads it as everybody does."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from governance.ids import BoardId
from governance.log.notes import Checkpoint, SignedCheckpoint, VerifierKey, open_checkpoint, parse_key
from governance.log.tiles import Edge, tiles_of, unpack_entries
from governance.settings import settings
from governance.store.history.leaves import TEXT, TOGETHER
from governance.store.schema.entities import LOG_LOCK
from governance.store.transactions import delete_all
from tests.harness import queue, sdk, stream
from tests.harness.client import FUNCTIONS, load
from tests.harness.history import audit_items, event_items
from tests.harness.privileges import acting_as

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client


def queue_rows(board_id: BoardId) -> list[dict[str, Any]]:
    """Passes the board's audit entries and logged events through the stream; returns what the sealer gets."""
    return queue_items([*audit_items(board_id), *event_items(board_id)])


def queue_items(items: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Passes rows that are logged through the stream; returns what the sealer gets."""
    logged = [item for item in items if item.keys() & {TEXT, TOGETHER}]
    before = [*queue.current.messages]
    assert stream.send_to_queue([stream.record(item) for item in logged]) == []
    taken = [message for message in queue.current.messages if message.function == "sealer"]
    queue.current.messages = before  # the events were delivered, as far as the test wanted that
    return [{"messageId": message.id, "body": message.body} for message in taken]


def invoke(event: dict[str, Any]) -> Any:
    """Invokes the sealer."""
    with acting_as("sealer"):
        return load(FUNCTIONS / "sealer" / "handler.py").lambda_handler(event, None)


def seal(board_id: BoardId) -> None:
    """Seals all audit entries and logged events of a board, and asserts that none failed."""
    assert invoke({"Records": queue_rows(board_id)}) == {"batchItemFailures": []}


def public(path: str) -> bytes:
    """Returns a file of the log."""
    client: S3Client = sdk.s3()
    return client.get_object(Bucket=settings().bucket_name, Key=f"log/{path}")["Body"].read()


def key() -> VerifierKey:
    """Returns the published verifier key."""
    return parse_key(public("key").decode())


def checkpoint() -> SignedCheckpoint:
    """Returns the published checkpoint, whose signature holds."""
    return open_checkpoint(public("checkpoint").decode(), key())


def verify_proof(text: str, entry: bytes) -> tuple[int, Checkpoint]:
    """Verifies a proof (c2sp.org/tlog-proof@v1) of an entry as RFC 9162 (2.1.3.2) says, with nothing of the service.

    Returns the entry's index and the checkpoint that the proof leads to.
    """
    head, _, note = text.partition("\n\n")
    version, index_line, *path = head.split("\n")
    assert version == "c2sp.org/tlog-proof@v1"
    index = int(index_line.removeprefix("index "))
    opened = open_checkpoint(note, key()).checkpoint
    number, last, value = index, opened.size - 1, hashlib.sha256(b"\x00" + entry).digest()
    for sibling in map(base64.b64decode, path):
        assert last > 0
        if number % 2 or number == last:
            value = hashlib.sha256(b"\x01" + sibling + value).digest()
            while number % 2 == 0 and number:
                number, last = number >> 1, last >> 1
        else:
            value = hashlib.sha256(b"\x01" + value + sibling).digest()
        number, last = number >> 1, last >> 1
    assert (last, value) == (0, opened.root)
    return index, opened


def entries() -> list[bytes]:
    """Returns the published entries, as everybody reads them."""
    tiles = [tile for tile in tiles_of(checkpoint().checkpoint.size) if tile.level is None]
    return [entry for tile in tiles for entry in unpack_entries(public(tile.path))]


def everything(size: int) -> bytes:
    """Returns the root of the published entries of a size, after it has compared every tile with them."""
    names = list(tiles_of(size))
    files = {tile: public(tile.path) for tile in names}
    edge = Edge()
    made = edge.append([entry for tile in names if tile.level is None for entry in unpack_entries(files[tile])])
    assert {tile: made[tile] for tile in names} == files
    return edge.root


def forget_all(client: S3Client) -> None:
    """Deletes the log: its files and its lock."""
    for entry in client.list_objects_v2(Bucket=settings().bucket_name, Prefix="log/").get("Contents", []):
        client.delete_object(Bucket=settings().bucket_name, Key=entry["Key"])
    delete_all([LOG_LOCK.key_for()])
