"""Requests, their repeats and how answers are read, without any input or output: a client sends and waits."""

from __future__ import annotations

import json
import random
import re
import time
import uuid
from collections.abc import Callable, Generator, Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, NamedTuple, TypeVar
from urllib.parse import parse_qs, quote, urlsplit

import httpx

from .errors import NO_RESPONSE, UNREADABLE_RESPONSE, ApiError, ConfigurationError
from .values import Page, Value

T = TypeVar("T")
TRIES, SECONDS = 5, 30.0
"""How often a request is sent at most, and how long a call takes at most."""
_UNREADABLE = (ValueError, RecursionError, LookupError, AttributeError, TypeError)
_NEXT = re.compile(r'<([^>]*)>\s*;\s*rel="?next"?')


class Operation(NamedTuple):
    """An operation: `path` has `{}` for each parameter, `{!}` for one that no log may show.

    `arguments` has the place and the name of each keyword; `member` leads to the value in the answer.
    """

    method: str
    path: str
    arguments: Mapping[str, tuple[str, str]]
    needs_body: bool
    takes_key: bool
    member: tuple[str, ...]


class Call(NamedTuple):
    """A call of an operation with its path parameters and keywords."""

    operation: Operation
    path: tuple[object, ...]
    arguments: Mapping[str, Any]


class Answer(NamedTuple):
    """A response with its whole body."""

    status: int
    headers: httpx.Headers
    body: bytes


class Sending(NamedTuple):
    """A request to send, whose answer is whole before `end` on the monotonic clock."""

    request: httpx.Request
    end: float


Steps = Generator[Sending | float, Answer | httpx.HTTPError | None, T]
"""What a client does for a call: it sends a request and hands in the answer or the failure, or waits some seconds."""


class _ShownUrl(httpx.URL):
    """An address that logs show as `shown`."""

    shown = ""

    def __str__(self) -> str:
        return self.shown

    __repr__ = __str__


class Target:
    """Where requests go and the credential that they have."""

    def __init__(self, base_url: str | None, token: str | None) -> None:
        self.base_url = _checked_url(base_url or "")
        self._token = token or ""
        if not re.fullmatch(r"[\x21-\x7e]*", self._token):
            raise ConfigurationError("The token (BOARD_GOVERNANCE_TOKEN) has characters that no token has.")

    def request(self, call: Call) -> httpx.Request:
        """Returns the request of a call. Raises TypeError or ValueError for arguments that no request can hold."""
        operation, parts = call.operation, _placed(call)
        headers = {"Idempotency-Key": str(uuid.uuid4())} if operation.takes_key else {}
        headers |= {"Authorization": f"Bearer {self._token}"} if self._token else {}
        body = parts["body"] if parts["body"] or operation.needs_body else None
        url = self.base_url + _filled(call)
        headers |= parts["header"]
        request = httpx.Request(operation.method, url, params=parts["query"], headers=headers, json=body)
        request.url = _ShownUrl(request.url)
        request.url.shown = self.base_url + _filled(call, "***")
        return request

    def steps(self, call: Call) -> Steps[Answer]:
        """Sends the request of a call and returns the answer of a success. Raises ApiError for any other."""
        request, operation = self.request(call), call.operation
        answer = yield from exchange(lambda: request, operation.method == "GET" or operation.takes_key)
        if httpx.codes.is_success(answer.status):
            return answer
        body = answer.body.replace(self._token.encode(), b"***") if self._token else answer.body
        raise _error(answer._replace(body=body))


def value(target: Target, call: Call) -> Steps[Any]:
    """Does a call and returns its value. Raises ApiError."""
    answer = yield from target.steps(call)
    found = _member(answer, *call.operation.member)
    return Value(found, answer.headers.get("ETag")) if isinstance(found, dict) else found


def page(target: Target, call: Call) -> Steps[Page[Any]]:
    """Fetches a page of a list. Raises ApiError."""
    answer = yield from target.steps(call)
    items = _member(answer, *call.operation.member)
    if isinstance(items, dict):
        items = [item for of_board in items.values() for item in of_board]
    if call.operation.member == ("data",):
        return Page(items, _member(answer, "meta", "nextCursor"))
    found = _NEXT.search(answer.headers.get("Link", ""))
    return Page(items, parse_qs(urlsplit(found[1]).query).get("cursor", [None])[0] if found else None)


