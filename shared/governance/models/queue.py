"""Work that is done later: the messages of the queues, and those that wait in the table until they are due."""

from enum import StrEnum
from typing import Any

from governance.instants import Instant
from governance.models.base import Stored


class DeliveryKind(StrEnum):
    """The kind of a message, which selects its handler in `governance.deliveries.worker`."""

    EVENT = "event"
    """An event of a board: plan what follows from it."""
    NOTIFICATIONS = "notifications"
    """An event and up to a hundred of its recipients: notify them in the app."""
    EMAILS = "emails"
    """An event and a few of its recipients: send the e-mails that are due."""
    CLEANUP = "cleanup"
    """The event of a deletion: delete what it has left behind."""
    CALENDAR_INVITATION = "calendar_invitation"
    """A meeting in one user's calendar: mail an invitation, its update, or its cancellation."""
    CALENDAR_WITHDRAWAL = "calendar_withdrawal"
    """A user who has lost a board: cancel their invitations to its meetings."""
    REMINDER = "reminder"
    """Something that members are to be reminded of at an instant: remind them."""
    FIGURES = "figures"
    """Figures of published reports that may have changed: keep them by KPI."""
    EXAMPLE_BOARD = "example_board"
    """An example board: fill it, or continue filling it."""
    UPLOAD = "upload"
    """The upload of a document's file, a day after it began: forget it if it was never completed."""
    SCAN = "scan"
    """A file that is scanned for malware: ask for the result."""
    MAIL_FEEDBACK = "mail_feedback"
    """A mail that bounced, or that its recipient complained of: flag its people, notify others of it."""
    RECOMMENDATION = "recommendation"
    """An account with another name or address: recommend to merge people without an account into it."""
    MERGE = "merge"
    """A merge of a person without an account that was not completed: complete it."""
    MAILED_COMMENT = "mailed_comment"
    """A comment on a meeting that a member has mailed: create it."""
    REVOCATION = "revocation"
    """A right that ended: record it outside the table. It has a queue of its own."""
    CERTIFICATE = "certificate"
    """A resolution that was closed: keep its certificate outside the table. It shares the queue of revocations."""
    EXPORT = "export"
    """An export: read it, or continue reading it. It has a queue of its own, for a function of its own."""
    BOARD_PACK = "board_pack"
    """A board pack: make it. It has a queue of its own, for a function of its own."""
    MINUTES_FILE = "minutes_file"
    """A file of approved minutes: make and seal it. It has a queue of its own, for a function of its own."""
    LEAF = "leaf"
    """A row of the audit log: seal it. It has a queue of its own, for a function that takes many at once."""
    RESOLUTION = "resolution"
    """A resolution whose time is over: record the result."""
    OPENING = "opening"
    """A series whose next meeting is to be created, or a meeting with items still to move: create it, or move them."""
    RING = "ring"
    """A change: ring those who listen and may hear of it. It invokes a function of its own, without a queue of ours."""
    LIVE_END = "live_end"
    """A user whose credential may have ended: end what depends on it in the live channel. By the same function."""
    WEBHOOK = "webhook"
    """A delivery to a webhook: make the next attempt. It has a queue of its own, for a function of its own."""
    SLOW_WEBHOOK = "slow_webhook"
    """The same for a slow receiver, in another queue of that function. It never waits in the table."""


class DueMessage(Stored):
    """A message that is due later than a queue can delay it; `subject_id` is the id of its subject."""

    kind: DeliveryKind
    due_at: Instant
    group: str
    subject_id: str
    body: dict[str, Any]
