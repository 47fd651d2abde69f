"""What a sealed file is made of, whatever it is about."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from governance.instants import Instant
from governance.packs.jobs import Line
from governance.texts import Language


@dataclass(frozen=True)
class Act:
    """What a seal is over: the field that it is in, whose act it was, and what they did."""

    field: str
    name: str
    reason: str


@dataclass(frozen=True)
class Contents:
    """A file before it is drawn: its lines, the attached texts of JSON by their names, and the acts it is sealed over.

    `dated_at` is the time that the file says it was made at.
    """

    title: str
    language: Language
    dated_at: Instant
    lines: tuple[Line, ...]
    attachments: Mapping[str, str]
    acts: tuple[Act, ...]

    @classmethod
    def of(cls, members: Mapping[str, Any]) -> Self:
        """Returns the contents with these members, which came as JSON."""
        lines = tuple(Line(**line) for line in members["lines"])
        return cls(**{**members, "lines": lines, "acts": tuple(Act(**act) for act in members["acts"])})
