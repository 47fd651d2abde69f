"""Checks who sends a request, and charges the request against a rate window (ADR requests, ADR limits)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from governance.domain.access.access import Principal, check_account
from governance.errors import ApiError, Code
from governance.http.authentication import authenticate, identity_keys
from governance.http.credentials import rate_subject
from governance.http.parsing import ParsedRequest, parse_caller
from governance.http.rate_limit import RateCharge, address_charge, flood_charge, principal_charge
from governance.http.reading import was_admitted
from governance.http.recent_admissions import recent_admissions
from governance.http.request import Request
from governance.http.serving import Trace
from governance.instants import Instant, now
from governance.store.schema.keys import Item
from governance.store.table import read
from governance.store.writes import retry_stale_reads
from governance.usecases.account.tokens import record_use


class CallerCheck:
    """Checks the credential of a request.

    It notes in the trace which rate window the request counts in, and which kind of principal calls.
    """

    def __init__(self, request: Request, trace: Trace) -> None:
        self._request = request
        self._trace = trace

    def parse(self, parse: Callable[[Request], ParsedRequest]) -> ParsedRequest:
        """Returns the parsed request; raises 401 for a missing or malformed credential, which counts by address."""
        try:
            return parse(self._request)
        except ApiError as error:
            self._charge_address(error)
            raise

    def charge(self, parsed: ParsedRequest) -> RateCharge:
        """Returns the charge against the principal's rate window; on a public route, against the client's address.

        An address whose window is exhausted gets its 429 before anything is read. A principal's window is not touched
        before the credential has proved valid; for one that did so recently, a refill runs in parallel with the reads.
        """
        self._trace.charge = charge = self._new_charge(parsed)
        return charge

    def _new_charge(self, parsed: ParsedRequest) -> RateCharge:
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

    def authenticate(
        self, parsed: ParsedRequest, identity: Sequence[Item | None], charge: RateCharge, now: Instant
    ) -> Principal:
        """Returns the principal; raises 401 for a credential that is not valid, which counts by address.

        `identity` are the items of `identity_keys`. The request must carry a credential.
        """
        if parsed.credential is None:
            raise ApiError(Code.UNAUTHENTICATED)
        try:
            principal = authenticate(parsed.credential, identity, now, charge.spend)
        except ApiError as error:
            if error.code is Code.INVALID_API_TOKEN:
                self._charge_address(error)
            raise
        self._trace.principal = principal.kind
        recent_admissions.remember(parsed.fingerprint, "")
        return principal


def caller_of(request: Request, trace: Trace) -> Principal:
    """Returns who sends a request to an endpoint that takes any valid credential, and charges it.

    Raises 401 for a credential that does not hold, 403 for an account that is not active, 429 for a spent window.
    """
    check = CallerCheck(request, trace)
    parsed = check.parse(parse_caller)
    charge = check.charge(parsed)
    keys = identity_keys(parsed.credential) if parsed.credential else []

    def attempt() -> Principal:
        at, items = now(), read(keys)
        principal = check.authenticate(parsed, [items.get(key) for key in keys], charge, at)
        record_use(principal.token, at)
        charge.spend()
        if principal.user is not None:
            check_account(principal.user)
        return principal

    return retry_stale_reads(attempt)
