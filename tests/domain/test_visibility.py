"""Visibility is a key: a caller sees an item exactly when its bucket is among the caller's."""

from __future__ import annotations

from dataclasses import dataclass

from hypothesis import given
from hypothesis import strategies as st

from governance.domain.visibility import can_see_meeting, meeting_bucket, meeting_buckets
from governance.ids import UserId

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
    assert can_see_meeting(caller, meeting) == (meeting_bucket(meeting) in meeting_buckets(caller))


@given(USERS, USERS)
def test_draft_is_hidden_from_everyone_but_its_creator(caller: UserId, creator: UserId) -> None:
    assert can_see_meeting(caller, Meeting("draft", creator)) == (caller == creator)
    assert not can_see_meeting(None, Meeting("draft", creator))


@given(st.none() | USERS, STATUSES.filter(lambda status: status != "draft"), st.none() | USERS)
def test_every_other_status_is_seen_by_all(caller: UserId | None, status: str, creator: UserId | None) -> None:
    assert can_see_meeting(caller, Meeting(status, creator))
