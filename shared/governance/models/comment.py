"""Comments on meetings, documents and dashboards (an extension of the API, ADR comments)."""

from typing import Annotated, Literal

from pydantic import Field

from governance.ids import BoardId, UserId
from governance.instants import Instant
from governance.limits import COMMENT_MENTIONS, COMMENT_TEXT, FIELD_ID
from governance.models.base import ApiObject, Body, Resource, Stored
from governance.models.text import NoControls, NoControlsButBreaks, NotBlank, text

SubjectType = Literal["meeting", "document", "dashboard"]


class CommentFields(Resource):
    """The fields that a comment has both in the store and in the API."""

    id: str
    board_id: BoardId
    author_user_id: UserId
    text: str
    mentions: tuple[UserId, ...] = ()
    reply_to_id: str | None = None
    field_id: str | None = None
    resolved_at: Instant | None = None
    resolved_by_user_id: UserId | None = None
    created_at: Instant
    updated_at: Instant


class CommentedOn(Resource):
    """The subject of a comment."""

    type: SubjectType
    id: str


class Comment(CommentFields, ApiObject):
    """A comment as clients see it."""

    object: Literal["comment"] = "comment"
    subject: CommentedOn


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
    """The body that creates a comment on a meeting or a document."""

    text: CommentText
    mentions: Annotated[list[str], Field(max_length=COMMENT_MENTIONS)] | None = None
    reply_to_id: str | None = None


class DashboardCommentCreate(CommentCreate):
    """The body that creates a comment on a dashboard, or on one of its figures."""

    field_id: Annotated[str, text(1, FIELD_ID), NoControls] | None = None


class CommentPatch(Body):
    """The body that changes the text of a comment."""

    text: CommentText
