"""A list that is read while one of its items moves from one place in the table to another still has the item."""

from __future__ import annotations

from functools import partial

import pytest

from governance.store.invites import sent_invites
from tests.harness.board_scenario import BoardScenario, person
from tests.harness.client import Response
from tests.interleavings.pair_scenario import PairScenario
from tests.interleavings.torn_reads import every_torn_read


def test_an_invite_that_is_closed_meanwhile_is_in_the_list_of_what_was_sent(
    scenario: BoardScenario, monkeypatch: pytest.MonkeyPatch
) -> None:
    pairs, ann = PairScenario(scenario, scenario.member("ben")), person("ann")
    invite_id = pairs.invite_id(ann)
    request = partial(pairs.owner.get, "/api/invite/sent")
    decline = partial(ann.client.put, f"/api/invite/decline/{invite_id}")
    torn = 0
    for split, responses, _ in every_torn_read(request, decline, monkeypatch):
        assert [entry["inviteId"] for entry in responses[0].json] == [invite_id], split
        torn += 1
    assert torn


def test_a_purge_finds_an_invite_that_is_closed_meanwhile(
    scenario: BoardScenario, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else what its sender wrote would stay."""
    pairs, ann = PairScenario(scenario, scenario.member("ben")), person("ann")
    invite_id = pairs.invite_id(ann)
    (row,) = sent_invites.list_of_sender(scenario.owner.id)

    def find() -> Response:
        invite = sent_invites.find_invite(row)
        return Response(200 if invite else 404, {}, "{}")

    decline = partial(ann.client.put, f"/api/invite/decline/{invite_id}")
    statuses = [responses[0].status for _, responses, _ in every_torn_read(find, decline, monkeypatch)]
    assert statuses == [200] * 2, "two rows, each read first"
