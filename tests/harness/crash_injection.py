"""Deliveries that come to grief: the function killed, or one call spoilt, at a call of the store or the mail service.

Killed is killed: from that call on, nothing of this invocation reaches the store or the mail service any more.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from typing import Any, TypeVar

from botocore.exceptions import EndpointConnectionError, ReadTimeoutError

from governance.instants import now
from governance.mail import sender
from governance.models.event import Event, StoredEvent
from governance.models.notification import StoredPreferences
from governance.models.user import StoredUser
from governance.store import boards, notifications, table, users
from governance.store.table import transact
from governance.store.writes import Write
from governance.usecases.members import new_membership
from tests.harness.board_scenario import BoardScenario
from tests.harness.outbox import Outbox
from tests.harness.stream import feed, happened, record_of

_AT_ONCE = 20


class Killed(BaseException):
    """The execution environment is gone: no handler of ours gets to see this."""


@dataclass
class Reaper:
    """Counts calls, and lets none pass from the fatal one on."""

    fatal: int
    before: bool
    seen: int = 0

    def before_call(self, **_: Any) -> None:
        self.seen += 1
        if self.seen > self.fatal or (self.before and self.seen == self.fatal):
            raise Killed

    def after_call(self, **_: Any) -> None:
        if self.seen >= self.fatal:
            raise Killed


@dataclass
class Trouble:
    """Counts calls, and spoils one: it never leaves, or it is made and its answer is lost."""

    fatal: int
    before: bool
    seen: int = 0
    service: str = ""

    def before_call(self, model: Any, **_: Any) -> None:
        self.seen += 1
        if self.seen == self.fatal:
            self.service = model.service_model.service_name
            if self.before:
                raise EndpointConnectionError(endpoint_url="https://aws.test")

    def after_call(self, **_: Any) -> None:
        if self.seen == self.fatal and not self.before:
            raise ReadTimeoutError(endpoint_url="https://aws.test")


T = TypeVar("T", Reaper, Trouble)


@contextmanager
def _hooked(who: T) -> Iterator[T]:
    hooks = {"dynamodb": table.client().meta.events, "sesv2": sender.client().meta.events}
    for service, events in hooks.items():
        events.register_first(f"before-call.{service}.*", who.before_call)
        events.register_last(f"after-call.{service}.*", who.after_call)
    try:
        yield who
    finally:
        for service, events in hooks.items():
            events.unregister(f"before-call.{service}.*", who.before_call)
            events.unregister(f"after-call.{service}.*", who.after_call)


def killed_at(call: int, *, before: bool) -> AbstractContextManager[Reaper]:
    """Kill before the call leaves, or once it has been made and its answer is lost."""
    return _hooked(Reaper(call, before))


def troubled_at(call: int, *, before: bool) -> AbstractContextManager[Trouble]:
    """Spoil this one call; whatever comes after it is made."""
    return _hooked(Trouble(call, before))


def crowd(scenario: BoardScenario, count: int, *, mailed: int | None = None) -> list[str]:
    """So many members with accounts, made in the store; of these so many get mails (all, unless it is said)."""
    made = [f"{number + 1:024x}" for number in range(count)]
    step = 1 if mailed is None else count // mailed
    for start in range(0, count, _AT_ONCE):
        few = range(start, min(start + _AT_ONCE, count))
        transact(
            [write for number in few for write in _member(scenario, number, made[number], mailed=number % step == 0)]
        )
    return made


def _member(scenario: BoardScenario, number: int, user_id: str, *, mailed: bool) -> list[Write]:
    user = StoredUser(id=user_id, email=address(number), created_at=now(), updated_at=now())
    joined = [*users.create(user), *boards.add_member(new_membership(scenario.board_id, user_id, now()))]
    if mailed:
        return joined
    chosen = StoredPreferences(user_id=user_id, preferences={"package_status": ("in_app",)}, version=1)
    return [*joined, notifications.put_preferences(StoredPreferences(user_id=user_id), chosen)]


def address(number: int) -> str:
    """Where a member of the crowd gets his mails."""
    return f"u{number}@example.com"


def published(scenario: BoardScenario) -> StoredEvent:
    return happened(
        scenario.board_id,
        Event.REPORT_STATUS_CHANGED,
        scenario.owner.id,
        refs={"reportId": "d" * 24},
        details={"from": "draft", "to": "published"},
        data={"title": "Q3"},
    )


def until_killed(event: StoredEvent, call: int, *, before: bool) -> bool:
    """Deliver; whether the end was reached."""
    with killed_at(call, before=before) as reaper:
        try:
            assert feed([record_of(event)]) == []
        except Killed:
            return False
    return reaper.seen < call


def notified(user_ids: list[str]) -> Counter[str]:
    return Counter({user_id: len(notifications.newest(user_id)) for user_id in user_ids})


def mailed(outbox: Outbox) -> Counter[str]:
    return Counter(str(mail["To"]) for mail in outbox.mails)
