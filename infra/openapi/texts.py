"""The words of the API reference about operations, and the examples; models describe themselves (`descriptions`).

`reference/<tag>.yaml` describes the operations of one tag and has an example of each resource, `reference/shared.yaml`
has what several tags have in common, and `reference/overview.md` what is explained before the operations. A `$NAME` in
capitals stands for a number of the code (`numbers`), one in small letters for an id of the examples.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from string import Template
from typing import Any

import yaml

from governance.errors import Code, Reason
from infra.openapi.numbers import numbers
from infra.openapi.workflow import workflows

FOLDER = Path(__file__).parent / "reference"
SHARED = "shared"
Text = dict[str, Any]
_WRAPPED = re.compile(r"(?<!\n)\n(?!\n)")


class Reference:
    """The texts and examples of the document, by operation and schema."""

    def __init__(self, files: dict[str, Text]) -> None:
        shared = files[SHARED]
        values = {**numbers(), **shared["ids"]}
        filled = {name: _filled(text, values) for name, text in files.items()}
        self.values = values
        self.shared = filled[SHARED]
        self.tags: dict[str, Text] = {name: text["tag"] for name, text in filled.items() if name != SHARED}
        self.operations: dict[str, Text] = _merged(filled, "operations")
        self.examples: dict[str, Any] = _merged(filled, "examples")

    def overview(self) -> str:
        """The Markdown before the operations."""
        tables = {
            "ERROR_TABLE": self._error_table(),
            "REASON_TABLE": self._reason_table(),
            "WORKFLOW_TABLE": _workflow_table(),
        }
        text = (FOLDER / "overview.md").read_text(encoding="utf-8")
        return Template(text).substitute({**self.values, **tables})

    def _error_table(self) -> str:
        rows = [f"| `{code.name}` | {code.status} | {self.shared['errors'].get(code.name)} |" for code in Code]
        return "\n".join(["| Code | Status | Meaning |", "|---|---|---|", *rows])

    def _reason_table(self) -> str:
        rows = [f"| `{reason.value}` | {self.shared['reasons'].get(reason.value)} |" for reason in Reason]
        return "\n".join(["| Reason | Meaning |", "|---|---|", *rows])


def _workflow_table() -> str:
    rows = [f"| [{name}](/arazzo/{name}.arazzo.json) | {workflow.summary} |" for name, workflow in workflows().items()]
    return "\n".join(["| Workflow | What it does |", "|---|---|", *rows])


def _merged(files: dict[str, Text], part: str) -> dict[str, Any]:
    entries: dict[str, Any] = {}
    for text in files.values():
        for name, entry in (text.get(part) or {}).items():
            if name in entries:
                raise ValueError(f"{name} is described twice")
            entries[name] = entry
    return entries


def _filled(text: Any, values: dict[str, Any]) -> Any:
    """Returns the text, a line for each paragraph, with each `$NAME` replaced.

    Raises `KeyError` for a name that stands for nothing.
    """
    if isinstance(text, str):
        return _WRAPPED.sub(" ", Template(text).substitute(values).strip())
    if isinstance(text, dict):
        return {_filled(key, values): _filled(value, values) for key, value in text.items()}
    if isinstance(text, list):
        return [_filled(value, values) for value in text]
    return text


@cache
def reference() -> Reference:
    """The reference as the files have it."""
    paths = sorted(FOLDER.glob("*.yaml"))
    return Reference({path.stem: yaml.load(path.read_text(encoding="utf-8"), yaml.CSafeLoader) for path in paths})
