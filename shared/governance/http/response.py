"""From what a use case decided to bytes: its writes are made first, in one transaction, then it is answered."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from governance.http import cursors, envelope, idempotency, json_array_stream
from governance.http.envelope import Response
from governance.http.request import Request
from governance.http.route import Route
from governance.models.base import Query
from governance.models.page import CursorQuery, JsonArrayStream, Page
from governance.settings import settings
from governance.store.schema import Key
from governance.store.table import transact
from governance.usecases.context import Context, Outcome


@dataclass(frozen=True)
class ResponseBuilder:
    """The answer to a request by a route."""

    route: Route
    request: Request

    def reply(self, outcome: Any, context: Context, query: Query | None, record_key: Key | None) -> Response:
        """The answer's bytes; a change is made first, with the record that lets a repeat have the same bytes."""
        if isinstance(outcome, JsonArrayStream):
            return self._stream(outcome, context, query)
        change = outcome if isinstance(outcome, Outcome) else Outcome(outcome, ())
        text = self._text(change.response, context, query)
        writes = [*change.writes]
        if record_key is not None:
            kept = text if change.replay is None else self._text(change.replay, context, query)
            writes.append(idempotency.record(record_key, self.request, self.route.status, kept, context.now))
        if writes:
            transact(writes)
        return Response(self.route.status, text)

    def _text(self, answer: Any, context: Context, query: Query | None) -> str:
        if not isinstance(answer, Page):
            return envelope.resource(answer, self.route.shape)
        if self.route.shape == "array":
            return envelope.array(answer)
        cursor = None
        if answer.next_position is not None and isinstance(query, CursorQuery):
            cursor = self._cursor(answer.next_position, context, query)
        return envelope.collection(answer, cursor)

    def _cursor(self, position: str, context: Context, query: CursorQuery) -> str:
        return cursors.seal(position, cursors.binding(self.request.path, query, context.principal.id))

    def _stream(self, flow: JsonArrayStream, context: Context, query: Query | None) -> Response:
        """A bare array as long as an answer may be; where more follows, a `Link` header says where."""
        packed = json_array_stream.pack(
            flow, compressed=json_array_stream.accepts_gzip(self.request.headers.get("accept-encoding", ""))
        )
        headers = {"vary": "accept-encoding"} | ({"content-encoding": "gzip"} if packed.compressed else {})
        if packed.position is not None and isinstance(query, CursorQuery):
            more = query.model_dump(exclude_none=True) | {"cursor": self._cursor(packed.position, context, query)}
            headers["link"] = f'<{settings().root_url}{self.request.path}?{urlencode(more)}>; rel="next"'
        return Response(self.route.status, packed.body, headers, base64=packed.compressed)
