"""Decides before a ring is sent whether anybody listens to a change, and whether its room has rung too often.

So a change that nobody hears invokes nothing, and a room of many changes gets one ring a second to read all again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from governance.domain.live.hearing import CHANGED
from governance.ids import BoardId, UserId
from governance.instants import Instant, now, shift
from governance.limits import RINGS_PER_SECOND
from governance.live.rings import ring_message
from governance.models.history.event import Event
from governance.models.live.live import Change
from governance.models.queue import DeliveryKind
from governance.queue.message import Message
from governance.store.boards import board_lists
from governance.store.live import connections, folds

_FOLD_SECONDS = 1.0


@dataclass
class Audience:
    """Which rooms have listeners: a batch of the stream reads each room once, and its answer holds for a second."""

    _answers: dict[str, tuple[Instant, bool]] = field(default_factory=dict)

    def heard(self, messages: Iterable[Message]) -> Iterator[Message]:
        """Yields the messages that somebody hears, with those of a busy room folded into one."""
        for message in messages:
            if message.kind == DeliveryKind.LIVE_END:
                change = Change(event="", ids={}, at=now(), user_id=UserId(message.body["userId"]))
            else:
                change = Change.model_validate(message.body)
            for told in _board_by_board(change):
                if self._is_heard(told):
                    yield from [message] if _is_told_by_itself(told) else _folded(told)

    def _is_heard(self, change: Change) -> bool:
        room, at = connections.room_of_change(change), now()
        asked_at, answer = self._answers.get(room, (Instant(""), False))
        if asked_at <= shift(at, seconds=-1):
            asked_at, answer = at, connections.has_any(room)
            self._answers[room] = (at, answer)
        return answer


def _board_by_board(change: Change) -> list[Change]:
    """Returns the changes that ring: one of all boards of a user becomes one of each."""
    if change.on_boards_of is None:
        return [change]
    own = change.model_copy(update={"on_boards_of": None})
    return [
        own.model_copy(update={"board_id": board_id, "ids": {"boardId": board_id, **change.ids}})
        for board_id in board_lists.board_ids_of(change.on_boards_of)
    ]


def _is_told_by_itself(change: Change) -> bool:
    """Returns whether a change is one of a user, or ends rooms."""
    return change.board_id is None or change.ends_for is not None or change.event == Event.BOARD_DELETED


def _folded(change: Change) -> list[Message]:
    """Returns the message of a change; beyond the limit of a second, one for all later ones, sent after that second."""
    board_id, at = BoardId(change.board_id or ""), now()
    second = at[:19]
    number = folds.count(board_id, second, at)
    if number <= RINGS_PER_SECOND:
        return [ring_message(change)]
    folds.add_views(board_id, second, change.views)
    if number > RINGS_PER_SECOND + 1:
        return []
    told = Change(event=CHANGED, ids={"boardId": board_id}, at=at, board_id=board_id, folded_in=second)
    return [ring_message(told, _FOLD_SECONDS)]
