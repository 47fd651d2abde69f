"""The rules of comments: their subjects, who sees and changes them, who is notified of a new one (ADR comments)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from governance.domain.access.visibility import can_see_document, draft_owner
from governance.domain.meetings import in_camera
from governance.errors import forbidden, invalid_body
from governance.ids import BoardId, UserId
from governance.instants import Instant
from governance.models.comments.comment import Comment, CommentCreate, CommentedOn, StoredComment, SubjectType
from governance.models.meetings.audience import StoredAudience
from governance.scopes import Tier

if TYPE_CHECKING:
    from governance.models.documents.document import StoredDocument
    from governance.models.meetings.meeting import StoredMeeting
    from governance.models.reports.dashboard import StoredDashboard


@dataclass(frozen=True)
class Subject:
    """The resource that a comment is on.

    `draft_of` is the user whose draft it is, `committee_id` the committee whose document it is, `audience` who a
    document in camera is for: nobody else sees it.
    `creator_id` is the user who made it. A dashboard has a `report_id`.
    """

    type: SubjectType
    id: str
    board_id: BoardId
    title: str | None
    creator_id: UserId | None
    draft_of: UserId | None = None
    committee_id: str | None = None
    report_id: str | None = None
    audience: StoredAudience | None = None

    @property
    def refs(self) -> dict[str, str]:
        """The ids that name it, as in a path without the board."""
        report = {} if self.report_id is None else {"reportId": self.report_id}
        return {**report, f"{self.type}Id": self.id}


def of_meeting(meeting: StoredMeeting) -> Subject:
    """Returns a meeting as the subject of comments."""
    owner = draft_owner(meeting)
    return Subject("meeting", meeting.id, meeting.board_id, meeting.title, meeting.creator_id, owner)


def of_document(document: StoredDocument) -> Subject:
    """Returns a document as the subject of comments."""
    return Subject(
        "document",
        document.id,
        document.board_id,
        document.title,
        document.creator_id,
        committee_id=document.committee_id,
        audience=document.audience,
    )


def of_dashboard(dashboard: StoredDashboard) -> Subject:
    """Returns a dashboard as the subject of comments."""
    return Subject(
        "dashboard",
        dashboard.id,
        dashboard.board_id,
        dashboard.title,
        dashboard.creator_id,
        report_id=dashboard.report_id,
    )


def is_seen(subject: Subject, user_id: UserId, committee_ids: Sequence[str], join_id: str | None) -> bool:
    """Returns whether a member in these committees, who joined by `join_id`, sees the subject, and so its comments."""
    if subject.audience is not None and not in_camera.member(user_id, join_id).sees(subject.audience):
        return False
    return subject.draft_of in (None, user_id) and can_see_document(tuple(committee_ids), subject.committee_id)


def check_new(body: CommentCreate, readers: Collection[str], *, replies: bool, has_field: bool) -> None:
    """Raises 400 for a mention of a user who does not see the subject, and for a missing comment or figure.

    `readers` are those mentioned who see the subject. `replies` and `has_field` say whether the comment that is replied
    to and the figure that is named exist, where the body names them.
    """
    errors = {
        f"mentions.{number}": "must be the id of a user who may see this"
        for number, user_id in enumerate(body.mentions or [])
        if user_id not in readers
    }
    if not replies:
        errors["replyToId"] = "must be the id of a comment on this"
    if not has_field:
        errors["fieldId"] = "must be the id of a figure of this dashboard"
    if errors:
        raise invalid_body(errors)


def new_comment(
    subject: Subject, body: CommentCreate, field_id: str | None, author: UserId, comment_id: str, now: Instant
) -> StoredComment:
    """Returns a new comment."""
    return StoredComment(
        id=comment_id,
        board_id=subject.board_id,
        subject_type=subject.type,
        subject_id=subject.id,
        report_id=subject.report_id,
        author_user_id=author,
        text=body.text,
        mentions=tuple(dict.fromkeys(UserId(user_id) for user_id in body.mentions or ())),
        reply_to_id=body.reply_to_id,
        field_id=field_id,
        created_at=now,
        updated_at=now,
    )


def check_author(comment: StoredComment, user_id: UserId | None) -> None:
    """Raises 403 unless the user wrote the comment."""
    if comment.author_user_id != user_id:
        raise forbidden("Only the author changes the text of a comment.")


def check_deletable(comment: StoredComment, user_id: UserId | None, tier: Tier | None) -> None:
    """Raises 403 unless the user wrote the comment or is an admin of the board."""
    if comment.author_user_id != user_id and (tier is None or tier < Tier.ADMIN):
        raise forbidden("Only the author and admins of the board delete a comment.")


def reworded(comment: StoredComment, text: str, now: Instant) -> StoredComment:
    """Returns the comment with this text; the same object if it has it."""
    return comment if comment.text == text else _changed(comment, now, text=text)


def resolved(comment: StoredComment, user_id: UserId, now: Instant) -> StoredComment:
    """Returns the comment as resolved by the user; the same object if it is resolved."""
    return comment if comment.resolved_at else _changed(comment, now, resolved_at=now, resolved_by_user_id=user_id)


def reopened(comment: StoredComment, now: Instant) -> StoredComment:
    """Returns the comment as not resolved; the same object if it is not."""
    return _changed(comment, now, resolved_at=None, resolved_by_user_id=None) if comment.resolved_at else comment


def _changed(comment: StoredComment, now: Instant, **changes: object) -> StoredComment:
    return comment.model_copy(update={**changes, "updated_at": now, "version": comment.version + 1})


def to_resource(comment: StoredComment) -> Comment:
    """Returns the comment as clients see it."""
    subject = CommentedOn(type=comment.subject_type, id=comment.subject_id)
    return Comment.model_validate({**comment.item(), "subject": subject})


def users_to_notify(comment: StoredComment, replied_to: UserId | None, owner_id: UserId | None) -> list[UserId]:
    """Returns the users to notify of a new comment, once each: those mentioned, the one replied to, the owner.

    `owner_id` owns or created the subject. Nobody is notified of their own comment. Whether the users see the subject
    is not checked here.
    """
    named = [*comment.mentions, replied_to, owner_id]
    return [user_id for user_id in dict.fromkeys(named) if user_id and user_id != comment.author_user_id]
