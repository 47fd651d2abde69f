"""What everybody reads of a board, and which of it answers something else after an act."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from tests.harness.board_scenario import Person
from tests.harness.client import Response
from tests.harness.live import Channel
from tests.harness.steps import Items, noted_steps, together


class Readings:
    """The answers to everybody's GETs, and the rows that each of them is made of."""

    def __init__(self, people: Mapping[str, Person], paths: Sequence[str]) -> None:
        self._people, self._paths = people, paths
        self._rows: dict[tuple[str, str], Items] = {}
        self._answers: dict[tuple[str, str], str] = {}
        for name in people:
            for path in paths:
                with noted_steps(str) as steps:
                    self._answers[name, path] = self._read(name, path)
                self._rows[name, path] = together(steps).read
        self.changed: dict[str, set[str]] = {}
        """The addresses that answer something else, by the name of who reads them."""

    @contextmanager
    def watched(self, channel: Channel) -> Iterator[None]:
        """Rings for everything that changes in the block, and reads again what is made of a row that was written."""
        with noted_steps(str) as steps, channel.watched():
            yield
        written = together(steps).written
        for (name, path), rows in self._rows.items():
            if rows.meets(written) and self._read(name, path) != self._answers[name, path]:
                self.changed.setdefault(name, set()).add(path)

    def _read(self, name: str, path: str) -> str:
        return _shown(self._people[name].client.get(path))


def _shown(response: Response) -> str:
    return json.dumps(response.json) if response.status == 200 else str(response.status)
