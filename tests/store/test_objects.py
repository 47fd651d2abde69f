"""Failed calls of a bucket: a 503 for the client and a line in the log; only an absent object may be none."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from http import HTTPStatus
from typing import Any

import pytest
from botocore.awsrequest import AWSResponse
from botocore.compat import HTTPHeaders
from botocore.exceptions import ClientError, EndpointConnectionError

from governance import aws
from governance.errors import ApiError, Code
from governance.store import objects
from tests.harness import logs
from tests.harness.fault_injection import hooked

pytestmark = pytest.mark.usefixtures("store")


def refuse(status: HTTPStatus) -> None:
    response = {"Error": {}, "ResponseMetadata": {"HTTPStatusCode": status}}
    raise ClientError(response, "GetObject")  # type: ignore[arg-type]


def break_off() -> None:
    raise EndpointConnectionError(endpoint_url="https://bucket.test")


@pytest.mark.parametrize(
    "ask",
    [
        partial(objects.ask, partial(refuse, HTTPStatus.NOT_FOUND)),
        partial(objects.ask, break_off),
        partial(objects.find, partial(refuse, HTTPStatus.FORBIDDEN)),
        partial(objects.find, break_off),
    ],
)
def test_a_call_that_fails_is_a_503_and_is_logged(ask: Callable[[], None], capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(ApiError) as refusal:
        ask()
    assert refusal.value.code is Code.SERVICE_UNAVAILABLE
    assert [line["message"] for line in logs.lines(capfd.readouterr().out)] == ["bucket failure"]


def test_an_object_is_absent_by_the_statuses_that_the_caller_names(capfd: pytest.CaptureFixture[str]) -> None:
    assert objects.find(partial(refuse, HTTPStatus.NOT_FOUND)) is None
    assert objects.find(partial(refuse, HTTPStatus.FORBIDDEN), {HTTPStatus.FORBIDDEN}) is None
    assert logs.lines(capfd.readouterr().out) == []


def test_objects_are_deleted_each_once_by_calls_for_a_thousand() -> None:
    asked: list[Any] = []

    def record(params: dict[str, Any], **_: Any) -> Any:
        asked.append(re.findall("<Key>(.*?)</Key>", params["body"].decode()))
        assert b"<Quiet>true</Quiet>" in params["body"]
        return AWSResponse("", 200, HTTPHeaders(), None), {}

    keys = [str(number) for number in range(2001)]
    with hooked("before-call.s3.DeleteObjects", record, aws.s3()):
        objects.delete("bucket", keys)
    assert asked == [keys[:1000], keys[1000:2000], keys[2000:]]


def test_an_object_that_the_bucket_does_not_delete_is_a_503() -> None:
    def refuse_one(**_: Any) -> Any:
        return AWSResponse("", 200, HTTPHeaders(), None), {"Errors": [{"Key": "a", "Code": "InternalError"}]}

    with hooked("before-call.s3.DeleteObjects", refuse_one, aws.s3()), pytest.raises(ApiError) as refusal:
        objects.delete("bucket", ["a", "b"])
    assert refusal.value.code is Code.SERVICE_UNAVAILABLE
