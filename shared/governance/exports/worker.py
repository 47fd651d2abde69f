"""Makes exports: reads each file step by step into pieces in the bucket, then packs the pieces (ADR exports).

A step ends in one write of the export, so that a worker that is killed repeats one step at most. The pieces have
numbers: a repeated step writes over those of the first attempt.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from governance import deadline, telemetry
from governance.domain.exports import export as export_rules
from governance.exports.archive import Archive
from governance.exports.board_parts import BOARD_PARTS, VERSIONS
from governance.exports.message import next_message
from governance.exports.own_parts import OWN_PARTS
from governance.exports.parts import Part
from governance.exports.reader import ExportRefusedError, Reader
from governance.ids import BoardId, UserId
from governance.instants import now
from governance.models.exports.export import ExportPart, StoredExport
from governance.queue.message import Message
from governance.store.documents import papers
from governance.store.exports import export_files, exports
from governance.store.transactions import transact
from governance.store.writes import StaleRead

_PIECE_BYTES = 4 * 1024 * 1024
_STEP_SECONDS = 60.0
"""The longest step: ten meetings of the largest size, or the packing of a gigabyte."""
_FILES = "files/"
_MANIFEST = "manifest.json"
_MANIFEST_VERSION = 1


def run_export(body: Mapping[str, Any]) -> Iterable[Message]:
    """Makes an export, or continues it; what does not fit into the time follows by a message.

    It fails if its user may not have it any more, or its board was deleted.
    """
    export = exports.get(body["exportedId"], UserId(body["userId"]), body["exportId"])
    if export is None or export_rules.status_at(export, now()) != "pending":
        return []
    try:
        return [] if _is_done(export) else [next_message(body)]
    except ExportRefusedError:
        _end(exports.get(body["exportedId"], export.user_id, export.id) or export, None)
    except StaleRead:
        telemetry.logger().warning("export runs twice", export=export.id)
    return []


def _is_done(export: StoredExport) -> bool:
    while deadline.has_time(_STEP_SECONDS):
        following = _next_part(export)
        if following is None:
            return _pack(export)
        export = _read_step(export, *following)
    return False


def _parts(export: StoredExport) -> tuple[Part, ...]:
    return BOARD_PARTS if export.board_id else OWN_PARTS


def _next_part(export: StoredExport) -> tuple[Part, ExportPart] | None:
    """Returns the file to be read next, and how far it has been read; None if all are complete."""
    known = {part.name: part for part in export.parts}
    unfinished = export.parts[-1].name if export.after is not None else None
    for part in _parts(export):
        if part.name not in known or part.name == unfinished:
            return part, known.get(part.name, ExportPart(name=part.name))
    return None


def _read_step(export: StoredExport, part: Part, read: ExportPart) -> StoredExport:
    """Reads some entries of a file into pieces; returns the export with them."""
    step = part.read(Reader(export, now()), export.after)
    count, pieces = read.count, read.pieces
    for number, texts in _pieces(step.entries):
        export_files.put(export_files.piece_key(export.id, part.name, pieces), texts)
        count, pieces = count + number, pieces + 1
    new = export_rules.read_on(export, ExportPart(name=part.name, count=count, pieces=pieces), step.after, step.zones)
    transact([exports.replace(export, new)])
    return new


def _pieces(entries: Iterable[str]) -> Iterator[tuple[int, bytes]]:
    """Yields the entries in pieces that fit in memory, each with their number."""
    piece, number = bytearray(), 0
    for entry in entries:
        piece += entry.encode()
        number += 1
        if len(piece) >= _PIECE_BYTES:
            yield number, bytes(piece)
            piece, number = bytearray(), 0
    if number:
        yield number, bytes(piece)


def _pack(export: StoredExport) -> bool:
    """Packs the pieces and ends the export. Returns False if the time was over before."""
    reader = Reader(export, now())
    archive = Archive(export.id, export.created_at)
    if archive.is_sent:
        return _completed(export, archive)
    packed = {entry.name for entry in archive.entries}
    for part in _parts(export):
        if part.name not in packed:
            if not deadline.has_time(_STEP_SECONDS):
                archive.note()
                return False
            read = next(read_part for read_part in export.parts if read_part.name == part.name)
            archive.add(part.name, read.count, _content(reader, part, read))
    if not _pack_files(export, archive, packed):
        return False
    if _MANIFEST not in packed:
        archive.add(_MANIFEST, 1, [_manifest(export, archive)])
    return _completed(export, archive)


def _completed(export: StoredExport, archive: Archive) -> bool:
    """Ends an export whose archive was sent. Returns False if its upload is gone, so that it is packed anew."""
    size = archive.complete()
    if size is not None:
        _end(export, size)
    return size is not None


def _pack_files(export: StoredExport, archive: Archive, packed: set[str]) -> bool:
    """Packs the files of the documents' versions. Returns False if the time was over before.

    A file that was deleted since its version was read is left out.
    """
    for version in _versions(export):
        name = f"{_FILES}{version['documentId']}/{version['id']}/{export_rules.archive_name(version['fileName'])}"
        if version["status"] != "ready" or name in packed:
            continue
        if not deadline.has_time(_STEP_SECONDS):
            archive.note()
            return False
        key = papers.file_key(BoardId(export.board_id or ""), version["documentId"], version["id"])
        content = papers.read(key)
        if content is not None:
            archive.add(name, 1, content)
    return True


def _versions(export: StoredExport) -> Iterator[dict[str, Any]]:
    """Yields the versions of documents that were read; an export of a user's own has none."""
    read = next((part for part in export.parts if part.name == VERSIONS), ExportPart(name=VERSIONS))
    for number in range(read.pieces):
        piece = export_files.get(export_files.piece_key(export.id, VERSIONS, number)) or b""
        yield from map(json.loads, piece.splitlines())


def _content(reader: Reader, part: Part, read: ExportPart) -> Iterator[bytes]:
    head, tail = part.frame(reader, reader.export.zones)
    yield head.encode()
    for number in range(read.pieces):
        yield from export_files.chunks(export_files.piece_key(reader.export.id, part.name, number))
    yield tail.encode()


def _manifest(export: StoredExport, archive: Archive) -> bytes:
    files = [{"name": entry.name, "count": entry.count, "sha256": entry.sha256} for entry in archive.entries]
    members = {"version": _MANIFEST_VERSION, "boardId": export.board_id, "createdAt": export.created_at}
    return json.dumps({**members, "files": files}, indent=2).encode()


def _end(export: StoredExport, size: int | None) -> None:
    """Ends an export as ready, or as failed without a size, and deletes its pieces."""
    transact(exports.end(export, export_rules.ended(export, size)))
    pieces = (export_files.piece_key(export.id, part.name, n) for part in export.parts for n in range(part.pieces))
    export_files.delete([*pieces, export_files.progress_key(export.id)])
