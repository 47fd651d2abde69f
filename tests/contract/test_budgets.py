"""What a request and a cold start may cost, in counts that no machine's mood can change (ADR growth)."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.harness.client import FUNCTIONS
from tests.harness.engine import ENVIRONMENT

SHARED = FUNCTIONS.parent / "shared"
COLD_PATH = Path(__file__).with_name("cold_path.txt")
_PROBE = "import json, sys; import handler; print(json.dumps(sorted(k for k, v in sys.modules.items() if v)))"
_SIZES = """
import json, marshal, sys
import handler
loaders = {name: module.__spec__.loader for name, module in sys.modules.items() if getattr(module, "__spec__", None)}
codes = [loader.get_code(name) for name, loader in loaders.items() if hasattr(loader, "path")]
print(json.dumps([len(loaders), sum(len(marshal.dumps(code)) for code in codes if code)]))
"""
_BUILT = """
import json
import handler
from governance.models.base import Input, Resource

def below(model):
    return {part for subclass in model.__subclasses__() for part in (subclass, *below(subclass))}

print(json.dumps([model.__name__ for model in below(Resource) | below(Input) if model.__pydantic_complete__]))
"""
_MODULES, _CODE_BYTES = 524, 6_250_000
"""What a start of the meetings' function may bring, Python's own included: with the SDK it was 683 and 9,700,000."""
_NOT_SHIPPED = {"awscrt"}
"""What the SDK takes along where it finds it: among the tools of developers, not in the layer."""
_LAMBDA = {"AWS_LAMBDA_INITIALIZATION_TYPE": "on-demand", "ORIGIN_SECRETS": "sent-by-the-cdn"}


def _at_start(probe: str, function: str = "meetings") -> Any:
    """What a probe prints in a new process that starts a function as Lambda does."""
    path = f"{FUNCTIONS / function}{os.pathsep}{SHARED}"
    environment = {**os.environ, **ENVIRONMENT, "TABLE_NAME": "none", "PYTHONPATH": path, **_LAMBDA}
    command = [sys.executable, "-c", probe]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)  # noqa: S603 - ours
    return json.loads(done.stdout)


def _imported(function: str = "meetings") -> set[str]:
    """The packages, and our own modules, that a start of a function brings; not what Python itself has."""
    names: list[str] = _at_start(_PROBE, function)
    ours = {name for name in names if name.startswith("governance.")}
    packages = {name.partition(".")[0] for name in names} - set(sys.stdlib_module_names) - _NOT_SHIPPED
    return ours | {name for name in packages if not name.startswith("_") and "editable" not in name} - {"handler"}


def test_the_cold_path_imports_nothing_new() -> None:
    allowed = set(COLD_PATH.read_text(encoding="utf-8").split())
    assert _imported() - allowed == set(), (
        "an import is a decision: add it to cold_path.txt, or import it where it is used"
    )


@pytest.mark.parametrize(
    ("function", "own"),
    [
        (
            "access",
            {
                f"governance.{part}"
                for part in ("http.access", "http.access.evaluation", "models.access", "models.access.access")
            },
        ),
        ("mcp", {f"governance.mcp{part}" for part in ("", ".catalog", ".protocol", ".server", ".tools")}),
    ],
)
def test_a_function_for_all_routes_starts_with_less_than_one_for_some(function: str, own: set[str]) -> None:
    assert _imported(function) - _imported("boards") == own


def test_a_start_brings_no_more_modules_and_code_than_before() -> None:
    modules, code_bytes = _at_start(_SIZES)
    assert modules <= _MODULES
    assert code_bytes <= _CODE_BYTES


@pytest.mark.parametrize("function", ["meetings", "boards", "documents"])
def test_a_start_builds_no_model(function: str) -> None:
    assert _at_start(_BUILT, function) == [], "an instance, or a default that is one, builds its model: make it later"


_KEPT = {"base.py", "kind.py", "numbers.py", "reminders.py"}
"""What models are made of, and what names types that only the type checker imports."""


def test_models_do_not_keep_their_annotations_as_text() -> None:
    folders = [SHARED / "governance" / name for name in ("models", "domain/events")]
    kept = {path.name for folder in folders for path in folder.rglob("*.py") if _declares_models_in_text(path)}
    assert kept == _KEPT, "pydantic would compile them again at every start"


def _declares_models_in_text(path: Path) -> bool:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    fields = (member for part in tree.body if isinstance(part, ast.ClassDef) and part.bases for member in part.body)
    is_text = any(isinstance(part, ast.ImportFrom) and part.module == "__future__" for part in tree.body)
    return is_text and any(isinstance(field, ast.AnnAssign) for field in fields)
