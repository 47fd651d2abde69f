"""The rows of one board as `boardctl doctor` reads them, and what it finds wrong with them (ADR restore)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeVar

from pydantic import ValidationError

from governance.ids import BoardId
from governance.models.base import Stored
from governance.models.boards.board import Membership
from governance.store.schema.keys import Item, Key, key_of
from governance.store.table import read
from governance.store.writes import Put, Write, if_unchanged
from infra.operator.kinds import model_of

S = TypeVar("S", bound=Stored)


@dataclass(frozen=True)
class Finding:
    """A row with what is wrong with it, and the write that mends it; None for what only a restore brings back."""

    key: Key
    problem: str
    mend: Write | None = None


@dataclass
class BoardRows:
    """The rows of a board's partitions, and those of them that are models."""

    board_id: BoardId
    by_key: Mapping[Key, Item]
    unreadable: list[Finding] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Reads every row that has a model."""
        self._read = dict(self._models())

    def _models(self) -> Iterator[tuple[Key, Stored]]:
        for key, row in self.by_key.items():
            if model := model_of(row):
                try:
                    yield key, model.model_validate(row)
                except ValidationError as error:
                    names = sorted({str(detail["loc"][0]) for detail in error.errors()})
                    self.unreadable.append(Finding(key, f"cannot be read: {', '.join(names)}"))

    def of(self, model: type[S]) -> list[S]:
        """Returns the readable items of a model."""
        return [item for item in self._read.values() if isinstance(item, model)]

    def stored(self, model: type[Stored]) -> list[Item]:
        """Returns the items of a model, also those that cannot be read."""
        return [row for row in self.by_key.values() if model_of(row) is model]

    @cached_property
    def members(self) -> dict[str, Membership]:
        """The members by membership id."""
        return {member.id: member for member in self.of(Membership)}


def expect(rows: BoardRows, expected: Iterable[Item], problem: str) -> Iterator[Finding]:
    """Yields a finding for each of these rows that is stored differently, or not at all."""
    wanted = {key_of(row): row for row in expected}
    elsewhere = read(wanted.keys() - rows.by_key.keys())
    for key, row in wanted.items():
        stored = rows.by_key.get(key) or elsewhere.get(key)
        if stored is None or any(stored.get(name) != value for name, value in row.items()):
            yield Finding(key, problem, if_unchanged(Put(row), stored))
