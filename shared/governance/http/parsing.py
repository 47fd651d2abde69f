"""Parses a request: its credential, query, cursor, idempotency key and body. Nothing here reads the store."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, replace

from governance.errors import ApiError
from governance.http import cursors, idempotency, validation
from governance.http.credentials import Credential, Session, parse_credential, principal_id
from governance.http.request import Request
from governance.http.route import Route
from governance.ids import UserId
from governance.instants import Instant
from governance.models.base import Body, LegacyQuery, LenientQuery, Query
from governance.models.page import CursorQuery
from governance.store.schema.keys import Key
from governance.usecases.context import RequestInfo


@dataclass(frozen=True)
class ParsedRequest:
    """What a request says by itself, before anything is read.

    `fingerprint` is a digest of the credential; on public routes of the path, which may hold a guest's token.
    `principal_id` names the rate window, the cursors and the idempotency keys of the request, if its credential
    proves valid; it is empty on public routes. `query_error` is raised in its turn, after the board has been checked.
    """

    fingerprint: str
    credential: Credential | None = None
    principal_id: str = ""
    query: Query | None = None
    cursor_position: str | None = None
    query_error: ApiError | None = None
    record_key: Key | None = None

    @property
    def user_id(self) -> UserId | None:
        """The user that the credential names; None for a board token and on public routes."""
        if isinstance(self.credential, Session) or (self.credential and self.credential.kind == "personal"):
            return UserId(self.principal_id)
        return None

    def info(self, params: Mapping[str, str]) -> RequestInfo:
        """Returns what the use case's loaders and prefetches know of the request."""
        email = self.credential.email if isinstance(self.credential, Session) else None
        return RequestInfo(params, self.user_id, self.query, self.cursor_position, email)


def parse(route: Route, request: Request) -> ParsedRequest:
    """Parses all but the body. Raises 401 for a credential that is missing or malformed, and no other error."""
    if route.admission.is_public:
        return _with_query(ParsedRequest(_digest(request.path)), route, request)
    parsed = parse_caller(request)
    if route.idempotent:
        parsed = replace(parsed, record_key=idempotency.record_key(request, parsed.principal_id))
    return _with_query(parsed, route, request)


def parse_caller(request: Request) -> ParsedRequest:
    """Parses the credential alone. Raises 401 if it is missing or malformed."""
    credential = parse_credential(request.headers)
    return ParsedRequest(_digest(request.headers.get("authorization", "")), credential, principal_id(credential))


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def parse_body(route: Route, request: Request, now: Instant) -> Body | None:
    """Parses the body at the instant `now`: 413 if it is too large, 415 and 400 if it is not what the route takes."""
    if request.method == "GET":
        return None
    validation.check_size(request)
    if route.ignores_body:
        return None
    if route.body is None:
        validation.no_body(request, or_empty_object=not route.refuses_any_body)
        return None
    return validation.body(request, route.body, now)


def _with_query(parsed: ParsedRequest, route: Route, request: Request) -> ParsedRequest:
    try:
        query = _parse_query(route, request)
        position = _parse_cursor(query, request, parsed.principal_id)
    except ApiError as error:
        return replace(parsed, query_error=error)
    return replace(parsed, query=query, cursor_position=position)


def _parse_query(route: Route, request: Request) -> Query | None:
    if route.query is None:
        if route.admission.versioned and request.method == "GET" and not route.admission.is_public:
            validation.no_query(request.parameters())
        return None
    try:
        joined = issubclass(route.query, LegacyQuery)
        return validation.query(request.joined_parameters() if joined else request.parameters(), route.query)
    except ApiError:
        if issubclass(route.query, LenientQuery):
            return route.query()
        raise


def _parse_cursor(query: Query | None, request: Request, principal: str) -> str | None:
    """Returns the position in the query's cursor; None without one."""
    if not isinstance(query, CursorQuery) or query.cursor is None:
        return None
    return cursors.unseal(query.cursor, cursors.binding(request.path, query, principal))
