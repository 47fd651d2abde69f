"""Rows of minutes that lead to their approval, stored whatever the status of their meeting."""

from __future__ import annotations

from governance import instants
from governance.ids import BoardId, UserId, new_id
from governance.models.meetings.minutes_remarks import StoredMinutesRemark
from governance.models.meetings.minutes_versions import FixedMinutes, StoredMinutesVersion
from governance.store.meetings import minutes_remarks, minutes_versions
from governance.store.transactions import transact
from tests.harness.client import Client
from tests.harness.sample_bodies import LATER, counter


def approving_meeting(owner: Client, meetings: str) -> str:
    """Creates a meeting in progress, later than those whose minutes it may approve, and returns its id."""
    meeting: str = owner.post(meetings, {"title": "Later", "status": "scheduled", "startTime": LATER}).data["id"]
    owner.patch(f"{meetings}/{meeting}", {"status": "in_progress"})
    return meeting


def approve_minutes(owner: Client, minutes: str) -> None:
    """Approves the circulated minutes of a path by a later meeting, whatever remarks wait."""
    approving = approving_meeting(owner, minutes.rsplit("/", 2)[0])
    owner.post(f"{minutes}/approval", {"manner": "as_presented", "inMeetingId": approving, "force": True})


def circulate_minutes(owner: Client, meetings: str) -> None:
    """Creates a completed meeting and circulates its minutes."""
    meeting: str = owner.post(meetings, {"title": "Earlier", "status": "scheduled"}).data["id"]
    owner.patch(f"{meetings}/{meeting}", {"status": "completed"})
    owner.put(f"{meetings}/{meeting}/minutes", {"items": []})
    owner.post(f"{meetings}/{meeting}/minutes/circulation")


def store_version(board_id: BoardId, meeting_id: str, user_id: UserId) -> str:
    """Stores a version of the minutes of a meeting and returns its number, which no other meeting has."""
    number, at = next(counter), instants.now()
    fixed = FixedMinutes(meeting_id=meeting_id, attendance=(), items=(), created_at=at)
    version = StoredMinutesVersion(
        board_id=board_id,
        meeting_id=meeting_id,
        number=number,
        sha256="0" * 64,
        circulated_at=at,
        circulated_by_user_id=user_id,
        canonical=fixed.to_json(),
    )
    transact([minutes_versions.create(version)])
    return str(number)


def store_remark(board_id: BoardId, meeting_id: str, author_id: UserId | None) -> str:
    """Stores a remark of a user on the minutes of a meeting, and returns its id."""
    at = instants.now()
    remark = StoredMinutesRemark(
        id=new_id(),
        board_id=board_id,
        meeting_id=meeting_id,
        number=1,
        text="Not so",
        author_user_id=author_id,
        created_at=at,
        updated_at=at,
    )
    transact(minutes_remarks.create(remark))
    return remark.id
