"""Races on meetings, slots and votes, each run many times."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from governance import instants
from governance.store.boards import boards
from governance.store.schema.entities import SLOT_GUEST_VOTE_COUNT
from tests.harness.board_scenario import BoardScenario, Person
from tests.harness.client import Client, Response
from tests.harness.counts import set_count
from tests.harness.meeting_scenario import MeetingScenario, from_now, new_meeting_scenario
from tests.harness.race import Race

pytestmark = pytest.mark.slow
ROUNDS = 30
REASON = "reason"


def reason(response: Response) -> Any:
    return response.details[REASON] if response.status == 409 else None


def booked(meeting: MeetingScenario) -> tuple[str | None, list[str]]:
    """Returns the meeting's start and the starts of its slots."""
    start = meeting.board.owner.client.get(meeting.path).data["startTime"]
    return start, [slot["startTime"] for slot in meeting.listed()]


def test_eight_proposals_of_one_instant_create_one_slot(scenario: BoardScenario, race: Race) -> None:
    client = scenario.owner.client
    spellings = ["Z", "+00:00", ".000Z", ".000000+00:00"]
    for number in race.rounds(ROUNDS):
        if number % 50 == 0:
            meeting = new_meeting_scenario(scenario)
        at = from_now(days=1, hours=number)[:19]
        calls = [partial(meeting.propose, client, at + spellings[i % 4]) for i in range(8)]
        responses = race.run(*calls)
        (created,) = [response.data["id"] for response in responses if response.status == 201]
        assert [response.details for response in responses if response.status == 409] == [{"slotId": created}] * 7
    assert len(meeting.listed()) == number % 50 + 1


def test_confirm_never_books_a_deleted_slot(scenario: BoardScenario, race: Race) -> None:
    meeting = new_meeting_scenario(scenario)
    for number in race.rounds(ROUNDS, (200, 409), (404, 200)):
        slot = meeting.slot(from_now(days=1, minutes=number))
        confirm, delete = race.run(partial(meeting.confirm, slot), partial(meeting.remove, slot))
        race.saw((confirm.status, delete.status))
        start, slots = booked(meeting)
        assert start is None or start in slots
        assert meeting.patch(startTime=None).status == 200
        if delete.status == 409:
            assert reason(delete) == "SLOT_IS_PROMOTED"
            assert meeting.remove(slot).status == 200


def test_two_confirmations_leave_one_complete_booking(scenario: BoardScenario, race: Race) -> None:
    meeting = new_meeting_scenario(scenario)
    short, long = (
        meeting.slot(from_now(days=1), durationInMinutes=15),
        meeting.slot(from_now(days=2), durationInMinutes=180),
    )
    ends = {s["startTime"]: instants.shift(s["startTime"], minutes=s["durationInMinutes"]) for s in (short, long)}
    for _ in race.rounds(ROUNDS, *ends):
        responses = race.run(*[partial(meeting.confirm, slot) for slot in (short, long, short, long)])
        assert [response.status for response in responses] == [200] * 4
        found = scenario.owner.client.get(meeting.path).data
        assert found["endTime"] == ends[found["startTime"]]
        race.saw(found["startTime"])
        other = long if found["startTime"] == short["startTime"] else short
        stored = short if other is long else long
        assert reason(meeting.remove(stored)) == "SLOT_IS_PROMOTED"


def test_confirm_books_before_finalization_or_not_at_all(scenario: BoardScenario, race: Race) -> None:
    for _ in race.rounds(ROUNDS, (200, 200), (409, 200)):
        meeting = new_meeting_scenario(scenario)
        slot = meeting.slot()
        meeting.patch(status="completed")
        finalize = partial(meeting.patch, status="finalized")
        confirm, final = race.run(partial(meeting.confirm, slot), finalize)
        race.saw((confirm.status, final.status))
        found = scenario.owner.client.get(meeting.path).data
        assert found["status"] == "finalized"
        assert (confirm.status, found["startTime"]) in {(200, slot["startTime"]), (409, None)}
        assert confirm.status == 200 or reason(confirm) == "MEETING_FINALIZED"


def test_a_vote_counts_before_the_close_or_is_refused(scenario: BoardScenario, race: Race) -> None:
    """The votes listed after the close do not change any more."""
    ben = scenario.member("ben")

    def close_and_list(meeting: MeetingScenario) -> Response:
        assert meeting.patch(status="in_progress").status == 200
        return scenario.owner.client.get(meeting.slots)

    for _ in race.rounds(ROUNDS, (200, "cant"), (409, "didNotVote")):
        meeting = new_meeting_scenario(scenario)
        slot = meeting.slot()
        close = partial(close_and_list, meeting)
        vote, seen = race.run(partial(meeting.vote, ben.client, slot, "cant"), close)
        race.saw((vote.status, seen.data[0]["feedbacks"][1]["vote"]))
        assert vote.status == 200 or reason(vote) == "SLOT_VOTES_CLOSED"
        assert meeting.listed() == seen.data


