"""`boardctl log`: checks the log that nobody can rewrite, as anybody can, and takes it up after a restore."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from http import HTTPStatus
from pathlib import Path
from urllib.error import HTTPError, URLError
from urllib.request import urlopen

import click

from governance.ids import BoardId
from governance.instants import Instant, months, now, shift
from governance.log.notes import InvalidNoteError, SignedCheckpoint, VerifierKey, open_checkpoint, parse_key
from governance.log.tiles import Edge, Tile, edge_tiles, tiles_of, unpack_entries
from governance.sealing import sealer
from governance.settings import settings
from governance.store import table
from governance.store.attributes import unmarshal
from governance.store.history import audit, leaves, log_files
from governance.store.schema.entities import BOARD
from governance.store.schema.history import AUDIT_PREFIX, EVENTS_PREFIX, SEALS_PREFIX, events_partition
from governance.store.schema.keys import PK, SEPARATOR, SK, Item, Range
from infra.operator.command import InstallationCommand
from infra.operator.patience import is_busy, while_busy

_AT_ONCE = 16
_SECONDS = 30
_LOGGED_SECONDS = 60
"""Within this time of its request an entry is logged."""

Fetch = Callable[[str], bytes]
"""Returns a file of a log by its path below the log's prefix. Raises `MissingError` if it is not there."""


class Refuted(Exception):
    """Something of the log does not hold. The message says what."""


class MissingError(Refuted):
    """A file of the log is not there."""


@click.group("log")
def log() -> None:
    """Check the log that nobody can rewrite, and take it up after a restore."""


@log.command(cls=InstallationCommand)
@click.argument("url", metavar="[URL]", required=False)
@click.option("--key", help="The verifier key of the log, as you kept it; that of this installation unless given.")
@click.option("--since", type=click.Path(exists=True, dir_okay=False), help="A file with an earlier checkpoint.")
@click.option("--board", help="The id of a board whose audit entries are compared; without URL all boards are.")
def verify(url: str | None, key: str | None, since: str | None, board: str | None) -> None:
    """Check every tile of a log, its root, and the audit entries that it stands for.

    URL is the prefix of a log; this installation's own unless given. Prints size and root, and what does not hold;
    then the exit code is 1.
    """
    prefix = url or f"{settings().root_url}/log"
    if not prefix.startswith("http"):
        raise click.ClickException("Name the URL of the log, or set ROOT_URL.")
    earlier = Path(since).read_text(encoding="utf-8") if since else None
    rows = rows_of_board(BoardId(board)) if board else iter(()) if url else logged_rows()
    lines = list(findings(lambda path: get(f"{prefix.rstrip('/')}/{path}"), key, earlier, rows))
    for line in lines:
        click.echo(line, err=True)
    if lines:
        raise SystemExit(1)


def findings(fetch: Fetch, key: str | None, earlier: str | None, rows: Iterator[Item]) -> Iterator[str]:
    """Yields what does not hold of a log, of an earlier checkpoint of it and of rows; prints size and root."""
    try:
        signed, entries = verified_entries(fetch, parse_key(key or _own_key()))
        click.echo(f"size {signed.checkpoint.size}\nroot {signed.checkpoint.root.hex()}")
        if earlier is not None:
            check_since(fetch, entries, open_checkpoint(earlier, parse_key(key or _own_key())))
    except (InvalidNoteError, Refuted) as error:
        yield str(error)
        return
    yield from unlike(rows, entries)


def _own_key() -> str:
    key = log_files.published_key()
    if key is None:
        raise click.ClickException("The log has not begun.")
    return key


def get(url: str) -> bytes:
    """Returns a file of a log by its address; waits for a busy service. Raises `MissingError` if it is not there."""
    try:
        return while_busy("service", lambda: _read(url), _may_pass)
    except HTTPError as error:
        if error.code == HTTPStatus.NOT_FOUND:
            raise MissingError(f"{url} is missing.") from None
        raise click.ClickException(f"{url} answers {error.code}.") from None
    except (URLError, OSError) as error:
        raise click.ClickException(f"{url} cannot be reached: {error}.") from None


def _read(url: str) -> bytes:
    with urlopen(url, timeout=_SECONDS) as answer:  # noqa: S310 - the operator's own URL
        return bytes(answer.read())


def _may_pass(error: Exception) -> bool:
    if isinstance(error, HTTPError):
        return is_busy(error.code)
    return isinstance(error, TimeoutError) or (isinstance(error, URLError) and isinstance(error.reason, TimeoutError))


