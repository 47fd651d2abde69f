"""Event deliveries that are interrupted by a crash at a call of the store, the queue or the mail service.

After a crash, nothing of this invocation reaches the store, the queue or the mail service any more.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from governance.ids import UserId, new_id
from governance.instants import now
from governance.mail import sender
from governance.models.account.user import StoredUser
from governance.models.boards.board import StoredBoard
from governance.models.history.event import Event, StoredEvent
from governance.queue import sending
from governance.store.account import users
from governance.store.boards import boards
from governance.store.notifications import notifications
from governance.store.transactions import transact
from governance.store.writes import Put, Write
from governance.usecases.members.members import new_membership
from tests.harness.board_scenario import BoardScenario
from tests.harness.observed_table import events as table_events
from tests.harness.outbox import Outbox
from tests.harness.stream import new_event

_MEMBERS_PER_TRANSACTION = 20


class ProcessKilled(BaseException):
    """The execution environment ended. As a BaseException it passes every handler of the service."""


@dataclass
class Crash:
    """Counts calls, and raises `ProcessKilled` at the call of this number and at every later one."""

    call: int
    before: bool
    calls_made: int = 0

    def before_call(self, **_: Any) -> None:
        self.calls_made += 1
        if self.calls_made > self.call or (self.before and self.calls_made == self.call):
            raise ProcessKilled

    def after_call(self, **_: Any) -> None:
        if self.calls_made >= self.call:
            raise ProcessKilled


@contextmanager
def crash_at(call: int, *, before: bool = True, **more: Any) -> Iterator[Crash]:
    """Crashes before the call is sent, or after it was made and before its response is read.

    Calls are those of the store, the mail service and the queue, and of the `more` services' clients. A process that
    died after a call died before its next one: the second way shows more only of a last call.
    """
    crash = Crash(call, before)
    hooks = {
        **{service: client.meta.events for service, client in more.items()},
        "dynamodb": table_events,
        "sesv2": sender.client().meta.events,
        "sqs": sending.client().meta.events,
    }
    for service, events in hooks.items():
        events.register_first(f"before-call.{service}.*", crash.before_call)
        events.register_last(f"after-call.{service}.*", crash.after_call)
    try:
        yield crash
    finally:
        for service, events in hooks.items():
            events.unregister(f"before-call.{service}.*", crash.before_call)
            events.unregister(f"after-call.{service}.*", crash.after_call)


def create_members(scenario: BoardScenario, count: int) -> list[UserId]:
    """Creates members with accounts directly in the store, and returns their user ids."""
    user_ids = [UserId(f"{number + 1:024x}") for number in range(count)]
    board = scenario.stored_board
    for start in range(0, count, _MEMBERS_PER_TRANSACTION):
        writes: list[Write] = []
        for number in range(start, min(start + _MEMBERS_PER_TRANSACTION, count)):
            writes += _member(board, number, user_ids[number])
        transact(writes)
    return user_ids


def _member(board: StoredBoard, number: int, user_id: UserId) -> list[Write]:
    user = StoredUser(id=user_id, email=member_email(number), created_at=now(), updated_at=now())
    added = boards.add_member(board, new_membership(board.id, user_id, now()))
    return [*users.create(user), *(write for write in added if isinstance(write, Put))]  # a count takes one at a time


def member_email(number: int) -> str:
    """Returns the e-mail address of a member that `create_members` made."""
    return f"u{number}@example.com"


def report_published_event(scenario: BoardScenario, report_id: str | None = None) -> StoredEvent:
    """Builds the event that a report, a new one by default, was published."""
    return new_event(
        scenario.board_id,
        Event.REPORT_STATUS_CHANGED,
        scenario.owner.id,
        refs={"reportId": report_id or new_id()},
        details={"from": "draft", "to": "published"},
        delivery_data={"title": "Q3"},
    )


def ends_before(call: int, act: Callable[[], object], *, before: bool = True, **more: Any) -> bool:
    """Does something with a crash at this call. Returns whether it ended without reaching the call.

    `more` are the clients of other services whose calls count too.
    """
    with crash_at(call, before=before, **more) as crash:
        try:
            act()
        except ProcessKilled:
            return False
    return crash.calls_made < call


def notification_counts(user_ids: list[UserId]) -> Counter[UserId]:
    return Counter({user_id: len(notifications.newest(user_id)) for user_id in user_ids})


def email_counts(outbox: Outbox) -> Counter[str]:
    return Counter(str(mail["To"]) for mail in outbox.mails)
