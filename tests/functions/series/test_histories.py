"""Random histories of a series: an item stands in exactly one place, and what was left open is carried over once.

Occurrences are opened, moved, cancelled and put back, meetings completed and deleted, and rule, zone and end change.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from random import Random
from typing import Any

import pytest

from governance.domain.access.visibility import document_visibility
from governance.domain.meetings.agenda import items_of
from governance.ids import BoardId
from governance.models.meetings.meeting import StoredMeeting
from governance.store.meetings import agendas, meetings
from governance.store.paging import Window
from governance.store.planning import backlog
from governance.store.schema.entities import MEETING
from tests.functions.series.conftest import series_path
from tests.harness.board_scenario import BoardScenario, Person

STEPS = 16
SEEDS = int(os.environ.get("HISTORIES", "25"))
"""`make series` sets more."""
SCHEDULES: tuple[dict[str, Any], ...] = (
    {"rule": "FREQ=WEEKLY;BYDAY=TU", "start": "2098-01-07T09:00"},
    {"rule": "FREQ=MONTHLY;BYDAY=2WE", "start": "2098-01-08T18:30"},
    {"rule": "FREQ=MONTHLY;BYDAY=1TU", "start": "2098-02-04T09:00"},
    {"timezone": "America/New_York"},
    {"timezone": "Pacific/Apia"},
    {"count": 3},
    {"endsOn": "2098-06-30"},
    {"count": None, "endsOn": None},
)


@dataclass
class History:
    """What happened to the items of a series, each of which has a title of its own."""

    scenario: BoardScenario
    manager: Person
    random: Random
    series: str = ""
    opened: dict[str, str] = field(default_factory=dict)
    """The keys of the occurrences that were opened and whose meeting is there, by its id."""
    over: list[str] = field(default_factory=list)
    changed: list[str] = field(default_factory=list)
    ended: list[str] = field(default_factory=list)
    """The keys of occurrences whose meeting was deleted."""
    titles: list[str] = field(default_factory=list)
    added: int = 0

    def begin(self) -> None:
        self.series = series_path(self.scenario, self.manager)
        self.open()

    @property
    def path(self) -> str:
        return f"{self.scenario.path}/meetings"

    def call(self, method: str, path: str, body: dict[str, Any] | None = None, refusal: int = 200) -> Any:
        """Returns the data of a response, None if it has the status of the refusal that may be."""
        response = self.manager.client.call(method, path, body)
        assert response.status in {200, 201, refusal}, response.text
        return response.data if response.status in {200, 201} else None

    def step(self) -> None:
        often = [self.open, self.open, self.add, self.add, self.add, self.complete, self.complete]
        seldom = [self.wait, self.postpone, self.place, self.move, self.cancel, self.put_back, self.patch, self.delete]
        self.random.choice([*often, *seldom])()

    def _one(self, choices: list[str]) -> list[str]:
        """Returns one of these, none if there are none."""
        return self.random.sample(choices, min(1, len(choices)))

    def _planned(self) -> list[str]:
        """Returns the keys of the next two occurrences that are planned."""
        return [each["key"] for each in self.call("GET", self.series)["next"] if each["status"] == "planned"][:2]

    def open(self) -> None:
        """Opens the next occurrence, or the one after it."""
        for key in self._one(self._planned()):
            self.opened[self.call("POST", f"{self.series}/occurrences/{key}/open")["id"]] = key

    def move(self) -> None:
        self._change({"startTime": f"2098-{self.random.randrange(1, 13):02}-15T10:00:00Z"})

    def cancel(self) -> None:
        self._change({"cancelled": True})

    def _change(self, change: dict[str, Any]) -> None:
        for key in self._one(self._planned()):
            self.call("PUT", f"{self.series}/occurrences/{key}", change)
            self.changed.append(key)

    def put_back(self) -> None:
        """Puts an occurrence back, unless it was opened since (409) or the rule has it no more (404)."""
        for key in self._one(self.changed):
            refusal = 409 if key in {*self.opened.values(), *self.ended} else 404
            self.call("DELETE", f"{self.series}/occurrences/{key}", refusal=refusal)

    def patch(self) -> None:
        self.call("PATCH", self.series, self.random.choice(SCHEDULES))

    def _live(self) -> list[str]:
        return [meeting for meeting in self.opened if meeting not in self.over]

    def _title(self) -> str:
        self.added += 1
        self.titles.append(f"Item {self.added}")
        return self.titles[-1]

    def add(self) -> None:
        """Adds an item to the agenda of a meeting that is not over."""
        for meeting in self._one(self._live()):
            items = self.call("GET", f"{self.path}/{meeting}/agenda")["items"]
            kept = [{"id": item["id"], "title": item["title"]} for item in items]
            self.call("PUT", f"{self.path}/{meeting}/agenda", {"items": [*kept, {"title": self._title()}]})

    def wait(self) -> None:
        """Puts an item into the backlog, of the series or of none."""
        of_series = {"seriesId": self.series.rpartition("/")[2]} if self.random.random() < 0.5 else {}
        self.call("POST", f"{self.scenario.path}/backlog", {"title": self._title(), **of_series})

    def complete(self) -> None:
        """Completes a meeting, or one that is over again."""
        for meeting in self._one([*self.opened]):
            if meeting in self.over:
                self.call("PATCH", f"{self.path}/{meeting}", {"status": "in_progress"})
            self.call("PATCH", f"{self.path}/{meeting}", {"status": "completed"})
            self.over = [*dict.fromkeys([*self.over, meeting])]

    def delete(self) -> None:
        """Deletes a meeting, and with it what stands on its agenda alone."""
        for meeting in self._one([*self.opened]):
            is_left = meeting in self.over and _is_carried(self._meetings()[meeting])
            lost = [] if is_left else self._agendas()[meeting]
            deleted = self.scenario.owner.client.delete(f"{self.path}/{meeting}")  # it has no creator
            assert deleted.status == 200, deleted.text
            self.ended.append(self.opened.pop(meeting))
            self.over = [id_ for id_ in self.over if id_ != meeting]
            self.titles = [title for title in self.titles if title not in lost]

    def postpone(self) -> None:
        """Postpones an item of a meeting that is not over, if its series goes on (409)."""
        for meeting in self._one(self._live()):
            others = [other for other in self._live() if other != meeting]
            to = self.random.choice(["backlog", "next", *others])
            for item in self.call("GET", f"{self.path}/{meeting}/agenda")["items"][:1]:
                path = f"{self.path}/{meeting}/agenda/items/{item['id']}/postpone"
                self.call("POST", path, {"to": to}, refusal=409 if to == "next" else 200)

    def place(self) -> None:
        """Puts an item of the backlog on the agenda of a meeting that is not over."""
        waiting = self.call("GET", f"{self.scenario.path}/backlog")[:1]
        for item, meeting in zip(waiting, self._live(), strict=False):
            self.call("POST", f"{self.scenario.path}/backlog/{item['id']}/place", {"meetingId": meeting})

    def _meetings(self) -> dict[str, StoredMeeting]:
        board_id = BoardId(self.scenario.board_id)
        return meetings.get_by_keys([MEETING.key_for(boardId=board_id, meetingId=id_) for id_ in self.opened])

    def _agendas(self) -> dict[str, list[str]]:
        stored = agendas.with_minutes(BoardId(self.scenario.board_id), [*self.opened])
        return {id_: [item.title for item in items_of(stored[id_][1])] for id_ in self.opened}

    def check(self) -> None:
        """Each item is in one place, or where a meeting left it that none follows yet; deleted ones in none."""
        board_id = BoardId(self.scenario.board_id)
        listed = backlog.list_visible(board_id, [document_visibility(None)], Window(100, descending=False))[0]
        waiting = [item.title for item in listed]
        found, on = self._meetings(), self._agendas()
        left = [id_ for id_ in self.over if not _is_carried(found[id_])]
        assert not [id_ for id_ in left if max(self.opened.values()) > self.opened[id_]]
        places = [*waiting, *(title for id_ in (*self._live(), *left) for title in on[id_])]
        assert sorted(places) == sorted(self.titles), (on, waiting, left)


def _is_carried(meeting: StoredMeeting) -> bool:
    return meeting.occurrence is not None and meeting.occurrence.carried_to is not None


@pytest.mark.parametrize("seed", range(SEEDS))
def test_in_a_history_an_item_stands_in_one_place(scenario: BoardScenario, manager: Person, seed: int) -> None:
    history = History(scenario, manager, Random(seed))  # noqa: S311 - no secret
    history.begin()
    for _ in range(STEPS):
        history.step()
        history.check()
