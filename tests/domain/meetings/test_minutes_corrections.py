"""The rules of corrections of approved minutes: what they are of, and what they keep."""

from __future__ import annotations

from typing import Any

from governance.domain.meetings import minutes as minutes_rules
from governance.domain.meetings import minutes_approval as approval_rules
from governance.domain.meetings import minutes_corrections as correction_rules
from governance.domain.meetings import minutes_versions as version_rules
from governance.domain.meetings.in_camera import NOBODY as READER
from governance.domain.members.unregistered_user import named
from governance.ids import UserId
from governance.models.meetings.minutes import MinutesBody, StoredMinutes
from governance.models.meetings.minutes_versions import CirculationBody, MinutesApprovalBody, StoredMinutesApproval
from tests.domain.samples import CREATOR, NOW, THEN, conflict, id_of, later, meeting, minutes, refusal

BY = MinutesApprovalBody.model_construct(manner="as_presented", in_meeting_id=id_of("later"))
HELD = meeting(status="completed", start_time=THEN)
OLD = {"id": id_of("old"), "text": "Old"}
NEW = {"id": id_of("new"), "text": "New"}
ADA, BEN = UserId(id_of("ada")), UserId(id_of("ben"))
ENTRY = {"id": id_of("entry"), "text": "Approved", "approved_meeting_id": "m"}
KNOWN = minutes_rules.KnownSubjects([ADA, BEN], named({}), {}, (), READER)


def final(items: list[dict[str, Any]], **members: Any) -> StoredMinutes:
    return minutes_rules.final(minutes(items=items, **members), [ADA])


def circulated(of: StoredMinutes, last: StoredMinutesApproval | None = None) -> StoredMinutesApproval:
    return version_rules.circulated(HELD, of, last, CirculationBody(), CREATOR, NOW)[0]


def approved(of: StoredMinutes, last: StoredMinutesApproval | None = None) -> StoredMinutesApproval:
    return approval_rules.approved(circulated(of, last), BY, "2030-1", "e" * 24, CREATOR, later())


def corrected(old: StoredMinutes, items: list[dict[str, Any]], open_: StoredMinutes | None = None) -> StoredMinutes:
    attendance = [{"userId": entry.user_id, "present": entry.present} for entry in old.attendance]
    body = MinutesBody.model_validate({"items": items, "attendance": attendance})
    return correction_rules.corrected(HELD, old, open_, body, KNOWN, later())


def test_what_was_approved_once_is_corrected() -> None:
    waiting = circulated(minutes(items=[OLD]))
    for approval in (None, waiting):
        assert refusal(correction_rules.check_correctable, approval) == conflict("NOT_APPROVED")
    first = approved(minutes(items=[OLD]))
    assert correction_rules.check_correctable(first) == (first, first)
    second = circulated(minutes(items=[NEW]), first)
    assert correction_rules.check_correctable(second)[1].number == 1


def test_the_text_that_was_approved_corrects_nothing() -> None:
    first = approved(minutes(items=[OLD]))
    correction_rules.check_differs(minutes(items=[NEW]), first)
    refused = refusal(correction_rules.check_differs, minutes(items=[OLD], status="final"), first)
    assert refused[:2] == (400, "INVALID_REQUEST_BODY")


def test_a_circulation_leaves_what_was_approved_as_it_is() -> None:
    first = approved(minutes(items=[OLD]))
    for text in (OLD, NEW):
        second = circulated(minutes(items=[text]), first)
        assert (second.status, second.number, second.in_force) == ("circulated", 2, second.superseded[0])
        assert version_rules.approval_of_version(second, 1) == version_rules.approval_of_version(first, 1)


def test_a_correction_is_a_draft_of_its_own_with_what_the_minutes_began_with() -> None:
    old = final([OLD], attendance=[{"user_id": ADA, "present": "remote"}])
    new = corrected(old, [{"text": "New"}])
    assert (new.status, new.version, new.created_at, new.updated_at) == ("draft", 1, old.created_at, later())
    assert (new.created_by_user_id, new.quorum) == (old.created_by_user_id, old.quorum)
    assert corrected(old, [{"text": "Newer"}], new).version == 2
    assert corrected(old.model_copy(update={"attendance": ()}), []).quorum == old.quorum


def test_another_attendance_is_counted_again() -> None:
    old = final([OLD])
    body = MinutesBody.model_validate({"attendance": [{"userId": BEN, "present": "in_person"}]})
    new = correction_rules.corrected(HELD, old, None, body, KNOWN, later())
    assert new.quorum is None
    assert approval_rules.final(old, new, KNOWN.members).quorum == minutes_rules.quorum(new, KNOWN.members)


def test_a_correction_keeps_items_of_the_minutes_and_of_the_one_before() -> None:
    old = final([OLD, ENTRY])
    first = corrected(old, [{"text": "First"}])
    assert [item.text for item in first.items] == ["First", "Approved"]
    ids = [{"id": OLD["id"], "text": "Old"}, {"id": first.items[0].id, "text": "First"}]
    second = corrected(old, ids, first)
    assert [item.id for item in second.items] == [OLD["id"], ENTRY["id"], first.items[0].id]
