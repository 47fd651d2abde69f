"""Calls use cases as a user, without a request: for data that the service itself writes in the name of members."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from governance.domain.access.access import Principal
from governance.ids import UserId
from governance.instants import Instant
from governance.models.account.user import StoredUser
from governance.models.base import Body
from governance.store.schema.entities import USER
from governance.store.table import read
from governance.usecases.context import Context, Outcome, RequestInfo, board_keys, build_context
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
    result = _call(info, usecase, context, [] if body is None else [body])
    outcome = result if isinstance(result, Outcome) else Outcome(result, ())
    return replace(outcome, writes=context.while_board_exists(outcome.writes) if outcome.writes else ())


def read_as(info: RequestInfo, usecase: Callable[..., Any], context: Context) -> Any:
    """Returns the result of a use case that only reads, for a user's request; its query, if any, is that of `info`."""
    return _call(info, usecase, context, [] if info.query is None else [info.query])


def _call(info: RequestInfo, usecase: Callable[..., Any], context: Context, given: list[Any]) -> Any:
    prefetched = [prefetch(info) for prefetch in declaration_of(usecase).prefetch]
    return usecase(context, *prefetched, *given)


def context_of(info: RequestInfo, usecase: Callable[..., Any], now: Instant) -> Context:
    """Reads the items that a request needs: the caller, if it has one, the board, and what the use case loads."""
    user_key = USER.key_for(userId=info.user_id) if info.user_id else None
    wanted = [user_key, *board_keys(info.params, info.user_id), *declaration_of(usecase).keys(info)]
    items = read(key for key in wanted if key is not None)
    principal = Principal(StoredUser.model_validate(items[user_key]), None) if user_key else None
    return build_context(info.params, items, principal, now, info.query, info.after)
