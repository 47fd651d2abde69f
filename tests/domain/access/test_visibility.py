"""Visibility is a key: a caller sees an item exactly when its visibility is among the caller's."""

from __future__ import annotations

from dataclasses import dataclass

from hypothesis import given
from hypothesis import strategies as st

from governance.domain.access.visibility import (
    BOARD_MEETINGS,
    Visibility,
    VisibilityKind,
    can_see_meeting,
    document_visibilities,
    document_visibility,
    event_visibilities,
    event_visibility,
    is_board_wide,
    meeting_visibilities,
    meeting_visibility,
)
from governance.ids import BoardId, UserId
from governance.models.history.event import Event
from tests.harness.stream import new_event

USERS = st.sampled_from([UserId(letter * 24) for letter in "abc"])
STATUSES = st.sampled_from(["draft", "scheduled", "in_progress", "completed", "finalized"])


@dataclass
class Meeting:
    status: str
    creator_id: UserId | None


@given(st.none() | USERS, STATUSES, st.none() | USERS)
def test_to_see_is_to_have_the_bucket(caller: UserId | None, status: str, creator: UserId | None) -> None:
    if status == "draft" and creator is None:
        return  # a board token's meeting has no creator, and never becomes a draft
    meeting = Meeting(status, creator)
    assert can_see_meeting(caller, meeting) == (meeting_visibility(meeting) in meeting_visibilities(caller))


@given(USERS, USERS)
def test_draft_is_hidden_from_everyone_but_its_creator(caller: UserId, creator: UserId) -> None:
    assert can_see_meeting(caller, Meeting("draft", creator)) == (caller == creator)
    assert not can_see_meeting(None, Meeting("draft", creator))


@given(st.none() | USERS, STATUSES.filter(lambda status: status != "draft"), st.none() | USERS)
def test_every_other_status_is_seen_by_all(caller: UserId | None, status: str, creator: UserId | None) -> None:
    assert can_see_meeting(caller, Meeting(status, creator))


def test_a_board_token_sees_no_draft_and_has_no_bucket_of_drafts() -> None:
    assert not can_see_meeting(None, Meeting("draft", None))
    assert meeting_visibilities(None) == (BOARD_MEETINGS,)
    assert len(meeting_visibilities(UserId("a" * 24))) == 2


@dataclass
class Happening:
    draft_of: UserId | None = None
    committee_id: str | None = None


def test_an_event_is_board_wide_unless_it_is_about_a_draft_or_a_committees_document() -> None:
    assert is_board_wide(Happening())
    assert not is_board_wide(Happening(draft_of=UserId("a")))
    assert not is_board_wide(Happening(committee_id="k"))


COMMITTEES = st.sampled_from(["c" * 24, "d" * 24])


@given(st.none() | USERS, st.none() | COMMITTEES, st.none() | USERS, st.sets(COMMITTEES))
def test_an_event_is_in_a_caller_s_ranges_exactly_when_they_may_learn_of_it(
    draft_of: UserId | None, committee: str | None, caller: UserId | None, committees: set[str]
) -> None:
    event = new_event(BoardId("e" * 24), Event.BOARD_CHANGED, draft_of=draft_of, committee_id=committee)
    may = bool(caller) and draft_of == caller if draft_of else committee is None or committee in committees
    assert (event_visibility(event) in event_visibilities(caller, tuple(committees))) == may


def test_each_bucket_of_events_and_documents_is_another_one() -> None:
    assert len(set(event_visibilities(UserId("a"), ("k", "l")))) == 4
    assert event_visibilities(None, ("k",)) == event_visibilities(None, ())[:1] + document_visibilities(("k",))[1:]
    assert len(event_visibilities(None, ())) == 1
    assert (
        len(
            {
                document_visibility(None),
                document_visibility("k"),
                document_visibility("l"),
                *event_visibilities(None, ()),
            }
        )
        == 4
    )
    assert document_visibility(None).owner_id is None
    assert document_visibility(None) != document_visibility("") != Visibility(VisibilityKind.COMMITTEE_DOCUMENTS)
