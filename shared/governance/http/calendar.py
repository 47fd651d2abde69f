"""Serves calendars, whose token is the only credential: `GET` and `HEAD` of a feed and of a guest's meeting.

`/calendar/{token}.ics` is a feed (ADR 0109), `/guest/{token}/meeting.ics` the booked time of a meeting (ADR 0030). They
are no routes of the API: they speak iCalendar, to programs that know neither our errors nor our headers. Requests are
counted by address, like all without a credential, and errors have the API's envelope.
"""

from __future__ import annotations

import base64
import gzip
import re
import time
from collections.abc import Mapping
from typing import Any

from governance import deadline, telemetry
from governance.calendars.writer import write_event, write_feed
from governance.errors import ApiError, Code, not_found
from governance.http import envelope
from governance.http.api import check_origin
from governance.http.envelope import Response
from governance.http.json_array_stream import accepts_gzip
from governance.http.rate_limit import flood_charge, flood_lease
from governance.http.request import Request
from governance.instants import now
from governance.limits import FEED_SECONDS
from governance.settings import Secret, in_lambda, settings
from governance.store import dynamodb
from governance.telemetry import Metric
from governance.usecases.calendar_content import FeedContent, read_feed
from governance.usecases.guest_calendar import read_guest_event

_FEED, _MEETING = "/calendar/{token}.ics", "/guest/{token}/meeting.ics"
_PATHS = {
    _FEED: re.compile(r"/calendar/([0-9A-Za-z_]{1,100})\.ics", re.ASCII),
    _MEETING: re.compile(r"/guest/([0-9A-Za-z_-]{1,150})/meeting\.ics", re.ASCII),
}
_TYPE = "text/calendar; charset=utf-8"
_METHODS = ("GET", "HEAD")
_KIND = "none"


class CalendarHandler:
    """The Lambda handler of the calendars."""

    def __init__(self) -> None:
        if in_lambda():
            settings().require([Secret.ORIGIN])
            dynamodb.client()

    def __call__(self, event: Mapping[str, Any], context: object) -> dict[str, Any]:
        """Handles an event of API Gateway."""
        request = Request.from_event(event)
        telemetry.begin_invocation(context, request.id)
        deadline.begin(context)
        started = time.perf_counter()
        response = _response(request)
        spent = int((time.perf_counter() - started) * 1000)
        telemetry.log_request(request.method, _route(request), response.status, _KIND, spent)
        if response.status == Code.RATE_LIMITED.status:
            telemetry.count(Metric.REQUESTS_THROTTLED, _KIND)
        answer = response.event({"x-request-id": request.id, **flood_lease(request.address).headers()})
        return {**answer, "body": "", "isBase64Encoded": False} if request.method == "HEAD" else answer


def _response(request: Request) -> Response:
    try:
        check_origin(request)
        return _calendar(request)
    except ApiError as error:
        return envelope.error(error, request.id)
    except Exception as error:  # noqa: BLE001 - any other exception is a defect of ours, answered with a 500
        telemetry.log_error("crash", error, route=_route(request))
        telemetry.count(Metric.CRASHES, _route(request))
        return envelope.error(ApiError(Code.INTERNAL_ERROR), request.id)


def _route(request: Request) -> str:
    """Returns the route of a path, which a log may have: the path itself holds the secret."""
    return _MEETING if request.path.startswith("/guest/") else _FEED


def _calendar(request: Request) -> Response:
    """Returns the calendar that the path names, or 304. Raises 404, 405, 429 or 503."""
    route = _route(request)
    named = _PATHS[route].fullmatch(request.path)
    if named is None:
        raise not_found()
    if request.method not in _METHODS:
        raise ApiError(Code.METHOD_NOT_ALLOWED, headers={"Allow": ", ".join(_METHODS)})
    charge = flood_charge(request.address)
    charge.lease.check_open()
    charge.spend()
    if route == _MEETING:
        return _meeting(named[1])
    return _answer(read_feed(named[1], request.headers.get("if-none-match", ""), now()), request)


def _meeting(token: str) -> Response:
    headers = {"content-type": _TYPE, "cache-control": "private, no-cache"}
    headers["content-disposition"] = 'attachment; filename="meeting.ics"'
    return Response(200, write_event(read_guest_event(token, now())).decode(), headers)


def _answer(feed: FeedContent, request: Request) -> Response:
    headers = {"etag": feed.tag, "cache-control": f"private, max-age={FEED_SECONDS}", "vary": "accept-encoding"}
    headers["content-type"] = _TYPE
    if feed.events is None:
        return Response(304, "", headers)
    body = write_feed(feed.name, feed.events)
    if not accepts_gzip(request.headers.get("accept-encoding", "")):
        return Response(200, body.decode(), headers)
    packed = base64.b64encode(gzip.compress(body, 6, mtime=0)).decode()
    return Response(200, packed, {**headers, "content-encoding": "gzip"}, base64=True)
