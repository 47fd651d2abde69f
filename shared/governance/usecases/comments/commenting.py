"""Comments, whatever their subject: list, change, delete, resolve, reopen (an extension of the API, ADR comments).

Each kind of subject has a module that finds it and creates comments on it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from governance.domain.comments import comment as comment_rules
from governance.domain.comments.comment import Subject
from governance.domain.events import comments as events
from governance.domain.events.kind import EventKind, P
from governance.ids import UserId, time_ordered_id
from governance.instants import millis
from governance.models.base import Deleted
from governance.models.comments.comment import Comment, CommentCreate, CommentPatch, StoredComment, SubjectType
from governance.models.page import Page, PageQuery
from governance.store.boards import boards
from governance.store.comments import comments
from governance.store.committees.seats import seats_in
from governance.store.schema.entities import seats_key
from governance.store.schema.keys import Entity
from governance.store.table import read
from governance.store.writes import Write
from governance.usecases.context import Context, Outcome
from governance.usecases.declarations import Loader, finds, loads
from governance.usecases.event_writes import record_event

U = TypeVar("U", bound=Callable[..., Any])


def readers_among(subject: Subject, user_ids: Iterable[UserId]) -> set[UserId]:
    """Returns the users who are members of the board now and see the subject."""
    members = boards.current_members(subject.board_id, {UserId(user_id) for user_id in user_ids})
    keys = {user_id: seats_key(subject.board_id, user_id) for user_id in members} if subject.committee_id else {}
    rows = read(keys.values())
    seats = {user_id: seats_in(rows.get(key)).of(user_id) for user_id, key in keys.items()}
    return {
        user_id
        for user_id, member in members.items()
        if comment_rules.is_seen(subject, user_id, seats.get(user_id, ()), member.join_id)
    }


def page_of(context: Context, subject: Subject, query: PageQuery) -> Page[Comment]:
    """Returns a page of the comments on a subject that the caller sees, oldest first."""
    stored_comments, position = comments.list_of(subject, context.window(query))
    return Page([comment_rules.to_resource(comment) for comment in stored_comments], position)


def create(
    context: Context,
    subject: Subject,
    body: CommentCreate,
    unchanged: Write,
    field_id: str | None = None,
    *,
    has_field: bool = True,
    comment_id: str | None = None,
) -> Outcome[Comment]:
    """Creates a comment of the caller; raises 400 for a mention of somebody who does not see the subject.

    `unchanged` checks that the subject still exists, for the same readers. `has_field` says whether the dashboard has
    the figure that `field_id` names, if it names one. The id is a new one unless it is given.
    """
    parent = _parent(subject, body)
    readers = readers_among(subject, body.mentions) if body.mentions else set()
    replies = parent is not None or body.reply_to_id is None
    comment_rules.check_new(body, readers, replies=replies, has_field=has_field)
    id_ = comment_id or time_ordered_id(millis(context.now))
    comment = comment_rules.new_comment(subject, body, field_id, context.known_user_id, id_, context.now)
    commented = events.Commented(
        **_ids(subject, comment),
        subject=_named_as(subject),
        title=None if subject.committee_id or subject.audience else subject.title,
        replied_to_user_id=parent.author_user_id if parent else None,
    )
    event = _record(context, events.COMMENT_CREATED, subject, commented)
    writes = [unchanged, *comments.create(comment), *event]
    return Outcome(comment_rules.to_resource(comment), writes)


def _named_as(subject: Subject) -> events.CommentedSubject:
    if subject.audience is not None:
        return "document_in_camera"
    return "committee_document" if subject.committee_id else subject.type


def _parent(subject: Subject, body: CommentCreate) -> StoredComment | None:
    key = comments.key(subject, body.reply_to_id) if body.reply_to_id else None
    item = read([key]).get(key) if key else None
    return StoredComment.model_validate(item) if item else None


def reword(context: Context, subject: Subject, old: StoredComment, body: CommentPatch) -> Outcome[Comment]:
    """Changes the text of a comment; the same text changes nothing."""
    return _changed(context, events.COMMENT_UPDATED, subject, old, comment_rules.reworded(old, body.text, context.now))


def resolve(context: Context, subject: Subject, old: StoredComment) -> Outcome[Comment]:
    """Marks a comment as resolved; does nothing if it is already."""
    new = comment_rules.resolved(old, context.known_user_id, context.now)
    return _changed(context, events.COMMENT_RESOLVED, subject, old, new)


def reopen(context: Context, subject: Subject, old: StoredComment) -> Outcome[Comment]:
    """Marks a comment as not resolved; does nothing if it is not."""
    return _changed(context, events.COMMENT_REOPENED, subject, old, comment_rules.reopened(old, context.now))


def _changed(
    context: Context,
    kind: EventKind[events.OfComment],
    subject: Subject,
    old: StoredComment,
    new: StoredComment,
) -> Outcome[Comment]:
    if new is old:
        return Outcome(comment_rules.to_resource(new), [])
    event = _record(context, kind, subject, events.OfComment(**_ids(subject, new)))
    return Outcome(comment_rules.to_resource(new), [comments.replace(old, new), *event])


def delete(context: Context, subject: Subject, comment: StoredComment) -> Outcome[Deleted]:
    """Deletes a comment; the replies to it stay."""
    event = _record(context, events.COMMENT_DELETED, subject, events.OfComment(**_ids(subject, comment)))
    return Outcome(Deleted(), [*comments.delete(comment), *event])


def _ids(subject: Subject, comment: StoredComment) -> dict[str, Any]:
    """Returns the ids of a comment and of what it is on, as the fields of its events."""
    return {f"{subject.type}_id": subject.id, "report_id": subject.report_id, "comment_id": comment.id}


def _record(context: Context, kind: EventKind[P], subject: Subject, payload: P) -> list[Write]:
    """Records a comment event. Only members who can see the subject can read it."""
    return record_event(context, kind, payload, draft_of=subject.draft_of, committee_id=subject.committee_id)


class CommentsOn:
    """The use cases of the comments on one kind of subject, as `usecase(context, body or query)`.

    `find` returns the subject that the path names, for which the use cases load `reads`; `comment` is the kind of item
    that a comment on it is. To create one is for the module of the kind: what else it checks differs.
    """

    def __init__(
        self, subject: SubjectType, find: Callable[[Context], Subject], comment: Entity, *reads: Loader
    ) -> None:
        self._find, self._comment = find, comment
        on_subject, on_comment = loads(*reads), loads(*reads, comment)
        self.list = on_subject(_named(f"list_{subject}_comments", finds(find)(page_of)))
        self.update = on_comment(_named(f"update_{subject}_comment", finds(find, self.own)(reword)))
        self.delete = on_comment(_named(f"delete_{subject}_comment", finds(find, self.deletable)(delete)))
        self.resolve = on_comment(_named(f"resolve_{subject}_comment", finds(find, self.requested)(resolve)))
        self.reopen = on_comment(_named(f"reopen_{subject}_comment", finds(find, self.requested)(reopen)))

    def requested(self, context: Context) -> StoredComment:
        """Returns the comment that the path names; raises 404 if it or its subject is absent or hidden."""
        context.find(self._find)
        return context.stored(self._comment, StoredComment)

    def own(self, context: Context) -> StoredComment:
        """Returns the comment that the path names; raises 403 if the caller did not write it."""
        comment = context.find(self.requested)
        comment_rules.check_author(comment, context.user_id)
        return comment

    def deletable(self, context: Context) -> StoredComment:
        """Returns the comment that the path names; raises 403 if the caller may not delete it."""
        comment = context.find(self.requested)
        comment_rules.check_deletable(comment, context.user_id, context.tier)
        return comment


def _named(operation: str, usecase: U) -> U:
    """Returns the use case under the name of its operation in the API reference."""
    usecase.__name__ = operation
    return usecase
