"""Comments on meetings, documents and dashboards (an extension of the API, ADR comments)."""

from typing import Annotated, Literal

from pydantic import Field

from governance.ids import BoardId, UserId
from governance.instants import Instant
from governance.limits import COMMENT_MENTIONS, COMMENT_TEXT, FIELD_ID
from governance.models.base import ApiObject, Body, Resource, Stored
from governance.models.text import NamedId, NamedUserId, NoControls, NoControlsButBreaks, NotBlank, text

SubjectType = Literal["meeting", "document", "dashboard"]
"""The kinds of resources that have comments."""


class CommentFields(Resource):
    """The fields that a comment has both in the store and in the API."""

    id: str
    board_id: BoardId
    author_user_id: UserId
    """Identifier of the user who wrote the comment."""
    text: str
    """Text of the comment."""
    mentions: tuple[UserId, ...] = ()
    """Identifiers of the users that the comment mentions."""
    reply_to_id: str | None = None
    """Identifier of the comment that this one replies to, or null. That comment may have been deleted since."""
    field_id: str | None = None
    """Identifier of the figure of the dashboard that the comment is on, or null. The figure may have been removed
    since.
    """
    resolved_at: Instant | None = None
    """When the comment was resolved; null if it is not."""
    resolved_by_user_id: UserId | None = None
    """Identifier of the user who resolved the comment; null if it is not resolved."""
    created_at: Instant
    updated_at: Instant


class CommentedOn(Resource):
    """The resource that a comment is on."""

    type: SubjectType
    """The kind of resource."""
    id: str


class Comment(CommentFields, ApiObject):
    """A comment on a meeting, a document or a dashboard."""

    object: Literal["comment"] = "comment"
    subject: CommentedOn
    """The resource that the comment is on."""


class StoredComment(CommentFields, Stored):
    """A comment as it is stored; `report_id` is the report of the dashboard that it is on, if any."""

    subject_type: SubjectType
    subject_id: str
    report_id: str | None = None
    version: int = 1

    @property
    def subject_refs(self) -> dict[str, str]:
        """The ids that name the subject, as in a path without the board."""
        report = {} if self.report_id is None else {"reportId": self.report_id}
        return {**report, f"{self.subject_type}Id": self.subject_id}


CommentText = Annotated[str, text(1, COMMENT_TEXT), NotBlank, NoControlsButBreaks]


class CommentCreate(Body):
    """The comment to create."""

    text: CommentText
    """Text of the comment. It must not be blank or contain control characters other than newlines and tabs."""
    mentions: Annotated[list[NamedUserId], Field(max_length=COMMENT_MENTIONS)] | None = None
    """Identifiers of users to mention, at most $COMMENT_MENTIONS. All of them must be able to see the resource that the
    comment is on.
    """
    reply_to_id: NamedId | None = None
    """Identifier of the comment to reply to. It must be on the same resource."""


class DashboardCommentCreate(CommentCreate):
    """The comment on a dashboard to create."""

    field_id: Annotated[str, text(1, FIELD_ID), NoControls] | None = None
    """Identifier of the figure of this dashboard that the comment is on."""


class CommentPatch(Body):
    """The new text of the comment."""

    text: CommentText
