"""A purge takes away what a user wrote with ballots, their own and those that they cast for others."""

from __future__ import annotations

import pytest

from infra.operator.purging import purge_users
from tests.harness.board_scenario import BoardScenario
from tests.harness.resolution_scenario import ResolutionScenario

pytestmark = pytest.mark.usefixtures("bucket")


def test_the_comments_of_a_purged_user_go_and_the_ballots_stay(scenario: BoardScenario) -> None:
    votes = ResolutionScenario(scenario)
    open_, closed = votes.opened(rule={"proxies": True}), votes.opened(rule={"proxies": True})
    for path in (open_, closed):
        assert votes.give(path, votes.ben, votes.ann).status == 200
        assert votes.vote(path, votes.ann, comment="Mine").status == 200
        assert votes.vote(path, votes.ann, comment="For Ben", forUserId=votes.ben.id).status == 200
        assert votes.vote(path, votes.cem, comment="Theirs").status == 200
    assert votes.close(closed).status == 200
    before = {path: votes.ballots(path) for path in (open_, closed)}
    certificate = votes.manager.client.get(f"{closed}/certificate").data
    purge_users([votes.ann.id])
    for path in (open_, closed):
        assert len(before[path]) == 3
        assert votes.ballots(path) == [
            {**ballot, "comment": "Theirs" if ballot["userId"] == votes.cem.id else None} for ballot in before[path]
        ]
    assert votes.manager.client.get(f"{closed}/certificate").data == certificate
    assert votes.vote(open_, votes.cem, "against").status == 200
    purge_users([votes.ann.id])
