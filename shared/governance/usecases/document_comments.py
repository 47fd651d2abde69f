"""Comments on documents: list, create, change, delete, resolve, reopen (an extension of the API, ADR 0165)."""

from __future__ import annotations

from governance.domain import comment as rules
from governance.domain.comment import Subject
from governance.models.base import Deleted
from governance.models.comment import Comment, CommentCreate, CommentPatch, StoredComment
from governance.models.page import Page, PageQuery
from governance.store import comments
from governance.store.schema.entities import DOCUMENT, DOCUMENT_COMMENT
from governance.usecases import commenting
from governance.usecases.context import Context, Outcome
from governance.usecases.declarations import finds, loads, own_seats
from governance.usecases.documents import visible_document


def _document(context: Context) -> Subject:
    """Returns the document that the path names; raises 404 if it is absent or hidden from the caller."""
    return rules.of_document(context.find(visible_document))


_COMMENTS = commenting.CommentsOn(_document, DOCUMENT_COMMENT)


@loads(DOCUMENT, own_seats)
@finds(_document)
def list_document_comments(context: Context, document: Subject, query: PageQuery) -> Page[Comment]:
    """Returns a page of the comments on the document, oldest first."""
    return commenting.page_of(context, document, query)


@loads(DOCUMENT, own_seats)
@finds(_document)
def create_document_comment(context: Context, document: Subject, body: CommentCreate) -> Outcome[Comment]:
    """Comments on the document."""
    return commenting.create(context, document, body, comments.check_document(document))


@loads(DOCUMENT, own_seats, DOCUMENT_COMMENT)
@finds(_document, _COMMENTS.own)
def update_document_comment(
    context: Context, document: Subject, comment: StoredComment, body: CommentPatch
) -> Outcome[Comment]:
    """Changes the text of a comment of the caller on the document."""
    return commenting.reword(context, document, comment, body)


@loads(DOCUMENT, own_seats, DOCUMENT_COMMENT)
@finds(_document, _COMMENTS.deletable)
def delete_document_comment(context: Context, document: Subject, comment: StoredComment) -> Outcome[Deleted]:
    """Deletes a comment on the document."""
    return commenting.delete(context, document, comment)


@loads(DOCUMENT, own_seats, DOCUMENT_COMMENT)
@finds(_document, _COMMENTS.requested)
def resolve_document_comment(context: Context, document: Subject, comment: StoredComment) -> Outcome[Comment]:
    """Marks a comment on the document as resolved."""
    return commenting.resolve(context, document, comment)


@loads(DOCUMENT, own_seats, DOCUMENT_COMMENT)
@finds(_document, _COMMENTS.requested)
def reopen_document_comment(context: Context, document: Subject, comment: StoredComment) -> Outcome[Comment]:
    """Marks a comment on the document as not resolved."""
    return commenting.reopen(context, document, comment)
