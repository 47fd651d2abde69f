"""The local inbox: what becomes of a file that is handled, that is set aside, and that fails."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from governance.settings import settings
from infra.local import inbox as local_inbox
from infra.local.inbox import Inbox
from tests.harness.bucket import keys

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client
_SECONDS = 60


class Function:
    """Stands for the function: sets bad mails aside, and fails at those that are late while it `refuses_late`."""

    def __init__(self, bucket: S3Client) -> None:
        self.bucket = bucket
        self.failures = 0
        self.refuses_late = True
        self.contents: list[bytes] = []

    def __call__(self, event: dict[str, Any]) -> dict[str, str]:
        (record,) = event["Records"]
        key = record["s3"]["object"]["key"]
        self.contents.append(self.bucket.get_object(Bucket=record["s3"]["bucket"]["name"], Key=key)["Body"].read())
        if "late" in key and self.refuses_late:
            self.failures += 1
            raise RuntimeError("injected")
        return {key: "no reason"} if "bad" in key else {}


@pytest.fixture
def function(bucket: S3Client) -> Function:
    return Function(bucket)


def run(folder: Path, function: Function, until: Callable[[], bool]) -> None:
    """Watches the folder until something is so."""
    inbox = Inbox(folder, settings().bucket_name, function)
    inbox.start()
    end = time.monotonic() + _SECONDS
    while not until() and time.monotonic() < end:
        time.sleep(0.01)
    inbox.stop()
    assert until()


def files(folder: Path) -> set[str]:
    return {str(file.relative_to(folder)) for file in folder.rglob("*") if file.is_file()}


def test_a_file_is_handled_set_aside_or_tried_again_and_stops_no_other(
    tmp_path: Path, function: Function, bucket: S3Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(local_inbox, "_PAUSE_SECONDS", 0.01)
    for name in ("1-late.eml", "2-bad.eml", "3-good.eml", "notes.txt"):
        (tmp_path / name).write_text(name)
    (tmp_path / "0-folder.eml").mkdir()
    before = keys(bucket)
    left = {"notes.txt", "refused/2-bad.eml", "refused/2-bad.eml.txt"}
    run(tmp_path, function, until=lambda: files(tmp_path) == {*left, "1-late.eml"} and function.failures > 2)
    function.refuses_late = False
    run(tmp_path, function, until=lambda: files(tmp_path) == left)
    assert (tmp_path / "refused/2-bad.eml").read_text() == "2-bad.eml"
    assert (tmp_path / "refused/2-bad.eml.txt").read_text() == "no reason\n"
    assert function.contents.count(b"1-late.eml") == function.failures + 1
    assert (function.contents.count(b"2-bad.eml"), function.contents.count(b"3-good.eml")) == (1, 1)
    assert keys(bucket) == before
