"""Checks in which kinds of partitions the functions that strangers reach may write."""

from __future__ import annotations

import json
from functools import cache
from itertools import product

import pytest

from governance.store.schema.keys import PK, SK
from infra.stack.template import Template
from tests.contract.prepared_board import prepare
from tests.contract.simulated_calls import simulated_writes
from tests.harness.actors import new_actors
from tests.harness.client import Client
from tests.harness.engine import fresh_table
from tests.harness.outbox import Outbox
from tests.harness.privileges import grants
from tests.harness.store_calls import InlinePool
from tests.harness.table_snapshot import TableSnapshot
from tests.store.rows_of_every_kind import all_rows

pytestmark = pytest.mark.slow
CONFINED = {
    "guests": {"PutItem": {"AUDIT", "EVENTS", "GUESTS"}, "UpdateItem": {"GUESTS", "RATE"}},
    "calendar": {"UpdateItem": {"FEED", "RATE", "USE"}},
    "inbound": {"PutItem": {"AUDIT", "DUE", "EVENTS", "GUARD", "MEETINGS"}, "DeleteItem": {"DUE"}},
    "webhook_sender": {
        "PutItem": {"DELIVERIES", "DUE", "EVENTS", "WEBHOOKS"},
        "UpdateItem": {"ALLOWANCE", "DELIVERIES"},
    },
}
"""The kinds of partitions in which the functions may write that strangers reach: guests, programs, mails, receivers."""
WHO_MAY_WHAT = {"BOARD", "TOKEN", "USER"}
"""The partitions of memberships, tokens and users: they say who the holder of a credential is, and may do what."""


@cache
def stored_rows() -> dict[str, set[str]]:
    """Returns the attributes of the rows in each kind of partition."""
    with fresh_table():
        prepare(new_actors())
        found: dict[str, set[str]] = {kind: set() for kind in partition_kinds()}
        for (pk, _), item in TableSnapshot().items.items():
            found[pk.partition("#")[0]] |= item.keys()
        return found


def partition_kinds() -> set[str]:
    """Returns the kinds of partitions that there are."""
    return {key.pk.partition("#")[0] for key in all_rows() if "#" in key.pk}


def test_no_role_is_limited_to_attributes() -> None:
    """A condition on all attributes of a write holds for a write that names none: `PutItem` of a key alone."""
    for name, role in Template().resources("AWS::IAM::Role").items():
        for policy in role["Policies"]:
            for statement in policy["PolicyDocument"]["Statement"]:
                assert "dynamodb:Attributes" not in json.dumps(statement), name


@pytest.mark.parametrize(
    ("group", "action"),
    [*product(CONFINED, ("PutItem", "UpdateItem", "DeleteItem"))],
)
@pytest.mark.usefixtures("pool", "outbox")
def test_a_function_that_strangers_reach_writes_in_its_own_partitions_only(group: str, action: str) -> None:
    """Whatever attributes an item has, all, some or none: asked of the simulator for every kind of partition."""
    rows = stored_rows()
    assert len(rows) > 25
    assert rows["BOARD"] >= {"digest", "adminRole", "inviteCode"}
    keys = [PK, SK]
    writes = [[], keys, [*keys, "id"], [*keys, "boardIds", "stamp"], sorted(set().union(*rows.values()))]
    own = CONFINED[group].get(action, set())
    assert not own & WHO_MAY_WHAT
    assert simulated_writes(group, action, sorted(rows), writes) == [own] * len(writes)


def test_what_guests_write_is_in_their_partition(pool: InlinePool, outbox: Outbox) -> None:
    """No item of a board or of a user is where the public function may write, but what it writes itself."""
    del pool, outbox
    with fresh_table():
        actors = new_actors()
        prepare(actors)
        actors.request("PUT /api/v1/guest/{token}/slots/{slotId}/vote", "owner").by(Client())
        items = TableSnapshot().items
    writable = {part for grant in grants("guests") if "dynamodb:PutItem" in grant.actions for part in grant.partitions}
    assert writable == {"AUDIT", "EVENTS", "GUESTS"}
    kinds = {sk.split("#")[2] for pk, sk in items if pk.startswith("GUESTS#")}
    assert kinds == {"VOTE", "COUNT"}
    assert {pk.partition("#")[0] for pk, sk in items if sk.startswith(("MEMBER#", "TOKEN#"))} == {"BOARD", "USER"}
