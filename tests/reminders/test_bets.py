"""Reminders of the owners of bets: a week and a day before, at eight in the morning, while they are open."""

from __future__ import annotations

from typing import Any

from tests.harness.board_scenario import Person
from tests.harness.meeting_scenario import leave
from tests.harness.outbox import text_of
from tests.reminders.conftest import World
from tests.reminders.test_due_dates import AUCKLAND, day, seconds_to

WEEK, DAY = "The target “ARR” is due in a week.", "The target “ARR” is due tomorrow."


def bet_of(world: World, owner: Person | None, due_on: str, **members: Any) -> str:
    body = {"title": "ARR", "dueOn": due_on, "ownerUserId": owner.id if owner else None, **members}
    created = world.board.owner.client.post(f"{world.board.path}/bets", body)
    assert created.status == 201, created.text
    return f"{world.board.path}/bets/{created.data['id']}"


def test_an_owner_is_reminded_at_eight_in_their_zone_a_week_and_a_day_before(world: World) -> None:
    ben = world.board.member("ben")
    assert ben.client.patch("/api/v1/me", {"timezone": AUCKLAND}).status == 200
    bet_of(world, ben, day(AUCKLAND, days=10))
    before = [day(AUCKLAND, days=number) for number in (3, 9)]
    for number, on in enumerate(before):
        world.pass_time(seconds=seconds_to(AUCKLAND, on, 8) - 200)
        assert len(world.told(ben, "bet_due_soon")) == number
        world.pass_time(seconds=110)
        world.pass_time(seconds=100)
    assert world.told(ben, "bet_due_soon") == [DAY, WEEK]
    (mail, _) = world.mails(ben)
    assert WEEK in str(mail["Subject"])
    assert f"/boards/{world.board.board_id}/bets" in text_of(mail)


def test_reminders_follow_the_day_the_status_and_the_owner_of_a_bet(world: World) -> None:
    ben, owner = world.board.member("ben"), world.board.owner.client
    before, due_on = (day(days=number) for number in (1, 2))
    bet = bet_of(world, ben, day(days=300), status="dropped")
    for change in ({"dueOn": due_on}, {"status": "open"}):
        assert owner.patch(bet, change).status == 200
    handed_over, taken_back = (bet_of(world, ben, due_on) for _ in range(2))
    assert owner.patch(handed_over, {"ownerUserId": world.board.owner.id}).status == 200
    assert owner.patch(taken_back, {"ownerUserId": None}).status == 200
    world.pass_time(seconds=seconds_to("UTC", before, 8) - 30)
    world.pass_time(seconds=60)
    assert world.told(ben, "bet_due_soon") == world.told(world.board.owner, "bet_due_soon") == [DAY]


def test_a_bet_of_a_member_who_leaves_is_nobodys_and_stays_so_when_they_come_back(world: World) -> None:
    ben, owner = world.board.member("ben"), world.board.owner.client
    before, due_on = (day(days=number) for number in (2, 3))
    theirs, kept = bet_of(world, ben, due_on), bet_of(world, world.board.owner, due_on)
    leave(world.board, ben)
    world.deliver()
    assert [owner.get(bet).data["ownerUserId"] for bet in (theirs, kept)] == [None, world.board.owner.id]
    world.board.join(ben)
    again = bet_of(world, ben, due_on, title="Anew")
    world.deliver()
    assert owner.get(again).data["ownerUserId"] == ben.id
    world.pass_time(seconds=seconds_to("UTC", before, 8) - 30)
    world.pass_time(seconds=60)
    assert world.told(ben, "bet_due_soon") == ["The target “Anew” is due tomorrow."]


def test_a_day_at_the_ends_of_the_calendar_reminds_nobody_and_breaks_nothing(world: World) -> None:
    for due_on in ("0001-01-01", "0001-01-05", "9999-12-31"):
        assert world.board.owner.client.get(bet_of(world, world.board.owner, due_on)).data["dueOn"] == due_on
