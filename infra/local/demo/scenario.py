"""The scenario of the demo data: its users call the use cases that serve requests, at times in the past."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from governance import instants
from governance.domain.access import Principal, tier
from governance.ids import BoardId, UserId
from governance.instants import Instant
from governance.models.base import Body
from governance.models.board import Membership, StoredBoard
from governance.models.user import StoredUser
from governance.settings import Settings
from governance.store.schema import BOARD, MEMBER, USER, Entity, Item, Key
from governance.store.table import read, transact
from governance.usecases.context import Context, Outcome, RequestInfo


@dataclass
class Scenario:
    """The demo data so far: ids of users, boards and meetings by their names in the demo modules.

    `examples` has the ids for the curl commands that `make run` prints.
    """

    settings: Settings
    now: Instant = field(default_factory=instants.now)
    people: dict[str, UserId] = field(default_factory=dict)
    boards: dict[str, BoardId] = field(default_factory=dict)
    meetings: dict[str, str] = field(default_factory=dict)
    examples: dict[str, Any] = field(default_factory=dict)

    def ago(self, days: int = 0, hours: int = 0) -> Instant:
        """Returns the instant that lies so long before the seeding."""
        return instants.shift(self.now, days=-days, hours=-hours)

    def ahead(self, days: int = 0, hours: int = 0) -> Instant:
        """Returns the full hour that lies so long after the seeding, rounded down."""
        return Instant(f"{instants.shift(self.now, days=days, hours=hours)[:13]}:00:00.000Z")

    def call(
        self, user: str, usecase: Callable[..., Any], body: Body | None = None, *, at: str | None = None, **params: str
    ) -> Any:
        """Returns the response of a use case to a user's request. `params` are the path parameters."""
        info = RequestInfo(params, self.people[user])
        context = self._context(info, usecase, Instant(at or self.now))
        prefetched = [prefetch(info) for prefetch in getattr(usecase, "prefetch", ())]
        outcome = usecase(context, *prefetched) if body is None else usecase(context, *prefetched, body)
        if isinstance(outcome, Outcome):
            transact(outcome.writes)
            return outcome.response
        return outcome

    def _context(self, info: RequestInfo, usecase: Any, now: Instant) -> Context:
        params = dict(info.params)
        known = {**params, "userId": info.known_user_id}
        user_key, board_key, member_key = (entity.key_or_none(**known) for entity in (USER, BOARD, MEMBER))
        loaders = [
            loader.key_or_none(**params) if isinstance(loader, Entity) else loader(info) for loader in _loads(usecase)
        ]
        loaded = read(key for key in [user_key, board_key, member_key, *_flat(loaders)] if key is not None)
        principal = Principal(StoredUser.model_validate(loaded[USER.key_for(**known)]), None)
        board, member = _item(loaded, board_key), _item(loaded, member_key)
        membership = Membership.model_validate(member) if member else None
        return Context(
            now=now,
            params=params,
            known_principal=principal,
            known_board=StoredBoard.model_validate(board) if board else None,
            membership=membership,
            tier=tier(membership, principal),
            loaded=loaded,
        )


def _loads(usecase: Any) -> Any:
    return getattr(usecase, "loads", ())


def _flat(loaded: list[Any]) -> list[Key | None]:
    return [key for found in loaded for key in ([found] if found is None or isinstance(found, Key) else found)]


def _item(loaded: dict[Key, Item], key: Key | None) -> Item | None:
    return loaded.get(key) if key else None
