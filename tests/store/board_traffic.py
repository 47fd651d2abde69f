"""Writes to one busy board: the transactions of real requests, each of another member and about another resource."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from governance.ids import new_id
from governance.instants import now, shift
from governance.store.boards import boards
from governance.store.meetings import meetings
from governance.store.schema.entities import BOARD
from governance.store.schema.keys import Key
from governance.store.writes import Put, Write
from tests.harness.board_scenario import BoardScenario
from tests.harness.store_calls import requests_to

_MEMBERS = 300
_ID = re.compile(r"[0-9a-f]{24}")
_GUARD = re.compile(r"GUARD#([0-9a-f]{24})#\d\d")


class _Request(NamedTuple):
    """A kind of request: its share in per cent, the id of what it is about, of how many, and the keys that it holds."""

    share: int
    about: str
    choices: int
    keys: Sequence[Key]


class BoardTraffic:
    """The transactions of random requests to a board: members vote and tick off tasks while others do daily work."""

    def __init__(self, scenario: BoardScenario, seed: int) -> None:
        self._random = random.Random(seed)  # noqa: S311 - a simulation
        self._scenario, self.root = scenario, BOARD.key_for(boardId=scenario.board_id)
        meeting = self._id("meetings", {"title": "Meeting", "status": "scheduled"})
        start = {"startTime": shift(now(), days=1), "timezone": "UTC"}
        slot = self._id(f"meetings/{meeting}/slots", start)
        items = f"meetings/{self._id('meetings', {'title': 'Another'})}/action-items"
        item = self._id(items, {"title": "Item", "assigneeUserId": scenario.owner.id})
        document = self._id("documents", {"title": "Document"})
        report = self._id("reports", {"title": "Report"})
        dashboard = self._id(f"reports/{report}/dashboards", {"dashboardType": "uniform", "title": "Dashboard"})
        title = {"title": "New"}
        self._kept: set[str] = {scenario.board_id, meeting, report}
        self._requests = [
            _Request(30, slot[:12], 3, self._written("PUT", f"meetings/{meeting}/slots/{slot}/vote", {"vote": "ok"})),
            _Request(20, item, 200, self._written("PATCH", f"{items}/{item}", {"status": "completed"})),
            _Request(10, "", 1, self._written("POST", "meetings", title)),
            _Request(10, meeting, 60, self._written("PATCH", f"meetings/{meeting}", title)),
            _Request(10, "", 1, self._written("POST", "documents", title)),
            _Request(10, document, 60, self._written("PATCH", f"documents/{document}", title)),
            _Request(10, dashboard, 20, self._written("PATCH", f"reports/{report}/dashboards/{dashboard}", title)),
        ]
        self.deletion = [Put(key.attributes) for key in self._written("DELETE", "", None)]

    def _id(self, path: str, body: dict[str, Any]) -> str:
        made = self._scenario.owner.client.post(f"{self._scenario.path}/{path}", body).data
        return str(made.get("id") or made["_id"])

    def _written(self, method: str, path: str, body: dict[str, Any] | None) -> list[Key]:
        """Returns the keys of the rows that the transaction of a request holds."""
        with requests_to("dynamodb.TransactWriteItems") as transactions:
            answer = self._scenario.owner.client.call(method, f"{self._scenario.path}/{path}".rstrip("/"), body)
        assert answer.status < 300, answer.text
        (transaction,) = transactions
        held = [entry for part in transaction["TransactItems"] for entry in part.values()]
        keys = [entry.get("Key") or entry["Item"] for entry in held]
        return [Key(key["PK"]["S"], key["SK"]["S"]) for key in keys]

    def writes(self) -> Sequence[Write]:
        """Returns the writes of a random request of a random member."""
        (request,) = self._random.choices(self._requests, [request.share for request in self._requests])
        other = f"{self._random.randrange(request.choices):0{len(request.about)}x}"
        member = f"{self._random.randrange(_MEMBERS):024x}"
        ids: dict[str, str] = {kept: kept for kept in self._kept - {request.about}}
        ids[self._scenario.owner.id] = member

        def other_id(match: re.Match[str]) -> str:
            """Returns another id: a fresh one of what the request made, the same of what it did not choose."""
            id_: str = match[0]
            if request.about and id_.startswith(request.about):
                return other + id_[len(request.about) :]
            return ids.setdefault(id_, new_id())

        def other_row(match: re.Match[str]) -> str:
            rows = boards._GUARD_ROWS if match[1] == self._scenario.board_id else meetings._GUARD_ROWS
            return f"GUARD#{match[1]}#{self._random.randrange(rows):02d}"

        texts = (_GUARD.sub(other_row, _ID.sub(other_id, "\n".join(key))) for key in request.keys)
        if request.about:
            texts = (re.sub(rf"#{request.about}\b", f"#{other}", text) for text in texts)  # a slot's instant
        return [Put(Key(*text.split("\n")).attributes) for text in texts]
