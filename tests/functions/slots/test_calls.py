"""What slots, votes and action items cost: store calls one after the other, whatever the size of the board."""

from __future__ import annotations

from collections.abc import Callable

from tests.harness.agenda import Agenda, new_agenda
from tests.harness.calls import InlinePool, counted
from tests.harness.client import Answer, Client
from tests.harness.gathering import hence
from tests.harness.world import World, new_world


def calls(pool: InlinePool, request: Callable[[], Answer]) -> list[str]:
    """The sequential calls of a request, its rate lease being in hand."""
    with counted(pool) as seen:
        answer = request()
    assert answer.status < 300, answer.text
    return seen.sequential


READ, WRITE = "BatchGetItem", "TransactWriteItems"


def test_slots_of_a_large_board_cost_one_read_and_votes_two_calls(world: World, pool: InlinePool) -> None:
    meeting = new_agenda(world)
    for number in range(29):
        world.member(f"member{number}")
    slots = [meeting.slot(hence(days=1, hours=number)) for number in range(20)]
    client = world.owner.client
    assert calls(pool, lambda: client.get(meeting.slots)) == [READ]
    assert len(meeting.listed()[0]["feedbacks"]) == 30
    assert calls(pool, lambda: meeting.vote(client, slots[0], "cant")) == [READ, WRITE]
    assert calls(pool, lambda: meeting.propose(start=hence(days=9))) == [READ, WRITE]
    assert calls(pool, lambda: meeting.confirm(slots[0])) == [READ, WRITE]
    assert calls(pool, lambda: meeting.confirm(slots[0])) == [READ]
    assert calls(pool, lambda: meeting.remove(slots[1])) == [READ, WRITE]


def test_a_guest_costs_two_calls_to_look_and_three_to_vote(world: World, pool: InlinePool) -> None:
    meeting = new_agenda(world)
    slot = meeting.slot()
    answer = world.owner.client.post(f"{meeting.path}/guest-link")
    link, guest = f"/api/v1/guest/{answer.data['token']}", Client()
    body = {"email": "gwen@example.org", "vote": "ok"}
    assert calls(pool, lambda: guest.get(link)) == [READ, WRITE]
    path = f"{link}/slots/{slot['id']}/vote"
    assert calls(pool, lambda: guest.put(path, body)) == [READ, READ, WRITE]


def items_on_many_boards(world: World, boards: int, items: int) -> list[Agenda]:
    """So many items of the owner's, on so many of his boards."""
    worlds = [world] + [new_world("olivia", f"Board {number}") for number in range(boards - 1)]
    agendas = [new_agenda(each) for each in worlds]
    for number in range(items):
        agendas[number % boards].item(title=f"item {number}", assigneeUserId=world.owner.id)
    return agendas


def test_two_hundred_items_of_mine_over_twenty_boards_cost_two_reads(world: World, pool: InlinePool) -> None:
    first, *_ = items_on_many_boards(world, 20, 200)
    client = world.owner.client
    with counted(pool) as seen:
        answer = client.get("/api/action-items/my")
    assert answer.json["totalCount"] == 200
    assert seen.sequential == [READ, READ]
    assert seen.beside.count(READ) == 2
    assert calls(pool, lambda: client.get(first.legacy)) == [READ, READ]


def test_action_items_cost_a_read_and_a_write(world: World, pool: InlinePool) -> None:
    agenda = new_agenda(world)
    item = agenda.item(assigneeUserId=world.owner.id)
    client, status = world.owner.client, {"status": "completed"}
    assert calls(pool, lambda: client.get(agenda.items)) == [READ]
    assert calls(pool, lambda: agenda.add(assigneeUserId=world.owner.id)) == [READ, WRITE]
    assert calls(pool, lambda: agenda.change(item, title="x")) == [READ, WRITE]
    assert calls(pool, lambda: client.patch(f"{agenda.legacy}/{item['_id']}", status)) == [READ, READ, WRITE]
    by_id = f"/api/action-items/{item['_id']}/status"
    assert calls(pool, lambda: client.patch(by_id, status)) == [READ, READ, WRITE]
