"""A Python client of the API, generated from openapi.json as a user of the API would generate one."""

import importlib
import subprocess
import sys
from pathlib import Path
from types import ModuleType

from infra.openapi.document import FILE

_NAME = "generated_board_client"
_NO_FORMATTER = "post_hooks: []\n"


def generate(folder: Path) -> Path:
    """Generate the client into a folder, without any network; the folder of its package."""
    config = folder / "generator.yaml"
    config.write_text(_NO_FORMATTER)
    program = Path(sys.executable).parent / "openapi-python-client"
    arguments: list[str | Path] = [
        "--path",
        FILE,
        "--meta",
        "none",
        "--output-path",
        folder / _NAME,
        "--config",
        config,
        "--fail-on-warning",
    ]
    done = subprocess.run([program, "generate", *arguments], capture_output=True, text=True, check=False)  # noqa: S603
    assert done.returncode == 0, done.stdout + done.stderr
    return folder / _NAME


class GeneratedClient:
    """The generated package, with its modules by name."""

    def __init__(self, folder: Path) -> None:
        sys.path.insert(0, str(generate(folder).parent))

    def module(self, name: str = "") -> ModuleType:
        """A module of the package."""
        return importlib.import_module(f"{_NAME}.{name}" if name else _NAME)
