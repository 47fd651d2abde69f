"""Comments on documents (an extension of the API, ADR comments)."""

from __future__ import annotations

from governance.domain.comments import comment as comment_rules
from governance.domain.comments.comment import Subject
from governance.models.comments.comment import Comment, CommentCreate
from governance.store.comments import comments
from governance.store.schema.entities import DOCUMENT, DOCUMENT_COMMENT
from governance.usecases.comments import commenting
from governance.usecases.context import Context, Outcome
from governance.usecases.declarations import creates, finds, loads, own_committees
from governance.usecases.documents.documents import visible_document


def _document(context: Context) -> Subject:
    """Returns the document that the path names; raises 404 if it is absent or hidden from the caller."""
    return comment_rules.of_document(context.find(visible_document))


COMMENTS = commenting.CommentsOn("document", _document, DOCUMENT_COMMENT, DOCUMENT, own_committees)


@creates(DOCUMENT_COMMENT, "commentId")
@loads(DOCUMENT, own_committees)
@finds(_document)
def create_document_comment(context: Context, document: Subject, body: CommentCreate) -> Outcome[Comment]:
    """Comments on the document."""
    return commenting.create(context, document, body, comments.check_document(document))
