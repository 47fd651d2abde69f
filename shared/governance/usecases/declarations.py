"""Declarations of a use case: its reads, the finders of its path's item, and other rules of admission.

    @loads(MEETING, SLOT)
    @prefetch(roster_of)
    @finds(visible_meeting, requested_slot)
    def vote_on_slot(context, meeting, slot, members, body): ...

A use case receives the context, the results of its finders and its prefetches, the body and the query, in this order
and as far as it has them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar, overload

from governance.errors import Code, not_found
from governance.ids import is_id
from governance.models.boards.board import RosterEntry
from governance.settings import Secret
from governance.store.boards import boards
from governance.store.schema.entities import seats_key
from governance.store.schema.keys import Entity, Key
from governance.store.table import read
from governance.usecases.context import Context, RequestInfo

P = ParamSpec("P")
R = TypeVar("R")
First = TypeVar("First")
Second = TypeVar("Second")
Third = TypeVar("Third")
F = TypeVar("F", bound=Callable[..., Any])

Loader = Entity | Callable[[RequestInfo], Iterable[Key | None]]
PrefetchRead = Callable[[RequestInfo], Any]
Finder = Callable[[Context], Any]
"""Returns the item that a path names. Raises 404 if it is absent or hidden from the caller, 403 if it is refused."""


Recheck = Callable[[Context, Mapping[str, Any]], None]
"""Raises 404 if the caller no longer sees what the data of a recorded response show."""


@dataclass(frozen=True)
class Declaration:
    """The declarations of a use case. Each attribute except `finders` is explained at the decorator that sets it."""

    loads: tuple[Loader, ...] = ()
    prefetch: tuple[PrefetchRead, ...] = ()
    finders: tuple[Finder, ...] = ()
    secrets: tuple[Secret, ...] = ()
    authorize: Callable[[Context], None] | None = None
    resolve_board: Callable[[Mapping[str, str]], Mapping[str, str] | None] | None = None
    find_with_board: Finder | None = None
    not_found_code: Code = Code.RESOURCE_NOT_FOUND
    renew: Callable[[Context, str], str] | None = None
    recheck: Recheck | None = None
    moves: bool = False

    def keys(self, info: RequestInfo) -> Iterator[Key | None]:
        """Yields the keys of the items that are loaded for a request."""
        for loader in self.loads:
            if isinstance(loader, Entity):
                yield loader.key_or_none(**info.params)
            else:
                yield from loader(info)

    def find(self, context: Context) -> list[Any]:
        """Returns the results of the finders, in their order. Each runs once for a request."""
        return [context.find(finder) for finder in self.finders]


_NOTHING = Declaration()
_declared: dict[Callable[..., Any], Declaration] = {}


def declaration_of(usecase: Callable[..., Any]) -> Declaration:
    """Returns the declarations of a use case."""
    return _declared.get(usecase, _NOTHING)


def _declare(usecase: F, declaration: Declaration) -> F:
    _declared[usecase] = declaration
    return usecase


def loads(*loaders: Loader) -> Callable[[F], F]:
    """Declares items that are read in the same batch as the caller; `Context.item` returns them."""
    return lambda usecase: _declare(usecase, replace(declaration_of(usecase), loads=loaders))


def uses_secret(secret: Secret) -> Callable[[F], F]:
    """Declares a secret that the use case reads itself, so that its function is given it."""
    return lambda usecase: _declare(usecase, replace(declaration_of(usecase), secrets=(secret,)))


def authorized_by(authorize: Callable[[Context], None]) -> Callable[[F], F]:
    """Declares a function that raises 403, for a route whose admission depends on more than the tier.

    It is called right after the tier has been checked, before the body is parsed.
    """
    return lambda usecase: _declare(usecase, replace(declaration_of(usecase), authorize=authorize))


def renewed_by(renew: Callable[[Context, str], str]) -> Callable[[F], F]:
    """Declares the function that adds the unrecorded parts to a recorded response, for a repeat with its key.

    It is given the JSON text and returns it, unchanged if the caller may not have these parts now.
    """
    return lambda usecase: _declare(usecase, replace(declaration_of(usecase), renew=renew))


def repeated_if(recheck: Recheck, *, moves: bool = False) -> Callable[[F], F]:
    """Declares what is checked before a repeat with the same idempotency key is given the recorded response.

    A use case that `moves` what its path names has no finder that a repeat could satisfy: `recheck` checks everything.
    """
    return lambda usecase: _declare(usecase, replace(declaration_of(usecase), recheck=recheck, moves=moves))


def creates(entity: Entity, id_name: str, find: Finder | None = None) -> Callable[[F], F]:
    """Declares what is created, so that a repeat with the same idempotency key is 404 where it is gone or hidden.

    `id_name` is the name of its id in the paths of its own routes. `find` is their finder of it, where the item may
    exist and be hidden; it needs no item but the created one and those that the use case loads.
    """

    def recheck(context: Context, data: Mapping[str, Any]) -> None:
        params = {**context.params, id_name: data.get("id") or data["_id"]}
        key = entity.key_for(**{"userId": context.user_id or "", **params})
        loaded = read([key])
        if key not in loaded:
            raise not_found()
        if find is not None:
            find(replace(context, params=params, loaded={**context.loaded, **loaded}))

    return repeated_if(recheck)


def resolve_board(
    resolve: Callable[[Mapping[str, str]], Mapping[str, str] | None],
    find_item: Finder,
    *,
    not_found_code: Code = Code.RESOURCE_NOT_FOUND,
) -> Callable[[F], F]:
    """Declares how a route that names an item without its board finds the board.

    `resolve` takes the path's parameters and returns more of them (at least `boardId`), or None if there is no such
    item, which is a 404 with the code `not_found_code`. `find_item` is a finder that runs as soon as the board is
    found, before the tier is checked and the body is parsed: an item that is hidden from the caller is 404 before any
    403.
    """

    def declare(usecase: F) -> F:
        declared = replace(declaration_of(usecase), resolve_board=resolve, find_with_board=find_item)
        return _declare(usecase, replace(declared, not_found_code=not_found_code))

    return declare


@overload
def finds(
    first: Callable[[Context], First], /
) -> Callable[[Callable[Concatenate[Context, First, P], R]], Callable[Concatenate[Context, P], R]]: ...


@overload
def finds(
    first: Callable[[Context], First], second: Callable[[Context], Second], /
) -> Callable[[Callable[Concatenate[Context, First, Second, P], R]], Callable[Concatenate[Context, P], R]]: ...


def finds(*finders: Finder) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Declares the finders of the item that the path names; their results are passed to the use case.

    The finders run in this order: after the body and the query have been parsed, and before what is prefetched is
    awaited. The evaluation of access runs the same ones (ADR access).
    """

    def declare(usecase: Callable[..., Any]) -> Callable[..., Any]:
        declared = replace(declaration_of(usecase), finders=finders)

        @wraps(usecase)
        def with_results(context: Context, *given: Any) -> Any:
            return usecase(context, *declared.find(context), *given)

        return _declare(with_results, declared)

    return declare


