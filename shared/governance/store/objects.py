"""Calls of the buckets: a failed call is logged and raises 503; an absent object is a case of its own."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from http import HTTPStatus
from typing import TYPE_CHECKING, TypeVar

from governance import aws
from governance.errors import ApiError, unavailable
from governance.telemetry import log_error

if TYPE_CHECKING:
    from botocore.response import StreamingBody

TAKEN = (HTTPStatus.PRECONDITION_FAILED, HTTPStatus.CONFLICT)
"""The condition of a call does not hold, or another write of the same key is going on."""
_CHUNK = 256 * 1024
_DELETED_TOGETHER = 1000
"""Objects that a bucket deletes in one call."""

T = TypeVar("T")


def ask(call: Callable[[], T]) -> T:
    """Returns the response of a bucket. Raises 503 if the call fails, or if there is no such object."""
    try:
        return call()
    except aws.errors() as error:
        raise _failure(error) from None


def find(call: Callable[[], T], absent: Collection[HTTPStatus] = (HTTPStatus.NOT_FOUND,)) -> T | None:
    """Returns the response of a bucket; None if its status says that the object is absent. Raises 503 if it fails."""
    try:
        return call()
    except aws.refusal() as error:
        if error.response["ResponseMetadata"]["HTTPStatusCode"] in absent:
            return None
        raise _failure(error) from None
    except aws.no_answer() as error:
        raise _failure(error) from None


def _failure(error: Exception) -> ApiError:
    log_error("bucket failure", error)
    return unavailable()


def chunks(body: StreamingBody) -> Iterator[bytes]:
    """Yields an object in parts that fit in memory. Raises 503 if it cannot be read on."""
    try:
        yield from body.iter_chunks(_CHUNK)
    except aws.no_answer():
        raise unavailable() from None


def keys(bucket: str, prefix: str) -> list[str]:
    """Returns the keys of a bucket's objects that begin with a prefix. Raises 503."""
    found: list[str] = []
    following: dict[str, str] = {}
    while True:
        answer = ask(lambda: aws.s3().list_objects_v2(Bucket=bucket, Prefix=prefix, **following))  # type: ignore[arg-type]  # noqa: B023
        found += [item["Key"] for item in answer.get("Contents", [])]
        if not answer.get("IsTruncated"):
            return found
        following = {"ContinuationToken": answer["NextContinuationToken"]}


def delete(bucket: str, keys: Sequence[str]) -> None:
    """Deletes objects, also absent ones. Raises 503 if one of them may still be there."""
    for start in range(0, len(keys), _DELETED_TOGETHER):
        some = [{"Key": key} for key in keys[start : start + _DELETED_TOGETHER]]
        answer = ask(lambda some=some: aws.s3().delete_objects(Bucket=bucket, Delete={"Objects": some, "Quiet": True}))  # type: ignore[misc]
        if answer.get("Errors"):
            raise unavailable()
