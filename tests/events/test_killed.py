"""A report published to two hundred members, and the function killed at every call: all are notified, each once.

Killed is killed: from that call on, nothing of this invocation reaches the store or the mail service any more.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import pytest

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


@contextmanager
def killed_at(call: int, *, before: bool) -> Iterator[Reaper]:
    """Kill before the call leaves, or once it has been made and its answer is lost."""
    reaper = Reaper(call, before)
    hooks = [table.client().meta.events, sender.client().meta.events]
    for hook, service in zip(hooks, ("dynamodb", "sesv2"), strict=True):
        hook.register_first(f"before-call.{service}.*", reaper.before_call)
        hook.register_last(f"after-call.{service}.*", reaper.after_call)
    try:
        yield reaper
    finally:
        for hook, service in zip(hooks, ("dynamodb", "sesv2"), strict=True):
            hook.unregister(f"before-call.{service}.*", reaper.before_call)
            hook.unregister(f"after-call.{service}.*", reaper.after_call)


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
def test_killed_at_every_call_all_are_notified_once(world: World, outbox: Outbox, *, before: bool) -> None:
    """Three members are as good as two hundred here, and let every call be the fatal one."""
    members = crowd(world, 3)
    call, done = 1, False
    while not done:
        event = published(world)
        outbox.raw.clear()
        done = until_killed(event, call, before=before)
        assert feed([record_of(event)]) == []
        assert notified(members) == Counter(dict.fromkeys(members, call))
        assert set(mailed(outbox)) == {f"u{number}@example.com" for number in range(3)}
        assert sum(mailed(outbox).values()) <= 4
        call += 1
    assert call > 10


def test_a_mail_is_doubled_only_where_the_death_came_with_its_answer(world: World, outbox: Outbox) -> None:
    crowd(world, 3)
    doubled, call, done = [], 1, False
    while not done:
        event = published(world)
        outbox.raw.clear()
        done = until_killed(event, call, before=True)
        assert feed([record_of(event)]) == []
        doubled.append(sum(mailed(outbox).values()) - 3)
        call += 1
    assert sum(doubled) == 3


@pytest.mark.slow
def test_two_hundred_members_killed_again_and_again(world: World, outbox: Outbox) -> None:
    """One event, whose function dies a little further on each time: every kind of call is among the fatal ones."""
    members = crowd(world, 200)
    event = published(world)
    call = 1
    while not until_killed(event, call, before=True):
        call += 1 if call < 12 else 61
    assert notified(members) == Counter(dict.fromkeys(members, 1))
    assert len(mailed(outbox)) == 200
