"""How large a client of the API is: what repeats in the document is generated once."""

from pathlib import Path

import pytest

from tests.harness.client import ROUTES
from tests.harness.generated_client import generate

_FILES = 350 / 81
_LINES = 25_000 / 81
"""Per operation: what 81 operations were allowed."""


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return generate(tmp_path_factory.mktemp("client"))


def test_a_generated_client_is_small(package: Path) -> None:
    """Lines with something on them count: where no formatter runs, the generator leaves a third of them blank."""
    files = list(package.rglob("*.py"))
    assert len(files) <= _FILES * len(ROUTES)
    assert sum(bool(line.strip()) for file in files for line in file.read_text().splitlines()) <= _LINES * len(ROUTES)


def test_a_generated_client_has_a_module_for_every_operation(package: Path) -> None:
    modules = [file for file in (package / "api").rglob("*.py") if file.name != "__init__.py"]
    assert len(modules) == len(ROUTES)


def test_an_error_is_one_class_for_all_operations(package: Path) -> None:
    assert {file.stem for file in (package / "models").glob("*error*.py")} == {
        "bare_error",
        "error",
        "error_body",
        "error_code",
        "error_details",
        "error_reason",
        "field_errors",
    }
