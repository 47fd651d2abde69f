"""Due dates of action items, and the reminders of their assignees at eight in the morning (ADR deliveries)."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from governance import instants
from tests.harness.board_scenario import Person
from tests.harness.meeting_scenario import MeetingScenario, new_meeting_scenario
from tests.reminders.conftest import World

AUCKLAND = "Pacific/Auckland"


def day(zone: str = "UTC", **offset: int) -> str:
    local = instants.to_datetime(instants.now()).astimezone(ZoneInfo(zone)) + timedelta(**offset)
    return local.date().isoformat()


def item_of(meeting: MeetingScenario, user: Person | None = None, title: str = "Budget") -> str:
    body = {"title": title, "assigneeUserId": user.id if user else None}
    created = meeting.board.owner.client.post(f"{meeting.path}/action-items", body)
    assert created.status == 201, created.text
    return f"{meeting.path}/action-items/{created.data['_id']}"


def put_due(meeting: MeetingScenario, item: str, due_on: str) -> Any:
    response = meeting.board.owner.client.put(f"{item}/due", {"dueOn": due_on})
    assert response.status == 200, response.text
    return response.data


def seconds_to(zone: str, on: str, hour: int) -> float:
    moment = datetime.fromisoformat(on).replace(hour=hour, tzinfo=ZoneInfo(zone))
    return (moment - instants.to_datetime(instants.now())).total_seconds()


def test_a_due_date_is_set_moved_and_removed(meeting: MeetingScenario) -> None:
    item = item_of(meeting)
    first = put_due(meeting, item, "2040-01-31")
    assert first.keys() == {"object", "actionItemId", "dueOn", "createdAt", "updatedAt"}
    assert (first["actionItemId"], first["updatedAt"]) == (item.rpartition("/")[2], first["createdAt"])
    assert put_due(meeting, item, "2040-02-01")["createdAt"] == first["createdAt"]
    owner = meeting.board.owner.client
    assert [row["dueOn"] for row in owner.get(f"{meeting.board.path}/due-dates").data] == ["2040-02-01"]
    assert owner.delete(f"{item}/due").data == {"deleted": True}
    assert owner.delete(f"{item}/due").status == 404
    assert owner.get(f"{meeting.board.path}/due-dates").data == []


def test_due_dates_are_listed_by_day_to_the_end_without_those_of_others_drafts(meeting: MeetingScenario) -> None:
    ben = meeting.board.member("ben")
    draft = new_meeting_scenario(meeting.board, "draft")
    days = [f"2040-01-{number:02}" for number in range(1, 8)]
    for number, on in enumerate(reversed(days)):
        put_due(meeting, item_of(meeting, title=f"{number}"), on)
        put_due(draft, item_of(draft, title=f"{number}"), on)
    assert [row["dueOn"] for row in ben.client.all(f"{meeting.board.path}/due-dates", limit=2)] == days
    owners = list(meeting.board.owner.client.pages(f"{meeting.board.path}/due-dates", limit=7))
    assert [len(page) for page in owners] == [7, 7]
    assert all(len(page) == 2 for page in list(ben.client.pages(f"{meeting.board.path}/due-dates", limit=2))[:-1])


def test_an_assignee_is_reminded_at_eight_in_their_zone_the_day_before_and_after(
    world: World, meeting: MeetingScenario
) -> None:
    ben = meeting.board.member("ben")
    assert ben.client.patch("/api/v1/me", {"timezone": AUCKLAND}).status == 200
    due_on, before, after = (day(AUCKLAND, days=number) for number in (4, 3, 5))
    put_due(meeting, item_of(meeting, ben), due_on)
    world.pass_time(seconds=seconds_to(AUCKLAND, before, 8) - 100)
    assert world.told(ben, "task_due") == []
    world.pass_time(seconds=10)
    world.pass_time(seconds=100)
    assert world.told(ben, "task_due") == ["The action item “Budget” is due tomorrow."]
    world.pass_time(seconds=seconds_to(AUCKLAND, after, 8) - 3600)
    assert len(world.told(ben, "task_due")) == 1
    world.pass_time(seconds=3600 - 60)
    world.pass_time(seconds=70)
    assert world.told(ben, "task_due") == [
        "The action item “Budget” was due yesterday.",
        "The action item “Budget” is due tomorrow.",
    ]


def test_a_task_is_due_for_who_has_it_then(world: World, meeting: MeetingScenario) -> None:
    ben, cleo = meeting.board.member("ben"), meeting.board.member("cleo")
    item = item_of(meeting, ben)
    before, due_on, after = (day(days=number) for number in (2, 3, 4))
    put_due(meeting, item, due_on)
    assert meeting.board.owner.client.patch(item, {"assigneeUserId": cleo.id}).status == 200
    for on in (before, after):
        world.pass_time(seconds=seconds_to("UTC", on, 8) - 60)
        world.pass_time(seconds=70)
    assert world.told(ben, "task_due") == []
    assert len(world.told(cleo, "task_due")) == 2
