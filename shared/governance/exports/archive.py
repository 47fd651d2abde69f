"""The zip archive of an export, made while it is uploaded: what is in memory is one part of the upload (ADR exports).

The standard library writes the archive to an object that passes the bytes on. After every few megabytes the archive
notes its progress, so that another process can continue there.
"""

from __future__ import annotations

import base64
import hashlib
import io
import json
import zipfile
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

from governance.instants import Instant, to_datetime
from governance.store.exports import export_files

PART_BYTES = 8 * 1024 * 1024
"""Size of the first parts of an upload; the bucket takes at least 5 MB, and 10,000 parts."""
_LARGER_AFTER = 2000
"""Parts after which the following are larger by as much as the first ones are: 10,000 of them hold 240 GB."""
_LEVEL = 6
_NOTED_BYTES = 4 * PART_BYTES
"""Bytes between two notes, each of which holds up to a part of the upload: small files are noted together."""


@dataclass(frozen=True)
class Entry:
    """A file of the archive, with what the manifest and the archive's directory say of it."""

    name: str
    count: int
    sha256: str
    crc: int
    size: int
    compressed: int
    at: int
    flags: int


class _Upload(io.RawIOBase):
    """A file object that is written to and never read: full parts are uploaded, the rest waits."""

    def __init__(self, export_id: str, noted: dict[str, Any] | None) -> None:
        self._export_id = export_id
        self._id = noted["upload"] if noted else export_files.begin_upload(export_id)
        self._tags: list[str] = noted["tags"] if noted else []
        self._rest = bytearray(base64.b64decode(noted["rest"])) if noted else bytearray()
        self._offset: int = noted["offset"] if noted else 0

    def write(self, data: Any) -> int:
        self._rest += data
        self._offset += len(data)
        while len(self._rest) >= self._part_bytes:
            self._send(self._part_bytes)
        return len(data)

    @property
    def _part_bytes(self) -> int:
        return PART_BYTES * (1 + len(self._tags) // _LARGER_AFTER)

    def tell(self) -> int:
        return self._offset

    def flush(self) -> None:
        """Keeps what is less than a part: the zip file flushes after each entry."""

    def seek(self, *_: Any) -> int:
        raise OSError("An upload cannot go back.")

    def progress(self) -> dict[str, Any]:
        rest = base64.b64encode(self._rest).decode()
        return {"upload": self._id, "tags": self._tags, "rest": rest, "offset": self._offset}

    def send_rest(self) -> None:
        if self._rest:
            self._send(len(self._rest))

    def complete(self) -> int | None:
        """Returns the size of the object that the parts have become, now or before; None if there is none."""
        if not export_files.complete_upload(self._export_id, self._id, self._tags):
            return self._offset if export_files.archive_size(self._export_id) == self._offset else None
        return self._offset

    def _send(self, size: int) -> None:
        part = bytes(self._rest[:size])
        self._tags.append(export_files.upload_part(self._export_id, self._id, len(self._tags) + 1, part))
        del self._rest[:size]


class Archive:
    """The archive of an export, from where another process left it."""

    def __init__(self, export_id: str, created_at: Instant) -> None:
        self._export_id = export_id
        self._date = to_datetime(created_at).timetuple()[:6]
        text = export_files.get(export_files.progress_key(export_id))
        noted = json.loads(text) if text else None
        self._upload = _Upload(export_id, noted)
        self._noted_at = self._upload.tell()
        self.is_sent: bool = bool(noted and noted.get("sent"))
        """Whether all of it was sent, so that only its upload has to be completed, if it was not."""
        self._zip = zipfile.ZipFile(self._upload, "w", zipfile.ZIP_DEFLATED, compresslevel=_LEVEL)
        self.entries = [Entry(**entry) for entry in noted["entries"]] if noted else []
        self._zip.filelist += [self._info(entry) for entry in self.entries]

    def add(self, name: str, count: int, content: Iterable[bytes]) -> None:
        """Adds a file of `count` entries; notes after every few megabytes how far the archive is."""
        info = zipfile.ZipInfo(name, self._date)
        info.compress_type = zipfile.ZIP_DEFLATED
        digest = hashlib.sha256()
        with self._zip.open(info, "w", force_zip64=True) as target:
            for chunk in content:
                digest.update(chunk)
                target.write(chunk)
        self.entries.append(
            Entry(
                name,
                count,
                digest.hexdigest(),
                info.CRC,
                info.file_size,
                info.compress_size,
                info.header_offset,
                info.flag_bits,
            )
        )
        if self._upload.tell() - self._noted_at >= _NOTED_BYTES:
            self.note()

    def note(self) -> None:
        """Notes the archive's progress: another process continues here, and repeats what came after."""
        entries = [asdict(entry) for entry in self.entries]
        noted = {**self._upload.progress(), "entries": entries, "sent": self.is_sent}
        export_files.put(export_files.progress_key(self._export_id), json.dumps(noted).encode())
        self._noted_at = self._upload.tell()

    def complete(self) -> int | None:
        """Ends the archive and returns its size in bytes; None if its upload is lost: then it is begun anew.

        It notes first that all was sent, so that another process does not send to a completed upload.
        """
        if not self.is_sent:
            self._zip.close()
            self._upload.send_rest()
            self.is_sent = True
            self.note()
        size = self._upload.complete()
        if size is None:
            export_files.delete([export_files.progress_key(self._export_id)])
        return size

    def _info(self, entry: Entry) -> zipfile.ZipInfo:
        info = zipfile.ZipInfo(entry.name, self._date)
        info.compress_type = zipfile.ZIP_DEFLATED
        info.CRC, info.file_size, info.compress_size = entry.crc, entry.size, entry.compressed
        info.header_offset, info.flag_bits = entry.at, entry.flags
        return info
