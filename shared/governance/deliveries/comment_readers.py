"""Finds the users to notify of a comment; their access is checked at delivery (ADR 0165)."""

from __future__ import annotations

from governance.domain import comment as rules
from governance.ids import UserId
from governance.models.comment import StoredComment
from governance.models.event import StoredEvent
from governance.store import comments
from governance.store.table import read_one
from governance.usecases.comments.comment_subjects import subjects_named
from governance.usecases.comments.commenting import readers_among
from governance.usecases.reports.dashboard_owners import owner_now


def still_told_of_comment(event: StoredEvent) -> list[UserId]:
    """Returns the users to notify of a new comment now; nobody if the comment or its subject was deleted."""
    (subject,) = subjects_named(event.board_id, [event.refs])
    key = comments.key(subject, event.refs["commentId"]) if subject else None
    item = read_one(key) if key else None
    if subject is None or item is None:
        return []
    owner = subject.creator_id
    if subject.report_id is not None:
        owner = owner_now(subject.board_id, subject.report_id, subject.id)
    comment, replied_to = StoredComment.model_validate(item), event.delivery_data.get("repliedToUserId")
    concerned = rules.users_to_notify(comment, replied_to, owner)
    readers = readers_among(subject, concerned)
    return [user_id for user_id in concerned if user_id in readers]
