"""The CDN in front of bucket and API: behaviours, edge functions, cache, error caching and headers of its template.

`make run` serves through it, so that what CloudFront would refuse, rewrite or keep is refused, rewritten or kept here
(ADR cdn). It counts every request as one over TLS.
"""

from __future__ import annotations

import gzip
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any
from urllib.parse import parse_qsl

import brotli  # type: ignore[import-untyped]

from infra.cdn.distribution import Behaviour, Distribution
from infra.cdn.javascript import EdgeFunctions, FunctionError, Lookup
from infra.local.conditional import conditional
from infra.local.edge_cache import CACHED_METHODS, EdgeCache, Key, seconds_to_keep
from infra.local.event import Headers, HttpRequest, HttpResponse

REQUEST_LIMIT = 32_768
"""Bytes of request line and headers."""
URL_LIMIT = 8_192
_OWN_HEADERS = re.compile(r"cloudfront-|x-forwarded-|x-origin-secret$", re.IGNORECASE)
_COMPRESSED_BYTES = range(1_000, 10_000_001)
_COMPRESSED_TYPES = re.compile(r"text/|application/(json|javascript|xml)|image/svg")
_PAGE = (
    "<!DOCTYPE HTML><HTML><HEAD><TITLE>ERROR: The request could not be satisfied</TITLE></HEAD><BODY>"
    "<H1>{status} ERROR</H1><H2>The request could not be satisfied.</H2>{reason}</BODY></HTML>"
)

Handle = Callable[[HttpRequest], HttpResponse]
Firewall = Callable[[HttpRequest], HttpResponse | None]


def open_to_all(_: HttpRequest) -> HttpResponse | None:
    """Blocks no request."""
    return None


