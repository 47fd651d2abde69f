"""Makes the local engine ask for what S3 asks for in front of a bucket: a valid signature (ADR documents).

By itself the engine checks the signature of an address only if there is one, and never that of a form or a header. So
a link would open here that the cloud refuses.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any
from urllib.parse import quote

from ministack.core import sigv4
from ministack.services import s3

_ALGORITHM = "AWS4-HMAC-SHA256"
_PARTS_OF_SCOPE = 5
"""The parts of a credential: key, day, region, service, and a last word."""
_DENIED = ("AccessDenied", "Access Denied")
_MISMATCH = ("SignatureDoesNotMatch", sigv4.SIGNATURE_MISMATCH)

Answer = tuple[int, dict[str, str], bytes]
Handle = Callable[..., Awaitable[Answer]]
Failure = tuple[str, str] | None
"""Code and message of a refusal."""


def judge(secret: str) -> None:
    """Makes the engine of this process refuse requests of buckets that are not signed with this secret, with 403."""
    check_policy = s3._enforce_signed_post_policy

    def check_form(fields: Mapping[str, str], *others: Any) -> Answer | None:
        return _refused(_form_failure(fields, secret)) or check_policy(fields, *others)

    s3._enforce_signed_post_policy = check_form
    s3._enforce_post_policy_size = lambda *_: _refused(_DENIED)  # of a form without any signature
    s3.handle_request = _judged(s3.handle_request, secret)


def _judged(handle: Handle, secret: str) -> Handle:
    async def judged(
        method: str, path: str, headers: dict[str, str], body: bytes, query: dict[str, list[str]], **more: Any
    ) -> Answer:
        failure = _failure(method, path, headers, body, query, secret)
        return _refused(failure) or await handle(method, path, headers, body, query, **more)

    return judged


def _failure(
    method: str, path: str, headers: dict[str, str], body: bytes, query: dict[str, list[str]], secret: str
) -> Failure:
    """Returns code and message of the refusal; None for what is signed, and for what the engine judges itself."""
    if headers.get("authorization", "").startswith(f"{_ALGORITHM} "):
        signature = sigv4.parse_header_signature(headers)
        if isinstance(signature, tuple):
            return _DENIED
        sent = quote(path, safe="/~")
        mismatch: Failure = sigv4.header_signature_failure(signature, secret, method, sent, query, headers, body)
        return mismatch
    if query.get("X-Amz-Algorithm") == [_ALGORITHM] and (given := "".join(query.get("X-Amz-Signature", []))):
        return None if given.isascii() else _MISMATCH
    is_form = method == "POST" and not query and headers.get("content-type", "").startswith("multipart/form-data")
    return None if is_form else _DENIED


def _form_failure(fields: Mapping[str, str], secret: str) -> Failure:
    """Returns why the signature of a form's policy is refused; the engine refuses a form that lacks a field."""
    scope = fields.get("x-amz-credential", "").split("/")
    if "x-amz-signature" not in fields or len(scope) != _PARTS_OF_SCOPE:
        return None if any(name.startswith("x-amz-") for name in fields) else _DENIED
    _, day, region, service, _ = scope
    expected = sigv4.calculate_signature(secret, day, region, service, fields.get("policy", ""))
    given = fields["x-amz-signature"]
    return None if given.isascii() and sigv4.signatures_match(expected, given) else _MISMATCH


def _refused(failure: Failure) -> Answer | None:
    return None if failure is None else s3._error(*failure, 403)
