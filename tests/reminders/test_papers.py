"""Reminders of papers: three days and a day before they are due, once when they are, and by a member."""

from __future__ import annotations

from governance import instants
from tests.harness.board_scenario import Person
from tests.harness.meeting_scenario import new_meeting_scenario
from tests.harness.outbox import text_of
from tests.reminders.conftest import World

_DAY = 24 * 3600


def request_of(world: World, asked: Person, **due: int) -> str:
    meeting = new_meeting_scenario(world.board)
    body = {"title": "Forecast", "from": {"userId": asked.id}, "dueAt": instants.shift(instants.now(), **due)}
    created = world.board.owner.client.post(f"{meeting.path}/paper-requests", body)
    assert created.status == 201, created.text
    world.deliver()
    return f"{meeting.path}/paper-requests/{created.data['id']}"


def test_who_is_asked_is_reminded_three_days_and_a_day_before_and_once_when_it_is_due(world: World) -> None:
    ben = world.board.member("ben", access_type="guest")
    request_of(world, ben, days=4)
    for number, seconds in enumerate((_DAY, 2 * _DAY, _DAY)):
        world.pass_time(seconds=seconds - 60)
        assert len(world.told(ben, "paper_reminder")) == number
        world.pass_time(seconds=90)
        assert len(world.told(ben, "paper_reminder")) == number + 1
        world.pass_time(seconds=-30)
    world.pass_time(seconds=3 * _DAY)
    assert len(world.told(ben, "paper_reminder")) == 3
    mail = world.mails(ben)[-1]
    assert "Forecast" in str(mail["Subject"])
    assert "not delivered the paper" in text_of(mail)


def test_what_is_past_when_a_paper_is_asked_for_is_skipped(world: World) -> None:
    ben = world.board.member("ben")
    request_of(world, ben, hours=30)
    world.pass_time(seconds=5 * 3600)
    assert world.told(ben, "paper_reminder") == []
    world.pass_time(seconds=2 * 3600)
    assert len(world.told(ben, "paper_reminder")) == 1


def test_reminders_follow_the_due_time_and_end_with_the_request(world: World) -> None:
    ben, owner = world.board.member("ben"), world.board.owner.client
    moved, cancelled, deleted = (request_of(world, ben, days=2) for _ in range(3))
    assert owner.patch(moved, {"dueAt": instants.shift(instants.now(), days=9)}).status == 200
    assert owner.patch(cancelled, {"status": "cancelled"}).status == 200
    assert owner.delete(deleted).status == 200
    world.pass_time(seconds=3 * _DAY)
    assert world.told(ben, "paper_reminder") == []
    world.pass_time(seconds=3 * _DAY + 60)
    assert len(world.told(ben, "paper_reminder")) == 1


def test_nobody_is_reminded_of_a_meeting_that_does_not_take_place(world: World) -> None:
    ben, owner = world.board.member("ben"), world.board.owner.client
    meeting = request_of(world, ben, days=2).partition("/paper-requests")[0]
    assert owner.put(f"{meeting}/cancellation", {}).status == 200
    world.pass_time(seconds=_DAY + 60)
    assert world.told(ben, "paper_reminder") == []


def test_a_member_reminds_once_a_day(world: World) -> None:
    ben, owner = world.board.member("ben"), world.board.owner.client
    request = request_of(world, ben, days=30)
    assert owner.post(f"{request}/reminder").data["status"] == "requested"
    again = owner.post(f"{request}/reminder")
    assert (again.status, "Retry-After" in again.headers) == (429, True)
    world.deliver()
    assert len(world.told(ben, "paper_reminder")) == 1
    assert "reminds you of the paper" in world.told(ben, "paper_reminder")[0]
    assert owner.patch(request, {"status": "cancelled"}).status == 200
    assert owner.post(f"{request}/reminder").json["error"]["details"]["reason"] == "DECIDED"
