"""Takes a request from its parsed form to its response, step by step.

The steps are parse, read (with the prefetch in parallel), authenticate, take a token of the rate limit, admit, check
the board, replay, respond. Their order decides which of several errors a caller sees (ADR requests).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from governance.domain.access.access import Principal
from governance.errors import ApiError, Code, not_found
from governance.http import admission, idempotency
from governance.http.caller import CallerCheck
from governance.http.envelope import Response
from governance.http.parsing import ParsedRequest, parse, parse_body
from governance.http.preconditions import Preconditions, has_preconditions, preconditions
from governance.http.rate_limit import RateCharge
from governance.http.reading import Reads, admissions_of, read_request
from governance.http.request import Request
from governance.http.response import ResponseBuilder, resource_text
from governance.http.route import Route
from governance.http.serving import Trace
from governance.instants import Instant, now
from governance.store.writes import if_unchanged, key_of_write, retry_stale_reads
from governance.usecases.account.tokens import record_use
from governance.usecases.context import Context, Outcome, RequestInfo, build_context


class RequestPipeline:
    """Takes one request through its route, and raises the error that is the response.

    It notes in the trace which rate window the request counts in, and who calls.
    """

    def __init__(self, route: Route, request: Request, params: Mapping[str, str], trace: Trace) -> None:
        self._route = route
        self._current = route.current if has_preconditions(request) else None
        self._request = request
        self._params = params
        self._caller = CallerCheck(request, trace)
        self._arrived_at = now()

    def run(self) -> Response:
        """Returns the response; reads and checks again if what was read changes before it is written."""
        parsed = self._caller.parse(partial(parse, self._route))
        charge = self._caller.charge(parsed)
        return retry_stale_reads(lambda: self._answer(parsed, charge, now()))

    def _answer(self, parsed: ParsedRequest, charge: RateCharge, now: Instant) -> Response:
        reads = read_request(self._route, parsed, self._params, self._current)
        principal = self._authenticate(parsed, reads, charge, now)
        charge.spend()
        self._admit(principal)
        context = self._check_board(parsed, reads, principal, now)
        return self._replay(parsed, reads, context) or self._respond(parsed, reads, context)

    def _authenticate(self, parsed: ParsedRequest, reads: Reads, charge: RateCharge, now: Instant) -> Principal | None:
        """Raises 401 for a credential that is not valid, and for a token where the surface takes sessions only."""
        if parsed.credential is None:
            return None
        principal = self._caller.authenticate(parsed, reads.identity, charge, now)
        try:
            admission.check_surface(self._route.admission, principal)
        except ApiError:
            charge.spend()  # the call counts like any other
            raise
        record_use(principal.token, now)
        return principal

    def _admit(self, principal: Principal | None) -> None:
        """Raises 403 for an account, a kind of credential or a scope that the route does not admit."""
        if principal is not None:
            admission.check_caller(self._route.admission, self._params, principal)

    def _check_board(self, parsed: ParsedRequest, reads: Reads, principal: Principal | None, now: Instant) -> Context:
        """Raises 404 for an item or a board that is absent or hidden, 403 where the caller's tier does not suffice."""
        if reads.params is None:
            raise ApiError(self._route.declared.not_found_code)
        context = build_context(reads.params, reads.items, principal, now, parsed.query, parsed.cursor_position)
        context = replace(context, first_attempt_at=self._arrived_at)
        admission.check_board(self._route, context)
        admissions_of(parsed).remember(parsed.fingerprint, context.params.get("boardId", ""))
        return context

    def _replay(self, parsed: ParsedRequest, reads: Reads, context: Context) -> Response | None:
        """Returns the recorded response to an earlier request with this idempotency key, and what is never recorded."""
        if parsed.record_key is None:
            return None
        idempotency.check_header(self._request)
        replayed = idempotency.replay(reads.items.get(parsed.record_key), self._request, context.now)
        if replayed is None:
            return None
        self._check_still_visible(context, replayed)
        renew = self._route.declared.renew
        return replace(replayed, text=renew(context, replayed.text)) if renew else replayed

    def _check_still_visible(self, context: Context, replayed: Response) -> None:
        """Raises 404 if the caller no longer sees what the path names, or what the response shows.

        They need not be allowed to make the request again.
        """
        declared = self._route.declared
        try:
            if not declared.moves:
                declared.find(context)
        except ApiError as error:
            if error.code.status == Code.RESOURCE_NOT_FOUND.status:
                raise
        if declared.recheck:
            declared.recheck(context, json.loads(replayed.text)["data"])

    def _respond(self, parsed: ParsedRequest, reads: Reads, context: Context) -> Response:
        """Validates the body, then the query, calls the use case and commits what it decides.

        A use case gets the context, what it prefetches, the body and the query, as far as its route has them. Its
        finders run first (`@finds`).
        """
        body = parse_body(self._route, self._request, context.now)
        if parsed.query_error is not None:
            raise parsed.query_error
        condition = (self._current, preconditions(self._request)) if self._current else None
        if reads.prefetch is None:
            raise not_found()
        self._route.declared.find(context)  # not after the prefetch: what is hidden takes no longer than what is absent
        given = [part for part in (body, parsed.query) if part is not None]
        outcome = self._route.usecase(context, *reads.prefetch.results(), *given)
        if condition is not None:
            outcome = self._under_precondition(*condition, outcome, context, reads)
        return ResponseBuilder(self._route, self._request).build(outcome, context, parsed.record_key)

    @staticmethod
    def _under_precondition(
        current: Route, expected: Preconditions, outcome: Any, context: Context, reads: Reads
    ) -> Any:
        """Raises 412 unless the resource, as its own route answers it, has a tag that the request expects.

        Returns the outcome with writes that fail if an item that they change has changed since it was read.
        """
        expected.check(resource_text(current, current.usecase(context, *_prefetched(current, context))))
        if not isinstance(outcome, Outcome):
            return outcome
        held = [
            if_unchanged(write, reads.items.get(key)) if (key := key_of_write(write)) in reads.keys else write
            for write in outcome.writes
        ]
        return replace(outcome, writes=held)


def _prefetched(route: Route, context: Context) -> list[Any]:
    """Returns what a route prefetches, read for a request to another route of the same resource."""
    info = RequestInfo(context.params, context.user_id)
    return [read(info) for read in route.declared.prefetch]
