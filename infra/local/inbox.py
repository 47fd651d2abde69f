"""The local inbox: a mail that is put into a folder reaches the function as the mail service would hand it over.

What was handled is deleted. A mail that the function sets aside is moved to `refused/`, with a file that names
the reason.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any

import boto3

from infra.local.periodic import Periodic

_PAUSE_SECONDS = 0.5
_FOLDER = "received/"
_log = logging.getLogger(__name__)
Invoke = Callable[[dict[str, Any]], Any]


class Inbox(Periodic):
    """Watches a folder for `*.eml` files in a thread of its own."""

    def __init__(self, folder: Path, bucket: str, invoke: Invoke) -> None:
        super().__init__("inbox", _PAUSE_SECONDS, self.take_all)
        self._folder = folder
        self._refused = folder / "refused"
        self._refused.mkdir(parents=True, exist_ok=True)
        self._bucket = bucket
        self._invoke = invoke
        self._s3 = boto3.client("s3")
        self._sizes: dict[Path, int] = {}

    def take_all(self) -> None:
        """Handles every file that has not grown since the last call; what is no file is nobody's mail."""
        for file in sorted(filter(Path.is_file, self._folder.glob("*.eml"))):
            self._take(file)

    def _take(self, file: Path) -> None:
        """Hands a file over once it has stopped growing; one that fails for a reason of ours is tried again."""
        try:
            size = file.stat().st_size
            if self._sizes.get(file) != size:
                self._sizes[file] = size
                return
            self.handle(file)
            self._sizes.pop(file, None)
        except Exception:  # noqa: BLE001 - a bad file must not stop the next one
            _log.exception("The mail %s could not be handled; it is tried again.", file.name)

    def handle(self, file: Path) -> None:
        """Hands one file to the function."""
        key = f"{_FOLDER}{file.name}"
        self._s3.put_object(Bucket=self._bucket, Key=key, Body=file.read_bytes())
        record = {"s3": {"bucket": {"name": self._bucket}, "object": {"key": key}}}
        reason = self._invoke({"Records": [record]}).get(key)
        for done in (key, f"refused/{file.name}"):
            self._s3.delete_object(Bucket=self._bucket, Key=done)
        if reason is None:
            file.unlink()
            return
        file.rename(self._refused / file.name)
        (self._refused / f"{file.name}.txt").write_text(f"{reason}\n", encoding="utf-8")
