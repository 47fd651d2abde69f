"""The engines of a folder: one at a time, whatever became of the `make run` that began them."""

import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from infra.local import engine

_SECONDS = 60


@contextmanager
def process(*words: str) -> Iterator[subprocess.Popen[bytes]]:
    """Runs a process whose command ends with these words."""
    command = [sys.executable, "-c", "import time; time.sleep(600)", *words]
    with subprocess.Popen(command) as running:  # noqa: S603 - our own
        try:
            yield running
        finally:
            running.kill()


def test_all_engines_of_a_folder_are_stopped_and_those_of_others_go_on(tmp_path: Path) -> None:
    module = ("-m", "infra.local.saving_engine")
    state, near = tmp_path / "state", tmp_path / "state-2"
    state.mkdir()
    with (
        process(*module, f"{state}/engine") as ours,
        process("-dbPath", f"{state}/dynamodb", "-sharedDb") as table,
        process(*module, f"{near}/engine") as other,
        process("-dbPath", f"{near}/dynamodb") as other_table,
        process(f"{state}/engine") as another_program,
    ):
        (state / "engine.json").write_text(f'{{"pids": [{other.pid}]}}')  # an id that the system has given again
        engine.stop_orphans(state)
        assert [each.wait(_SECONDS) for each in (ours, table)] == [-signal.SIGTERM] * 2
        assert [each.poll() for each in (other, other_table, another_program)] == [None] * 3
        assert not (state / "engine.json").exists()
