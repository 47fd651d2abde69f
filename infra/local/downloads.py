"""Serves the buckets' files by the addresses that the CDN serves them by, and judges their signatures as it does.

It stands in front of the local engine. What it refuses, CloudFront refuses with 403: an address without a signature of
the installation's key, a changed one, and one that has expired (ADR documents).
"""

from __future__ import annotations

import base64
import time
from collections.abc import Mapping
from datetime import UTC, datetime
from functools import lru_cache
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, unquote, urlsplit

import boto3
from botocore.config import Config
from botocore.signers import CloudFrontSigner
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ec import ECDSA, EllipticCurvePublicKey
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import load_der_public_key

if TYPE_CHECKING:  # the emulator of the rehearsal has neither
    from mypy_boto3_s3 import S3Client

    from infra.local.engine_clients import App, Message, Receive, Send

_SIGNATURE = ("Expires", "Signature", "Key-Pair-Id", "Hash-Algorithm")
"""The parameters that CloudFront takes for itself; the bucket never sees them."""
_ANSWER = {
    "response-cache-control": "ResponseCacheControl",
    "response-content-disposition": "ResponseContentDisposition",
    "response-content-type": "ResponseContentType",
}
_FROM_SIGNATURES = bytes.maketrans(b"-_~", b"+=/")
_DENIED = (
    b'<?xml version="1.0" encoding="UTF-8"?><Error><Code>AccessDenied</Code><Message>Access denied</Message></Error>'
)


class SignedDownloads:
    """The engine's ASGI application with the paths of downloads: `buckets` names the bucket of each first folder."""

    def __init__(self, app: App, public_key: str, key_id: str, buckets: Mapping[str, str]) -> None:
        self._app = app
        self._key = load_der_public_key(base64.b64decode(public_key))
        self._key_id = key_id
        self._buckets = buckets

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Passes on everything but downloads, and valid downloads as signed requests of the bucket."""
        if scope["type"] != "http" or b"Key-Pair-Id=" not in scope["query_string"]:
            await self._app(scope, receive, send)
            return
        signed = self._signed(scope)
        if signed is None:
            await _refuse(send)
        else:
            await self._app({**scope, **signed}, receive, send)

    def _signed(self, scope: Message) -> Message | None:
        """Returns path and query of the bucket's own address of a file; None for an address that is not valid."""
        path, query = (
            (scope.get("raw_path") or scope["path"].encode()).decode(),
            scope["query_string"].decode("latin-1"),
        )
        host = dict(scope["headers"]).get(b"host", b"").decode("latin-1")
        bucket = self._buckets.get(path.split("/")[1])
        if bucket is None or scope["method"] not in {"GET", "HEAD"} or not self._holds(f"http://{host}{path}", query):
            return None
        given = {name: values[0] for name, values in parse_qs(query).items() if name in _ANSWER}
        target = {"Bucket": bucket, "Key": unquote(path[1:]), **{_ANSWER[name]: text for name, text in given.items()}}
        operation = "get_object" if scope["method"] == "GET" else "head_object"
        address = urlsplit(_client(f"http://{host}").generate_presigned_url(operation, Params=target, ExpiresIn=60))
        return {
            "path": unquote(address.path),
            "raw_path": address.path.encode(),
            "query_string": address.query.encode(),
        }

    def _holds(self, address: str, query: str) -> bool:
        own = [part for part in query.split("&") if part.partition("=")[0] not in _SIGNATURE]
        values = {name: values for name, values in parse_qs(query).items() if name in _SIGNATURE}
        if any(len(values.get(name, ())) != 1 for name in _SIGNATURE):
            return False
        expires, signature, key_id, algorithm = (values[name][0] for name in _SIGNATURE)
        is_ours = key_id == self._key_id and algorithm == "SHA256" and expires.isascii() and expires.isdigit()
        if not is_ours or int(expires) <= time.time():
            return False
        resource = f"{address}?{'&'.join(own)}" if own else address
        policy = CloudFrontSigner(key_id, None).build_policy(resource, datetime.fromtimestamp(int(expires), UTC))
        return _verifies(self._key, signature, policy)


def _verifies(key: object, signature: str, policy: str) -> bool:
    if not isinstance(key, EllipticCurvePublicKey) or not signature.isascii():
        return False
    try:
        given = base64.b64decode(signature.encode().translate(_FROM_SIGNATURES), validate=True)
        key.verify(given, policy.encode(), ECDSA(SHA256()))
    except (ValueError, InvalidSignature):
        return False
    return True


@lru_cache(maxsize=4)
def _client(endpoint: str) -> S3Client:
    config = Config(signature_version="s3v4", s3={"addressing_style": "path"})
    return boto3.client("s3", endpoint_url=endpoint, config=config)


async def _refuse(send: Send) -> None:
    headers = [(b"content-type", b"text/xml"), (b"content-length", str(len(_DENIED)).encode())]
    await send({"type": "http.response.start", "status": 403, "headers": headers})
    await send({"type": "http.response.body", "body": _DENIED})
