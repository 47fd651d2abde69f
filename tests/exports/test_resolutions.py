"""What the archive of an export holds of resolutions: what its asker may see (ADR exports)."""

from __future__ import annotations

import pytest

from tests.exports import making
from tests.exports.making import of_board
from tests.harness.board_scenario import BoardScenario
from tests.harness.resolution_scenario import ResolutionScenario
from tests.packs.making import committee, new_pack_scenario

pytestmark = pytest.mark.usefixtures("bucket")


def test_an_export_has_the_resolutions_and_ballots_that_its_asker_may_see(scenario: BoardScenario) -> None:
    votes, owner = ResolutionScenario(scenario), scenario.owner
    named, hidden = (
        votes.opened(),
        votes.opened(ballots="hidden", voters=[{"userId": owner.id}, {"userId": votes.ann.id}]),
    )
    secret = votes.opened(ballots="secret")
    committee_id = committee(new_pack_scenario(scenario), votes.manager, *votes.voters)
    theirs = votes.opened(committeeId=committee_id)
    for path in (named, hidden, secret, theirs):
        assert votes.vote(path, votes.ann).status == 200
    assert votes.vote(hidden, owner, "against").status == 200
    found = making.export(owner.client, of_board(scenario))
    shown = [*reversed(owner.client.get(votes.path).data)]
    assert {resolution["id"] for resolution in shown} == {path.rpartition("/")[2] for path in (named, hidden, secret)}
    assert making.rows(found, "resolutions") == shown
    ids = [resolution["id"] for resolution in shown]
    ballots = [ballot for id_ in ids for ballot in owner.client.get(f"{votes.path}/{id_}/ballots").data]
    assert making.rows(found, "ballots") == ballots
    chosen = {(ballot["userId"], ballot["choice"]) for ballot in ballots}
    assert chosen == {(votes.ann.id, "for"), (owner.id, "against"), (votes.ann.id, None)}
