"""Brings back, in a restored table, the resolutions that were certified since: nobody votes on them again (ADR
restore)."""

from __future__ import annotations

import hashlib

from governance.ids import BoardId
from governance.instants import Instant
from governance.log.tiles import WIDTH, tile_of, unpack_entries
from governance.settings import settings
from governance.store import numbers
from governance.store.history import leaves, log_files
from governance.store.meetings import minute_book
from governance.store.resolutions import certificates, kept_certificates, resolutions, secret_choices
from governance.store.resolutions.kept_certificates import KeptCertificate
from governance.store.schema.entities import resolution_numbers_key
from governance.store.schema.keys import Item
from governance.store.transactions import delete_all, transact
from governance.store.writes import Put, retry_stale_reads
from governance.usecases.resolutions.closing import enter, supersede
from governance.usecases.resolutions.opening import forget_due


class CertificateError(Exception):
    """The table has another certificate of a resolution than the one that was kept."""

    def __str__(self) -> str:
        """Returns the sentence for the operator."""
        return "the table has another certificate of this resolution than the one that was shown"


def certify_again(board_id: BoardId) -> tuple[int, list[str]]:
    """Closes again the resolutions of a board that were certified; returns how many, and what could not be closed.

    What is certified in the table stays as it is. Nothing happens without a bucket in which certificates are kept.
    """
    if not settings().revocations_bucket:
        return 0, []
    brought: list[KeptCertificate] = []
    left: list[str] = []
    for kept in kept_certificates.of_board(board_id):
        try:
            if retry_stale_reads(lambda kept=kept: _bring_back(kept)):  # type: ignore[misc]
                brought.append(kept)
        except CertificateError as error:
            left.append(f"BOARD#{board_id} {kept.head.number}: {error}")
    for kept in brought:
        retry_stale_reads(lambda kept=kept: transact(supersede(kept.head, kept.head.closed_at or Instant(""))))  # type: ignore[misc]
    return len(brought), left


def _bring_back(kept: KeptCertificate) -> bool:
    """Stores what was certified; returns whether that was missing. Raises `CertificateError`, `StaleRead`."""
    head = kept.head
    stored = certificates.find_written(head.board_id, head.id)
    if stored is not None and stored.is_kept:
        if stored.text != kept.text:
            raise CertificateError
        return False
    delete_all(certificates.keys(head.board_id, head.id))  # of a close that nobody was shown
    old = resolutions.find(head.board_id, head.id)
    year, _, number = (head.number or "").partition("-")
    last = max(int(number), numbers.last(resolution_numbers_key(head.board_id, year)))
    entered = enter(head, hashlib.sha256(kept.text.encode()).hexdigest(), str(kept.event["id"]))
    transact(
        [
            *resolutions.bring_back(old, head, kept.body, last),
            *(entered or [minute_book.delete(head.board_id, "resolution", head.number or "")]),
            *certificates.put_kept(head, kept.text, str(kept.event["id"])),
            *(forget_due(old) if old else []),
            Put(_logged(kept.event)),
        ]
    )
    delete_all(secret_choices.keys(head.board_id, head.id))
    return True


def _logged(event: Item) -> Item:
    """Returns an event with its index in the log, so that it is neither logged nor delivered again.

    One that is not in the log, because the table was lost before, is logged and delivered when the table serves.
    """
    if leaves.INDEX in event:
        return event
    (leaf,) = leaves.leaves_of(event)
    index = _index_of(leaf.entry)
    return event if index is None else {**event, leaves.INDEX: index}


def _index_of(entry: bytes) -> int | None:
    """Returns where the published log has an entry, the newest of which are searched first; None if it has none."""
    published = log_files.published()
    size = published.checkpoint.size if published else 0
    for number in reversed(range(-(-size // WIDTH))):
        tile = tile_of(None, number, size)
        entries = unpack_entries(log_files.read_tiles([tile])[tile])
        if entry in entries:
            return number * WIDTH + entries.index(entry)
    return None
