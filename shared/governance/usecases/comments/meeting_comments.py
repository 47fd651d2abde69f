"""Comments on meetings (an extension of the API, ADR comments)."""

from __future__ import annotations

from governance.domain.comments import comment as comment_rules
from governance.domain.comments.comment import Subject
from governance.models.comments.comment import Comment, CommentCreate
from governance.store.meetings import meetings
from governance.store.schema.entities import MEETING, MEETING_COMMENT
from governance.usecases.comments import commenting
from governance.usecases.context import Context, Outcome
from governance.usecases.declarations import creates, finds, loads
from governance.usecases.meetings.meetings import visible_meeting


def _meeting(context: Context) -> Subject:
    """Returns the meeting that the path names; raises 404 if it is absent or another member's draft."""
    return comment_rules.of_meeting(context.find(visible_meeting))


COMMENTS = commenting.CommentsOn("meeting", _meeting, MEETING_COMMENT, MEETING)


@creates(MEETING_COMMENT, "commentId")
@loads(MEETING)
@finds(_meeting)
def create_meeting_comment(context: Context, meeting: Subject, body: CommentCreate) -> Outcome[Comment]:
    """Comments on the meeting."""
    return commenting.create(context, meeting, body, meetings.check_open_state(context.find(visible_meeting)))
