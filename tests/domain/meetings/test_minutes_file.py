"""The rules of the file of approved minutes: which version it is of, what it tells, and when that is proven."""

from __future__ import annotations

import json
from typing import Any

import pytest

from governance.domain.access.access import Principal
from governance.domain.meetings import minutes_approval as approval_rules
from governance.domain.meetings import minutes_file as file_rules
from governance.domain.meetings import minutes_versions as version_rules
from governance.errors import ApiError, Code
from governance.models.meetings.minutes_versions import (
    CirculationBody,
    MinutesApprovalBody,
    StoredMinutesApproval,
    StoredMinutesSignature,
)
from tests.domain.samples import CREATOR, NOW, THEN, conflict, id_of, meeting, minutes, refusal, user

HELD = meeting(status="completed", start_time=THEN)
BODY = MinutesApprovalBody.model_construct(manner="as_presented", in_meeting_id=id_of("later"))
EVENT, SIGNING = id_of("event"), id_of("signing")


def circulated(last: StoredMinutesApproval | None = None, text: str = "Budget") -> StoredMinutesApproval:
    draft = minutes(items=[{"id": "1", "text": text}])
    return version_rules.circulated(HELD, draft, last, CirculationBody(), CREATOR, NOW)[0]


def approved(last: StoredMinutesApproval | None = None, text: str = "Budget", **members: Any) -> StoredMinutesApproval:
    done = approval_rules.approved(circulated(last, text), BODY, "2030-1", EVENT, CREATOR, NOW)
    return done.model_copy(update=members)


def proof(index: int | None) -> dict[str, Any]:
    return {"index": index, "proof": None if index is None else "c2sp"}


def test_the_file_is_of_the_version_that_was_approved_last() -> None:
    for none in (None, circulated()):
        assert refusal(file_rules.check_approved, none) == conflict("NOT_APPROVED")
    first = approved()
    assert file_rules.check_approved(first) is first
    corrected = circulated(first, "The budget")
    assert file_rules.check_approved(corrected).number == 1
    assert file_rules.check_approved(approved(corrected, "The whole budget")).number == 3


def test_the_document_has_the_number_of_the_minutes_in_the_language_of_its_maker() -> None:
    document = file_rules.document_of(HELD, approved(), Principal(user(), None), "de", NOW)
    assert document.title == f"Protokoll 2030-1: {HELD.title}"
    assert (document.document_type, document.meeting_ids, document.committee_id) == ("minutes", (HELD.id,), None)


def test_a_version_that_was_not_approved_has_no_file() -> None:
    first = approved()
    corrected = circulated(first, "The budget")
    assert file_rules.approval_of_file(corrected, 1).number == 1
    for approval, number in ((None, 1), (circulated(), 1), (corrected, 2), (first, 9)):
        with pytest.raises(ApiError) as refused:
            file_rules.approval_of_file(approval, number)
        assert refused.value.code is Code.RESOURCE_NOT_FOUND


@pytest.mark.parametrize(("approval_index", "signature_index"), [(3, 4), (None, 4), (3, None)])
def test_a_file_proves_all_acts_or_is_not_made(approval_index: int | None, signature_index: int | None) -> None:
    signature = StoredMinutesSignature(user_id=CREATOR, role="Chair", at=NOW, event_id=SIGNING)
    signed = approved(signatures=(signature,))
    proofs = {EVENT: proof(approval_index), SIGNING: proof(signature_index)}
    facts = file_rules.approval_facts(HELD, signed, signed, proofs)
    assert file_rules.is_logged(facts) is (None not in (approval_index, signature_index))
    assert (facts["boardId"], facts["event"], facts["number"]) == (HELD.board_id, proofs[EVENT], "2030-1")
    assert facts["signatures"] == [
        {"userId": CREATOR, "role": "Chair", "at": NOW, "logIndex": signature_index, "event": proofs[SIGNING]}
    ]


def test_what_a_file_names_is_known_before_it_is_read() -> None:
    text = version_rules.fixed(minutes(items=[{"id": "1", "text": "", "action_item_ids": (id_of("task"),)}]))
    written = json.loads(text)
    written["items"].append({"id": "2", "sealed": "0" * 64})
    written["attendance"] = [{"userId": id_of("ann"), "unregisteredUserId": None}]
    written["attendance"].append({"userId": None, "unregisteredUserId": id_of("guest")})
    named = file_rules.named_by(written, approved())
    assert named.users == {id_of("ann"), CREATOR}
    assert (named.people, named.action_items) == ({id_of("guest")}, {id_of("task")})
    assert (named.meetings, named.resolutions) == ({id_of("later")}, set())
