"""Reading the catalog's formulas from the bucket: once, then conditionally, and going on without it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest
from botocore.exceptions import EndpointConnectionError

from governance import aws, deadline
from governance.store.reports import kpi_formulas
from tests.harness import kpi, logs
from tests.harness.clock import SteppedTime
from tests.harness.fault_injection import hooked

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client


@pytest.fixture
def time(monkeypatch: pytest.MonkeyPatch) -> SteppedTime:
    stepped = SteppedTime()
    monkeypatch.setattr(kpi_formulas, "time", stepped)
    return stepped


@pytest.fixture
def asked(formulas: S3Client) -> Iterator[list[Any]]:
    del formulas
    requests: list[Any] = []
    with hooked("provide-client-params.s3.GetObject", lambda params, **_: requests.append(params), aws.s3()):
        yield requests


def release(version: str) -> str:
    return json.dumps({**json.loads(kpi.released_text()), "version": version})


def version() -> str | None:
    formulas = kpi_formulas.current()
    return formulas.version if formulas else None


def logged(capfd: pytest.CaptureFixture[str]) -> list[str]:
    return [line["message"] for line in logs.lines(capfd.readouterr().out)]


def test_the_formulas_are_read_once_in_some_minutes(
    asked: list[Any], time: SteppedTime, capfd: pytest.CaptureFixture[str]
) -> None:
    before = version()
    for _ in range(3):
        assert version() == before
    assert len(asked) == 1
    time.now += 300
    assert version() == before
    assert [("IfNoneMatch" in request) for request in asked] == [False, True]
    assert logged(capfd) == []


def test_another_release_is_taken_without_a_deployment(asked: list[Any], time: SteppedTime, formulas: S3Client) -> None:
    version()
    kpi.publish(formulas, release("9.0.0"))
    assert version() != "9.0.0"
    time.now += 301
    assert version() == "9.0.0"
    assert len(asked) == 2


def test_if_the_bucket_does_not_answer_the_last_formulas_are_used(
    asked: list[Any], time: SteppedTime, formulas: S3Client, capfd: pytest.CaptureFixture[str]
) -> None:
    before = version()
    formulas.delete_object(Bucket=asked[0]["Bucket"], Key=kpi_formulas.OBJECT_KEY)
    time.now += 301
    assert version() == before
    assert version() == before
    assert len(asked) == 2
    assert logged(capfd) == ["formulas unavailable"]
    kpi.publish(formulas, release("9.0.0"))
    time.now += 30
    assert version() == "9.0.0"


def test_a_bucket_that_cannot_be_reached_leaves_requests_without_formulas(
    formulas: S3Client, capfd: pytest.CaptureFixture[str]
) -> None:
    def fail(**_: object) -> None:
        raise EndpointConnectionError(endpoint_url="https://bucket.example")

    del formulas
    with hooked("before-call.s3.GetObject", fail, aws.s3()):
        assert version() is None
    assert logged(capfd) == ["formulas unavailable"]


@pytest.mark.parametrize("text", ["", "<html>", "{}", '{"version": "1"}'])
def test_what_is_not_the_formulas_is_not_used(formulas: S3Client, asked: list[Any], text: str) -> None:
    kpi.publish(formulas, text)
    assert version() is None
    assert version() is None
    assert len(asked) == 1


def test_a_request_that_has_no_time_left_does_not_ask(asked: list[Any]) -> None:
    with deadline.at_most(1):
        assert version() is None
    assert asked == []
    assert version() is not None
