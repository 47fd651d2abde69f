"""Who sees a request for a paper, and what was sent for it before it is approved."""

from __future__ import annotations

import pytest

from governance.domain.paper_requests import paper_request as paper_rules
from governance.ids import UserId
from governance.models.paper_requests.paper_request import AskedFor, PaperRequestStatus, StoredPaperRequest
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


def delivered(document_id: str | None, status: PaperRequestStatus) -> StoredPaperRequest:
    return REQUEST.model_copy(update={"document_id": document_id, "status": status})


def test_a_paper_is_missing_while_somebody_owes_it() -> None:
    statuses: list[PaperRequestStatus] = ["returned", "delivered", "requested", "approved", "cancelled"]
    missing = paper_rules.missing([delivered(None, status) for status in statuses])
    assert [request.status for request in missing] == ["returned", "requested"]


@pytest.mark.parametrize("status", ["delivered", "returned", "cancelled"])
def test_a_document_is_not_approved_unless_a_request_for_it_is(status: PaperRequestStatus) -> None:
    requests = [delivered("a", status), delivered("b", "approved"), delivered(None, "requested")]
    assert paper_rules.not_approved(requests) == {"a"}
    assert paper_rules.not_approved([*requests, delivered("a", "approved")]) == set()
    assert paper_rules.not_approved([delivered("b", status), *requests]) == {"a"}
