"""Turns what a use case decided into a response: its writes are committed first, in one transaction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlencode

from governance.domain.entity_tags import entity_tag
from governance.errors import ApiError, Code
from governance.http import cursors, envelope, idempotency, json_array_stream, preconditions
from governance.http.envelope import Response
from governance.http.json_array_stream import Packed
from governance.http.request import Request
from governance.http.route import Route
from governance.models.page import CursorQuery, JsonArrayStream, Page
from governance.settings import settings
from governance.store.schema.keys import Key
from governance.store.transactions import transact
from governance.store.writes import Write
from governance.usecases.context import Context, Outcome


@dataclass(frozen=True)
class ResponseBuilder:
    """Builds the success response of one request."""

    route: Route
    request: Request

    def build(self, outcome: Any, context: Context, record_key: Key | None) -> Response:
        """Commits the outcome's writes, with the record for repeats if there is a key for it; returns the response."""
        if isinstance(outcome, JsonArrayStream):
            return self._stream(outcome, context)
        decided = outcome if isinstance(outcome, Outcome) else Outcome(outcome, ())
        text = self._text(decided.response, context)
        response = self._response(text)
        if decided.existed:
            response = replace(response, status=200)
        writes = _checked(decided, context)
        if record_key is not None:
            replay = text if decided.replay is None else self._text(decided.replay, context)
            writes.append(idempotency.record(record_key, self.request, response.status, replay, context.now))
        if writes:
            _commit(writes, only_records=decided.only_records)
        return response

    def _response(self, text: str) -> Response:
        """Returns the response, with the entity tag of a resource as it is read, or as it is after a change."""
        if self.route.tagged:
            return self._tagged(text)
        return self._whole(text, {"etag": entity_tag(text)} if self.route.answers_current else {})

    def _tagged(self, text: str) -> Response:
        """Returns a resource with its entity tag, or 304 without a body if the client has it already."""
        tag = entity_tag(text)
        known = preconditions.entity_tags(self.request, preconditions.IF_NONE_MATCH)
        if known is not None and known.match_weakly(tag):
            return Response(304, "", {"etag": tag})
        return self._whole(text, {"etag": tag})

    def _whole(self, text: str, headers: dict[str, str]) -> Response:
        """Returns the response with this body; raises 406 for one that is too large, before anything is written."""
        packed = json_array_stream.pack_text(text, compressed=self._accepts_gzip)
        if packed is None:
            raise ApiError(Code.NOT_ACCEPTABLE)
        return self._packed(packed, headers)

    def _packed(self, packed: Packed, headers: dict[str, str]) -> Response:
        if packed.compressed:
            headers |= {"content-encoding": "gzip", "vary": "accept-encoding"}
        return Response(self.route.status, packed.body, headers, base64=packed.compressed)

    @property
    def _accepts_gzip(self) -> bool:
        return json_array_stream.accepts_gzip(self.request.headers.get("accept-encoding", ""))

    def _text(self, answer: Any, context: Context) -> str:
        if not isinstance(answer, Page):
            return envelope.resource(answer, self.route.shape)
        if self.route.shape == "array":
            return envelope.array(answer)
        cursor = None
        if answer.next_position is not None and isinstance(context.query, CursorQuery):
            cursor = self._cursor(answer.next_position, context, context.query)
        return envelope.collection(answer, cursor)

    def _cursor(self, position: str, context: Context, query: CursorQuery) -> str:
        return cursors.seal(position, cursors.binding(self.request.path, query, context.principal.id))

    def _stream(self, stream: JsonArrayStream[Any], context: Context) -> Response:
        """Returns an array up to the size limit; if more follows, a `Link` header names the next request."""
        packed = json_array_stream.pack(stream, compressed=self._accepts_gzip)
        headers = {"vary": "accept-encoding"}
        if packed.position is not None and isinstance(context.query, CursorQuery):
            given = context.query.model_dump(by_alias=True, exclude_unset=True, exclude_none=True)
            following = urlencode(given | {"cursor": self._cursor(packed.position, context, context.query)}, doseq=True)
            headers["link"] = f'<{settings().root_url}{self.request.path}?{following}>; rel="next"'
        return self._packed(packed, headers)


def _checked(decided: Outcome[Any], context: Context) -> list[Write]:
    if not decided.writes or decided.only_records or decided.deletes_board:
        return [*decided.writes]
    return context.while_board_exists(decided.writes)


def _commit(writes: Sequence[Write], *, only_records: bool) -> None:
    """Commits the writes. A full partition stops no read, though it takes no record of it."""
    try:
        transact(writes)
    except ApiError as error:
        if not only_records or error.code is not Code.CONFLICT:
            raise


def resource_text(route: Route, outcome: Any) -> str:
    """Returns the response body of a route that answers one resource, without committing anything."""
    return envelope.resource(outcome.response if isinstance(outcome, Outcome) else outcome, route.shape)