def exchange(make: Callable[[], httpx.Request], is_repeatable: bool, seconds: float = SECONDS) -> Steps[Answer]:
    """Sends a request until it is answered by something else than 429 and 503; lost ones where that is harmless.

    Returns any answer. Raises ApiError if none came, after five tries or `seconds` at most.
    """
    end = time.monotonic() + seconds
    for number in range(TRIES):
        answer = yield Sending(make(), end)
        wait = _pause(answer, number, is_repeatable)
        if wait is None or number == TRIES - 1 or time.monotonic() + wait >= end:
            break
        yield max(0.0, wait)
    if isinstance(answer, Answer):
        return answer
    raise ApiError(0, NO_RESPONSE, f"The service did not answer: {type(answer).__name__}.")


def _error(answer: Answer) -> ApiError:
    """Returns the error that an answer says, in its envelope or, of an invite code, without one."""
    try:
        document = json.loads(answer.body)
        said = document.get("error", document)
        return ApiError(answer.status, said["code"], said["message"], said.get("requestId"), said.get("details"))
    except _UNREADABLE:
        return _unreadable(answer)


def _pause(answer: Answer | httpx.HTTPError | None, number: int, is_repeatable: bool) -> float | None:
    """Returns how many seconds to wait before the next try; None if there is none."""
    seconds: float = 2.0**number * random.uniform(0.25, 0.5)  # noqa: S311 - spreads the repeats of many clients
    if not isinstance(answer, Answer):
        return seconds if is_repeatable else None
    if answer.status not in (429, 503):
        return None
    text = answer.headers.get("Retry-After", "")
    try:
        return float(text) if text.isdecimal() else (parsedate_to_datetime(text) - datetime.now(UTC)).total_seconds()
    except (ValueError, TypeError):
        return seconds


def _placed(call: Call) -> dict[str, dict[str, Any]]:
    """Returns the arguments by their place in the request: the body keeps None as null, elsewhere it is left out."""
    places: dict[str, dict[str, Any]] = {"query": {}, "body": {}, "header": {}}
    for keyword, given in call.arguments.items():
        if keyword not in call.operation.arguments:
            raise TypeError(f"{call.operation.method} {call.operation.path} takes no argument {keyword!r}.")
        place, name = call.operation.arguments[keyword]
        if given is not None or place == "body":
            places[place][name] = given
    return places


def _filled(call: Call, secret: str = "") -> str:
    """Returns a path with its parameters; where `secret` is given, it stands for those that no log may show."""
    given = [quote(part, "") for part in call.path if isinstance(part, str) and part.strip(".")]
    if len(given) < len(call.path):
        raise ValueError("A parameter of the path is a text, and not empty.")
    segments = iter(given)
    return re.sub(r"{(!?)}", lambda found: (next(segments), secret)[bool(found[1] and secret)], call.operation.path)


def _member(answer: Answer, *names: str) -> Any:
    try:
        found = json.loads(answer.body)
        for name in names:
            found = found[name]
        return found
    except _UNREADABLE:
        pass
    raise _unreadable(answer)


def _unreadable(answer: Answer) -> ApiError:
    message = f"Something else than the service answered, or it answered half ({len(answer.body)} bytes)."
    return ApiError(answer.status, UNREADABLE_RESPONSE, message)


def _checked_url(url: str) -> str:
    """Returns an address without a slash at its end. Raises ConfigurationError, which does not repeat it."""
    try:
        parts = httpx.URL(url)
        is_usable = parts.scheme in ("http", "https") and parts.host.encode("idna") and parts.port != 0
    except (ValueError, httpx.InvalidURL):
        is_usable = False
    if not is_usable or parts.userinfo or parts.query or parts.fragment:
        raise ConfigurationError("`base_url` (BOARD_GOVERNANCE_URL) must be like https://board.example.")
    return url.rstrip("/")
