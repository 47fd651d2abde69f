"""The mail of an assigned task waits twenty seconds, and says what is true when it goes."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.deliveries.inboxes import addresses, types
from tests.harness import queue
from tests.harness.action_item_scenario import ActionItemScenario, new_action_item_scenario
from tests.harness.board_scenario import BoardScenario, Person
from tests.harness.client import Response
from tests.harness.outbox import Outbox, html_of, text_of
from tests.harness.stream import event_records, send_to_queue


def deliver(scenario: BoardScenario, after: float = 0) -> None:
    """Delivers all events, those delivered before once more, and what the queue holds this many seconds later."""
    assert send_to_queue(event_records(scenario.board_id)) == []
    queue.current.deliver()
    queue.current.now += after
    queue.current.deliver()


@pytest.fixture
def meeting(scenario: BoardScenario) -> ActionItemScenario:
    return new_action_item_scenario(scenario)


@pytest.fixture
def ben(scenario: BoardScenario) -> Person:
    return scenario.member("ben")


def test_the_mail_follows_the_notification_after_twenty_seconds_and_once(
    meeting: ActionItemScenario, ben: Person, outbox: Outbox
) -> None:
    meeting.item(assigneeUserId=ben.id)
    deliver(meeting.board, after=19)
    assert (types(ben), outbox.mails) == (["task_assignment"], [])
    deliver(meeting.board, after=1)
    deliver(meeting.board, after=20)
    assert addresses(outbox) == [ben.email]


@pytest.mark.parametrize(
    ("language", "due", "time"),
    [
        ("en", "Due: Sunday, 2 March 2098", "Meeting: Saturday, 1 March 2098, 09:00 (UTC)"),
        ("de", "Fällig: Sonntag, 2. März 2098", "Sitzung: Samstag, 1. März 2098, 09:00 Uhr (UTC)"),
    ],
)
def test_it_names_the_due_date_of_then_and_the_time_of_the_meeting_each_with_its_label(
    meeting: ActionItemScenario, ben: Person, outbox: Outbox, language: str, due: str, time: str
) -> None:
    assert ben.client.patch("/api/v1/me", {"language": language}).status == 200
    times = {"startTime": "2098-03-01T09:00:00Z", "endTime": "2098-03-01T10:00:00Z"}
    assert meeting.patch(**times).status == 200
    item = f"{meeting.items}/{meeting.item(assigneeUserId=ben.id)['_id']}"
    assert meeting.board.owner.client.put(f"{item}/due", {"dueOn": "2098-03-09"}).status == 200
    deliver(meeting.board)
    assert meeting.board.owner.client.put(f"{item}/due", {"dueOn": "2098-03-02"}).status == 200
    deliver(meeting.board, after=20)
    lines = text_of(outbox.last).splitlines()
    assert lines.index(time) == lines.index(due) + 1
    assert f"<p>{due}</p>" in html_of(outbox.last)
    assert f"<p>{time}</p>" in html_of(outbox.last)


def test_without_a_due_date_none_is_named(meeting: ActionItemScenario, ben: Person, outbox: Outbox) -> None:
    item = f"{meeting.items}/{meeting.item(assigneeUserId=ben.id)['_id']}"
    meeting.board.owner.client.put(f"{item}/due", {"dueOn": "2098-03-09"})
    deliver(meeting.board)
    assert meeting.board.owner.client.delete(f"{item}/due").status == 200
    deliver(meeting.board, after=20)
    assert addresses(outbox) == [ben.email]
    assert "Due:" not in text_of(outbox.last)


ENDS: dict[str, Callable[[ActionItemScenario, str], Response]] = {
    "nobody's": lambda meeting, item: meeting.board.owner.client.patch(item, {"assigneeUserId": None}),
    "completed": lambda meeting, item: meeting.board.owner.client.patch(item, {"status": "completed"}),
    "cancelled": lambda meeting, item: meeting.board.owner.client.patch(item, {"status": "cancelled"}),
    "deleted": lambda meeting, item: meeting.board.owner.client.delete(item),
    "a draft's": lambda meeting, _: meeting.patch(status="draft"),
    "a deleted meeting's": lambda meeting, _: meeting.board.owner.client.delete(meeting.path),
}


@pytest.mark.parametrize("end", ENDS)
def test_of_a_task_that_is_nobodys_closed_hidden_or_gone_by_then_no_mail_is_sent(
    meeting: ActionItemScenario, ben: Person, outbox: Outbox, end: str
) -> None:
    item = f"{meeting.items}/{meeting.item(assigneeUserId=ben.id)['_id']}"
    deliver(meeting.board)
    assert ENDS[end](meeting, item).status == 200
    deliver(meeting.board, after=20)
    assert outbox.mails == []


@pytest.mark.usefixtures("outbox")
@pytest.mark.parametrize("end", ENDS)
def test_of_a_task_that_is_so_before_it_is_told_nothing_is_shown_in_the_app(
    meeting: ActionItemScenario, ben: Person, end: str
) -> None:
    item = f"{meeting.items}/{meeting.item(assigneeUserId=ben.id)['_id']}"
    assert ENDS[end](meeting, item).status == 200
    deliver(meeting.board)
    assert "task_assignment" not in types(ben)


@pytest.mark.usefixtures("outbox")
def test_a_task_that_passes_on_before_it_is_told_is_shown_to_its_last_assignee_only(
    meeting: ActionItemScenario, ben: Person
) -> None:
    eve = meeting.board.member("eve")
    assert meeting.change(meeting.item(assigneeUserId=ben.id), assigneeUserId=eve.id).status == 200
    deliver(meeting.board)
    assert (types(ben), types(eve)) == ([], ["task_assignment"])


def test_a_task_that_passes_on_is_mailed_to_its_last_assignee_only(
    meeting: ActionItemScenario, ben: Person, outbox: Outbox
) -> None:
    eve = meeting.board.member("eve")
    item = meeting.item(assigneeUserId=ben.id)
    deliver(meeting.board)
    assert meeting.change(item, assigneeUserId=eve.id).status == 200
    deliver(meeting.board, after=20)
    assert addresses(outbox) == [eve.email]


def test_the_creator_of_a_draft_gets_no_mail_of_a_task_in_it(
    meeting: ActionItemScenario, ben: Person, outbox: Outbox
) -> None:
    """They see the draft, unlike others, so that this is not a matter of what they may see."""
    owner, ada = meeting.board.owner, meeting.board.member("ada", admin_role="admin")
    meeting.item(ada.client, assigneeUserId=owner.id)
    deliver(meeting.board)
    assert meeting.patch(status="draft").status == 200
    deliver(meeting.board, after=20)
    assert owner.email not in addresses(outbox)
    assert ben.email not in addresses(outbox)
