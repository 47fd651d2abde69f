"""A board with ten thousand items is exported in bounded memory."""

from __future__ import annotations

import gc
import zipfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from governance.exports import archive
from governance.ids import new_id
from governance.instants import now, shift
from governance.models.action_items.action_item import StoredActionItem, compact
from governance.models.documents.document import StoredDocument
from governance.models.meetings.meeting import StoredMeeting
from governance.store.action_items import action_items
from governance.store.documents import documents
from governance.store.exports import export_files
from governance.store.meetings import meetings
from governance.store.writes import Put, Write
from tests.exports import making
from tests.harness.board_scenario import BoardScenario
from tests.large.filling import store_all

pytestmark = pytest.mark.slow
MEETINGS, ITEMS, DOCUMENTS = 300, 4700, 5000
MEGABYTES = 96
"""That the worker may take beside what an execution environment begins with: 256 in all."""
_STATUS, _RESET = Path("/proc/self/status"), Path("/proc/self/clear_refs")


def content(scenario: BoardScenario) -> Iterator[list[Write]]:
    """Yields the writes of meetings, of action items with long notes, and of documents with long titles."""
    at, owner = now(), scenario.owner.id
    common = {"board_id": scenario.board_id, "created_at": at, "updated_at": at}
    by_owner = {**common, "creator_id": owner, "created_by_user_id": owner}
    ids = [new_id() for _ in range(MEETINGS)]
    for number, meeting_id in enumerate(ids):
        meeting = {"id": meeting_id, "title": f"Meeting {number}", "status": "scheduled"}
        start = {"start_time": shift(at, hours=number)}
        yield meetings.create(StoredMeeting.model_validate({**by_owner, **meeting, **start}))
    notes = compact({"text": "n" * 2000})
    by_web = {**common, "created_by": owner, "created_via": "web", "notes_version": 1, "notes_bytes": len(notes)}
    for number in range(ITEMS):
        item = {"id": new_id(), "meeting_id": ids[number % MEETINGS], "title": f"Item {number}"}
        yield action_items.create(StoredActionItem.model_validate({**by_web, **item}), notes)
    for number in range(DOCUMENTS):
        paper = {"id": new_id(), "title": f"Document {number} " + "d" * 180, "meeting_ids": ()}
        yield documents.create(StoredDocument.model_validate({**by_owner, **paper}))


def fill(scenario: BoardScenario) -> None:
    store_all([write.item for writes in content(scenario) for write in writes if isinstance(write, Put)])


class FolderBucket:
    """Takes the place of the bucket: its objects are files, so that they take no memory of this process."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder = folder
        for name in ("put", "get", "chunks", "begin_upload", "upload_part", "complete_upload", "delete"):
            monkeypatch.setattr(export_files, name, getattr(self, name))

    def _file(self, key: str) -> Path:
        return self.folder / key.replace("/", "_")

    def put(self, key: str, body: bytes) -> None:
        self._file(key).write_bytes(body)

    def get(self, key: str) -> bytes | None:
        return self._file(key).read_bytes() if self._file(key).exists() else None

    def chunks(self, key: str) -> Iterator[bytes]:
        with self._file(key).open("rb") as file:
            while chunk := file.read(65536):
                yield chunk

    def begin_upload(self, export_id: str) -> str:
        self._file(export_files.archive_key(export_id)).write_bytes(b"")
        return "upload"

    def upload_part(self, export_id: str, _upload: str, number: int, body: bytes) -> str:
        with self._file(export_files.archive_key(export_id)).open("ab") as file:
            file.write(body)
        return str(number)

    def complete_upload(self, *_: object) -> None:
        """The file is complete already."""

    def delete(self, keys: list[str]) -> None:
        for key in keys:
            self._file(key).unlink(missing_ok=True)

    def archive(self, export_id: str) -> zipfile.ZipFile:
        return zipfile.ZipFile(self._file(export_files.archive_key(export_id)))


def _memory(name: str) -> int:
    """Returns a figure of this process from the kernel, in megabytes."""
    (line,) = [line for line in _STATUS.read_text().splitlines() if line.startswith(f"{name}:")]
    return int(line.split()[1]) // 1024


def test_an_export_of_ten_thousand_items_runs_in_bounded_memory(
    scenario: BoardScenario, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bucket = FolderBucket(tmp_path, monkeypatch)
    monkeypatch.setattr(archive, "PART_BYTES", 1024 * 1024)
    fill(scenario)
    export_id = making.begin(scenario.owner.client, f"{scenario.path}/exports")
    gc.collect()
    _RESET.write_text("5")  # the peak begins anew
    before = _memory("VmRSS")
    making.finish()
    print(f"{_memory('VmHWM')} MB at the peak, {_memory('VmHWM') - before} MB more than before")
    assert _memory("VmHWM") - before < MEGABYTES
    with bucket.archive(export_id) as opened:
        counts = Counter({name: opened.read(name).count(b"\n") for name in opened.namelist()})
        assert opened.testzip() is None
    assert counts["meetings.ndjson"] == MEETINGS
    assert counts["action_items.ndjson"] == ITEMS
    assert counts["documents.ndjson"] == DOCUMENTS
