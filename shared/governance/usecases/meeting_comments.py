"""Comments on meetings: list, create, change, delete, resolve, reopen (an extension of the API, ADR 0165)."""

from __future__ import annotations

from governance.domain import comment as rules
from governance.domain.comment import Subject
from governance.models.base import Deleted
from governance.models.comment import Comment, CommentCreate, CommentPatch, StoredComment
from governance.models.page import Page, PageQuery
from governance.store import meetings
from governance.store.schema.entities import MEETING, MEETING_COMMENT
from governance.usecases import commenting
from governance.usecases.context import Context, Outcome
from governance.usecases.declarations import finds, loads
from governance.usecases.meetings import visible_meeting


def _meeting(context: Context) -> Subject:
    """Returns the meeting that the path names; raises 404 if it is absent or another member's draft."""
    return rules.of_meeting(context.find(visible_meeting))


_COMMENTS = commenting.CommentsOn(_meeting, MEETING_COMMENT)


@loads(MEETING)
@finds(_meeting)
def list_meeting_comments(context: Context, meeting: Subject, query: PageQuery) -> Page[Comment]:
    """Returns a page of the comments on the meeting, oldest first."""
    return commenting.page_of(context, meeting, query)


@loads(MEETING)
@finds(_meeting)
def create_meeting_comment(context: Context, meeting: Subject, body: CommentCreate) -> Outcome[Comment]:
    """Comments on the meeting."""
    return commenting.create(context, meeting, body, meetings.check_open_state(context.find(visible_meeting)))


@loads(MEETING, MEETING_COMMENT)
@finds(_meeting, _COMMENTS.own)
def update_meeting_comment(
    context: Context, meeting: Subject, comment: StoredComment, body: CommentPatch
) -> Outcome[Comment]:
    """Changes the text of a comment of the caller on the meeting."""
    return commenting.reword(context, meeting, comment, body)


@loads(MEETING, MEETING_COMMENT)
@finds(_meeting, _COMMENTS.deletable)
def delete_meeting_comment(context: Context, meeting: Subject, comment: StoredComment) -> Outcome[Deleted]:
    """Deletes a comment on the meeting."""
    return commenting.delete(context, meeting, comment)


@loads(MEETING, MEETING_COMMENT)
@finds(_meeting, _COMMENTS.requested)
def resolve_meeting_comment(context: Context, meeting: Subject, comment: StoredComment) -> Outcome[Comment]:
    """Marks a comment on the meeting as resolved."""
    return commenting.resolve(context, meeting, comment)


@loads(MEETING, MEETING_COMMENT)
@finds(_meeting, _COMMENTS.requested)
def reopen_meeting_comment(context: Context, meeting: Subject, comment: StoredComment) -> Outcome[Comment]:
    """Marks a comment on the meeting as not resolved."""
    return commenting.reopen(context, meeting, comment)
