"""A command of the operator waits for what is busy with a sign of life, and for what is absent not at all."""

from __future__ import annotations

import urllib.error
from collections.abc import Iterator
from contextlib import contextmanager
from email.message import Message
from types import SimpleNamespace
from typing import Any

import click
import pytest
from botocore.awsrequest import AWSResponse
from botocore.compat import HTTPHeaders

from governance import aws
from governance.errors import ApiError
from governance.store.client.errors import NoAnswerError, RefusedError
from governance.store.client.table_client import Reply
from governance.store.dynamodb import client
from governance.store.history import log_files
from infra.operator import log, patience

_BUSY = [NoAnswerError("ReadTimeout"), RefusedError("ThrottlingException"), RefusedError("500", 500)]
_LASTING = [NoAnswerError("ConnectFailed:ConnectionRefusedError"), RefusedError("AccessDeniedException")]


class Table:
    """Fails with errors, one after the other, then answers; waiting for it takes no time."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, errors: list[Exception]) -> None:
        self.errors = errors
        self.now = 0.0
        monkeypatch.setattr(client(), "perform", self.perform)
        stepped = SimpleNamespace(monotonic=lambda: self.now, sleep=self.sleep)
        monkeypatch.setattr(patience, "time", stepped)

    def perform(self, action: str, body: bytes) -> Reply:
        del action, body
        if self.errors:
            raise self.errors.pop(0)
        return Reply({"Items": []})

    def sleep(self, seconds: float) -> None:
        self.now += seconds


@pytest.mark.usefixtures("store")
def test_a_busy_table_is_waited_for_with_a_sign_of_life(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(patience, "SECONDS", 120.0)
    table = Table(monkeypatch, [*_BUSY])
    with patience.patient():
        assert client().call("scan", {}).result == {"Items": []}
    assert capsys.readouterr().err.count("The table is busy; waiting for up to") == len(_BUSY)
    table.errors = [RefusedError("ThrottlingException") for _ in range(100)]
    began = table.now
    with patience.patient(), pytest.raises(RefusedError):
        client().call("scan", {})
    assert table.now - began == 120.0


@pytest.mark.usefixtures("store")
@pytest.mark.parametrize("error", _LASTING)
def test_what_will_not_pass_is_not_waited_for(monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    monkeypatch.setattr(patience, "SECONDS", 120.0)
    table = Table(monkeypatch, [error])
    with patience.patient(), pytest.raises(type(error)):
        client().call("scan", {})
    assert table.now == 0.0


class Time:
    """Waiting takes no time."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 0.0
        monkeypatch.setattr(patience, "SECONDS", 120.0)
        monkeypatch.setattr(patience, "time", SimpleNamespace(monotonic=lambda: self.now, sleep=self.sleep))
        monkeypatch.setattr("botocore.endpoint.time", SimpleNamespace(sleep=self.sleep))

    def sleep(self, seconds: float) -> None:
        self.now += seconds


@contextmanager
def answering(statuses: list[int]) -> Iterator[None]:
    """Lets the bucket answer with these statuses first."""

    def answer(request: Any, **_: Any) -> Any:
        body: Any = SimpleNamespace(stream=lambda: [b""])
        return AWSResponse(request.url, statuses.pop(0), HTTPHeaders(), body) if statuses else None

    events = aws.s3().meta.events
    events.register_first("before-send.s3", answer)
    try:
        yield
    finally:
        events.unregister("before-send.s3", answer)


@pytest.mark.usefixtures("bucket")
def test_a_busy_bucket_is_waited_for_with_a_sign_of_life(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    waited = Time(monkeypatch)
    with patience.patient(), answering([503] * 6):
        assert log_files.published() is None
    assert capsys.readouterr().err.count("The bucket is busy; waiting for up to") > 3
    waited.now = 0.0
    with patience.patient(), answering([503] * 1000), pytest.raises(ApiError):
        log_files.published()
    assert 100 < waited.now <= 130
    waited.now = 0.0
    with patience.patient(), answering([403]), pytest.raises(ApiError):
        log_files.published()
    assert waited.now == 0.0


@pytest.mark.parametrize("error", [TimeoutError(), urllib.error.URLError(TimeoutError()), 503, 429])
def test_a_busy_service_is_waited_for_while_its_log_is_checked(
    monkeypatch: pytest.MonkeyPatch, error: Exception | int
) -> None:
    waited = Time(monkeypatch)
    raised = urllib.error.HTTPError("", error, "", Message(), None) if isinstance(error, int) else error
    errors = [raised, raised]

    def read(url: str) -> bytes:
        if errors:
            raise errors.pop()
        return url.encode()

    monkeypatch.setattr(log, "_read", read)
    assert log.get("http://here/checkpoint") == b"http://here/checkpoint"
    assert waited.now == 10.0


@pytest.mark.parametrize("error", [urllib.error.URLError(ConnectionRefusedError()), 403])
def test_a_service_that_is_not_there_is_not_waited_for(monkeypatch: pytest.MonkeyPatch, error: Exception | int) -> None:
    waited = Time(monkeypatch)

    def read(_: str) -> bytes:
        raise urllib.error.HTTPError("", error, "", Message(), None) if isinstance(error, int) else error

    monkeypatch.setattr(log, "_read", read)
    with pytest.raises(click.ClickException):
        log.get("http://here/checkpoint")
    assert waited.now == 0.0