class Edge:
    """The distribution with its origins, by their ids. Safe to call from many threads.

    `lookup` reads the key-value store of the edge functions. `firewall` answers requests that it blocks.
    """

    def __init__(
        self,
        distribution: Distribution,
        origins: Mapping[str, Handle],
        lookup: Lookup,
        *,
        origin_secret: str = "",
        firewall: Firewall = open_to_all,
        cache: EdgeCache | None = None,
    ) -> None:
        self._distribution = distribution
        self._origins = origins
        self._functions = EdgeFunctions(distribution.functions, lookup)
        self._origin_secret = origin_secret
        self._firewall = firewall
        self._cache = cache or EdgeCache()

    def handle(self, request: HttpRequest) -> HttpResponse:
        """Returns the answer that a client of the distribution gets."""
        if refused := _refusal(request) or self._firewall(request):
            return refused
        behaviour = self._distribution.behaviour(request.path)
        if request.method not in behaviour.methods:
            return _error(403, "This distribution is not configured to allow the HTTP request method.")
        try:
            return self._served(behaviour, request)
        except FunctionError as error:
            return _error(503, f"The CloudFront function failed: {error}.")

    def _served(self, behaviour: Behaviour, request: HttpRequest) -> HttpResponse:
        asked = self._on_request(behaviour, request)
        if isinstance(asked, HttpResponse):
            return asked
        response = self._from_cache_or_origin(behaviour, asked)
        if behaviour.origin in self._distribution.buckets:
            response = conditional(asked, response)
        response = _with_headers(behaviour, asked, response)
        # CloudFront runs no function on the errors of an origin.
        return self._on_response(behaviour, asked, response) if response.status < 400 else response

    def _on_request(self, behaviour: Behaviour, request: HttpRequest) -> HttpRequest | HttpResponse:
        """Returns the request as the edge function leaves it, or the function's own answer."""
        if not behaviour.on_request:
            return request
        event = _event(request)
        result = self._functions.run(behaviour.on_request, event)
        if "statusCode" in result:
            return _generated(result)
        query = request.query if result["querystring"] else ""
        target = f"{result['uri']}?{query}" if query else str(result["uri"])
        return replace(request, target=target, headers=_headers(result["headers"]))

    def _on_response(self, behaviour: Behaviour, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        if not behaviour.on_response:
            return response
        event = _event(request)
        event["response"] = {"statusCode": response.status, "headers": _values(response.headers)}
        result = self._functions.run(behaviour.on_response, event)
        return replace(response, status=result["statusCode"], headers=_headers(result["headers"]))

    def _from_cache_or_origin(self, behaviour: Behaviour, request: HttpRequest) -> HttpResponse:
        encoding = _encoding(behaviour, request)
        key: Key = (behaviour.pattern, request.method, request.path, encoding)
        if request.method in CACHED_METHODS and (cached := self._cache.find(key)):
            age, response = cached
            kind = "Error" if response.status >= 400 else "Hit"
            hit = [("age", str(age)), ("x-cache", f"{kind} from cloudfront")]
            return replace(response, headers=[*response.headers, *hit])
        response = self._origins[behaviour.origin](self._to_origin(behaviour, request))
        if behaviour.compresses and encoding:
            response = _compressed(response, encoding)
        if request.method in CACHED_METHODS:
            seconds = seconds_to_keep(response, behaviour.cache, self._distribution.error_seconds)
            self._cache.keep(key, response, seconds)
        return replace(response, headers=[*response.headers, ("x-cache", "Miss from cloudfront")])

    def _to_origin(self, behaviour: Behaviour, request: HttpRequest) -> HttpRequest:
        """Returns the request as the origin sees it: without the headers of the CDN that a client made up."""
        if not behaviour.forwards_viewer:
            return replace(request, target=request.path, headers=[])
        headers: Headers = [pair for pair in request.headers if not _OWN_HEADERS.match(pair[0])]
        headers += [("x-forwarded-for", request.address), ("x-forwarded-proto", "https")]
        headers += [(name, self._origin_secret) for name in self._distribution.secret_headers[behaviour.origin]]
        return replace(request, headers=headers)


def _refusal(request: HttpRequest) -> HttpResponse | None:
    """Returns CloudFront's answer to a request that it serves to nobody."""
    if request.method == "GET" and request.body:
        return _error(403, "Bad request: a GET request may not have a body.")
    size = len(request.target) + sum(len(name) + len(value) for name, value in request.headers)
    if size > REQUEST_LIMIT or len(request.target) > URL_LIMIT:
        return _error(413, "The request is too large.")
    return None


def _error(status: int, reason: str) -> HttpResponse:
    headers = [("content-type", "text/html"), ("x-cache", "Error from cloudfront")]
    return HttpResponse(status, headers, _PAGE.format(status=status, reason=reason).encode())


def _event(request: HttpRequest) -> dict[str, Any]:
    query = parse_qsl(request.query, keep_blank_values=True)
    return {
        "version": "1.0",
        "viewer": {"ip": request.address},
        "request": {
            "method": request.method,
            "uri": request.path,
            "querystring": _values(query),
            "headers": _values((name.lower(), value) for name, value in request.headers),
            "cookies": {},
        },
    }


def _values(pairs: Any) -> dict[str, Any]:
    """Returns headers in the form that edge functions see; several of one name become `multiValue`."""
    headers: dict[str, Any] = {}
    for name, value in pairs:
        if name in headers:
            several = headers[name].setdefault("multiValue", [{"value": headers[name]["value"]}])
            several.append({"value": value})
        else:
            headers[name] = {"value": value}
    return headers


def _headers(values: Mapping[str, Any]) -> Headers:
    return [
        (name, entry["value"])
        for name, value in values.items()
        for entry in value.get("multiValue", [{"value": value["value"]}])
    ]


def _generated(result: Mapping[str, Any]) -> HttpResponse:
    """Returns an edge function's own answer, to which CloudFront adds no headers of the policies."""
    body = result.get("body", {}).get("data", "").encode()
    source = ("x-cache", "FunctionGeneratedResponse from cloudfront")
    return HttpResponse(result["statusCode"], [*_headers(result.get("headers", {})), source], body)


def _with_headers(behaviour: Behaviour, request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """Returns the response with the headers of the behaviour's policy in place of the origin's own."""
    is_cross_origin = any(name.lower() == "origin" for name, _ in request.headers)
    added = {**behaviour.headers.always, **(behaviour.headers.cors if is_cross_origin else {})}
    kept = [(name, value) for name, value in response.headers if name.lower() not in added]
    return replace(response, headers=[*kept, *added.items()])


def _encoding(behaviour: Behaviour, request: HttpRequest) -> str:
    """Returns the first encoding of the cache's key that the client accepts, or an empty text."""
    accepted = ",".join(value for name, value in request.headers if name.lower() == "accept-encoding").lower()
    names = {part.partition(";")[0].strip() for part in accepted.split(",")}
    return next((encoding for encoding in behaviour.cache.encodings if encoding in names), "")


def _compressed(response: HttpResponse, encoding: str) -> HttpResponse:
    """Returns the response compressed, if it is of a kind and size that CloudFront compresses."""
    named = {name.lower(): value for name, value in response.headers}
    suits = len(response.body) in _COMPRESSED_BYTES and _COMPRESSED_TYPES.match(named.get("content-type", ""))
    if response.status != 200 or "content-encoding" in named or not suits:
        return response
    headers: Headers = [(name, value) for name, value in named.items() if name != "etag"]
    headers += [("content-encoding", encoding), ("vary", "Accept-Encoding")]
    if etag := named.get("etag"):
        headers.append(("etag", f"W/{etag.removeprefix('W/')}"))
    return replace(response, headers=headers, body=_packed(response.body, encoding))


@lru_cache(maxsize=256)
def _packed(body: bytes, encoding: str) -> bytes:
    return bytes(brotli.compress(body, quality=5)) if encoding == "br" else gzip.compress(body, 6, mtime=0)
