"""The rules of the document of a minute book: which numbers and which meetings it says are missing, and by date."""

from __future__ import annotations

from governance.domain.meetings import minute_book_file as file_rules
from governance.domain.meetings import minutes_approval as approval_rules
from governance.domain.meetings import minutes_versions as version_rules
from governance.instants import shift
from governance.models.meetings.minute_book import BookKind, MinuteBookEntry
from governance.models.meetings.minutes_versions import CirculationBody, MinutesApprovalBody, StoredMinutesApproval
from tests.domain.samples import CREATOR, NOW, THEN, id_of, meeting, minutes

BY = MinutesApprovalBody.model_construct(manner="as_presented", in_meeting_id=id_of("later"))


def entry(kind: BookKind, count: int) -> MinuteBookEntry:
    return MinuteBookEntry(
        number=f"2030-{count}",
        kind=kind,
        id=id_of(f"{kind}{count}"),
        version=None,
        title="",
        held_at=None,
        approved_at=shift(NOW, seconds=count),
        sha256="",
        log_index=None,
        superseded_by=None,
    )


def circulated(last: StoredMinutesApproval | None = None, text: str = "Budget") -> StoredMinutesApproval:
    draft = minutes(items=[{"id": "1", "text": text}])
    held = meeting(status="completed", start_time=THEN)
    return version_rules.circulated(held, draft, last, CirculationBody(), CREATOR, NOW)[0]


def test_numbers_that_no_entry_has_are_gaps_of_their_own_sequence_by_the_date_of_what_follows() -> None:
    assert file_rules.gaps([]) == ()
    assert file_rules.gaps([entry("minutes", 1), entry("minutes", 2), entry("resolution", 1)]) == ()
    listed = [entry("minutes", 4), entry("resolution", 3), entry("minutes", 2), entry("resolution", 6)]
    assert [(gap.kind, gap.first, gap.last) for gap in file_rules.gaps(listed)] == [
        ("minutes", "2030-1", "2030-1"),
        ("resolution", "2030-1", "2030-2"),
        ("minutes", "2030-3", "2030-3"),
        ("resolution", "2030-4", "2030-5"),
    ]


def test_meetings_that_were_held_and_have_no_approved_minutes_are_named_by_start() -> None:
    approved = approval_rules.approved(circulated(), BY, "2030-1", id_of("event"), CREATOR, NOW)
    statuses = ("completed", "in_progress", "finalized", "scheduled", "draft", "cancelled")
    held = [meeting(id=id_of(status), status=status, start_time=THEN, title=status) for status in statuses]
    first = meeting(id=id_of("first"), status="completed", start_time="2020-01-01T00:00:00.000Z", title="first")
    without = meeting(id=id_of("no start"), status="completed", start_time=None)
    named = [each.title for each in file_rules.unapproved([*held, first, without], {})]
    assert named == ["first", "completed", "finalized", "in_progress"]
    approvals = {id_of("completed"): circulated(), id_of("finalized"): approved}
    approvals[id_of("first")] = circulated(approved, "A correction")
    assert [each.title for each in file_rules.unapproved([*held, first], approvals)] == ["completed", "in_progress"]


def test_the_approval_of_a_version_is_told_with_its_entry_in_the_log() -> None:
    approved = approval_rules.approved(circulated(), BY, "2030-1", id_of("event"), CREATOR, NOW)
    facts = file_rules.approval_facts(approved, entry("minutes", 1), 1)
    assert (facts["number"], facts["status"], facts["event"]) == ("2030-1", "approved", {"index": None})
