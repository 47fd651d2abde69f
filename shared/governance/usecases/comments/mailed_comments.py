"""Comments on meetings that members mail: a message creates them, as the reader of mails may not (ADR comments)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

from governance.domain.access.access import Principal, tier
from governance.domain.access.visibility import can_see_meeting
from governance.domain.comments.comment import of_meeting
from governance.errors import ApiError, Code, suppress_not_found
from governance.ids import BoardId, UserId, time_ordered_id
from governance.instants import millis, now
from governance.models.base import Stored
from governance.models.comments.comment import CommentCreate
from governance.models.meetings.meeting import StoredMeeting
from governance.models.queue import DeliveryKind, DueMessage
from governance.queue.message import Message
from governance.store import due
from governance.store.account import users
from governance.store.boards import boards
from governance.store.comments import comments
from governance.store.meetings import meetings
from governance.store.table import read_one
from governance.store.transactions import transact
from governance.store.writes import Write, retry_stale_reads
from governance.usecases.comments import commenting
from governance.usecases.context import Context


class MailedComment(Stored):
    """A comment that is to be created: whose, on which meeting, under which id."""

    board_id: BoardId
    meeting_id: str
    user_id: UserId
    comment_id: str
    text: str


def put(context: Context, meeting: StoredMeeting, text: str) -> Write:
    """Returns the write after which the caller's comment is created within a minute."""
    comment_id = time_ordered_id(millis(context.now))
    mailed = MailedComment(
        board_id=meeting.board_id,
        meeting_id=meeting.id,
        user_id=context.known_user_id,
        comment_id=comment_id,
        text=text,
    )
    kind, group = DeliveryKind.MAILED_COMMENT, meeting.board_id
    return due.put(DueMessage(kind=kind, due_at=context.now, group=group, subject_id=comment_id, body=mailed.item()))


def create_mailed_comment(body: Mapping[str, Any]) -> Iterable[Message]:
    """Creates a comment, once, if its author may still comment on the meeting."""
    try:
        with suppress_not_found():
            retry_stale_reads(partial(_create, MailedComment.model_validate(body)))
    except ApiError as error:
        if error.code is not Code.CONFLICT:
            raise
    return []


def _create(mailed: MailedComment) -> None:
    board, meeting = boards.find(mailed.board_id), meetings.find(mailed.board_id, mailed.meeting_id)
    author = users.find(mailed.user_id)
    member = boards.current_members(mailed.board_id, [mailed.user_id]).get(mailed.user_id)
    if board is None or meeting is None or author is None or member is None or author.status != "active":
        return
    subject, principal = of_meeting(meeting), Principal(author, None)
    key = comments.key(subject, mailed.comment_id)
    if key is None or not can_see_meeting(author.id, meeting) or read_one(key) is not None:
        return
    context = Context(
        now=now(),
        known_principal=principal,
        known_board=board,
        membership=member,
        tier=tier(member, principal),
    )
    named = [meeting.creator_id] if meeting.creator_id not in (None, author.id) else []
    mentions = [*commenting.readers_among(subject, filter(None, named))]
    made = commenting.create(
        context,
        subject,
        CommentCreate(text=mailed.text, mentions=mentions),
        meetings.check_open_state(meeting),
        comment_id=mailed.comment_id,
    )
    transact(context.while_board_exists([*made.writes, boards.check_still_member(member)]))
