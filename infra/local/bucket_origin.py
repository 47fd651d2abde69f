"""The bucket as the CDN sees it: what the bucket's policy allows to the distribution, and nothing else."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from urllib.parse import unquote

from infra.local.event import Headers, HttpRequest, HttpResponse
from infra.stack.template import Template

_DISTRIBUTION = "OurDistribution"
_DENIED = (
    b'<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>'
)
_ABSENT = (
    b'<?xml version="1.0" encoding="UTF-8"?>\n'
    b"<Error><Code>NoSuchKey</Code><Message>The specified key does not exist.</Message></Error>"
)


@dataclass(frozen=True)
class StoredObject:
    """An object of the bucket with its S3 metadata. `etag` includes the quotes."""

    body: bytes
    etag: str
    content_type: str
    content_encoding: str = ""
    cache_control: str = ""


Read = Callable[[str], StoredObject | None]
"""Returns the object of a key, or None if there is none."""


class BucketOrigin:
    """Answers the requests that the distribution signs."""

    def __init__(self, read: Read) -> None:
        self._read = read

    def handle(self, request: HttpRequest) -> HttpResponse:
        """Returns the object, 404 for an absent one, and 403 for a key or a method that is not allowed."""
        key = unquote(request.path).removeprefix("/")
        readable = request.method in {"GET", "HEAD"} and is_allowed(key)
        stored = self._read(key) if readable else None
        if stored is None:
            return HttpResponse(
                404 if readable else 403, [("content-type", "application/xml")], _ABSENT if readable else _DENIED
            )
        optional = {"content-encoding": stored.content_encoding, "cache-control": stored.cache_control}
        headers: Headers = [("content-type", stored.content_type), ("etag", stored.etag), ("accept-ranges", "bytes")]
        headers += [(name, value) for name, value in optional.items() if value]
        return HttpResponse(200, headers, stored.body)


def is_allowed(key: str) -> bool:
    """Returns whether the policy of the bucket lets the distribution read a key."""
    return any(fnmatchcase(key, pattern) for pattern in _patterns())


@cache
def _patterns() -> tuple[str, ...]:
    """Returns the keys that the policy's statement for the distribution names."""
    policy = Template().document["Resources"]["StaticBucketPolicy"]["Properties"]["PolicyDocument"]
    (statement,) = [statement for statement in policy["Statement"] if statement["Sid"] == _DISTRIBUTION]
    return tuple(resource["Fn::Sub"].removeprefix("${StaticBucket.Arn}/") for resource in statement["Resource"])