def verified_entries(fetch: Fetch, key: VerifierKey) -> tuple[SignedCheckpoint, list[bytes]]:
    """Returns the checkpoint and the entries of a log, if every tile is what they make it. Raises `Refuted`.

    Raises `InvalidNoteError` if the checkpoint is not signed by the key.
    """
    signed = open_checkpoint(fetch("checkpoint").decode(), key)
    names = list(tiles_of(signed.checkpoint.size))
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        files = dict(zip(names, pool.map(lambda tile: fetch(tile.path), names), strict=True))
    entries = [entry for tile in names if tile.level is None for entry in _entries(tile, files[tile])]
    edge = Edge()
    expected = edge.append(entries)
    for tile, content in files.items():
        if content != expected.get(tile):
            raise Refuted(f"{tile.path} does not fit the entries of the log.")
    if (edge.size, edge.root) != (signed.checkpoint.size, signed.checkpoint.root):
        raise Refuted("The entries do not have the root that the checkpoint says.")
    return signed, entries


def _entries(tile: Tile, content: bytes) -> list[bytes]:
    try:
        return unpack_entries(content)
    except ValueError:
        raise Refuted(f"{tile.path} is cut off.") from None


def check_since(fetch: Fetch, entries: Sequence[bytes], earlier: SignedCheckpoint) -> None:
    """Raises `Refuted` unless a log begins with what an earlier checkpoint of it says.

    The partial tiles of that size are compared as far as they are still there: who kept the checkpoint reads them.
    """
    edge, size = Edge(), earlier.checkpoint.size
    made = edge.append(entries[:size])
    if (edge.size, edge.root) != (size, earlier.checkpoint.root):
        raise Refuted(f"The log does not go on from the earlier checkpoint of size {size}.")
    for tile in edge_tiles(size):
        with suppress(MissingError):
            if fetch(tile.path) != made[tile]:
                raise Refuted(f"{tile.path} is not what it was at the size {size}.")


def unlike(rows: Iterator[Item], entries: Sequence[bytes]) -> Iterator[str]:
    """Yields a sentence for each entry that the log does not hold as its row says.

    What a deleted board's entries said can no longer be compared: their salts ended with the board.
    """
    logged_by = shift(now(), seconds=-_LOGGED_SECONDS)
    for row in rows:
        for position, leaf in enumerate(leaves.leaves_of(row)):
            name = f"Entry {position + 1} of {row[PK]} {row[SK]}"
            if leaf.index is None or leaf.index >= len(entries):
                if time_of(row) < logged_by:
                    yield f"{name} is not logged."
            elif leaf.salt is None and leaves.ENDED in row:
                continue
            elif leaf.salt is None or entries[leaf.index] != leaf.entry:
                yield f"{name} is not what entry {leaf.index} of the log stands for."


def time_of(row: Item) -> Instant:
    """Returns the instant of a logged row, which stands before the id at the end of its key."""
    return Instant(row[SK].split(SEPARATOR)[-2])


def rows_of_board(board_id: BoardId) -> Iterator[Item]:
    """Yields the rows of a board's audit entries, those about to expire too, and of its logged events."""
    at = now()
    yield from audit.rows_of_board(board_id, at)
    board = table.read_one(BOARD.key_for(boardId=board_id))
    for part in months(Instant(board["createdAt"]), shift(at, days=1)) if board else ():
        rows = table.iter_range(Range(events_partition(board_id, part)), PK, SK, *leaves.ATTRIBUTES)
        yield from filter(_is_logged, rows)


def _is_logged(item: Item) -> bool:
    prefixes = (AUDIT_PREFIX, EVENTS_PREFIX, SEALS_PREFIX)
    return item[PK].startswith(prefixes) and (leaves.TEXT in item or leaves.TOGETHER in item)


def logged_rows() -> Iterator[Item]:
    """Yields the rows of all audit entries, logged events and certificates of the seals."""
    return filter(_is_logged, all_rows())


def all_rows() -> Iterator[Item]:
    """Yields the rows of the table."""
    start: dict[str, object] = {}
    while True:
        page = table.scan_page(TableName=settings().table_name, ConsistentRead=True, **start)
        yield from map(unmarshal, page["Items"])
        if "LastEvaluatedKey" not in page:
            return
        start = {"ExclusiveStartKey": page["LastEvaluatedKey"]}


@log.command(cls=InstallationCommand)
def resume() -> None:
    """Take up the log from what is published, after the table was restored to an earlier hour.

    What was logged since then stays in the log, as entries that nobody can open any more. Run `boardctl migrate`
    afterwards: it logs what the restored table does not know as logged.
    """
    try:
        checkpoint = sealer.resume()
    except sealer.LogStoppedError as error:
        raise click.ClickException(f"The log cannot be taken up: {error}.") from None
    click.echo("The log has not begun." if checkpoint is None else f"The log goes on from {checkpoint.size} entries.")
