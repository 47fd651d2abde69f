"""Finds the subjects of comments from an event or a comment, for deliveries and exports (ADR comments)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from governance.domain.comments import comment as comment_rules
from governance.domain.comments.comment import Subject
from governance.ids import BoardId, UserId
from governance.models.comments.comment import StoredComment
from governance.models.documents.document import StoredDocument
from governance.models.meetings.meeting import StoredMeeting
from governance.models.reports.dashboard import StoredDashboard
from governance.store.committees.seats import seats_in
from governance.store.schema.entities import DASHBOARD, DOCUMENT, MEETING, MEMBER, seats_key
from governance.store.schema.keys import Item, Key
from governance.store.table import read


def subjects_named(board_id: BoardId, named: Sequence[Mapping[str, str]]) -> list[Subject | None]:
    """Returns the present subjects that events or comments refer to, with one batch; None for a deleted one."""
    located = [_located(board_id, refs) for refs in named]
    items = read(key for key, _ in located)
    return [subject(items[key]) if key in items else None for key, subject in located]


def _located(board_id: BoardId, refs: Mapping[str, str]) -> tuple[Key, Callable[[Item], Subject]]:
    """Returns the key of the subject that the references name, and how its item is read."""
    ids = {**refs, "boardId": board_id}
    if "meetingId" in refs:
        return MEETING.key_for(**ids), lambda item: comment_rules.of_meeting(StoredMeeting.model_validate(item))
    if "documentId" in refs:
        return DOCUMENT.key_for(**ids), lambda item: comment_rules.of_document(StoredDocument.model_validate(item))
    return DASHBOARD.key_for(**ids), lambda item: comment_rules.of_dashboard(StoredDashboard.model_validate(item))


def still_seen(board_id: BoardId, user_id: UserId, written: Sequence[StoredComment]) -> list[StoredComment]:
    """Returns the comments on a board whose subjects the user, a member, sees now."""
    key, membership = seats_key(board_id, user_id), MEMBER.key_for(boardId=board_id, userId=user_id)
    items = read([key, membership])
    seats, join_id = seats_in(items.get(key)).of(user_id), items.get(membership, {}).get("joinId")
    subjects = subjects_named(board_id, [comment.subject_refs for comment in written])
    pairs = zip(written, subjects, strict=True)
    return [
        comment for comment, subject in pairs if subject and comment_rules.is_seen(subject, user_id, seats, join_id)
    ]
