"""The words of the API reference: what a client developer reads, kept apart from the code that serves requests.

`reference/<tag>.yaml` describes the operations of one tag and the schemas that they use, `reference/shared.yaml` what
several tags have in common, and `reference/overview.md` what is explained before the operations. A `$NAME` in capitals
stands for a number of the code (`numbers`), one in small letters for an id of the examples.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from string import Template
from typing import Any

import yaml

from governance import limits
from governance.domain.webhooks.webhook_delivery import RETRY_SECONDS
from governance.errors import Code, Reason
from governance.models.reports.cycle import DEFAULT_REMINDERS

FOLDER = Path(__file__).parent / "reference"
SHARED = "shared"
Text = dict[str, Any]
_WRAPPED = re.compile(r"(?<!\n)\n(?!\n)")
_UNITS = {
    "SECONDS": (("hour", 3600), ("minute", 60), ("second", 1)),
    "MINUTES": (("minute", 1),),
    "HOURS": (("hour", 1),),
    "DAYS": (("day", 1),),
    "BYTES": (("MiB", 1024 * 1024), ("KiB", 1024), ("byte", 1)),
}
"""How numbers are said whose name ends in a unit: the first of these that divides the number."""
_UNCHANGED_PLURALS = {"MiB", "KiB"}


@cache
def numbers() -> dict[str, str]:
    """Returns the numbers that texts quote, by name: each limit, the default reminders and the delays of webhooks.

    The name of a time or a size has a second form: `$DOWNLOAD_SECONDS` is 120, `$DOWNLOAD_SECONDS_IN_WORDS` 2 minutes.
    """
    known = {name: value for name, value in vars(limits).items() if name.isupper()}
    known |= {"DEFAULT_REMINDERS": DEFAULT_REMINDERS, "RETRY_SECONDS": RETRY_SECONDS}
    texts = {name: _listed(str(number) for number in _each(value)) for name, value in known.items()}
    for name, value in known.items():
        if units := _UNITS.get(name.rpartition("_")[2]):
            texts[f"{name}_IN_WORDS"] = _listed(_in_words(number, units) for number in _each(value))
    return texts


def _each(value: Any) -> tuple[int, ...]:
    return value if isinstance(value, tuple) else (value,)


def _listed(texts: Iterable[str]) -> str:
    *before, last = texts
    return f"{', '.join(before)} and {last}" if before else last


def _in_words(number: int, units: Iterable[tuple[str, int]]) -> str:
    unit, amount = next((unit, number // size) for unit, size in units if number % size == 0)
    return f"{amount} {unit}" if amount == 1 or unit in _UNCHANGED_PLURALS else f"{amount} {unit}s"


class Reference:
    """The texts and examples of the document, by operation, schema, field and parameter."""

    def __init__(self, files: dict[str, Text]) -> None:
        shared = files[SHARED]
        values = {**numbers(), **shared["ids"]}
        filled = {name: _filled(text, values) for name, text in files.items()}
        self.values = values
        self.shared = filled[SHARED]
        self.tags: dict[str, Text] = {name: text["tag"] for name, text in filled.items() if name != SHARED}
        self.operations: dict[str, Text] = _merged(filled, "operations")
        self.schemas: dict[str, Text] = _merged(filled, "schemas")

    def field(self, schema: str, name: str) -> str | None:
        """The description of a field: its schema's own, that of the schema it is `like`, or the shared one."""
        known: str | None = schema
        while known is not None:
            text = self.schemas.get(known, {})
            if name in text.get("fields", {}):
                return str(text["fields"][name])
            known = text.get("like")
        return _text_of(self.shared["fields"], name)

    def parameter(self, operation: str, name: str) -> str | None:
        """The description of a parameter: its operation's own, or the shared one."""
        own = self.operations.get(operation, {}).get("parameters", {})
        return _text_of(own, name) or _text_of(self.shared["parameters"], name)

    def is_shared(self, operation: str, name: str) -> bool:
        """Whether a parameter is described for all operations alike."""
        return name not in self.operations.get(operation, {}).get("parameters", {})

    def named(self) -> dict[str, list[str]]:
        """The schemas that are drawn inline and get a name, with the fields or parameters that have them."""
        return {name: text["at"] for name, text in self.schemas.items() if "at" in text}

    def overview(self) -> str:
        """The Markdown before the operations."""
        tables = {"ERROR_TABLE": self._error_table(), "REASON_TABLE": self._reason_table()}
        text = (FOLDER / "overview.md").read_text(encoding="utf-8")
        return Template(text).substitute({**self.values, **tables})

    def _error_table(self) -> str:
        rows = [f"| `{code.name}` | {code.status} | {self.shared['errors'].get(code.name)} |" for code in Code]
        return "\n".join(["| Code | Status | Meaning |", "|---|---|---|", *rows])

    def _reason_table(self) -> str:
        rows = [f"| `{reason.value}` | {self.shared['reasons'].get(reason.value)} |" for reason in Reason]
        return "\n".join(["| Reason | Meaning |", "|---|---|", *rows])


def _text_of(texts: Text, name: str) -> str | None:
    return str(texts[name]) if name in texts else None


def _merged(files: dict[str, Text], part: str) -> dict[str, Text]:
    entries: dict[str, Text] = {}
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
