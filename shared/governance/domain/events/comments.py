"""The events of comments on meetings, documents and dashboards."""

from typing import Annotated, Literal

from governance.domain.events.kind import Audience, EventKind, Lookup, Notification, Payload, Ref, StoredAs
from governance.ids import UserId
from governance.models.comments.comment import SubjectType
from governance.models.history.event import Event

CommentedSubject = SubjectType | Literal["committee_document", "document_in_camera"]
"""What a comment is on. A document of a committee or in camera is not named by its title."""
_Subject = Annotated[CommentedSubject | None, StoredAs("delivery_data", "told")]


class OfComment(Payload):
    """An event of a comment, without its text. Only members who see what it is on see the event."""

    comment_id: Ref[str]
    meeting_id: Ref[str | None] = None
    document_id: Ref[str | None] = None
    report_id: Ref[str | None] = None
    dashboard_id: Ref[str | None] = None


class Commented(OfComment):
    """A new comment; a document of a committee or in camera is not named by its title."""

    subject: _Subject = None
    title: str | None = None
    replied_to_user_id: UserId | None = None

    @property
    def variant(self) -> str | None:
        """What the comment is on."""
        return self.subject


_READERS: Audience[Payload] = Audience(lookup=Lookup.COMMENT_READERS)

COMMENT_CREATED = EventKind(
    Event.COMMENT_CREATED,
    Commented,
    notifications={
        subject: Notification("new_comment", _READERS, f"told.comment_on_{subject}")
        for subject in ("meeting", "document", "committee_document", "document_in_camera", "dashboard")
    },
)
COMMENT_UPDATED = EventKind(Event.COMMENT_UPDATED, OfComment)
COMMENT_DELETED = EventKind(Event.COMMENT_DELETED, OfComment)
COMMENT_RESOLVED = EventKind(Event.COMMENT_RESOLVED, OfComment)
COMMENT_REOPENED = EventKind(Event.COMMENT_REOPENED, OfComment)
