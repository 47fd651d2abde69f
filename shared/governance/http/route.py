"""A route: what it is called, who may call it, what it takes and what it answers.

One declaration serves the request, the authorization table and the OpenAPI document. There is no default for `scope`:
a route that does not say what it needs cannot be built.
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
from governance.scopes import Scope, Tier
from governance.usecases.context import Context, Loader, RequestInfo


class Access(Enum):
    """In the place of a scope: the route needs none."""

    AUTHENTICATED = "any credential that holds"
    PUBLIC = "no credential"


class Audience(Enum):
    """The kinds of principal that a route takes, where a scope alone does not decide."""

    ANYONE = "users and board tokens"
    USER = "users, by session or personal token"
    FULL_USER = "users, by session or full-access personal token"
    SESSION = "users, by session only"


@dataclass(frozen=True, kw_only=True)
class Route:
    """One method of one path.

    `tier` is the least tier on the board that the path (or the located item) names, None where no membership is needed;
    `billing` says that a restricted board refuses it; `codes` are the errors beyond those that follow from the rest.
    """

    method: str
    path: str
    usecase: Callable[..., Any]
    scope: Scope | Access
    response_model: type[Resource] | UnionType
    summary: str
    shape: Shape = "data"
    status: int = 200
    audience: Audience = Audience.ANYONE
    tier: Tier | None = None
    billing: bool = False
    body: type[Body] | None = None
    query: type[Query] | None = None
    idempotent: bool = False
    extension: bool = False
    codes: tuple[Code, ...] = ()

    @property
    def versioned(self) -> bool:
        """Whether it stands on the versioned surface."""
        return self.path.startswith("/api/v1/")

    @property
    def board_scoped(self) -> bool:
        """Whether the path names a board: only there does a board token go."""
        return "{boardId}" in self.path

    @property
    def loads(self) -> tuple[Loader, ...]:
        """What the use case wants read with the caller."""
        return getattr(self.usecase, "loads", ())

    @property
    def prefetch(self) -> tuple[Callable[[RequestInfo], Any], ...]:
        """What the use case wants read beside the caller."""
        return getattr(self.usecase, "prefetch", ())

    @property
    def resolve_board(self) -> Callable[[Mapping[str, str]], Mapping[str, str] | None] | None:
        """How an item that is named without its board is found."""
        return getattr(self.usecase, "resolve_board", None)

    @property
    def is_hidden(self) -> Callable[[Context], bool] | None:
        """When an item that is named without its board is hidden from this caller."""
        return getattr(self.usecase, "is_hidden", None)

    @property
    def authorize(self) -> Callable[[Context], None] | None:
        """Who is refused where something other than a tier decides."""
        return getattr(self.usecase, "authorize", None)

    @property
    def not_found_code(self) -> Code:
        """The code of the 404 for an item that is named without its board."""
        return getattr(self.usecase, "not_found_code", Code.RESOURCE_NOT_FOUND)
