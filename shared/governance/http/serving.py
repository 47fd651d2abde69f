"""What each function does with a request of API Gateway, whatever answers it.

Every response, errors included, leaves here with its request id and its rate headers, and with a line in the log.
"""

from __future__ import annotations

import hmac
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from governance import deadline, telemetry
from governance.errors import ApiError, Code, forbidden
from governance.http import envelope
from governance.http.envelope import Response
from governance.http.rate_limit import RateCharge
from governance.http.request import ORIGIN_SECRET, Request
from governance.settings import Secret, in_lambda, settings
from governance.store import dynamodb
from governance.telemetry import Metric


@dataclass
class Trace:
    """What the log line and the rate headers of a request state, whether it succeeds or fails.

    `charge` is the one against the rate window that the request counts in. `route` is what the log calls the request,
    without an id; `principal` the kind of the caller's credential, once that has held.
    """

    charge: RateCharge
    route: str = "unrouted"
    principal: str = "none"


Answer = Callable[[Request, Trace], Response]
"""Answers a request, or raises the error that is the response; notes in the trace what it finds out."""


def start() -> None:
    """Prepares the store in Lambda. Raises `MissingSecretError` without the secret that shows who bypasses the CDN."""
    if in_lambda():
        settings().require([Secret.ORIGIN])
        dynamodb.client()


def serve(request: Request, context: object, trace: Trace, answer: Answer) -> dict[str, Any]:
    """Returns the response to a request in the format of API Gateway."""
    telemetry.begin_invocation(context, request.id)
    deadline.begin(context)
    started = time.perf_counter()
    response = _response(request, trace, answer)
    spent = int((time.perf_counter() - started) * 1000)
    telemetry.log_request(request.method, trace.route, response.status, trace.principal, spent)
    if response.status == Code.RATE_LIMITED.status:
        telemetry.count(Metric.REQUESTS_THROTTLED, trace.principal)
    return response.event({"x-request-id": request.id, **trace.charge.lease.headers()})


def _response(request: Request, trace: Trace, answer: Answer) -> Response:
    try:
        check_origin(request)
        return answer(request, trace)
    except ApiError as error:
        return envelope.error(error, request.id)
    except Exception as error:  # noqa: BLE001 - any other exception is a defect of ours, answered with a 500
        telemetry.log_error("crash", error, route=trace.route)
        telemetry.count(Metric.CRASHES, trace.route)
        return envelope.error(ApiError(Code.INTERNAL_ERROR), request.id)


def check_origin(request: Request) -> None:
    """Raises 403 for a request that bypasses the CDN, which alone knows the origin's secret.

    Two secrets are accepted while one replaces the other.
    """
    accepted = settings().origin_secrets
    given = request.headers.get(ORIGIN_SECRET, "").encode("utf-8", "surrogatepass")
    if accepted and not any(hmac.compare_digest(given, secret.encode()) for secret in accepted):
        raise forbidden("This address is not served directly.")
