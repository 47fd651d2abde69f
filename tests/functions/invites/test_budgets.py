"""How many store calls each route makes, one after the other."""

from __future__ import annotations

import pytest

from tests.functions.invites.conftest import Inviting
from tests.harness.board_scenario import Person
from tests.harness.outbox import Outbox
from tests.harness.store_calls import InlinePool, count_store_calls

BATCH, WRITE = "BatchGetItem", "TransactWriteItems"


def test_creating_takes_three_calls_new_or_again(inviting: Inviting, pool: InlinePool) -> None:
    for _ in range(2):
        with count_store_calls(pool) as calls:
            inviting.invite()
        assert calls.sequential == [BATCH, BATCH, WRITE]


@pytest.mark.parametrize("verb", ["accept", "decline", "retract"])
def test_ending_takes_three_calls(inviting: Inviting, ann: Person, pool: InlinePool, verb: str) -> None:
    invite = inviting.invite(ann.email)
    who = inviting.owner if verb == "retract" else ann
    with count_store_calls(pool) as calls:
        assert who.client.put(f"/api/invite/{verb}/{invite}").status == 200
    assert calls.sequential == [BATCH, BATCH, WRITE]


def test_joining_takes_three_calls(inviting: Inviting, ann: Person, pool: InlinePool) -> None:
    inviting.invite(ann.email)
    code = inviting.code()
    with count_store_calls(pool) as calls:
        assert ann.client.put(f"/api/invite/join/{code}").status == 200
    assert calls.sequential == [BATCH, BATCH, WRITE]


@pytest.mark.parametrize("count", [1, 30])
def test_the_boards_and_the_senders_list_take_two_calls_however_long(
    inviting: Inviting, pool: InlinePool, count: int
) -> None:
    for number in range(count):
        inviting.invite(f"p{number}@example.com")
    for path in (f"{inviting.path}/invites", "/api/invite/sent"):
        with count_store_calls(pool) as calls:
            assert len(inviting.owner.client.get(path).json) == count
        assert calls.sequential == [BATCH, BATCH]


def test_all_boards_takes_three_calls_whatever_the_number_of_boards(inviting: Inviting, pool: InlinePool) -> None:
    for number in range(5):
        inviting.owner.client.post("/api/v1/boards", {"name": f"Board {number}"})
    inviting.invite()
    with count_store_calls(pool) as calls:
        inviting.owner.client.get("/api/invite/all-boards")
    assert calls.sequential == [BATCH, BATCH, BATCH]


def test_a_mail_takes_two_reads_and_a_write_on_each_side(inviting: Inviting, outbox: Outbox, pool: InlinePool) -> None:
    invite = inviting.invite()
    with count_store_calls(pool) as calls:
        inviting.owner.client.post(f"/api/invite/{invite}/send-email")
    assert calls.sequential == [BATCH, BATCH, WRITE, WRITE]
    with count_store_calls(pool) as calls:
        inviting.owner.client.post(f"/api/invite/{invite}/send-email")
    assert calls.sequential == [BATCH, BATCH]
    with count_store_calls(pool) as calls:
        inviting.owner.client.post(f"{inviting.path}/test")
    assert calls.sequential == [BATCH, WRITE]
    assert len(outbox.raw) == 2


def test_the_code_takes_one_call_once_it_is_there(inviting: Inviting, pool: InlinePool) -> None:
    with count_store_calls(pool) as calls:
        inviting.code()
    assert calls.sequential == [BATCH, WRITE]
    with count_store_calls(pool) as calls:
        inviting.code()
    assert calls.sequential == [BATCH]
