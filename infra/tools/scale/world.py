"""The users and boards of a measurement, and the many rows around them, which are written straight into the table."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cache
from itertools import count
from typing import TYPE_CHECKING, Any, TypeVar

import boto3

from governance.ids import BoardId, UserId, new_id
from governance.instants import Instant, now, shift
from governance.models.account.user import StoredUser
from governance.models.boards.board import StoredBoard
from governance.settings import settings
from governance.store.account import users
from governance.store.attributes import marshal
from governance.store.boards import boards
from governance.store.schema.keys import Item
from governance.store.writes import Put, Write
from governance.usecases.members.members import new_membership

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

Send = Callable[[str, str, Any], str]
"""Sends a request (method, target, body) as one user; returns the text of the response, which is a success."""
T = TypeVar("T")
SignIn = Callable[[str], Send]
"""Returns how the user with an e-mail address sends requests."""
_BATCH = 25
_THREADS = 4


@dataclass(frozen=True)
class Caller:
    """A user who sends requests."""

    id: UserId
    send: Send

    def data(self, method: str, target: str, body: Any = None) -> Any:
        """Returns the `data` of the response to a request."""
        return json.loads(self.send(method, target, body))["data"]


@dataclass
class World:
    """What a measurement uses. `threads` says how many write rows at the same time."""

    sign_in: SignIn
    threads: int = _THREADS
    _numbers: Iterator[int] = field(default_factory=count)
    _shared: dict[tuple[Callable[..., Any], int], Any] = field(default_factory=dict)

    def number(self) -> int:
        """Returns a number that was not used yet."""
        return next(self._numbers)

    def shared(self, make: Callable[[World, int], T], size: int) -> T:
        """Returns what `make` returned for this size at first: rows that need the same many items share them."""
        if (make, size) not in self._shared:
            self._shared[make, size] = make(self, size)
        value: T = self._shared[make, size]
        return value

    def caller(self) -> Caller:
        """Creates a user without a name, who therefore has no picture either."""
        send = self.sign_in(f"scale{self.number()}@example.com")
        return Caller(UserId(json.loads(send("GET", "/api/v1/me", None))["data"]["id"]), send)

    def board(self, owner: Caller) -> StoredBoard:
        """Creates a board."""
        board = boards.find(BoardId(owner.data("POST", "/api/v1/boards", {"name": "Scale"})["id"]))
        if board is None:
            raise LookupError("a new board was not found")
        return board

    def meeting(self, owner: Caller, board: StoredBoard) -> str:
        """Creates a meeting of the board; returns its path."""
        path = f"/api/v1/boards/{board.id}/meetings"
        return f"{path}/{owner.data('POST', path, {'title': 'Meeting', 'status': 'scheduled'})['id']}"

    def slot(self, owner: Caller, meeting: str) -> str:
        """Proposes a slot at a time of its own; returns its path."""
        start = shift(now(), days=30, minutes=self.number())
        body = {"startTime": start, "timezone": "Europe/Paris", "durationInMinutes": 60}
        return f"{meeting}/slots/{owner.data('POST', f'{meeting}/slots', body)['id']}"

    def join(self, board: StoredBoard, members: int) -> list[UserId]:
        """Adds the given number of members to a board; returns the ids of their users."""
        user_ids = [UserId(new_id()) for _ in range(members)]
        self.fill(write for user_id in user_ids for write in _member(board, user_id))
        return user_ids

    def fill(self, writes: Iterable[Write]) -> None:
        """Writes the items of these writes, without their conditions; what is not a put is left out."""
        items = [write.item for write in writes if isinstance(write, Put)]
        batches = [items[start : start + _BATCH] for start in range(0, len(items), _BATCH)]
        if self.threads == 1:
            for batch in batches:
                _write(batch)
            return
        with ThreadPoolExecutor(self.threads) as pool:
            list(pool.map(_write, batches))


def _member(board: StoredBoard, user_id: UserId) -> list[Write]:
    created_at = now()
    user = StoredUser(id=user_id, email=f"{user_id}@example.com", created_at=created_at, updated_at=created_at)
    membership = new_membership(board.id, user_id, created_at)
    return [*boards.add_member(board, membership), *users.create(user)]


@cache
def _sdk() -> DynamoDBClient:
    return boto3.client("dynamodb")


def _write(items: list[Item]) -> None:
    left: Any = {settings().table_name: [{"PutRequest": {"Item": marshal(item)}} for item in items]}
    while left:
        left = _sdk().batch_write_item(RequestItems=left)["UnprocessedItems"]


def earlier(minutes: int) -> Instant:
    """Returns the instant that many minutes ago."""
    return shift(now(), minutes=-minutes)
