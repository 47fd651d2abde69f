"""Takes a request from its parsed form to its response, step by step.

The steps are parse, read (with the prefetch in parallel), authenticate, take a token of the rate limit, admit, check
the board, replay, respond. Their order decides which of several errors a caller sees (ADR 0005).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, TypeVar

from governance.domain.access import Principal
from governance.errors import ApiError, Code, not_found
from governance.http import admission, idempotency
from governance.http.authentication import authenticate
from governance.http.credentials import rate_subject
from governance.http.envelope import Response
from governance.http.parsing import ParsedRequest, parse, parse_body
from governance.http.preconditions import Preconditions, has_preconditions, preconditions
from governance.http.rate_limit import RateCharge, address_charge, flood_charge, principal_charge
from governance.http.reading import Reads, admissions_of, read_request, was_admitted
from governance.http.recent_admissions import recent_admissions
from governance.http.request import Request
from governance.http.response import ResponseBuilder, resource_text
from governance.http.route import Route
from governance.http.serving import Trace
from governance.instants import Instant, now
from governance.store.writes import if_unchanged, key_of_write, retry_stale_reads
from governance.usecases.account.tokens import record_use
from governance.usecases.context import Context, Outcome, RequestInfo

T = TypeVar("T")


class RequestPipeline:
    """Takes one request through its route, and raises the error that is the response.

    It notes in the trace which rate window the request counts in, and who calls.
    """

    def __init__(self, route: Route, request: Request, params: Mapping[str, str], trace: Trace) -> None:
        self._route = route
        self._current = route.current if has_preconditions(request) else None
        self._request = request
        self._params = params
        self._trace = trace

    def run(self) -> Response:
        """Returns the response; reads and checks again if what was read changes before it is written."""
        return self._for_admitted(self._answer)

    def principal(self) -> Principal:
        """Returns the caller, if the route admits them, and calls no use case."""
        return self._for_admitted(lambda _parsed, _reads, context: context.principal)

    def _for_admitted(self, then: Callable[[ParsedRequest, Reads, Context], T]) -> T:
        """Returns what `then` does for a caller whom the route admits."""
        parsed = self._parse()
        charge = self._trace.charge = self._charge(parsed)
        return retry_stale_reads(lambda: then(*self._check(parsed, charge, now())))

    def _check(self, parsed: ParsedRequest, charge: RateCharge, now: Instant) -> tuple[ParsedRequest, Reads, Context]:
        reads = read_request(self._route, parsed, self._params, self._current)
        principal = self._authenticate(parsed, reads, charge, now)
        charge.spend()
        self._admit(principal)
        return parsed, reads, self._check_board(parsed, reads, principal, now)

    def _answer(self, parsed: ParsedRequest, reads: Reads, context: Context) -> Response:
        return self._replay(parsed, reads, context) or self._respond(parsed, reads, context)

    def _parse(self) -> ParsedRequest:
        """Raises 401 for a missing or malformed credential, which counts against the client's address."""
        try:
            return parse(self._route, self._request)
        except ApiError as error:
            self._charge_address(error)
            raise

    def _charge(self, parsed: ParsedRequest) -> RateCharge:
        """Returns the charge against the principal's rate window; on a public route, against the client's address.

        An address whose window is exhausted gets its 429 before anything is read. A principal's window is not touched
        before the credential has proved valid; for one that did so recently, a refill runs in parallel with the reads.
        """
        if parsed.credential is None:
            charge = flood_charge(self._request.address)
            charge.lease.check_open()
            charge.prepare()
            return charge
        charge = principal_charge(rate_subject(parsed.credential))
        if was_admitted(parsed, None):
            charge.prepare()
        return charge

    def _charge_address(self, error: ApiError) -> None:
        """Charges a 401 to the client's address: apart where the request carried no credential at all."""
        has_credential = error.code is Code.INVALID_API_TOKEN
        self._trace.charge = (address_charge if has_credential else flood_charge)(self._request.address)
        self._trace.charge.spend()

    def _authenticate(self, parsed: ParsedRequest, reads: Reads, charge: RateCharge, now: Instant) -> Principal | None:
        """Raises 401 for a credential that is not valid, which counts against the client's address."""
        if parsed.credential is None:
            return None
        try:
            principal = authenticate(parsed.credential, reads.identity, now, charge.spend)
        except ApiError as error:
            if error.code is Code.INVALID_API_TOKEN:
                self._charge_address(error)
            raise
        self._trace.principal = principal.kind
        recent_admissions.remember(parsed.fingerprint, "")
        self._check_surface(principal, charge)
        record_use(principal.token, now)
        return principal

    def _check_surface(self, principal: Principal, charge: RateCharge) -> None:
        """Raises 401 for an access token where only sessions are accepted; the call counts like any other."""
        try:
            admission.check_surface(self._route, principal)
        except ApiError:
            charge.spend()
            raise

    def _admit(self, principal: Principal | None) -> None:
        """Raises 403 for an account, a kind of credential or a scope that the route does not admit."""
        if principal is not None:
            admission.check_caller(self._route, self._params, principal)

    def _check_board(self, parsed: ParsedRequest, reads: Reads, principal: Principal | None, now: Instant) -> Context:
        """Raises 404 for an item or a board that is absent or hidden, 403 where the caller's tier does not suffice."""
        context = admission.context_of(self._route, reads, principal, now, parsed.query, parsed.cursor_position)
        admission.check_board(self._route, context)
        admissions_of(parsed).remember(parsed.fingerprint, context.params.get("boardId", ""))
        return context

    def _replay(self, parsed: ParsedRequest, reads: Reads, context: Context) -> Response | None:
        """Returns the recorded response to an earlier request with this idempotency key, and what is never recorded."""
        if parsed.record_key is None:
            return None
        idempotency.check_header(self._request)
        replayed = idempotency.replay(reads.items.get(parsed.record_key), self._request, context.now)
        renew = self._route.declared.renew
        return replace(replayed, text=renew(context, replayed.text)) if replayed and renew else replayed

    def _respond(self, parsed: ParsedRequest, reads: Reads, context: Context) -> Response:
        """Validates the body, then the query, calls the use case and commits what it decides.

        A use case gets the context, what it prefetches, the body and the query, as far as its route has them. Calling
        it runs its finders first (`@finds`).
        """
        body = parse_body(self._route, self._request, context.now)
        if parsed.query_error is not None:
            raise parsed.query_error
        condition = (self._current, preconditions(self._request)) if self._current else None
        if reads.prefetch is None:
            raise not_found()
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
