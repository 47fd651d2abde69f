"""Example boards: create, and fill with made-up members and content (an extension of the API, ADR boards).

The board exists at once and is filled by a delivery. Each step is one transaction with the note that it was done, so a
delivery that is killed or repeated continues where the last one stopped, and writes nothing twice.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from http import HTTPStatus
from typing import Any

from governance import deadline
from governance.domain.boards.example_board import (
    CHARACTERS,
    Character,
    character_id,
    character_user,
    new_example_board,
)
from governance.domain.events.boards import EXAMPLE_BOARD_CREATED, EXAMPLE_BOARD_FILLED
from governance.domain.events.kind import Payload
from governance.errors import ApiError, Reason, conflict
from governance.ids import BoardId, UserId
from governance.instants import now
from governance.models.base import Body
from governance.models.boards.board import Board, StoredBoard
from governance.models.boards.example_board import ExampleProgress
from governance.store.account import users
from governance.store.boards import boards, example_boards
from governance.store.schema.entities import BOARD, OWN_EXAMPLE_BOARD
from governance.store.schema.keys import Key
from governance.store.transactions import transact
from governance.store.writes import Write, retry_stale_reads
from governance.usecases.acting import act_as
from governance.usecases.boards.boards import own_board, to_resource
from governance.usecases.boards.example_content import write_content
from governance.usecases.context import Context, Outcome, RequestInfo
from governance.usecases.declarations import creates, loads
from governance.usecases.event_writes import record_event
from governance.usecases.members.members import new_membership

_Step = tuple[str, Sequence[Write]]
"""The result of a step, and its writes."""
_LEFT_OUT = ""
"""The result of a step that could not be taken."""
_STEP_SECONDS = 4 * deadline.STORE_ATTEMPT_SECONDS


def _own_key(info: RequestInfo) -> list[Key | None]:
    return [OWN_EXAMPLE_BOARD.key_or_none(userId=info.user_id or "")]


@creates(BOARD, "boardId", own_board)
@loads(_own_key)
def create_example_board(context: Context) -> Outcome[Board]:
    """Creates an example board, which is filled soon after; the caller becomes its owner.

    Raises 409 `LIMIT_REACHED` while the caller's last one exists.
    """
    owner = context.principal.named_user_id
    previous = example_boards.board_id_of(context.item(OWN_EXAMPLE_BOARD, userId=owner))
    if previous is not None and boards.find(previous) is not None:
        raise conflict(Reason.LIMIT_REACHED)
    board = new_example_board(context.now)
    membership = new_membership(board.id, owner, context.now, admin_role="owner", access_type="manager")
    writes = [
        users.check_active(owner),
        boards.create(board),
        *boards.add_member(board, membership),
        *example_boards.create(owner, previous, board.id),
        *record_event(context, EXAMPLE_BOARD_CREATED, Payload(), board_id=board.id),
    ]
    return Outcome(to_resource(board, membership), writes)


class _OutOfTime(Exception):
    """There is no time for another step."""


class _Deleted(Exception):
    """The board was deleted."""


def fill_example_board(board_id: BoardId) -> bool:
    """Fills an example board. Returns False if the time was over before it was full; then repeat it.

    Steps that somebody has made impossible meanwhile are left out.
    """
    board = boards.find(board_id)
    if board is None or not board.is_example:
        return True
    try:
        _fill(_Filler(board))
    except _OutOfTime:
        return False
    except _Deleted:
        return True
    return True


def _fill(filler: _Filler) -> None:
    for character in CHARACTERS:
        filler.step(partial(filler.add_member, character))
    write_content(filler)
    filler.step(filler.record_filled)


class _Filler:
    """Writes the content of an example board as its made-up members; a step that was taken is not taken again."""

    def __init__(self, board: StoredBoard) -> None:
        self.now = board.created_at
        self._board = board
        self._progress = self._read_progress()
        self._next = 0

    def _read_progress(self) -> ExampleProgress:
        progress = example_boards.progress(self._board.id)
        if progress is None:
            raise _Deleted
        return progress

    def person(self, name: str) -> UserId:
        """Returns the user id of a made-up member."""
        return character_id(self._board.id, name)

    def write(self, name: str, usecase: Callable[..., Any], body: Body, *, days_ago: int, **params: str) -> str:
        """Writes now, whatever `days_ago` says: nothing on a board is older than the board."""
        del days_ago
        return self.step(partial(self._act, name, usecase, body, {"boardId": self._board.id, **params}))

    def _act(self, name: str, usecase: Callable[..., Any], body: Body, params: Mapping[str, str]) -> _Step:
        outcome = act_as(self.person(name), usecase, body, now(), params)
        return str(outcome.response.id), outcome.writes

    def step(self, decide: Callable[[], _Step]) -> str:
        """Returns the result of the next step, which is taken unless it was taken before."""
        number, self._next = self._next, self._next + 1
        if number >= len(self._progress.ids):
            if not deadline.has_time(_STEP_SECONDS):
                raise _OutOfTime
            retry_stale_reads(partial(self._take, number, decide))
        return self._progress.ids[number]

    def _take(self, number: int, decide: Callable[[], _Step]) -> None:
        self._progress = self._read_progress()
        if number < len(self._progress.ids):
            return  # by another delivery, or by this one if the response of the store was lost
        try:
            self._commit(*decide())
        except ApiError as error:
            if error.code.status >= HTTPStatus.INTERNAL_SERVER_ERROR:
                raise
            self._commit(_LEFT_OUT, [])

    def _commit(self, result: str, writes: Sequence[Write]) -> None:
        progress, note = example_boards.advance(self._board.id, self._progress, result)
        transact([*writes, note])
        self._progress = progress

    def add_member(self, character: Character) -> _Step:
        """Adds a made-up member."""
        user = character_user(self._board.id, character, now())
        member = new_membership(
            self._board.id,
            user.id,
            user.created_at,
            admin_role=character.admin_role,
            access_type=character.access_type,
            positions=character.positions,
        )
        return user.id, [example_boards.put_user(user), *boards.add_member(self._board, member)]

    def record_filled(self) -> _Step:
        """Records the event that the owner is notified of."""
        return self._board.id, record_event(
            Context(now=now()), EXAMPLE_BOARD_FILLED, Payload(), board_id=self._board.id
        )
