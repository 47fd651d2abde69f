"""A route: its path, who may call it, what it takes and what it answers.

One declaration serves the request, the authorization table and the OpenAPI document. `scope` has no default: a route
that does not declare one cannot be built. `tests/contract/test_routes.py` checks that `body`, `query` and
`response_model` are those of the use case's annotations.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from types import UnionType
from typing import Any

from governance.errors import Code
from governance.http.envelope import Shape
from governance.models.base import Body, Query, Resource
from governance.models.page import CursorQuery
from governance.scopes import Scope, Tier
from governance.settings import Secret
from governance.usecases.context import Context, Loader, PrefetchRead


class Access(Enum):
    """Takes the place of a scope on routes that require none."""

    AUTHENTICATED = "any valid credential"
    PUBLIC = "no credential"


class Audience(Enum):
    """The kinds of principal that a route admits, in addition to its scope."""

    ANYONE = "users and board tokens"
    USER = "users, by session or personal token"
    FULL_USER = "users, by session or full-access personal token"
    SESSION = "users, by session only"


@dataclass(frozen=True, kw_only=True)
class Route:
    """One method of one path.

    `tier` is the lowest tier that is admitted on the board of the path or the item, None if no membership is needed.
    `billing` refuses the request on a board whose billing state restricts it. `refuses_any_body` refuses even an empty
    JSON object, which a route without a body accepts otherwise. `current` answers the resource that this route changes:
    `If-Match` and `If-None-Match` name its entity tags. `codes` are the error codes beyond those that follow from the
    rest.
    """

    method: str
    path: str
    usecase: Callable[..., Any]
    scope: Scope | Access
    response_model: type[Resource] | UnionType
    shape: Shape = "data"
    status: int = 200
    audience: Audience = Audience.ANYONE
    tier: Tier | None = None
    billing: bool = False
    body: type[Body] | None = None
    query: type[Query] | None = None
    refuses_any_body: bool = False
    idempotent: bool = False
    extension: bool = False
    current: Route | None = None
    codes: tuple[Code, ...] = ()

    @property
    def versioned(self) -> bool:
        """Whether the route belongs to the versioned surface."""
        return self.path.startswith("/api/v1/")

    @property
    def tagged(self) -> bool:
        """Whether the response is one resource of the versioned surface, which has an entity tag."""
        return self.versioned and self.method == "GET" and self.shape in {"data", "bare"}

    @property
    def answers_current(self) -> bool:
        """Whether the response is what a GET of the address would answer, so that it has the entity tag of that.

        RFC 9110 (section 9.3.4) forbids a tag in the response to a PUT whose body is not stored as it was sent.
        """
        current = self.current
        return current is not None and self.method == "PATCH" and self.response_model is current.response_model

    @property
    def board_scoped(self) -> bool:
        """Whether the path names a board; other routes admit a board token only if any credential will do."""
        return "{boardId}" in self.path

    @property
    def secrets(self) -> frozenset[Secret]:
        """The secrets that serving this route takes."""
        found = {Secret.ORIGIN, *getattr(self.usecase, "secrets", ())}
        if self.scope is not Access.PUBLIC:
            found.add(Secret.SESSION)
        if self.query is not None and issubclass(self.query, CursorQuery):
            found.add(Secret.CURSOR)
        return frozenset(found)

    @property
    def loads(self) -> tuple[Loader, ...]:
        """What the use case declares with `@loads`."""
        return getattr(self.usecase, "loads", ())

    @property
    def prefetch(self) -> tuple[PrefetchRead, ...]:
        """What the use case declares with `@prefetch`."""
        return getattr(self.usecase, "prefetch", ())

    @property
    def resolve_board(self) -> Callable[[Mapping[str, str]], Mapping[str, str] | None] | None:
        """Finds the board of an item that is named without it."""
        return getattr(self.usecase, "resolve_board", None)

    @property
    def is_hidden(self) -> Callable[[Context], bool] | None:
        """Tells whether an item that is named without its board is hidden from the caller."""
        return getattr(self.usecase, "is_hidden", None)

    @property
    def authorize(self) -> Callable[[Context], None] | None:
        """Raises 403 where a rule other than the tier decides."""
        return getattr(self.usecase, "authorize", None)

    @property
    def judges(self) -> tuple[Callable[[Context], object], ...]:
        """What the use case declares with `@judged_by`."""
        return getattr(self.usecase, "judges", ())

    @property
    def not_found_code(self) -> Code:
        """The code of the 404 for an item that is named without its board."""
        return getattr(self.usecase, "not_found_code", Code.RESOURCE_NOT_FOUND)
