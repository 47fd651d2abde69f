"""Serves calendar feeds: `GET` and `HEAD` of `/calendar/{token}.ics`, whose token is the only credential (ADR 0109).

It is no route of the API: it speaks iCalendar, to programs that know neither our errors nor our headers. Requests are
counted by address, like all without a credential, and errors have the API's envelope.
"""

from __future__ import annotations

import base64
import gzip
import re
import secrets
import time
from collections.abc import Mapping
from typing import Any

from governance import deadline, telemetry
from governance.calendars.writer import write_feed
from governance.errors import ApiError, Code, not_found
from governance.http import envelope
from governance.http.api import check_origin
from governance.http.envelope import Response
from governance.http.json_array_stream import accepts_gzip
from governance.http.rate_limit import address_charge, address_lease
from governance.http.request import Request
from governance.instants import now
from governance.limits import FEED_SECONDS
from governance.settings import Secret, in_lambda, settings
from governance.store import table
from governance.telemetry import Metric
from governance.usecases.calendar_content import FeedContent, read_feed

ROUTE = "/calendar/{token}.ics"
_PATH = re.compile(r"/calendar/([0-9A-Za-z_]{1,100})\.ics", re.ASCII)
_METHODS = ("GET", "HEAD")
_KIND = "none"


class CalendarHandler:
    """The Lambda handler of the feeds."""

    def __init__(self) -> None:
        if in_lambda():
            settings().require([Secret.ORIGIN])
            table.client()

    def __call__(self, event: Mapping[str, Any], context: object) -> dict[str, Any]:
        """Handles an event of API Gateway."""
        request, request_id = Request.from_event(event), f"req_{secrets.token_hex(8)}"
        telemetry.begin_invocation(context, request_id)
        deadline.begin(context)
        started = time.perf_counter()
        response = _response(request, request_id)
        spent = int((time.perf_counter() - started) * 1000)
        telemetry.log_request(request.method, ROUTE, response.status, _KIND, spent)
        if response.status == Code.RATE_LIMITED.status:
            telemetry.count(Metric.REQUESTS_THROTTLED, _KIND)
        answer = response.event({"x-request-id": request_id, **address_lease(request.address).headers()})
        return {**answer, "body": "", "isBase64Encoded": False} if request.method == "HEAD" else answer


def _response(request: Request, request_id: str) -> Response:
    try:
        check_origin(request)
        return _feed(request)
    except ApiError as error:
        return envelope.error(error, request_id)
    except Exception as error:  # noqa: BLE001 - any other exception is a defect of ours, answered with a 500
        telemetry.log_error("crash", error, route=ROUTE)
        telemetry.count(Metric.CRASHES, ROUTE)
        return envelope.error(ApiError(Code.INTERNAL_ERROR), request_id)


def _feed(request: Request) -> Response:
    """Returns the feed that the path names, or 304. Raises 404, 405, 429 or 503."""
    named = _PATH.fullmatch(request.path)
    if named is None:
        raise not_found()
    if request.method not in _METHODS:
        raise ApiError(Code.METHOD_NOT_ALLOWED, headers={"Allow": ", ".join(_METHODS)})
    charge = address_charge(request.address)
    charge.lease.check_open()
    charge.spend()
    return _answer(read_feed(named[1], request.headers.get("if-none-match", ""), now()), request)


def _answer(feed: FeedContent, request: Request) -> Response:
    headers = {"etag": feed.tag, "cache-control": f"private, max-age={FEED_SECONDS}", "vary": "accept-encoding"}
    headers["content-type"] = "text/calendar; charset=utf-8"
    if feed.events is None:
        return Response(304, "", headers)
    body = write_feed(feed.name, feed.events)
    if not accepts_gzip(request.headers.get("accept-encoding", "")):
        return Response(200, body.decode(), headers)
    packed = base64.b64encode(gzip.compress(body, 6, mtime=0)).decode()
    return Response(200, packed, {**headers, "content-encoding": "gzip"}, base64=True)
