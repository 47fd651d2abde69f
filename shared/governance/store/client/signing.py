"""AWS Signature Version 4, for the one kind of request that the table takes: a POST of JSON.

`botocore.auth` signs any request of any service, and costs the import of half the SDK.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import time
from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

from governance import aws
from governance.store.client.errors import NoCredentialsError

CONTENT_TYPE = "application/x-amz-json-1.0"
_ALGORITHM, _SERVICE, _END = "AWS4-HMAC-SHA256", "dynamodb", "aws4_request"


class Credentials(NamedTuple):
    """An access key with its secret, and the token of a session if it has one."""

    access_key: str
    secret_key: str
    token: str | None


def credentials() -> Callable[[], Credentials]:
    """Returns what gives the credentials for a request.

    Those of the environment are a function's own, which outlive it. Without them the SDK looks for others, and renews
    those that expire.
    """
    key, secret = os.environ.get("AWS_ACCESS_KEY_ID"), os.environ.get("AWS_SECRET_ACCESS_KEY")
    if not key or not secret:
        return _credentials_of_sdk
    own = Credentials(key, secret, os.environ.get("AWS_SESSION_TOKEN"))
    return lambda: own


def _credentials_of_sdk() -> Credentials:
    sdk_credentials = aws.session().get_credentials()
    keys = sdk_credentials.get_frozen_credentials() if sdk_credentials else None
    if keys is None or not keys.access_key or not keys.secret_key:
        raise NoCredentialsError
    return Credentials(keys.access_key, keys.secret_key, keys.token)


def signed_headers(used: Credentials, region: str, host: str, path: str, target: str, body: bytes) -> str:
    """Returns the header lines of a request that is signed now, without those that say how it is transferred."""
    instant = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime())
    token = f"x-amz-security-token:{used.token}\n" if used.token else ""
    lines = f"content-type:{CONTENT_TYPE}\nhost:{host}\nx-amz-date:{instant}\n{token}x-amz-target:{target}\n"
    names = f"content-type;host;x-amz-date;{'x-amz-security-token;' if token else ''}x-amz-target"
    canonical = f"POST\n{path}\n\n{lines}\n{names}\n{hashlib.sha256(body).hexdigest()}"
    scope = f"{instant[:8]}/{region}/{_SERVICE}/{_END}"
    text = f"{_ALGORITHM}\n{instant}\n{scope}\n{hashlib.sha256(canonical.encode()).hexdigest()}"
    signature = hmac.digest(_signing_key(used.secret_key, instant[:8], region), text.encode(), "sha256").hex()
    credential = f"{used.access_key}/{scope}"
    return f"{lines}authorization:{_ALGORITHM} Credential={credential}, SignedHeaders={names}, Signature={signature}\n"


@lru_cache(maxsize=2)
def _signing_key(secret_key: str, date: str, region: str) -> bytes:
    key = f"AWS4{secret_key}".encode()
    for part in (date, region, _SERVICE, _END):
        key = hmac.digest(key, part.encode(), "sha256")
    return key
