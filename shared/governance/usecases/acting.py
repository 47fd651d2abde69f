"""Calls use cases as a user, without a request: for data that the service itself writes in the name of members."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from governance.domain.access import Principal, tier
from governance.ids import UserId
from governance.instants import Instant
from governance.models.account.user import StoredUser
from governance.models.base import Body
from governance.models.boards.board import Membership, StoredBoard
from governance.store.schema.entities import BOARD, MEMBER, USER
from governance.store.schema.keys import Entity, Item, Key
from governance.store.table import read
from governance.usecases.context import Context, Outcome, RequestInfo
from governance.usecases.declarations import declaration_of


def act_as(
    user_id: UserId, usecase: Callable[..., Any], body: Body | None, now: Instant, params: Mapping[str, str]
) -> Outcome[Any]:
    """Returns the outcome of a user's request; `params` are the path parameters. Commits nothing.

    Its writes check that the board still exists. Nobody is authenticated or admitted: the caller answers for what the
    user may do.
    """
    info = RequestInfo(params, user_id)
    context = context_of(info, usecase, now)
    found = _call(info, usecase, context, [] if body is None else [body])
    outcome = found if isinstance(found, Outcome) else Outcome(found, ())
    return replace(outcome, writes=context.while_board_exists(outcome.writes) if outcome.writes else ())


def read_as(info: RequestInfo, usecase: Callable[..., Any], context: Context) -> Any:
    """Returns the result of a use case that only reads, for a user's request; its query, if any, is that of `info`."""
    return _call(info, usecase, context, [] if info.query is None else [info.query])


def _call(info: RequestInfo, usecase: Callable[..., Any], context: Context, given: list[Any]) -> Any:
    prefetched = [prefetch(info) for prefetch in declaration_of(usecase).prefetch]
    return usecase(context, *prefetched, *given)


def context_of(info: RequestInfo, usecase: Callable[..., Any], now: Instant) -> Context:
    """Reads the items that a user's request needs: the caller, the board, and what the use case loads."""
    params = dict(info.params)
    known = {**params, "userId": info.known_user_id}
    user_key, board_key, member_key = (entity.key_or_none(**known) for entity in (USER, BOARD, MEMBER))
    declared = declaration_of(usecase).loads
    loaders = [loader.key_or_none(**params) if isinstance(loader, Entity) else loader(info) for loader in declared]
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
        query=info.query,
        after=info.after,
    )


def _flat(loaded: list[Any]) -> list[Key | None]:
    return [key for found in loaded for key in ([found] if found is None or isinstance(found, Key) else found)]


def _item(loaded: Mapping[Key, Item], key: Key | None) -> Item | None:
    return loaded.get(key) if key else None
