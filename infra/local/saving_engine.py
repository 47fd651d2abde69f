"""Runs `ministack` and saves its data while it runs: by itself it saves them on a clean stop only (ADR local).

Run as a module, with the settings of `ministack`, `ENGINE_DATA`, the folder of the copies, `PAGES_ORIGINS` and
`PAPERS_BUCKET`, the origins whose pages send and show the files of a bucket.
"""

from __future__ import annotations

import asyncio
import os
import signal
import traceback
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

from infra.local import engine_state
from infra.local.engine_clients import App, Message, PagesOfFiles, Receive, Send, WithoutPages

Save = Callable[[Path], None]

SAVE_SECONDS = 1.0
"""Between two copies; a copy itself takes far less than the four seconds that are left of the promised five."""
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

    def __init__(self, app: App, save: Save, root: Path, seconds: float = SAVE_SECONDS) -> None:
        self._app = app
        self._save = save
        self._root = root
        self._seconds = seconds
        self._changed = False

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Passes a request on, or the server's start and stop."""
        if scope["type"] == "lifespan":
            await self._live(scope, receive, send)
            return
        await self._app(scope, receive, send)
        self._changed = self._changed or changes_data(scope)

    async def _live(self, scope: Message, receive: Receive, send: Send) -> None:
        saving = asyncio.create_task(self._save_changes())

        async def receive_and_save() -> Message:
            message = await receive()
            if message["type"] == "lifespan.shutdown":
                saving.cancel()
                await asyncio.gather(saving, return_exceptions=True)
                self.save_copy()
            return message

        await self._app(scope, receive_and_save, send)

    async def _save_changes(self) -> None:
        while True:
            await asyncio.sleep(self._seconds)
            if self._changed:
                self._changed = False
                self._changed = not await self._save_in_child() or self._changed

    async def _save_in_child(self) -> bool:
        """Saves a copy in a forked process, which has the data of this instant and does not hold up requests.

        Returns whether it did. A process that takes too long is killed.
        """
        child = os.fork()
        if child == 0:
            self._save_and_exit()
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

    def _save_and_exit(self) -> NoReturn:
        status = 1
        try:
            self.save_copy()
            status = 0
        except Exception:  # noqa: BLE001 - the parent tries again
            traceback.print_exc()
        finally:
            os._exit(status)

    def save_copy(self) -> None:
        """Saves the data as the newest copy."""
        folder = engine_state.begin(self._root)
        self._save(folder)
        engine_state.complete(folder)


def _save_ministack(folder: Path) -> None:
    from ministack import app
    from ministack.core import persistence

    services = app._build_persistence_save_dict()
    persistence.STATE_DIR = str(folder)
    persistence.save_all(services)
    absent = [name for name in services if not (folder / f"{name}.json").exists()]
    if absent:
        raise OSError(f"The data of {', '.join(absent)} could not be saved.")


def main() -> None:
    """Starts the engine from its newest copy and serves until SIGTERM."""
    root = Path(os.environ["ENGINE_DATA"])
    copy = engine_state.recover(root).copy
    os.environ |= {"PERSIST_STATE": "1", "STATE_DIR": str(copy or root / "none")}
    warnings.filterwarnings("ignore", "This process .* is multi-threaded, use of fork", DeprecationWarning)
    from ministack import app

    from infra.local import uploads

    uploads.keep_checksums()
    files = PagesOfFiles(tuple(os.environ["PAGES_ORIGINS"].split()), os.environ["PAPERS_BUCKET"])
    app.app = WithoutPages(SavingApp(app.app, _save_ministack, root), os.environ["BIND_HOST"], files)
    app.main()


if __name__ == "__main__":
    main()
