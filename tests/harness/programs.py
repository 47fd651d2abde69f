"""Programs and npm packages that some tests need. Where one is absent they do not run, and the summary says so."""

from __future__ import annotations

import os
import re
import shutil
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
_DEBIAN = {
    "chromium": ("chromium", "chromium-driver"),
    "chromedriver": ("chromium-driver",),
    "java": ("default-jre-headless",),
    "javac": ("default-jdk-headless",),
    "node": ("npm",),
    "pdfsig": ("poppler-utils",),
    "qpdf": ("qpdf",),
}
"""The packages of Debian for each program."""
_ABSENT = re.compile(r"needs (\S+), which is not installed")


def add_to_path() -> None:
    """Lets tests find the programs that `make programs` has installed, however pytest is called."""
    os.environ["PATH"] = f"{ROOT / '.venv-programs/programs'}{os.pathsep}{os.environ['PATH']}"


def program(name: str) -> str:
    """Returns the path of a program. Skips the test if it is absent."""
    return shutil.which(name) or _skip(name)


def packages(folder: Path) -> Path:
    """Returns the folder of npm packages below `folder`. Skips the test if they are absent."""
    modules = folder / "node_modules"
    is_whole = (modules / ".package-lock.json").exists()  # npm writes it at the end
    return modules if is_whole else Path(_skip(str(modules.relative_to(ROOT))))


def _skip(name: str) -> str:
    pytest.skip(f"needs {name}, which is not installed")


def absent(reports: list[pytest.TestReport]) -> Counter[str]:
    """Counts the tests that did not run, by what they lacked first."""
    reasons = (_ABSENT.search(str(report.longrepr)) for report in reports)
    return Counter(reason[1] for reason in reasons if reason)


def remedy(lacking: Counter[str]) -> str:
    """Returns the command that installs what was lacking."""
    debian = sorted({package for name in lacking for package in _DEBIAN.get(name, ())})
    return f"sudo apt-get install {' '.join(debian)}" if debian else "make programs"