@overload
def prefetch(
    first: Callable[[RequestInfo], First], /
) -> Callable[[Callable[Concatenate[Context, First, P], R]], Callable[Concatenate[Context, First, P], R]]: ...


@overload
def prefetch(
    first: Callable[[RequestInfo], First], second: Callable[[RequestInfo], Second], /
) -> Callable[
    [Callable[Concatenate[Context, First, Second, P], R]], Callable[Concatenate[Context, First, Second, P], R]
]: ...


@overload
def prefetch(
    first: Callable[[RequestInfo], First],
    second: Callable[[RequestInfo], Second],
    third: Callable[[RequestInfo], Third],
    /,
) -> Callable[
    [Callable[Concatenate[Context, First, Second, Third, P], R]],
    Callable[Concatenate[Context, First, Second, Third, P], R],
]: ...


def prefetch(*reads: PrefetchRead) -> Callable[[F], F]:
    """Declares one to three reads that need only the request; they run in parallel with the batch and each other.

    The use case receives their results as arguments, in this order, after the results of its finders. A read runs
    before the caller is authorized, so it must read only items of the board or the user that the request names. It runs
    only if the path's ids are well-formed, the query is valid, and, on a route for users, the caller is a user.
    """
    return lambda usecase: _declare(usecase, replace(declaration_of(usecase), prefetch=reads))


def own_committees(info: RequestInfo) -> list[Key]:
    """Loads the row of the calling user's committees; for `@loads`, if `Context.committee_ids` is used."""
    if info.user_id is None or not is_id(info.board_id):
        return []
    return [seats_key(info.board_id, info.user_id)]


def roster_of(info: RequestInfo) -> list[RosterEntry]:
    """Reads the current members of the board that the path names; for `@prefetch`."""
    return boards.roster(info.board_id)
