"""The rules of the link to a paper: one at a time, for one request, until nobody waits for the paper."""

from __future__ import annotations

from typing import Any

import pytest

from governance.domain.meetings import personal_link
from governance.domain.paper_requests import paper_link
from governance.instants import Instant, shift
from governance.limits import GUEST_LINK_DAYS
from governance.models.members.unregistered_user import StoredUnregisteredUser
from governance.models.paper_requests.paper_request import AskedFor, StoredPaperRequest
from tests.domain.samples import just_before, person
from tests.store.stored_items import PAPER_REQUEST

ANNA = person()
DUE = Instant("2098-03-31T12:00:00.000Z")
REQUEST = PAPER_REQUEST.model_copy(
    update={"board_id": ANNA.board_id, "asked": AskedFor(unregistered_user_id=ANNA.id), "due_at": DUE, "link": None}
)
LAST = shift(DUE, days=GUEST_LINK_DAYS)


def token(request: StoredPaperRequest = REQUEST, of: StoredUnregisteredUser = ANNA) -> str:
    return paper_link.token("s", of, request)


LINKED = paper_link.linked(REQUEST, token(), ANNA)


def opens(request: StoredPaperRequest | None = LINKED, at: Instant = DUE, of: Any = ANNA, text: str = "") -> bool:
    return paper_link.opens(text or token(), request, of, at)


def test_a_link_opens_its_request_until_thirty_days_after_it_is_due() -> None:
    assert opens()
    assert opens(at=just_before(LAST))
    assert not opens(at=LAST)


@pytest.mark.parametrize("status", ["requested", "delivered", "returned", "approved", "cancelled"])
def test_a_link_opens_what_is_not_decided(status: str) -> None:
    assert opens(LINKED.model_copy(update={"status": status})) is (status not in ("approved", "cancelled"))


@pytest.mark.parametrize(
    "of",
    [
        None,
        person(status="archived"),
        person(status="merged"),
        person(email=None),
        person(links=1),
        person(id="e" * 24),
    ],
)
def test_a_link_ends_with_its_person(of: StoredUnregisteredUser | None) -> None:
    assert not opens(of=of)


def test_a_link_opens_nothing_that_somebody_else_is_asked_for_or_that_is_gone() -> None:
    assert not opens(None)
    assert not opens(REQUEST)
    assert not opens(LINKED.model_copy(update={"asked": AskedFor(user_id=REQUEST.created_by_user_id)}))


def test_each_return_has_another_link_which_ends_the_one_before() -> None:
    returned = LINKED.model_copy(update={"status": "returned", "decided_at": DUE})
    again = paper_link.linked(returned, token(returned), ANNA)
    assert token(returned) != token()
    assert not opens(again)
    assert opens(again, text=token(returned))


def test_a_link_that_is_mailed_again_changes_nothing_unless_the_paper_is_due_at_another_time() -> None:
    assert paper_link.linked(LINKED, token(), ANNA) is LINKED
    later = paper_link.linked(LINKED.model_copy(update={"due_at": shift(DUE, days=1)}), token(), ANNA)
    assert later.version == LINKED.version + 1
    assert opens(later, at=LAST)


def test_a_link_to_a_paper_is_none_to_a_meeting() -> None:
    assert token() != personal_link.token("s", ANNA, REQUEST.id)
    assert personal_link.parse(token()) == personal_link.parse(personal_link.token("s", ANNA, REQUEST.id))
