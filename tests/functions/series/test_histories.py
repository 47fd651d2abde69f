"""Random histories of a series: an item stands in exactly one place, and what was left open is carried over once."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import Any

import pytest

from governance.domain.access.visibility import document_visibility
from governance.domain.meetings.agenda import items_of
from governance.ids import BoardId
from governance.store.meetings import agendas, meetings
from governance.store.paging import Window
from governance.store.planning import backlog
from governance.store.schema.entities import MEETING
from tests.functions.series.conftest import keys, series_path
from tests.harness.board_scenario import BoardScenario, Person

STEPS = 9


@dataclass
class History:
    """What happened to the items of a series, each of which has a title of its own."""

    scenario: BoardScenario
    manager: Person
    random: Random
    series: str = ""
    to_open: list[str] = field(default_factory=list)
    opened: list[str] = field(default_factory=list)
    over: list[str] = field(default_factory=list)
    titles: list[str] = field(default_factory=list)

    def begin(self) -> None:
        self.series = series_path(self.scenario, self.manager)
        self.to_open = keys(self.manager.client.get(self.series))[:5]
        self.open()

    @property
    def path(self) -> str:
        return f"{self.scenario.path}/meetings"

    def call(self, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
        response = self.manager.client.call(method, path, body)
        assert response.status in {200, 201}, response.text
        return response.data

    def step(self) -> None:
        self.random.choice([self.open, self.add, self.add, self.wait, self.complete, self.postpone, self.place])()

    def open(self) -> None:
        """Opens the next occurrence, or the one after it."""
        if self.to_open:
            key = self.to_open.pop(self.random.randrange(min(2, len(self.to_open))))
            self.opened.append(self.call("POST", f"{self.series}/occurrences/{key}/open")["id"])

    def _live(self) -> list[str]:
        return [meeting for meeting in self.opened if meeting not in self.over]

    def _title(self) -> str:
        self.titles.append(f"Item {self.series[-6:]} {len(self.titles)}")
        return self.titles[-1]

    def add(self) -> None:
        """Adds an item to the agenda of a meeting that is not over."""
        for meeting in self._live()[-1:]:
            items = self.call("GET", f"{self.path}/{meeting}/agenda")["items"]
            kept = [{"id": item["id"], "title": item["title"]} for item in items]
            self.call("PUT", f"{self.path}/{meeting}/agenda", {"items": [*kept, {"title": self._title()}]})

    def wait(self) -> None:
        """Puts an item into the backlog, of the series or of none."""
        of_series = {"seriesId": self.series.rpartition("/")[2]} if self.random.random() < 0.5 else {}
        self.call("POST", f"{self.scenario.path}/backlog", {"title": self._title(), **of_series})

    def complete(self) -> None:
        """Completes a meeting, or one that is over again."""
        meeting = self.random.choice(self.opened)
        if meeting in self.over:
            self.call("PATCH", f"{self.path}/{meeting}", {"status": "in_progress"})
        self.call("PATCH", f"{self.path}/{meeting}", {"status": "completed"})
        self.over = [*dict.fromkeys([*self.over, meeting])]

    def postpone(self) -> None:
        """Postpones an item of a meeting that is not over."""
        for meeting in self.random.sample(self._live(), min(1, len(self._live()))):
            others = [other for other in self._live() if other != meeting]
            to = self.random.choice(["backlog", "next", *others])
            for item in self.call("GET", f"{self.path}/{meeting}/agenda")["items"][:1]:
                self.call("POST", f"{self.path}/{meeting}/agenda/items/{item['id']}/postpone", {"to": to})

    def place(self) -> None:
        """Puts an item of the backlog on the agenda of a meeting that is not over."""
        waiting = self.call("GET", f"{self.scenario.path}/backlog")[:1]
        for item, meeting in zip(waiting, self._live(), strict=False):
            self.call("POST", f"{self.scenario.path}/backlog/{item['id']}/place", {"meetingId": meeting})

    def check(self) -> None:
        """Each item is in one place, or where a meeting left it that is not yet followed by another."""
        board_id = BoardId(self.scenario.board_id)
        stored = agendas.with_minutes(board_id, self.opened)
        by_id = meetings.get_by_keys([MEETING.key_for(boardId=board_id, meetingId=id_) for id_ in self.opened])
        waiting = [
            item.title
            for item in backlog.list_visible(board_id, [document_visibility(None)], Window(100, descending=False))[0]
        ]
        on = {id_: [item.title for item in items_of(stored[id_][1])] for id_ in self.opened}
        for title in self.titles:
            assert all(listed.count(title) <= 1 for listed in on.values())
            places = waiting.count(title) + sum(title in on[id_] for id_ in self._live())
            left = [id_ for id_ in self.over if title in on[id_] and not _is_carried(by_id[id_])]
            assert places + len(left) == 1, (title, on, waiting, left)


def _is_carried(meeting: Any) -> bool:
    return bool(meeting.occurrence.carried_to)


@pytest.mark.parametrize("seed", range(5))
def test_in_a_history_an_item_stands_in_one_place(scenario: BoardScenario, manager: Person, seed: int) -> None:
    history = History(scenario, manager, Random(seed))  # noqa: S311 - no secret
    history.begin()
    for _ in range(STEPS):
        history.step()
        history.check()
