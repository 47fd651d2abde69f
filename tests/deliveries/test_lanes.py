"""Mails and cleanups wait in queues of their own: many of one kind hold up nothing else (ADR deliveries)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

import pytest

from governance.deliveries import worker
from governance.models.queue import DeliveryKind
from governance.queue import sending
from governance.queue.message import Message
from governance.settings import settings
from tests.harness import queue

_LANES = 2
"""Invocations at a time of each queue: as few as it can have."""
_FLOOD = 400
MANY = [
    *(DeliveryKind.EMAILS, DeliveryKind.CALENDAR_INVITATION, DeliveryKind.CLEANUP, DeliveryKind.UPLOAD),
    *(DeliveryKind.WEBHOOK, DeliveryKind.SLOW_WEBHOOK, DeliveryKind.BOARD_PACK, DeliveryKind.EXPORT),
    DeliveryKind.REVOCATION,
]
"""Kinds of which many may wait, or which take long."""


def seconds_until(kind: DeliveryKind) -> int:
    """Lets every queue handle two messages a second, oldest first, until one of this kind was; returns the seconds."""
    for second in range(_FLOOD):
        waiting = Counter(message.queue for message in queue.current.messages)
        lanes = [message for name in waiting for message in _oldest(name)]
        for message in lanes:
            assert queue.invoke_deliveries(message) == []
            queue.current.messages.remove(message)
        if kind in {message.content["kind"] for message in lanes}:
            return second + 1
    raise AssertionError("never")


def _oldest(name: str) -> list[queue.QueuedMessage]:
    return [message for message in queue.current.messages if message.queue == name][:_LANES]


@pytest.fixture(autouse=True)
def _handlers(store: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def do_nothing(_: Mapping[str, Any]) -> list[Message]:
        return []

    del store
    monkeypatch.setattr(worker, "HANDLERS", dict.fromkeys(DeliveryKind, do_nothing))


def send(kind: DeliveryKind, count: int = 1, delay: float = 0) -> None:
    sending.send(Message(kind, f"board-{number}", {}, delay) for number in range(count))


@pytest.mark.parametrize("flood", [DeliveryKind.EVENT, *MANY])
def test_a_flood_of_one_kind_holds_up_no_event_and_a_flood_of_events_holds_up_nothing(flood: DeliveryKind) -> None:
    send(flood, _FLOOD)
    for kind in MANY if flood is DeliveryKind.EVENT else (DeliveryKind.EVENT, DeliveryKind.NOTIFICATIONS):
        send(kind)
        assert seconds_until(kind) == 1


@pytest.mark.parametrize("flood", [DeliveryKind.CLEANUP, DeliveryKind.WEBHOOK, DeliveryKind.EXPORT])
def test_a_flood_of_another_kind_holds_up_no_mail(flood: DeliveryKind) -> None:
    send(flood, _FLOOD)
    send(DeliveryKind.EMAILS)
    assert seconds_until(DeliveryKind.EMAILS) == 1


def test_in_a_new_account_mails_and_cleanups_share_the_queue_of_deliveries(monkeypatch: pytest.MonkeyPatch) -> None:
    """The stack gives the function the same queue three times then."""
    for name in ("EMAILS_QUEUE_URL", "CLEANUPS_QUEUE_URL"):
        monkeypatch.setenv(name, settings().deliveries_queue_url)
    settings.cache_clear()
    send(DeliveryKind.CLEANUP, _FLOOD)
    send(DeliveryKind.EVENT)
    assert seconds_until(DeliveryKind.EVENT) == _FLOOD / _LANES + 1
    monkeypatch.undo()
    settings.cache_clear()


def test_a_message_that_fails_comes_back_from_the_queue_that_gave_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """It may have been sent to another queue than its kind has today: by the release or the setting before."""

    def fail(_: Mapping[str, Any]) -> list[Message]:
        raise RuntimeError

    monkeypatch.setattr(worker, "HANDLERS", {DeliveryKind.CLEANUP: fail})
    send(DeliveryKind.CLEANUP)
    queue.current.messages[0].queue = "deliveries"
    message = queue.current.receive()
    assert message is not None
    assert queue.invoke_deliveries(message) == [message.id]
    assert 0 < message.visible_at - queue.current.now <= 5
