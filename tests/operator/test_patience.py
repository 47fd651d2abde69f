"""A command of the operator waits for a busy table with a sign of life, and for an absent one not at all."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from governance.store.client.errors import NoAnswerError, RefusedError
from governance.store.client.table_client import Reply
from governance.store.dynamodb import client
from infra.operator import patience

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
