"""A report published, and the function killed at every call: all are notified, each once, and nobody gets two mails.

Killed is killed: from that call on, nothing of this invocation reaches the store or the mail service any more.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from typing import Any, TypeVar

import pytest
from botocore.exceptions import EndpointConnectionError, ReadTimeoutError

from governance.instants import now
from governance.mail import sender
from governance.models.act import Event, StoredEvent
from governance.models.user import StoredUser
from governance.store import boards, notifications, table, users
from governance.store.table import transact
from governance.usecases.members import new_membership
from tests.harness.outbox import Outbox
from tests.harness.stream import feed, happened, record_of
from tests.harness.world import World


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


def crowd(world: World, count: int) -> list[str]:
    """So many members with accounts, made in the store."""
    made = []
    for number in range(count):
        user_id = f"{number + 1:024x}"
        user = StoredUser(id=user_id, email=f"u{number}@example.com", created_at=now(), updated_at=now())
        transact([*users.create(user), *boards.join(new_membership(world.board_id, user_id, now()))])
        made.append(user_id)
    return made


def published(world: World) -> StoredEvent:
    return happened(
        world.board_id,
        Event.REPORT_STATUS_CHANGED,
        world.owner.id,
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


@pytest.mark.parametrize("before", [True, False], ids=["before the call", "after the call"])
def test_killed_at_every_call_all_are_notified_once_and_nobody_gets_two_mails(
    world: World, outbox: Outbox, *, before: bool
) -> None:
    """A mail is lost only to a death between its claim and the mail service."""
    members = crowd(world, 3)
    call, done, lost = 1, False, 0
    while not done:
        event = published(world)
        outbox.raw.clear()
        done = until_killed(event, call, before=before)
        assert feed([record_of(event)]) == []
        assert notified(members) == Counter(dict.fromkeys(members, call))
        assert set(mailed(outbox).values()) == {1}
        lost += 3 - len(outbox.raw)
        call += 1
    assert (call, lost) == (12, 3)


@pytest.mark.parametrize("before", [True, False], ids=["refused", "answer lost"])
def test_trouble_at_any_one_call_neither_loses_a_mail_nor_doubles_one(
    world: World, outbox: Outbox, *, before: bool
) -> None:
    """Who lives on gives back what he has claimed and not sent."""
    members = crowd(world, 3)
    call, done = 1, False
    while not done:
        event = published(world)
        outbox.raw.clear()
        with troubled_at(call, before=before) as trouble:
            failed = feed([record_of(event)])
        done = trouble.seen < call
        assert bool(failed) is (not done and (before or trouble.service == "dynamodb"))
        assert feed([record_of(event)]) == []
        assert notified(members) == Counter(dict.fromkeys(members, call))
        assert mailed(outbox) == Counter(f"u{number}@example.com" for number in range(3))
        call += 1
    assert call == 12
