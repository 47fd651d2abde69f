"""Runs `ministack` and saves its data while it runs: by itself it saves them on a clean stop only (ADR local).

Run as a module, with the folder of the copies, the settings of `ministack`, `PAGES_ORIGINS` and `PAPERS_BUCKET`, the
origins whose pages send and show the files of a bucket; with `BUCKET_NAME`, `DOWNLOAD_KEY` and `DOWNLOAD_KEY_ID` it
serves downloads.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import traceback
import warnings
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import NoReturn

from infra.local import engine_queues, engine_state, engine_streams
from infra.local.engine_clients import App, Message, PagesOfFiles, Receive, Send, WithoutPages

Save = Callable[[Path], None]
Begin = Callable[[], Save]
"""Notes what a copy must know of this instant beside the engine's own data, and returns what saves it."""

SAVE_SECONDS = 1.0
"""Seconds between two copies; a copy takes far less than the four seconds that are left of the promised five."""
_COPY_SECONDS = 30
_READS = ("Get", "BatchGet", "Query", "Scan", "Describe", "List", "Receive")


def changes_data(scope: Message) -> bool:
    """Returns whether a request may have changed what the engine keeps."""
    headers = {name.lower(): value for name, value in scope["headers"]}
    operation = headers.get(b"x-amz-target", b"").decode("latin-1").rpartition(".")[2]
    if operation:
        return not operation.startswith(_READS)
    return scope["method"] not in {"GET", "HEAD"}


class SavingApp:
    """The engine's ASGI application. It saves a copy of the data whenever requests changed them, and at the end."""

    def __init__(self, app: App, begin: Begin, root: Path, seconds: float = SAVE_SECONDS) -> None:
        self._app = app
        self._begin = begin
        self._root = root
        self._seconds = seconds
        self._changed = False

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Passes a request on, or the server's start and stop."""
        if scope["type"] == "lifespan":
            await self._live(scope, receive, send)
            return
        try:
            await self._app(scope, receive, send)
        finally:
            self._changed = self._changed or changes_data(scope)

    async def _live(self, scope: Message, receive: Receive, send: Send) -> None:
        saving = asyncio.create_task(self._save_changes())

        async def receive_and_save() -> Message:
            message = await receive()
            if message["type"] == "lifespan.shutdown":
                saving.cancel()
                await asyncio.gather(saving, return_exceptions=True)
                self.save_copy(self._begin())
            return message

        await self._app(scope, receive_and_save, send)

    async def _save_changes(self) -> None:
        while True:
            await asyncio.sleep(self._seconds)
            if self._changed:
                self._changed = False
                self._changed = not await self._is_saved() or self._changed

    async def _is_saved(self) -> bool:
        """Saves a copy and returns whether it did: what fails, for whatever reason, is tried again a second later."""
        try:
            return await self._save_in_child()
        except Exception:  # noqa: BLE001 - one that does not save would lose all that follows
            traceback.print_exc()
            return False

    async def _save_in_child(self) -> bool:
        """Saves a copy in a forked process, which has the data of this instant and does not hold up requests.

        Returns whether it did. A process that takes too long is killed.
        """
        save = self._begin()
        child = os.fork()
        if child == 0:
            self._save_and_exit(save)
        try:
            async with asyncio.timeout(_COPY_SECONDS):
                while (ended := os.waitpid(child, os.WNOHANG)) == (0, 0):
                    await asyncio.sleep(0.02)
        except BaseException as error:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            if isinstance(error, TimeoutError):
                return False
            raise
        return ended[1] == 0

    def _save_and_exit(self, save: Save) -> NoReturn:
        status = 1
        try:
            self.save_copy(save)
            status = 0
        except Exception:  # noqa: BLE001 - the parent tries again
            traceback.print_exc()
        finally:
            os._exit(status)

    def save_copy(self, save: Save) -> None:
        """Saves the data as the newest copy."""
        folder = engine_state.begin(self._root)
        save(folder)
        engine_state.complete(folder)


def _save_ministack(read: engine_streams.Positions, folder: Path) -> None:
    from ministack import app
    from ministack.core import persistence

    services = app._build_persistence_save_dict()
    persistence.STATE_DIR = str(folder)
    persistence.save_all(services)
    engine_streams.save(read)
    absent = [name for name in (*services, engine_streams.STATE) if not (folder / f"{name}.json").exists()]
    if absent:
        raise OSError(f"The data of {', '.join(absent)} could not be saved.")


def _with_downloads(served: App) -> App:
    from infra.local.downloads import SignedDownloads
    from infra.stack import download_key

    if not (private := os.environ["DOWNLOAD_KEY"]):
        return served
    buckets = {"papers": os.environ["PAPERS_BUCKET"], "exports": os.environ["BUCKET_NAME"]}
    return SignedDownloads(served, download_key.public(private), os.environ["DOWNLOAD_KEY_ID"], buckets)


def main() -> None:
    """Starts the engine from its newest copy and serves until SIGTERM."""
    root = Path(sys.argv.pop())  # `ministack` has arguments of its own
    copy = engine_state.recover(root).copy
    os.environ |= {"PERSIST_STATE": "1", "STATE_DIR": str(copy or root / "none")}
    warnings.filterwarnings("ignore", "This process .* is multi-threaded, use of fork", DeprecationWarning)
    from ministack import app

    from infra.local import signatures, uploads

    engine_queues.keep()
    uploads.keep_checksums()
    signatures.judge(os.environ["AWS_SECRET_ACCESS_KEY"])
    positions = root.parent / engine_streams.FOLDER
    engine_streams.restore(positions)
    files = PagesOfFiles(tuple(os.environ["PAGES_ORIGINS"].split()), os.environ["PAPERS_BUCKET"])
    saving = SavingApp(app.app, lambda: partial(_save_ministack, engine_streams.positions(positions)), root)
    app.app = WithoutPages(_with_downloads(saving), os.environ["BIND_HOST"], files)
    app.main()


if __name__ == "__main__":
    main()
