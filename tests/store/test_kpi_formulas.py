"""Reading the catalog's formulas from the bucket: once, then conditionally, and going on without it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from botocore.exceptions import EndpointConnectionError

from governance import aws, deadline
from governance.store.reports import kpi_formulas
from tests.harness import kpi, logs

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client


class Time:
    def __init__(self) -> None:
        self.now = 1000.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def time(monkeypatch: pytest.MonkeyPatch) -> Time:
    fake = Time()
    monkeypatch.setattr(kpi_formulas, "time", fake)
    return fake


class RecordingClient:
    """A client of the bucket that notes the requests for an object."""

    def __init__(self, client: S3Client) -> None:
        self._client = client
        self.asked: list[Any] = []

    def get_object(self, **request: Any) -> Any:
        self.asked.append(request)
        return self._client.get_object(**request)


class UnreachableClient:
    """A client of a bucket that no connection leads to."""

    def get_object(self, **_: Any) -> Any:
        raise EndpointConnectionError(endpoint_url="https://bucket.example")


@pytest.fixture
def asked(formulas: S3Client, monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The requests for the formulas that are made."""
    client = RecordingClient(formulas)
    monkeypatch.setattr(aws, "s3", lambda: client)
    return client.asked


def release(version: str) -> str:
    return json.dumps({**json.loads(kpi.released_text()), "version": version})


def version() -> str | None:
    found = kpi_formulas.current()
    return found.version if found else None


def logged(capfd: pytest.CaptureFixture[str]) -> list[str]:
    return [line["message"] for line in logs.lines(capfd.readouterr().out)]


def test_the_formulas_are_read_once_in_some_minutes(
    asked: list[Any], time: Time, capfd: pytest.CaptureFixture[str]
) -> None:
    before = version()
    for _ in range(3):
        assert version() == before
    assert len(asked) == 1
    time.now += 300
    assert version() == before
    assert [("IfNoneMatch" in each) for each in asked] == [False, True]
    assert logged(capfd) == []


def test_another_release_is_taken_without_a_deployment(asked: list[Any], time: Time, formulas: S3Client) -> None:
    version()
    kpi.publish(formulas, release("9.0.0"))
    assert version() != "9.0.0"
    time.now += 301
    assert version() == "9.0.0"
    assert len(asked) == 2


def test_if_the_bucket_does_not_answer_the_last_formulas_are_used(
    asked: list[Any], time: Time, formulas: S3Client, capfd: pytest.CaptureFixture[str]
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
    formulas: S3Client, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    del formulas
    monkeypatch.setattr(aws, "s3", UnreachableClient)
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
