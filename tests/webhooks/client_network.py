"""What tests of the client of webhooks share: its settings, and a network that lets nobody connect."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from typing import Any

import pytest

from governance.domain.webhook_delivery import Answer
from governance.events import webhook_client
from governance.settings import settings

HEADERS = {"webhook-id": "1"}
PUBLIC = "93.184.216.34"


@pytest.fixture(autouse=True)
def _settings(monkeypatch: pytest.MonkeyPatch, _engine: str) -> Iterator[None]:
    monkeypatch.setenv("TABLE_NAME", "none")
    settings.cache_clear()
    webhook_client._tls.cache_clear()
    yield
    settings.cache_clear()
    webhook_client._tls.cache_clear()


@pytest.fixture
def _loopback(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WEBHOOK_ALLOW_LOOPBACK", "1")
    settings.cache_clear()


def post(url: str) -> Answer:
    return webhook_client.post(url, HEADERS, b"{}")


class Network:
    """A resolver that tells what a test wants, and a network that notes who is connected to and lets nobody."""

    def __init__(self, *answers: list[str]) -> None:
        self.answers = [*answers]
        self.looked_up: list[str] = []
        self.connected: list[str] = []

    def look_up(self, host: str, _: int) -> list[str]:
        self.looked_up.append(host)
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]

    def connect(self, address: tuple[str, int], *_: Any, **__: Any) -> socket.socket:
        self.connected.append(address[0])
        raise ConnectionRefusedError


def network(monkeypatch: pytest.MonkeyPatch, *answers: list[str]) -> Network:
    found = Network(*answers)
    monkeypatch.setattr(webhook_client, "look_up", found.look_up)
    monkeypatch.setattr(socket, "create_connection", found.connect)
    return found
