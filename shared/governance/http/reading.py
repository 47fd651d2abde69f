"""Reads what the checks of a request need in one batch; `@prefetch` follows, or runs in parallel (ADR table)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from governance.http.authentication import identity_keys
from governance.http.credentials import Session
from governance.http.parsing import ParsedRequest
from governance.http.recent_admissions import RecentAdmissions, public_admissions, recent_admissions
from governance.http.route import Audience, Route
from governance.ids import is_id
from governance.store.dynamodb import run_async
from governance.store.schema.keys import Item, Key
from governance.store.table import read
from governance.usecases.context import RequestInfo, board_keys
from governance.usecases.declarations import PrefetchRead


@dataclass
class Prefetch:
    """The reads that a use case declares with `@prefetch`: started once, and awaited when the use case is called."""

    reads: Sequence[PrefetchRead]
    info: RequestInfo
    _running: list[Future[Any]] | None = field(default=None, init=False)

    def start(self) -> None:
        """Starts the reads, unless they are running."""
        if self._running is None:
            self._running = [run_async(partial(read, self.info)) for read in self.reads]

    def results(self) -> list[Any]:
        """Returns what the reads returned, in the order of their declaration; starts them if they are not running."""
        self.start()
        return [future.result() for future in self._running or ()]


@dataclass(frozen=True)
class Reads:
    """What was read for a request.

    `params` are the path's, with the board of an item that is named without one; None if there is no such item.
    `prefetch` is None if the request names nothing that could be read: it gets an error or a 404.
    """

    params: Mapping[str, str] | None
    items: Mapping[Key, Item]
    prefetch: Prefetch | None
    identity_keys: Sequence[Key] = ()
    keys: frozenset[Key] = frozenset()
    """The keys that were read, also those of items that do not exist."""

    @property
    def identity(self) -> list[Item | None]:
        """The items that decide whether the credential is valid."""
        return [self.items.get(key) for key in self.identity_keys]


def read_request(
    route: Route, parsed: ParsedRequest, path_params: Mapping[str, str], current: Route | None = None
) -> Reads:
    """Reads the caller, the board, the membership, what the use case declares and the idempotency record in one batch.

    `current` is the route that answers the resource as it is, if its entity tag is a precondition; what that loads is
    read too.
    The prefetch runs in parallel with the batch only if this environment recently admitted the credential to the board.
    For any other it waits until the credential has proved valid and the board has been checked: before that, nothing is
    read but these keys, so a forged credential cannot spend what a list costs.
    """
    params = resolve_board(route, path_params)
    info = parsed.info(path_params if params is None else params)
    prefetch = _prefetch(route, parsed, params)
    if prefetch is not None and was_admitted(parsed, params):
        prefetch.start()
    identity = identity_keys(parsed.credential) if parsed.credential else []
    board, member = board_keys(params or {}, parsed.user_id)
    wanted = [*identity, board, member, *route.declared.keys(info), parsed.record_key]
    if current is not None:
        wanted += current.declared.keys(info)
    keys = frozenset(key for key in wanted if key is not None)
    return Reads(params, read(keys), prefetch, identity, keys)


def was_admitted(parsed: ParsedRequest, params: Mapping[str, str] | None) -> bool:
    """Returns whether this environment recently admitted the credential to the board; a session needs no board for it.

    The signature of a session has been verified when this is asked.
    """
    board_id = (params or {}).get("boardId", "")
    if not board_id and isinstance(parsed.credential, Session):
        return True
    return admissions_of(parsed).includes(parsed.fingerprint, board_id)


def admissions_of(parsed: ParsedRequest) -> RecentAdmissions:
    """Returns where the admission of such a request is remembered: with credentials or with paths of public routes."""
    return public_admissions if parsed.credential is None else recent_admissions


def resolve_board(route: Route, params: Mapping[str, str]) -> Mapping[str, str] | None:
    """Returns the parameters, with the board of an item that is named without one; None if there is no such item."""
    resolve = route.declared.resolve_board
    if resolve is None:
        return params
    resolved = resolve(params)
    return None if resolved is None else {**params, **resolved}


def _prefetch(route: Route, parsed: ParsedRequest, params: Mapping[str, str] | None) -> Prefetch | None:
    """Returns the use case's prefetch.

    None if an id is malformed, the query is invalid, or the route admits users only and no user calls.
    """
    if params is None or parsed.query_error is not None or not all(map(is_id, _ids(route, params))):
        return None
    if parsed.user_id is None and route.admission.audience is not Audience.ANYONE:
        return None
    return Prefetch(route.declared.prefetch, parsed.info(params))


def _ids(route: Route, params: Mapping[str, str]) -> list[str]:
    return [value for name, value in params.items() if name.endswith("Id")] if route.declared.prefetch else []
