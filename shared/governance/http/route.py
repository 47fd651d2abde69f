"""A route: its path, who may call it, what it takes and what it answers.

One declaration serves the request, the authorization table and the OpenAPI document. `scope` has no default: a route
that does not declare one cannot be built. `body`, `query` and `response_model` are the types that the annotations of
the use case name (ADR api).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from types import UnionType
from typing import Any, get_args, get_origin, get_type_hints

from governance.errors import Code
from governance.http.envelope import Shape
from governance.models.base import Body, Query, Resource
from governance.models.page import CursorQuery, JsonArrayStream, Page
from governance.scopes import Scope, Tier
from governance.settings import Secret
from governance.usecases.context import Outcome
from governance.usecases.declarations import Declaration, declaration_of

CONFLICT = (Code.CONFLICT,)
"""The `codes` of a route that the state of the resource can refuse."""
_VERSIONED = "/api/v1/"
_PARAMETER = re.compile(r"\{(\w+)\}")


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
class Admission:
    """Who may call a route.

    `tier` is the lowest tier that is admitted on the board of the path or the item, None if no membership is needed.
    `billing` refuses the request on a board whose billing state restricts it.
    """

    path: str
    scope: Scope | Access
    audience: Audience = Audience.ANYONE
    tier: Tier | None = None
    billing: bool = False

    @property
    def is_public(self) -> bool:
        """Whether no credential is needed."""
        return self.scope is Access.PUBLIC

    @property
    def versioned(self) -> bool:
        """Whether the route belongs to the versioned surface."""
        return self.path.startswith(_VERSIONED)

    @property
    def board_scoped(self) -> bool:
        """Whether the path names a board; other routes admit a board token only if any credential will do."""
        return "{boardId}" in self.path


@dataclass(frozen=True, kw_only=True)
class Route:
    """One method of one path.

    `agents` says whether the route is a tool of the MCP endpoint: not if it manages credentials, answers with a secret,
    or takes a link in place of a credential. `refuses_any_body` refuses even an empty JSON object, which a route
    without a body accepts otherwise; `ignores_body` takes any, such as a mail program's form. `current` answers the
    resource that this route changes: `If-Match` and `If-None-Match` name its entity tags. `answers_always` takes any
    text in place of the path's parameter, slashes included, and looks at no conditional header. `answers_existing`
    answers with 200 what existed before. `codes` are the error codes beyond those that follow from the rest.
    """

    method: str
    path: str
    usecase: Callable[..., Any]
    admission: Admission
    response_model: type[Resource] | UnionType
    shape: Shape = "data"
    status: int = 200
    agents: bool = True
    body: type[Body] | None = None
    query: type[Query] | None = None
    refuses_any_body: bool = False
    ignores_body: bool = False
    idempotent: bool = False
    extension: bool = False
    current: Route | None = None
    answers_always: bool = False
    answers_existing: bool = False
    codes: tuple[Code, ...] = ()

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """Matches the path, with a group for each parameter; compiled when a request is first tried on it."""
        text = "(?s:.+)" if self.answers_always else "[^/]+"
        return re.compile(_PARAMETER.sub(rf"(?P<\1>{text})", self.path))

    @property
    def tagged(self) -> bool:
        """Whether the response is one resource of the versioned surface, which has an entity tag."""
        one = self.shape in {"data", "bare"} and not self.answers_always
        return one and self.admission.versioned and self.method == "GET"

    @property
    def answers_current(self) -> bool:
        """Whether the response is what a GET of the address would answer, so that it has the entity tag of that.

        RFC 9110 (section 9.3.4) forbids a tag in the response to a PUT whose body is not stored as it was sent.
        """
        current = self.current
        return current is not None and self.method == "PATCH" and self.response_model is current.response_model

    @property
    def secrets(self) -> frozenset[Secret]:
        """The secrets that serving this route takes."""
        needed = {Secret.ORIGIN, *self.declared.secrets}
        if not self.admission.is_public:
            needed.add(Secret.SESSION)
        if self.query is not None and issubclass(self.query, CursorQuery):
            needed.add(Secret.CURSOR)
        return frozenset(needed)

    @property
    def declared(self) -> Declaration:
        """What the use case declares: what is read for it, what finds its item, what else decides about admission."""
        return declaration_of(self.usecase)


def derived_options(method: str, path: str, usecase: Callable[..., Any]) -> dict[str, Any]:
    """Returns the options of a route that follow from its method, its path and the annotations of its use case."""
    on_board, versioned = "{boardId}" in path, path.startswith(_VERSIONED)
    hints = get_type_hints(usecase)
    response = hints.pop("return")
    if get_origin(response) is Outcome:
        (response,) = get_args(response)
    listed = _SHAPES.get(get_origin(response))
    return {
        "status": 201 if method == "POST" else 200,
        "tier": Tier.GUEST if on_board else None,
        "billing": on_board and method != "GET",
        "idempotent": versioned and method == "POST",
        "body": next((hint for hint in hints.values() if isinstance(hint, type) and issubclass(hint, Body)), None),
        "query": next((hint for hint in hints.values() if isinstance(hint, type) and issubclass(hint, Query)), None),
        "response_model": get_args(response)[0] if listed else response,
        "shape": listed or ("data" if versioned else "bare"),
    }


_SHAPES: Mapping[Any, Shape] = {Page: "collection", JsonArrayStream: "array"}
"""The shapes of lists, by what a use case returns."""


class RouteGroup:
    """Declares routes. Those of one group share the options that it was given; a route's own take precedence."""

    def __init__(self, add: Callable[[str, str, Callable[..., Any], dict[str, Any]], None], **shared: Any) -> None:
        self._add = add
        self._shared = shared

    def group(self, **shared: Any) -> RouteGroup:
        """Returns a group with these options in addition."""
        return RouteGroup(self._add, **{**self._shared, **shared})

    def get(self, path: str, usecase: Callable[..., Any], **options: Any) -> None:
        """Serves GET."""
        self._add("GET", path, usecase, {**self._shared, **options})

    def post(self, path: str, usecase: Callable[..., Any], **options: Any) -> None:
        """Serves POST, with status 201 unless another is given."""
        self._add("POST", path, usecase, {**self._shared, **options})

    def put(self, path: str, usecase: Callable[..., Any], **options: Any) -> None:
        """Serves PUT."""
        self._add("PUT", path, usecase, {**self._shared, **options})

    def patch(self, path: str, usecase: Callable[..., Any], **options: Any) -> None:
        """Serves PATCH."""
        self._add("PATCH", path, usecase, {**self._shared, **options})

    def delete(self, path: str, usecase: Callable[..., Any], **options: Any) -> None:
        """Serves DELETE."""
        self._add("DELETE", path, usecase, {**self._shared, **options})