def remove_member(scenario: BoardScenario, user: Person) -> Response:
    membership = next(m for m in boards.members(scenario.board_id) if m.user_id == user.id)
    return scenario.owner.client.delete(f"{scenario.path}/members/{membership.id}")


def test_no_vote_remains_of_a_removed_member(scenario: BoardScenario, race: Race) -> None:
    ben = scenario.member("ben")
    meeting = new_meeting_scenario(scenario)
    slot = meeting.slot()
    for _ in race.rounds(ROUNDS, (200, 200), (403, 200)):
        vote, removal = race.run(partial(meeting.vote, ben.client, slot, "cant"), partial(remove_member, scenario, ben))
        race.saw((vote.status, removal.status))
        assert [entry["userId"] for entry in meeting.listed()[0]["feedbacks"]] == [scenario.owner.id]
        scenario.join(ben)
        assert [entry["vote"] for entry in meeting.listed()[0]["feedbacks"]] == ["ok", "didNotVote"]


def test_no_vote_for_a_deleted_slot_appears_on_its_successor(scenario: BoardScenario, race: Race) -> None:
    ben = scenario.member("ben")
    meeting = new_meeting_scenario(scenario)
    start = from_now(days=1)
    for _ in race.rounds(ROUNDS, (200, 200), (404, 200)):
        slot = meeting.slot(start)
        cast = partial(meeting.vote, ben.client, slot, "cant")
        vote, removal = race.run(cast, partial(meeting.remove, slot))
        race.saw((vote.status, removal.status))
        new_slot = meeting.slot(start)
        assert [entry["vote"] for entry in meeting.listed()[0]["feedbacks"]] == ["ok", "didNotVote"]
        assert meeting.remove(new_slot).status == 200


def test_two_concurrent_changes_never_put_the_end_before_the_start(scenario: BoardScenario, race: Race) -> None:
    meeting = new_meeting_scenario(scenario)
    day = "2040-01-01T{}:00:00.000Z".format
    for _ in race.rounds(ROUNDS, (200, 400), (400, 200)):
        assert meeting.patch(startTime=day("09"), endTime=day("17")).status == 200
        later, earlier = race.run(
            partial(meeting.patch, startTime=day("15")), partial(meeting.patch, endTime=day("11"))
        )
        race.saw((later.status, earlier.status))
        found = scenario.owner.client.get(meeting.path).data
        assert found["endTime"] > found["startTime"]


def test_no_more_than_fifty_slots_are_created(scenario: BoardScenario, race: Race) -> None:
    meeting = new_meeting_scenario(scenario)
    for number in range(48):
        meeting.slot(from_now(days=1, minutes=number))
    for _ in race.rounds(ROUNDS // 3):
        at = [from_now(days=9, minutes=number) for number in range(4)]
        responses = race.run(*[partial(meeting.propose, None, start) for start in at])
        created = [response.data for response in responses if response.status == 201]
        assert len(created) == 2
        assert [reason(response) for response in responses if response.status == 409] == ["LIMIT_REACHED"] * 2
        assert all(meeting.remove(slot).status == 200 for slot in created)
    assert len(meeting.listed()) == 48


def test_no_guest_vote_exceeds_the_limit(scenario: BoardScenario, race: Race) -> None:
    meeting = new_meeting_scenario(scenario)
    link = f"/api/v1/guest/{scenario.owner.client.post(f'{meeting.path}/guest-link').data['token']}"
    guest = Client()
    for number in race.rounds(ROUNDS):
        slot = meeting.slot()
        key = SLOT_GUEST_VOTE_COUNT.key_for(boardId=scenario.board_id, meetingId=slot["meetingId"], slotId=slot["id"])
        set_count(key, 498)
        path = f"{link}/slots/{slot['id']}/vote"
        bodies = [{"email": f"g{number}.{each}@example.com", "vote": "ok"} for each in range(4)]
        responses = race.run(*[partial(guest.put, path, body) for body in bodies])
        assert sorted(response.status for response in responses) == [200, 200, 409, 409]
        assert meeting.remove(slot).status == 200


def test_concurrent_votes_of_one_address_count_once(scenario: BoardScenario, race: Race) -> None:
    meeting = new_meeting_scenario(scenario)
    link = f"/api/v1/guest/{scenario.owner.client.post(f'{meeting.path}/guest-link').data['token']}"
    guest = Client()
    slot = meeting.slot()
    for number in race.rounds(ROUNDS):
        body = {"email": f"g{number}@example.com", "vote": "ok"}
        responses = race.run(*[partial(guest.put, f"{link}/slots/{slot['id']}/vote", body)] * 3)
        assert [response.status for response in responses] == [200] * 3
    (listed,) = meeting.listed()
    emails = [entry["email"] for entry in listed["feedbacks"] if entry["isGuest"]]
    assert emails == [f"g{each}@example.com" for each in range(number + 1)]
