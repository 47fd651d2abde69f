"""The rules of the minute book: what is entered, and what an entry says."""

from __future__ import annotations

import pytest

from governance.domain.meetings import minute_book as book_rules
from governance.domain.meetings import minutes_approval as approval_rules
from governance.domain.meetings import minutes_versions as version_rules
from governance.models.meetings.minutes_versions import CirculationBody, MinutesApprovalBody, StoredMinutesApproval
from governance.models.resolutions.resolution import ResolutionStatus, StoredResolution
from tests.domain.samples import CREATOR, NOW, THEN, id_of, later, meeting, minutes

HELD = meeting(status="completed", start_time=THEN, title="Spring")
BY = MinutesApprovalBody.model_construct(manner="as_presented", in_meeting_id=id_of("later"))
EVENT = id_of("event")


def circulated() -> StoredMinutesApproval:
    return version_rules.circulated(HELD, minutes(), None, CirculationBody(), CREATOR, NOW)[0]


def approved() -> StoredMinutesApproval:
    return approval_rules.approved(circulated(), BY, "2030-1", EVENT, CREATOR, later())


def resolution(status: ResolutionStatus = "carried") -> StoredResolution:
    return StoredResolution(
        id=id_of("resolution"),
        board_id=HELD.board_id,
        title="Adopt the budget",
        status=status,
        number=None if status == "draft" else "2030-7",
        committee_id=id_of("audit"),
        created_by_user_id=CREATOR,
        closed_at=later() if status == "carried" else None,
        created_at=NOW,
        updated_at=NOW,
    )


def test_approved_minutes_are_entered_as_they_were_circulated_under_the_title_of_their_meeting() -> None:
    approval = approved()
    entry = book_rules.entry_of_minutes(HELD, approval)
    assert (entry.number, entry.kind, entry.id, entry.version) == ("2030-1", "minutes", HELD.id, 1)
    assert (entry.title, entry.held_at, entry.approved_at) == ("Spring", THEN, later())
    assert (entry.sha256, entry.event_id, entry.committee_id, entry.superseded_by) == (
        circulated().sha256,
        EVENT,
        None,
        None,
    )


def test_a_carried_resolution_is_entered_with_its_certificate_and_its_committee() -> None:
    entry = book_rules.entry_of_resolution(resolution(), "a" * 64, EVENT)
    assert (entry.number, entry.kind, entry.id, entry.version) == ("2030-7", "resolution", id_of("resolution"), None)
    assert (entry.title, entry.held_at, entry.approved_at) == ("Adopt the budget", None, later())
    assert (entry.sha256, entry.event_id, entry.committee_id) == ("a" * 64, EVENT, id_of("audit"))


def test_nothing_else_is_entered() -> None:
    with pytest.raises(ValueError, match="not approved"):
        book_rules.entry_of_minutes(HELD, circulated())
    for status in ("draft", "open", "rejected", "lapsed", "withdrawn"):
        with pytest.raises(ValueError, match="not carried"):
            book_rules.entry_of_resolution(resolution(status), "a" * 64, EVENT)


def test_the_place_in_the_log_is_that_of_the_event_as_far_as_it_is_known() -> None:
    entry = book_rules.entry_of_minutes(HELD, approved(), "2030-2")
    entries = [entry, entry.model_copy(update={"event_id": None})]
    for known, expected in (({EVENT: 0}, [0, None]), ({}, [None, None])):
        book = book_rules.to_resource(HELD.board_id, "2030", entries, 7, known)
        assert [shown.log_index for shown in book.entries] == expected
        assert [shown.superseded_by for shown in book.entries] == ["2030-2", "2030-2"]
        assert (book.board_id, book.year, book.next_count) == (HELD.board_id, "2030", 7)
