"""Finding a Python: the version that the name says, on the PATH or among pyenv's versions."""

import subprocess
import sys
from pathlib import Path

import pytest

from infra.build import bytecode, interpreter
from infra.stack.template import ROOT
from tests.local.test_setup import program

FIND = ROOT / "infra/local/find_python.sh"
NEWEST = f"python3.{sys.version_info.minor}"


def python(folder: Path, name: str) -> Path:
    """A program of that name which runs the tests' own Python."""
    folder.mkdir(parents=True, exist_ok=True)
    return program(folder, name, f'exec "{sys.executable}" "$@"')


def find(tmp_path: Path, *names: str) -> str | None:
    """What is found where the PATH has the folder `bin` first, and pyenv's versions lie in `pyenv`."""
    done = subprocess.run(  # noqa: S603 - the script under test
        [str(FIND), *names],
        env={"PATH": f"{tmp_path / 'bin'}:/usr/bin:/bin", "PYENV_ROOT": str(tmp_path / "pyenv")},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout.strip() if done.returncode == 0 else None


def test_a_python_of_pyenv_is_found_although_the_program_on_the_path_refuses(tmp_path: Path) -> None:
    python(tmp_path / "bin", "any")
    program(tmp_path / "bin", NEWEST, "exit 127")
    file = python(tmp_path / f"pyenv/versions/{NEWEST.removeprefix('python')}.0/bin", NEWEST)
    assert find(tmp_path, NEWEST) == str(file)


def test_a_program_of_another_version_than_its_name_is_passed_over(tmp_path: Path) -> None:
    python(tmp_path / "bin", "python3.99")
    assert find(tmp_path, "python3.99") is None


def test_byte_code_is_compiled_by_the_interpreter_of_the_runtime(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "module.py").write_text("x = 1\n")
    monkeypatch.setattr(bytecode, "interpreter", lambda: Path(sys.executable))
    bytecode.compile_all(tmp_path, "/opt/python")
    (compiled,) = tmp_path.glob("__pycache__/module.*.pyc")
    content = compiled.read_bytes()
    assert content[4:8] == b"\x01\x00\x00\x00"  # checked against nothing: the sources never change
    assert b"/opt/python/module.py" in content


def test_the_build_says_in_one_sentence_that_the_runtimes_python_is_not_there(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(interpreter, "_FIND", program(tmp_path, "find", "exit 1"))
    interpreter.interpreter.cache_clear()
    with pytest.raises(SystemExit) as ended:
        interpreter.interpreter()
    assert ended.value.code == (
        "The functions run on python3.13, and it is neither on the PATH nor installed by pyenv."
    )
