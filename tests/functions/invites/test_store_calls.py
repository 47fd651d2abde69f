"""The number of sequential store calls of each invite route."""

from __future__ import annotations

import pytest

from tests.functions.invites.conftest import InviteScenario
from tests.harness.board_scenario import Person
from tests.harness.outbox import Outbox
from tests.harness.store_calls import InlinePool, count_store_calls

BATCH, WRITE = "BatchGetItem", "TransactWriteItems"


def test_creating_an_invite_takes_three_calls(invites: InviteScenario, pool: InlinePool) -> None:
    for _ in range(2):
        with count_store_calls(pool) as calls:
            invites.invite()
        assert calls.sequential == [BATCH, BATCH, WRITE]


@pytest.mark.parametrize("verb", ["accept", "decline", "retract"])
def test_closing_an_invite_takes_three_calls(invites: InviteScenario, ann: Person, pool: InlinePool, verb: str) -> None:
    invite = invites.invite(ann.email)
    user = invites.owner if verb == "retract" else ann
    with count_store_calls(pool) as calls:
        assert user.client.put(f"/api/invite/{verb}/{invite}").status == 200
    assert calls.sequential == [BATCH, BATCH, WRITE]


def test_joining_takes_three_calls(invites: InviteScenario, ann: Person, pool: InlinePool) -> None:
    invites.invite(ann.email)
    code = invites.code()
    with count_store_calls(pool) as calls:
        assert ann.client.put(f"/api/invite/join/{code}").status == 200
    assert calls.sequential == [BATCH, BATCH, WRITE]


@pytest.mark.parametrize("count", [1, 30])
def test_the_boards_and_the_senders_list_take_two_calls(invites: InviteScenario, pool: InlinePool, count: int) -> None:
    for number in range(count):
        invites.invite(f"p{number}@example.com")
    for path in (f"{invites.path}/invites", "/api/invite/sent"):
        with count_store_calls(pool) as calls:
            assert len(invites.owner.client.get(path).json) == count
        assert calls.sequential == [BATCH, BATCH]


def test_the_list_of_all_boards_takes_three_calls(invites: InviteScenario, pool: InlinePool) -> None:
    for number in range(5):
        invites.owner.client.post("/api/v1/boards", {"name": f"Board {number}"})
    invites.invite()
    with count_store_calls(pool) as calls:
        invites.owner.client.get("/api/invite/all-boards")
    assert calls.sequential == [BATCH, BATCH, BATCH]


def test_an_email_takes_two_reads_and_a_write_before_and_after(
    invites: InviteScenario, outbox: Outbox, pool: InlinePool
) -> None:
    invite = invites.invite()
    with count_store_calls(pool) as calls:
        invites.owner.client.post(f"/api/invite/{invite}/send-email")
    assert calls.sequential == [BATCH, BATCH, WRITE, WRITE]
    with count_store_calls(pool) as calls:
        invites.owner.client.post(f"/api/invite/{invite}/send-email")
    assert calls.sequential == [BATCH, BATCH]
    with count_store_calls(pool) as calls:
        invites.owner.client.post(f"{invites.path}/test")
    assert calls.sequential == [BATCH, WRITE]
    assert len(outbox.raw) == 2


def test_an_existing_code_takes_one_call(invites: InviteScenario, pool: InlinePool) -> None:
    with count_store_calls(pool) as calls:
        invites.code()
    assert calls.sequential == [BATCH, WRITE]
    with count_store_calls(pool) as calls:
        invites.code()
    assert calls.sequential == [BATCH]
