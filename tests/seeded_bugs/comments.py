"""Bugs in who sees comments, who is told of them, and what is left of them."""

from __future__ import annotations

from governance.deliveries import comment_readers
from governance.domain import comment
from governance.usecases import cleanup
from governance.usecases.comments import comment_subjects, commenting, document_comments
from infra.operator import address_removal
from tests.seeded_bugs.bug import Bug

_ROUTES = "tests/functions/comments/test_comments.py"
_READERS = "tests/functions/comments/test_readers.py"
_RULES = "tests/domain/test_comment.py"

BUGS = (
    Bug(
        "comments on a committee's document are everybody's",
        document_comments._document,
        "context.find(visible_document)",
        "StoredDocument.model_validate(context.item(DOCUMENT))",
        f"{_READERS}::test_comments_are_hidden_with_a_draft_and_with_a_committees_document",
    ),
    Bug(
        "anybody changes the text of a comment",
        comment.check_author,
        "if comment.author_user_id != user_id:",
        "if user_id is None:",
        f"{_RULES} {_ROUTES}",
    ),
    Bug(
        "a mention tells whether somebody may see a draft",
        comment.is_seen,
        "subject.draft_of in (None, user_id) and ",
        "",
        f"{_RULES} {_READERS}",
    ),
    Bug(
        "who has left is told of a comment",
        comment_readers.still_told_of_comment,
        "    return [user_id for user_id in concerned if user_id in readers]",
        "    return concerned if readers is not None else []",
        f"{_READERS}::test_who_no_longer_sees_it_when_it_is_told_is_not_told",
    ),
    Bug(
        "an event holds the text of a comment",
        commenting._record,
        "delivery_data=delivery_data,",
        'delivery_data={**(delivery_data or {}), "text": comment.text},',
        f"{_READERS}::test_no_event_holds_the_text_and_those_of_hidden_things_are_hidden",
    ),
    Bug(
        "something is commented on that was deleted meanwhile",
        commenting.create,
        "[unchanged, *comments.create(comment)",
        "[*comments.create(comment)",
        f"{_ROUTES}::test_a_comment_on_what_is_deleted_meanwhile_is_a_404",
    ),
    Bug(
        "the comments on a deleted document stay",
        cleanup._clean_document,
        'if not _delete_rows(comments.rows_under_document(event.board_id, event.refs["documentId"])):',
        "if event is None:",
        "tests/usecases/test_cleanup.py::test_the_comments_on_what_is_deleted_are_swept_and_no_others",
    ),
    Bug(
        "what a purged user wrote stays",
        address_removal._is_wanted,
        'return item["authorUserId"] in wanted.user_ids',
        "return False",
        f"{_ROUTES}::test_a_purge_deletes_what_its_user_wrote_and_nothing_else",
    ),
    Bug(
        "one's own export holds comments on what one no longer sees",
        comment_subjects.still_seen,
        "if subject and rules.is_seen(subject, user_id, seats)",
        "if subject",
        "tests/exports/test_contents.py::test_exports_hold_the_comments_that_their_asker_sees_and_ones_own_those_one_wrote",
    ),
)
