"""A network that lets nobody connect, for tests of the client of webhooks."""

from __future__ import annotations

import socket

import pytest

from governance.domain.webhooks.webhook_delivery import AttemptResult
from governance.webhooks import client as webhook_client

HEADERS = {"webhook-id": "1"}
PUBLIC = "93.184.216.34"


def post(url: str) -> AttemptResult:
    return webhook_client.post(url, HEADERS, b"{}")


class Network:
    """A resolver that tells what a test wants, and a network that notes who is connected to and lets nobody."""

    def __init__(self, *answers: list[str]) -> None:
        self.answers = [*answers]
        self.looked_up: list[str] = []
        self.connected: list[str] = []
        self.time_outs: list[float] = []

    def look_up(self, host: str, _: int) -> list[str]:
        self.looked_up.append(host)
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]

    def connect(self, address: tuple[str, int], timeout: float) -> socket.socket:
        self.connected.append(address[0])
        self.time_outs.append(timeout)
        raise ConnectionRefusedError


def network(monkeypatch: pytest.MonkeyPatch, *answers: list[str]) -> Network:
    fake = Network(*answers)
    monkeypatch.setattr(webhook_client, "look_up", fake.look_up)
    monkeypatch.setattr(socket, "create_connection", fake.connect)
    return fake
