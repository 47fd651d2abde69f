"""Who sees a request for a paper, and what was sent for it before it is approved."""

from __future__ import annotations

import pytest

from governance.domain.paper_requests import paper_request as paper_rules
from governance.ids import UserId
from governance.models.paper_requests.paper_request import AskedFor
from governance.scopes import Tier
from tests.domain.samples import refusal
from tests.store.stored_items import PAPER_REQUEST

ASKED, REVIEWER, REQUESTER, OTHER = (UserId(letter * 24) for letter in "abcd")
REQUEST = PAPER_REQUEST.model_copy(
    update={"asked": AskedFor(user_id=ASKED), "reviewer_user_id": REVIEWER, "created_by_user_id": REQUESTER}
)


@pytest.mark.parametrize(
    ("user_id", "tier", "reads", "sees_file"),
    [
        (ASKED, Tier.GUEST, True, True),
        (REVIEWER, Tier.GUEST, True, True),
        (REQUESTER, Tier.COLLABORATOR, True, True),
        (OTHER, Tier.MANAGER, True, True),
        (OTHER, Tier.COLLABORATOR, True, False),
        (OTHER, Tier.GUEST, False, False),
        (None, Tier.MANAGER, True, False),
        (REQUESTER, None, False, False),
    ],
)
def test_few_see_a_file_before_it_is_approved(
    user_id: UserId | None, tier: Tier | None, reads: bool, sees_file: bool
) -> None:
    assert paper_rules.is_reader(REQUEST, user_id, tier) is reads
    assert paper_rules.sees_made(REQUEST, user_id, tier) is sees_file


@pytest.mark.parametrize("user_id", [REVIEWER, REQUESTER, None])
def test_nobody_delivers_but_who_is_asked(user_id: UserId | None) -> None:
    assert refusal(paper_rules.check_deliverer, REQUEST, user_id)[0] == 403
    paper_rules.check_deliverer(REQUEST, ASKED)
