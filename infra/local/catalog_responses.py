"""Serves the catalog's paths as the CDN does with `infra/cdn/ontology.js` and S3.

The caller passes `read`, which returns the object of a key or None; this module does no I/O of its own. It reads the
pointer once per request, so that a response never mixes two releases (ADR 0073).
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from governance.errors import Code
from infra.catalog.page import FILES, HTML
from infra.catalog.pointer import BUCKET_KEY, CACHE_CONTROL, Publication, parse
from infra.catalog.publish import IMMUTABLE

ROOT = "/api/ontology"
METHODS = "GET, HEAD, OPTIONS"

_VERSION = re.compile(r"/v/([0-9.]+)(/.*)?")
_FILE = re.compile(r"/[a-z]+(?:/[a-z0-9-]+)?\.json")
_PAGE = re.compile(r"/browse/([0-9a-f]+)/(.+)")
_NOT_ACCEPTED = re.compile(r"\s*q\s*=\s*0(\.0*)?\s*")
_RANGE = re.compile(r"bytes=([0-9]{0,15})-([0-9]{0,15})")
_SIBLINGS = {"br": ".br", "gzip": ".gz"}
_ALWAYS = {"access-control-allow-origin": "*", "x-content-type-options": "nosniff"}


@dataclass(frozen=True)
class StoredObject:
    """An object of the bucket with its S3 metadata. `etag` includes the quotes."""

    body: bytes
    etag: str
    content_type: str
    content_encoding: str = ""


@dataclass(frozen=True)
class StaticResponse:
    """A response. Header names are in lower case; the server leaves the body out for HEAD."""

    status: int
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b""


Read = Callable[[str], StoredObject | None]


def serve(method: str, raw_path: str, headers: Mapping[str, str], read: Read) -> StaticResponse:
    """Returns the response to a request under `/api/ontology`.

    The path is undecoded, and the names of `headers` are in lower case.
    """
    if method == "OPTIONS" and "access-control-request-method" in headers:
        return _preflight()
    path = raw_path.partition("?")[0]
    pointer = read(BUCKET_KEY)
    key = _key(path, parse(pointer.body.decode()) if pointer else [])
    plain = read(key) if key else None
    if key is None or plain is None:
        return _failure(Code.RESOURCE_NOT_FOUND)
    if method == "OPTIONS":
        return _preflight()
    if method not in ("GET", "HEAD"):
        return _failure(Code.METHOD_NOT_ALLOWED, {"allow": METHODS})
    stored = read(key + _sibling(headers.get("accept-encoding", ""))) or plain
    return _conditional(stored, IMMUTABLE if _is_immutable(path) else CACHE_CONTROL, headers)


def _is_immutable(path: str) -> bool:
    """Returns whether a path names a version or a build of the page, so that its content never changes."""
    rest = path.removeprefix(ROOT)
    return bool(_VERSION.fullmatch(rest) or _PAGE.fullmatch(rest))


def _key(path: str, published: list[Publication]) -> str | None:
    """Returns the key of the uncompressed object at a path, or None if no published release has the path."""
    rest = path.removeprefix(ROOT)
    if not published:
        return None
    if rest in ("/browse", "/browse/"):
        return f"{ROOT[1:]}/browse/{published[0].page}/{HTML}"
    if page := _PAGE.fullmatch(rest):
        is_known = page[1] in {each.page for each in published} and page[2] in FILES
        return path[1:] if is_known else None
    version = _VERSION.fullmatch(rest)
    return _file(version[1], version[2] or "", published) if version else _file(published[0].version, rest, published)


def _file(version: str, file: str, published: list[Publication]) -> str | None:
    if version not in {each.version for each in published}:
        return None
    if file in ("", "/"):
        file = "/index.json"
    return f"{ROOT[1:]}/v/{version}{file}" if _FILE.fullmatch(file) else None


def _sibling(accepted: str) -> str:
    """Returns the key suffix of the best encoding that the client accepts: brotli before gzip, and none with `q=0`."""
    parts = (part.partition(";") for part in accepted.lower().split(","))
    names = {name.strip() for name, _, quality in parts if not _NOT_ACCEPTED.fullmatch(quality)}
    return next((suffix for name, suffix in _SIBLINGS.items() if name in names), "")


def too_many(seconds: int) -> StaticResponse:
    """Returns the response to an address that is over its limit for so many seconds more, as the firewall gives it."""
    return _failure(Code.RATE_LIMITED, {"retry-after": str(seconds)})


def _preflight() -> StaticResponse:
    allowed = {
        "allow": METHODS,
        "access-control-allow-methods": METHODS,
        "access-control-allow-headers": "*",
        "access-control-max-age": "86400",
        "cache-control": "no-store",
    }
    return StaticResponse(204, {**_ALWAYS, **allowed})


def _failure(code: Code, extra: Mapping[str, str] | None = None) -> StaticResponse:
    error = {"code": code.name, "message": code.message, "status": code.status, "requestId": None, "details": None}
    body = json.dumps({"error": error}, separators=(",", ":")).encode()
    headers = {"content-type": "application/json", "content-length": str(len(body)), "cache-control": "no-store"}
    return StaticResponse(code.status, {**_ALWAYS, **headers, **(extra or {})}, body)


def _conditional(stored: StoredObject, cache_control: str, headers: Mapping[str, str]) -> StaticResponse:
    """Returns a 200, 206, 304 or 416 response by the conditions of the request."""
    common = {**_ALWAYS, "etag": stored.etag, "cache-control": cache_control, "vary": "Accept-Encoding"}
    if _is_fresh(stored.etag, headers.get("if-none-match", "")):
        return StaticResponse(304, common)
    common |= {"content-type": stored.content_type, "accept-ranges": "bytes"}
    if stored.content_encoding:
        common["content-encoding"] = stored.content_encoding
    if headers.get("if-range", stored.etag) == stored.etag and (match := _RANGE.fullmatch(headers.get("range", ""))):
        return _partial(stored.body, match[1], match[2], common)
    return StaticResponse(200, {**common, "content-length": str(len(stored.body))}, stored.body)


def _is_fresh(etag: str, condition: str) -> bool:
    known = {tag.strip().removeprefix("W/") for tag in condition.split(",")}
    return etag in known or "*" in known


def _partial(body: bytes, first: str, last: str, common: dict[str, str]) -> StaticResponse:
    """Returns a range of bytes: `5-9`, `5-`, or `-5` for the last five. An invalid range is ignored, as S3 does."""
    if (not first and not last) or (first and last and int(last) < int(first)):
        return StaticResponse(200, {**common, "content-length": str(len(body))}, body)
    start = int(first) if first else max(0, len(body) - int(last))
    stop = min(int(last) + 1, len(body)) if first and last else len(body)
    if start >= len(body) or start >= stop:
        return StaticResponse(416, {**common, "content-range": f"bytes */{len(body)}", "content-length": "0"})
    part = {"content-range": f"bytes {start}-{stop - 1}/{len(body)}", "content-length": str(stop - start)}
    return StaticResponse(206, {**common, **part}, body[start:stop])
