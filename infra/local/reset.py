"""`make reset`: deletes the data of `make run` in the folder that LOCAL_STATE names, and nothing else in it.

It refuses while a service uses the folder, and leaves a folder alone that no service has used.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from infra.local import engine, engine_state, engine_streams
from infra.local.run import StartError, exclusive_lock
from infra.stack import env_file

_FOLDERS = ("engine", "bucket", "dynamodb", "outbox", "inbox", engine_streams.FOLDER)
_LOGS = ("engine.log", "dynamodb-local.log", "functions.log")
_FILES = ("engine.json", "demo.json", "failed-events.jsonl", "env", "secrets", *_LOGS)


def reset(state: Path) -> None:
    """Deletes what `make run` wrote to a folder. Raises `StartError` if a service uses it, or if none ever did.

    Other projects have folders called `bucket`, `env` or `outbox` too.
    """
    if not state.exists():
        return
    if not (state / env_file.LOCK).is_file() and any((state / name).exists() for name in (*_FOLDERS, *_FILES)):
        raise StartError(f"{state} is not a folder of `make run`; nothing was deleted. Check LOCAL_STATE.")
    with exclusive_lock(state):
        engine.stop_orphans(state)
        for folder in (*(state / name for name in _FOLDERS), *state.glob(f"{engine_state.ASIDE}*")):
            shutil.rmtree(folder, ignore_errors=True)
        for name in _FILES:
            (state / name).unlink(missing_ok=True)


def main() -> int:
    """Resets the folder and returns the exit code: 1 if a service uses it."""
    try:
        reset(env_file.STATE)
    except StartError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
