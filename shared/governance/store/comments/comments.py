"""Comments: each is an item under its subject, in the order of their ids, which is that of time (ADR comments)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from governance.domain.comments.comment import Subject
from governance.ids import BoardId, UserId
from governance.limits import COMMENTS_PER_SUBJECT
from governance.models.comments.comment import StoredComment, SubjectType
from governance.store import counters
from governance.store.boards.boards import board_key
from governance.store.decoding import decode_all
from governance.store.paging import Window, page
from governance.store.schema import ranges
from governance.store.schema.entities import (
    DASHBOARD,
    DASHBOARD_COMMENT,
    DASHBOARD_COMMENT_COUNT,
    DOCUMENT,
    DOCUMENT_COMMENT,
    DOCUMENT_COMMENT_COUNT,
    MEETING_COMMENT,
    MEETING_COMMENT_COUNT,
    UNDER_MEETING,
)
from governance.store.schema.keys import PK, SK, Entity, Item, Key, key_of, make_item
from governance.store.table import iter_range, read
from governance.store.writes import ABSENT, EXISTS, Check, Delete, Put, Write, equals


@dataclass(frozen=True)
class _Keys:
    """The keys of the comments on a subject: what they begin with, the key of each, and that of their count."""

    under: Entity
    comment: Entity
    count: Entity


_KEYS: Mapping[SubjectType, _Keys] = {
    "meeting": _Keys(UNDER_MEETING, MEETING_COMMENT, MEETING_COMMENT_COUNT),
    "document": _Keys(DOCUMENT, DOCUMENT_COMMENT, DOCUMENT_COMMENT_COUNT),
    "dashboard": _Keys(DASHBOARD, DASHBOARD_COMMENT, DASHBOARD_COMMENT_COUNT),
}


def _ids(comment: StoredComment) -> dict[str, str]:
    return {"boardId": comment.board_id, **comment.subject_refs}


def _key(comment: StoredComment) -> Key:
    return _KEYS[comment.subject_type].comment.key_for(**_ids(comment), commentId=comment.id)


def _count_key(comment: StoredComment) -> Key:
    return _KEYS[comment.subject_type].count.key_for(**_ids(comment))


def _put(comment: StoredComment) -> Item:
    return make_item(_key(comment), comment.item(), **ranges.comments_by(comment.author_user_id).entry(comment.id))


def create(comment: StoredComment) -> list[Write]:
    """Returns the writes of a new comment.

    They fail with 409 `LIMIT_REACHED` if its subject has the most comments allowed.
    """
    return [Put(_put(comment), ABSENT), counters.add(_count_key(comment), COMMENTS_PER_SUBJECT)]


def check_dashboard(subject: Subject) -> Write:
    """Returns a check that a dashboard still exists."""
    return Check(DASHBOARD.key_for(boardId=subject.board_id, **subject.refs), EXISTS)


def check_document(subject: Subject) -> Write:
    """Returns a check that a document still exists, for the same readers."""
    return Check(
        DOCUMENT.key_for(boardId=subject.board_id, **subject.refs),
        equals(id=subject.id, committeeId=subject.committee_id),
    )


def replace(old: StoredComment, new: StoredComment) -> Write:
    """Returns the write that changes a comment. It fails with `StaleRead` if it changed since it was read."""
    return Put(_put(new), equals(version=old.version))


def delete(comment: StoredComment) -> list[Write]:
    """Returns the writes that delete a comment. They fail with `StaleRead` if it changed since it was read."""
    return [Delete(_key(comment), equals(version=comment.version)), counters.subtract(_count_key(comment))]


def key(subject: Subject, comment_id: str) -> Key | None:
    """Returns the key of a comment on this subject; None for a malformed id."""
    return _KEYS[subject.type].comment.key_or_none(boardId=subject.board_id, **subject.refs, commentId=comment_id)


def list_of(subject: Subject, window: Window) -> tuple[list[StoredComment], str | None]:
    """Returns a page of the comments on a subject, oldest first, and the position of the last (None: no more)."""
    under = _KEYS[subject.type].under.key_for(boardId=subject.board_id, **subject.refs)
    items, last = page(under.pk, [ranges.comments_under(under)], window)
    return decode_all(StoredComment, items), last


def of_author(board_id: BoardId, user_id: UserId, window: Window) -> tuple[list[StoredComment], str | None]:
    """Returns a page of what a user wrote on a board, oldest first, and the position of the last (None: no more)."""
    keys, last = page(board_key(board_id).pk, [ranges.comments_by(user_id)], window)
    items = read(map(key_of, keys))
    return decode_all(StoredComment, [items[key_of(row)] for row in keys if key_of(row) in items]), last


def rows_under_document(board_id: BoardId, document_id: str) -> Iterator[Item]:
    """Yields the keys of the comments on a deleted document, with their count."""
    return _rows_under(DOCUMENT.key_for(boardId=board_id, documentId=document_id))


def rows_under_dashboard(board_id: BoardId, report_id: str, dashboard_id: str) -> Iterator[Item]:
    """Yields the keys of the comments on a deleted dashboard, with their count."""
    return _rows_under(DASHBOARD.key_for(boardId=board_id, reportId=report_id, dashboardId=dashboard_id))


def _rows_under(subject: Key) -> Iterator[Item]:
    return iter_range(ranges.comments_and_count(subject).within(subject.pk), PK, SK)
