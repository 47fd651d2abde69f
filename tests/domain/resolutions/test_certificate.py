"""The certificate of a resolution: its hash is that of everything in it but the event.

The names in brackets are those of Open-Board's tests of its certificates (`voteTally.test.ts`), which are judges here.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from governance.domain.resolutions.certificate import Certified, certify
from governance.ids import UserId
from governance.models.history.audit import LogProof
from governance.models.resolutions.ballot import CertifiedBallot, Choice
from governance.models.resolutions.certificate import Certificate
from governance.models.resolutions.resolution import Resolution, Tally
from tests.domain.samples import NOW, THEN, board

TALLY = Tally(eligible=2, voted=2, for_=1, against=1, abstain=0, quorum_met=True, outcome="rejected")


def ballot(user_id: str, choice: Choice, weight: int = 1, cast_by: str | None = None) -> CertifiedBallot:
    caster = UserId(cast_by or user_id)
    return CertifiedBallot(user_id=UserId(user_id), cast_by_user_id=caster, choice=choice, weight=weight)


BALLOTS = [ballot("b", "for"), ballot("a", "against")]


def certified(*ballots: CertifiedBallot | Choice, **members: Any) -> Certified:
    made: dict[str, Any] = dict.fromkeys(Resolution.model_fields)
    made |= {"object": "resolution", "id": "r", "board_id": board().id, "title": "T", "text": "Text"}
    made |= {"status": "rejected", "document_ids": (), "rule": {}, "ballots": "named", "voters": (), "tally": TALLY}
    made |= {"created_by_user_id": "u", "closed_at": NOW, "created_at": THEN, "updated_at": NOW}
    resolution = Resolution.model_validate(made | members)
    return certify(board(), resolution, TALLY, (), ballots or BALLOTS)


def test_the_order_of_ballots_says_nothing() -> None:
    """[is reproducible for the same inputs (order-independent); recomputes identically from the same closedAt]"""
    assert certified(*BALLOTS).sha256 == certified(*reversed(BALLOTS)).sha256
    assert certified("for", "against", "for") == certified("for", "for", "against")


@pytest.mark.parametrize(
    "altered",
    [
        lambda: certified(ballot("b", "for"), ballot("a", "for")),
        lambda: certified(ballot("b", "for", 2), ballot("a", "against")),
        lambda: certified(ballot("b", "for", cast_by="a"), ballot("a", "against")),
        lambda: certified(ballot("b", "for")),
        lambda: certified(status="carried"),
        lambda: certified(text="text"),
        lambda: certified(closed_at=THEN),
    ],
)
def test_the_hash_changes_with_everything_in_it(altered: Callable[[], Certified]) -> None:
    """[changes if any vote record, the status, a ballot's weight or its proxy attribution (castBy) is tampered with]

    Their `treats missing weight/castBy as 1/null` has no case here: a ballot has both. Nor have their cases of an
    earlier format: there is one.
    """
    assert altered().sha256 != certified().sha256


def test_a_certificate_is_served_as_it_was_stored_with_its_event_behind_it() -> None:
    stored = certified().text.replace('"version":1', '"version":1,"x-newer":[1]')
    proof = LogProof(entry_id="e", index=None, entry="{}", salt="s", proof=None)
    served = Certificate.of(stored, proof).to_json()
    assert served.startswith(stored.removesuffix("}"))
    assert json.loads(served) == {**json.loads(stored), "event": json.loads(proof.to_json())}
