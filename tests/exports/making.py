"""Fills boards, asks for their exports and makes them in this process: the stream, the queue, and the archive."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from governance.exports import worker
from governance.instants import now
from governance.settings import settings
from governance.store.exports import export_files
from tests.harness import queue, sdk
from tests.harness.board_scenario import BoardScenario
from tests.harness.client import Client
from tests.harness.crash_injection import ProcessKilled
from tests.harness.meeting_scenario import from_now
from tests.harness.stream import record, send_to_queue
from tests.harness.table_snapshot import TableSnapshot
from tests.harness.uploads import new_document

MANY = 1000
OWN = "/api/v1/me/exports"


def of_board(scenario: BoardScenario) -> str:
    """Returns the path of the exports of a board."""
    return f"{scenario.path}/exports"


def make_content(scenario: BoardScenario) -> dict[str, Any]:
    """Fills a board with some of everything; returns the meeting."""
    owner = scenario.owner.client
    meeting = owner.post(
        f"{scenario.path}/meetings",
        {"title": "Budget", "status": "scheduled", "startTime": from_now(days=1)},
    ).data
    place = f"{scenario.path}/meetings/{meeting['id']}"
    slot = owner.post(f"{place}/slots", {"startTime": from_now(days=2), "timezone": "Europe/Paris"}).data
    owner.put(f"{place}/slots/{slot['id']}/vote", {"vote": "challenging", "comment": "Late"})
    owner.post(f"{place}/slots/{slot['id']}/confirm")
    owner.put(f"{place}/rsvp", {"status": "accepted", "comment": "By train"})
    owner.put(f"{place}/agenda", {"items": [{"title": "Opening"}]})
    owner.post(f"{scenario.path}/agenda-templates", {"name": "Board", "items": [{"title": "Opening"}]})
    owner.post(f"{scenario.path}/backlog", {"title": "Site"})
    owner.post(f"{scenario.path}/plan", {"title": "Accounts", "months": [3]})
    owner.post(f"{place}/action-items", {"title": "Send figures", "assigneeUserId": scenario.owner.id})
    new_document(scenario, title="Policy").add()
    report = owner.post(f"{scenario.path}/reports", {"title": "Q1"}).data
    body = {"title": "Cash", "dashboardType": "uniform"}
    owner.post(f"{scenario.path}/reports/{report['id']}/dashboards", body)
    return dict(meeting)


def begin(client: Client, path: str) -> str:
    """Asks for an export and lets the stream carry it on; returns its id."""
    created = client.post(path)
    assert created.status == 201, created.text
    carry_on()
    return str(created.data["id"])


def step(context: Any = None) -> bool:
    """Lets the worker handle one message of the queue of exports. Returns False if there is none."""
    message = queue.current.receive("exporter")
    if message is None:
        return False
    if not queue.invoke_deliveries(message, context):
        queue.current.messages.remove(message)
    return True


def finish(context: Callable[[], Any] = lambda: None) -> int:
    """Lets the worker run until no message is left; returns how many it handled."""
    for handled in range(MANY):
        if not step(context()):
            return handled
    raise AssertionError("The export never ends.")


def archive(export_id: str) -> zipfile.ZipFile:
    """Returns the archive of an export from the bucket."""
    key = export_files.archive_key(export_id)
    return opened(sdk.s3().get_object(Bucket=settings().bucket_name, Key=key)["Body"].read())


def rows(archive: zipfile.ZipFile, name: str) -> list[dict[str, Any]]:
    """Returns the resources of one file of an archive."""
    return [json.loads(line) for line in archive.read(f"{name}.ndjson").decode().splitlines()]


def export(client: Client, path: str) -> zipfile.ZipFile:
    """Returns the archive of a new export."""
    export_id = begin(client, path)
    finish()
    shown = client.get(f"{path}/{export_id}")
    assert shown.data["status"] == "ready", (shown.text, now())
    return archive(export_id)


def opened(body: bytes) -> zipfile.ZipFile:
    """Returns an archive, all of whose files are intact."""
    archive = zipfile.ZipFile(io.BytesIO(body))
    assert archive.testzip() is None
    return archive


def carry_on() -> None:
    """Lets the stream carry the exports in the table on to the queue."""
    new = [row for row in TableSnapshot().items.values() if row["PK"].startswith("EXPORTS#")]
    assert send_to_queue([record(row) for row in new if row["SK"] != "RUNNING"]) == []


def stored(exported_id: str) -> dict[str, Any]:
    """Returns the one export of a board or a user as it is stored."""
    records = [
        row for (pk, sk), row in TableSnapshot().items.items() if pk == f"EXPORTS#{exported_id}" and sk != "RUNNING"
    ]
    (row,) = records
    return row


def stored_size(export_id: str) -> int:
    """Returns the size of an archive in the bucket."""
    head = sdk.s3().head_object(Bucket=settings().bucket_name, Key=export_files.archive_key(export_id))
    return head["ContentLength"]


class FakeUploads:
    """Takes the place of uploads in parts, which a bucket refuses for parts as small as tests have them."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.parts: list[bytes] = []
        monkeypatch.setattr(export_files, "begin_upload", lambda _export_id: "upload")
        monkeypatch.setattr(export_files, "upload_part", self._put)
        monkeypatch.setattr(export_files, "complete_upload", lambda *_: True)

    def _put(self, _export_id: str, _upload_id: str, number: int, body: bytes) -> str:
        del self.parts[number - 1 :]
        self.parts.append(body)
        return f"tag-{number}"

    def archive(self) -> bytes:
        """Returns what was uploaded."""
        return b"".join(self.parts)


def run_killed(monkeypatch: pytest.MonkeyPatch) -> bool:
    """Lets the worker do one step, after an environment that ended before that step was written.

    Returns False if there is no message.
    """
    with monkeypatch.context() as patched:
        patched.setattr(worker, "transact", _die)
        try:
            step()
        except ProcessKilled:
            queue.current.now += queue.LONG_ENOUGH
    with monkeypatch.context() as patched:
        has_time = iter((True, False, False))
        patched.setattr(worker, "deadline", SimpleNamespace(has_time=lambda _: next(has_time)))
        return step()


def _die(_writes: Any) -> None:
    raise ProcessKilled
