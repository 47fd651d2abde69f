"""The sequential store calls of slots, votes and action items; they do not depend on the size of the board."""

from __future__ import annotations

from collections.abc import Callable

from governance.ids import new_id
from governance.store.meetings import action_items
from governance.store.transactions import transact
from tests.harness.action_item_scenario import ActionItemScenario, new_action_item_scenario
from tests.harness.board_scenario import BoardScenario, new_board_scenario
from tests.harness.client import Client, Response
from tests.harness.meeting_scenario import from_now
from tests.harness.store_calls import InlinePool, count_store_calls


def calls(pool: InlinePool, request: Callable[[], Response]) -> list[str]:
    """Returns the sequential store calls of a request, without rate-limit leases."""
    with count_store_calls(pool) as calls_made:
        response = request()
    assert response.status < 300, response.text
    return calls_made.sequential


READ, WRITE = "BatchGetItem", "TransactWriteItems"


def test_slots_of_a_large_board_cost_one_read_and_votes_two_calls(scenario: BoardScenario, pool: InlinePool) -> None:
    meeting = new_action_item_scenario(scenario)
    for number in range(29):
        scenario.member(f"member{number}")
    slots = [meeting.slot(from_now(days=1, hours=number)) for number in range(20)]
    client = scenario.owner.client
    assert calls(pool, lambda: client.get(meeting.slots)) == [READ]
    assert len(meeting.listed()[0]["feedbacks"]) == 30
    assert calls(pool, lambda: meeting.vote(client, slots[0], "cant")) == [READ, WRITE]
    assert calls(pool, lambda: meeting.propose(start=from_now(days=9))) == [READ, WRITE]
    assert calls(pool, lambda: meeting.confirm(slots[0])) == [READ, WRITE]
    assert calls(pool, lambda: meeting.confirm(slots[0])) == [READ]
    assert calls(pool, lambda: meeting.remove(slots[1])) == [READ, WRITE]


def test_a_guest_view_costs_two_calls_and_a_vote_three(scenario: BoardScenario, pool: InlinePool) -> None:
    meeting = new_action_item_scenario(scenario)
    slot = meeting.slot()
    response = scenario.owner.client.post(f"{meeting.path}/guest-link")
    link, guest = f"/api/v1/guest/{response.data['token']}", Client()
    body = {"email": "gwen@example.org", "vote": "ok"}
    assert calls(pool, lambda: guest.get(link)) == [READ, WRITE]
    path = f"{link}/slots/{slot['id']}/vote"
    assert calls(pool, lambda: guest.put(path, body)) == [READ, READ, WRITE]


def test_a_vote_reads_guests_votes_only_on_a_slot_that_has_had_one(scenario: BoardScenario, pool: InlinePool) -> None:
    meeting = new_action_item_scenario(scenario)
    slot, client = meeting.slot(), scenario.owner.client
    with count_store_calls(pool) as without:
        assert meeting.vote(client, slot, "ok").status == 200
    assert (without.sequential, without.concurrent.count("Query")) == ([READ, WRITE], 2)
    link = client.post(f"{meeting.path}/guest-link").data["token"]
    body = {"email": "gwen@example.org", "vote": "ok"}
    assert Client().put(f"/api/v1/guest/{link}/slots/{slot['id']}/vote", body).status == 200
    assert calls(pool, lambda: meeting.vote(client, slot, "cant")) == [READ, "Query", READ, WRITE]


def items_on_many_boards(scenario: BoardScenario, boards: int, items: int) -> list[ActionItemScenario]:
    """Creates action items of the owner on several boards: one of each board by a request, the others as its copies."""
    scenarios = [scenario] + [new_board_scenario("olivia", f"Board {number}") for number in range(boards - 1)]
    meetings = [new_action_item_scenario(each) for each in scenarios]
    for meeting in meetings:
        meeting.item(assigneeUserId=scenario.owner.id)
        (item,) = action_items.list_of_board(meeting.board.board_id)
        copies = [item.model_copy(update={"id": new_id()}) for _ in range(items // boards - 1)]
        transact([write for each in copies for write in action_items.create(each, None)])
    return meetings


def test_two_hundred_action_items_on_twenty_boards_cost_two_reads(scenario: BoardScenario, pool: InlinePool) -> None:
    first, *_ = items_on_many_boards(scenario, 20, 200)
    client = scenario.owner.client
    with count_store_calls(pool) as calls_made:
        response = client.get("/api/action-items/my")
    assert response.json["totalCount"] == 200
    assert calls_made.sequential == [READ, READ]
    assert calls_made.concurrent.count(READ) == 2
    assert calls(pool, lambda: client.get(first.legacy)) == [READ, READ]


def test_action_items_cost_a_read_and_a_write(scenario: BoardScenario, pool: InlinePool) -> None:
    meeting = new_action_item_scenario(scenario)
    item = meeting.item(assigneeUserId=scenario.owner.id)
    client, status = scenario.owner.client, {"status": "completed"}
    assert calls(pool, lambda: client.get(meeting.items)) == [READ]
    assert calls(pool, lambda: meeting.add(assigneeUserId=scenario.owner.id)) == [READ, WRITE]
    assert calls(pool, lambda: meeting.change(item, title="x")) == [READ, WRITE]
    assert calls(pool, lambda: client.patch(f"{meeting.legacy}/{item['_id']}", status)) == [READ, READ, WRITE]
    by_id = f"/api/action-items/{item['_id']}/status"
    assert calls(pool, lambda: client.patch(by_id, status)) == [READ, READ, WRITE]
