"""The content of a user's own export: their account, and what they did on the boards that they are a member of."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from governance.domain.comments import comment as comment_rules
from governance.domain.meetings import rsvp as rsvp_rules
from governance.exports.parts import ASCENDING, Part, Read, Step, few, lines, many, one, paged, pages_of, streamed
from governance.exports.reader import Reader
from governance.ids import BoardId, membership_id
from governance.limits import PAGE_MAX
from governance.models.action_items.legacy_action_item import MyItemsQuery
from governance.models.boards.board import Board
from governance.models.meetings.meeting import Meeting, MeetingsQuery
from governance.models.page import BoardsQuery, LegacyListQuery, OrderedQuery, Page
from governance.store.comments import comments
from governance.store.meetings import rsvps
from governance.store.paging import Window
from governance.usecases.account.account import get_me, list_my_tokens
from governance.usecases.action_items.legacy_action_items import list_my_action_items
from governance.usecases.boards.boards import list_boards
from governance.usecases.calendars.calendar_feeds import get_calendar_settings, list_calendar_feeds
from governance.usecases.comments.comment_subjects import still_seen
from governance.usecases.invites.invites import list_my_received_invites, list_my_sent_invites
from governance.usecases.meetings.meetings import list_meetings
from governance.usecases.meetings.slots import list_slots
from governance.usecases.members.members import get_member
from governance.usecases.notifications.notifications import get_notification_preferences, list_notifications

OfMeetings = Callable[[Reader, BoardId, Iterable[Meeting]], Iterable[str]]


def _line(members: dict[str, Any]) -> str:
    return json.dumps(members, ensure_ascii=False) + "\n"


def _memberships(reader: Reader, after: str | None) -> Step:
    page: Page[Board] = reader.read(list_boards, many(BoardsQuery, sort="createdAt", order=ASCENDING), after)
    members = (
        reader.read_or_none(
            get_member, boardId=board.id, memberId=membership_id(BoardId(board.id), reader.export.user_id)
        )
        for board in page.data
    )
    return Step(lines(member for member in members if member), page.next_position)


def _on_each_board(content: OfMeetings) -> Read:
    """Reads what the user did on the meetings of their boards, some meetings of one board at a time."""
    one_board = BoardsQuery(limit=1, sort="createdAt", order=ASCENDING)
    some_meetings = few(MeetingsQuery, order=ASCENDING)

    def read(reader: Reader, after: str | None) -> Step:
        board_after, meeting_after = json.loads(after) if after else (None, None)
        board_page: Page[Board] = reader.read(list_boards, one_board, board_after)
        if not board_page.data:
            return Step([])
        board_id = BoardId(board_page.data[0].id)
        page: Page[Meeting] | None = reader.read_or_none(list_meetings, some_meetings, meeting_after, boardId=board_id)
        more = page.next_position if page else None
        following = (board_after, more) if more else (board_page.next_position, None)
        entries = content(reader, board_id, page.data) if page else []
        return Step(entries, json.dumps(following) if any(following) else None)

    return read


def _votes(reader: Reader, board_id: BoardId, meetings: Iterable[Meeting]) -> Iterator[str]:
    """Yields the user's votes with their comments."""
    for meeting in meetings:
        for slot in pages_of(reader, list_slots, None, boardId=board_id, meetingId=meeting.id):
            for feedback in slot.feedbacks:
                if feedback.user_id == reader.export.user_id and feedback.vote != "didNotVote":
                    place = {"boardId": board_id, "meetingId": meeting.id, "slotId": slot.id}
                    yield _line({**place, "vote": feedback.vote, "comment": feedback.comment})


def _answers(reader: Reader, board_id: BoardId, meetings: Iterable[Meeting]) -> Iterator[str]:
    """Yields the user's answers to meetings with their comments."""
    given = rsvps.of_user(board_id, reader.export.user_id, [meeting.id for meeting in meetings])
    for rsvp in given:
        if rsvp.status != "noAnswer":
            yield _line({"boardId": board_id, **rsvp_rules.to_resource(rsvp).item()})


def _comments(reader: Reader, after: str | None) -> Step:
    """Reads the comments that the user wrote on their boards and still sees, some of one board at a time."""
    board_after, comment_after = json.loads(after) if after else (None, None)
    board_page: Page[Board] = reader.read(
        list_boards, BoardsQuery(limit=1, sort="createdAt", order=ASCENDING), board_after
    )
    if not board_page.data:
        return Step([])
    window = Window(PAGE_MAX, descending=False, after=comment_after)
    board_id, user_id = BoardId(board_page.data[0].id), reader.export.user_id
    written, more = comments.of_author(board_id, user_id, window)
    seen = [comment_rules.to_resource(comment) for comment in still_seen(board_id, user_id, written)]
    following = (board_after, more) if more else (board_page.next_position, None)
    return Step(lines(seen), json.dumps(following) if any(following) else None)


def _without_picture(entry: str) -> str:
    """Returns a notification without the signed address of its picture, which works for an hour only."""
    return _line({**json.loads(entry), "avatar": None})


OWN_PARTS = (
    Part("account.ndjson", one(get_me)),
    Part("boards.ndjson", paged(list_boards, many(BoardsQuery, sort="createdAt", order=ASCENDING))),
    Part("memberships.ndjson", _memberships),
    Part("votes.ndjson", _on_each_board(_votes)),
    Part("rsvps.ndjson", _on_each_board(_answers)),
    Part("comments.ndjson", _comments),
    Part("action_items.ndjson", streamed(list_my_action_items, MyItemsQuery(includeCompleted="true"))),
    Part("notifications.ndjson", streamed(list_notifications, LegacyListQuery(), _without_picture)),
    Part("preferences.ndjson", one(get_notification_preferences)),
    Part("sent_invites.ndjson", streamed(list_my_sent_invites, LegacyListQuery())),
    Part("received_invites.ndjson", paged(list_my_received_invites, many(OrderedQuery, order=ASCENDING))),
    Part("tokens.ndjson", paged(list_my_tokens, many(OrderedQuery, order=ASCENDING))),
    Part("calendar_feeds.ndjson", paged(list_calendar_feeds, many(OrderedQuery, order=ASCENDING))),
    Part("calendar_settings.ndjson", one(get_calendar_settings)),
)
"""The files of a user's own export, in their order. A new kind of content is a line here."""
