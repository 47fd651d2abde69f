"""Checks in which kinds of partitions the functions that strangers reach may write."""

from __future__ import annotations

import json

import pytest

from infra.stack.template import Template
from tests.contract.prepared_board import prepare
from tests.harness.actors import new_actors
from tests.harness.client import Client
from tests.harness.engine import fresh_table
from tests.harness.privileges import grants
from tests.harness.table_snapshot import TableSnapshot

WHO_MAY_WHAT = {"BOARD", "TOKEN", "USER"}
"""The partitions of memberships, tokens and users: they say who the holder of a credential is, and may do what."""
_WRITES = ("PutItem", "UpdateItem", "DeleteItem")


def test_no_role_is_limited_to_attributes() -> None:
    """A condition on all attributes of a write holds for a write that names none: `PutItem` of a key alone."""
    for name, role in Template().resources("AWS::IAM::Role").items():
        assert "dynamodb:Attributes" not in json.dumps(role.get("Policies")), name


@pytest.mark.parametrize("group", ["guests", "calendar", "inbound", "webhook_sender"])
def test_a_function_that_strangers_reach_changes_nobodys_rights(group: str) -> None:
    writing = [grant for grant in grants(group) if {f"dynamodb:{action}" for action in _WRITES} & set(grant.actions)]
    assert writing
    for grant in writing:
        assert grant.partitions
        assert not WHO_MAY_WHAT & set(grant.partitions)


@pytest.mark.slow
@pytest.mark.usefixtures("pool", "outbox")
def test_what_guests_write_is_in_their_partition() -> None:
    """No item of a board or of a user is where the public function may write, but what it writes itself."""
    with fresh_table():
        actors = new_actors()
        prepare(actors)
        actors.request("PUT /api/v1/guest/{token}/slots/{slotId}/vote", "owner").by(Client())
        items = TableSnapshot().items
    assert {sk.split("#")[2] for pk, sk in items if pk.startswith("GUESTS#")} == {"VOTE", "COUNT"}
    assert {pk.partition("#")[0] for pk, sk in items if sk.startswith(("MEMBER#", "TOKEN#"))} == {"BOARD", "USER"}
