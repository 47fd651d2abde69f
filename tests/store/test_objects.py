"""Failed calls of a bucket: a 503 for the client and a line in the log; only an absent object may be none."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from http import HTTPStatus

import pytest
from botocore.exceptions import ClientError, EndpointConnectionError

from governance.errors import ApiError, Code
from governance.store import objects
from tests.harness import logs

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
