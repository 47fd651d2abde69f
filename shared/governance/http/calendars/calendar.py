"""Serves calendars, whose token is the only credential: `GET` and `HEAD` of a feed and of a guest's meeting.

`/calendar/{token}.ics` is a feed (ADR calendars), `/guest/{token}/meeting.ics` the booked time of a meeting (ADR
guests). They are not routes of the API: they speak iCalendar, to programs that know neither our errors nor our headers.
Requests are counted by address, like all without a credential, and errors have the API's envelope.
"""

from __future__ import annotations

import base64
import gzip
import re
from collections.abc import Mapping
from typing import Any

from governance.calendars.writer import write_event, write_feed
from governance.errors import ApiError, Code, not_found
from governance.http import serving
from governance.http.envelope import Response
from governance.http.json_array_stream import accepts_gzip
from governance.http.rate_limit import flood_charge
from governance.http.request import Request
from governance.http.serving import Trace
from governance.instants import now
from governance.limits import FEED_SECONDS
from governance.usecases.calendars.calendar_content import FeedContent, read_feed
from governance.usecases.meetings.guest_calendar import read_guest_event

_FEED, _MEETING = "/calendar/{token}.ics", "/guest/{token}/meeting.ics"
_PATHS = {
    _FEED: re.compile(r"/calendar/([0-9A-Za-z_]{1,100})\.ics", re.ASCII),
    _MEETING: re.compile(r"/guest/([0-9A-Za-z_-]{1,150})/meeting\.ics", re.ASCII),
}
_TYPE = "text/calendar; charset=utf-8"
_METHODS = ("GET", "HEAD")


class CalendarHandler:
    """The Lambda handler of the calendars."""

    def __init__(self) -> None:
        serving.start()

    def __call__(self, event: Mapping[str, Any], context: object) -> dict[str, Any]:
        """Handles an event of API Gateway."""
        request = Request.from_event(event)
        trace = Trace(flood_charge(request.address), _route(request))
        answer = serving.serve(request, context, trace, _calendar)
        return {**answer, "body": "", "isBase64Encoded": False} if request.method == "HEAD" else answer


def _route(request: Request) -> str:
    """Returns the route of a path, which a log may have: the path itself holds the secret."""
    return _MEETING if request.path.startswith("/guest/") else _FEED


def _calendar(request: Request, trace: Trace) -> Response:
    """Returns the calendar that the path names, or 304. Raises 404, 405, 429 or 503."""
    named = _PATHS[trace.route].fullmatch(request.path)
    if named is None:
        raise not_found()
    if request.method not in _METHODS:
        raise ApiError(Code.METHOD_NOT_ALLOWED, headers={"Allow": ", ".join(_METHODS)})
    trace.charge.lease.check_open()
    trace.charge.spend()
    if trace.route == _MEETING:
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
