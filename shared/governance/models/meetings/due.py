"""Work that is done later: the messages of the queues, and those that wait in the table until they are due."""

from enum import StrEnum
from typing import Any

from governance.ids import BoardId
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
    """A mail that bounced, or that its recipient complained of: flag who is mailed there, tell who should know."""
    RECOMMENDATION = "recommendation"
    """An account with another name or address: recommend to merge people without an account into it."""
    MERGE = "merge"
    """A merge of a person without an account that was not completed: complete it."""
    REVOCATION = "revocation"
    """A right that ended: record it outside the table. It has a queue of its own."""
    EXPORT = "export"
    """An export: read it, or continue reading it. It has a queue of its own, for a function of its own."""
    BOARD_PACK = "board_pack"
    """A board pack: make it. It has a queue of its own, for a function of its own."""
    LEAF = "leaf"
    """A row of the audit log: seal it. It has a queue of its own, for a function that takes many at once."""
    RESOLUTION = "resolution"
    """A resolution whose time is over: record the result."""
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


class ReminderKind(StrEnum):
    """The kinds of reminders: the action when one is due."""

    POLL = "poll"
    """Remind those who have not voted of the deadline of a meeting's votes."""
    MEETING = "meeting"
    """Remind the members of a meeting on the day before."""
    VOTE_REQUEST = "vote_request"
    """Ask for votes on the new slots of a meeting."""
    TASK_BEFORE = "task_before"
    """Remind an assignee on the day before an action item is due."""
    TASK_AFTER = "task_after"
    """Remind an assignee on the day after it was due."""
    SECTIONS = "sections"
    """Remind the owners of a cycle's sections some days before it is due."""
    SECTIONS_OVERDUE = "sections_overdue"
    """Remind the owners of a cycle's sections once it is overdue."""
    BET_WEEK = "bet_week"
    """Remind the owner of a bet a week before its day."""
    BET_DAY = "bet_day"
    """Remind the owner of a bet on the day before its day."""
    RESOLUTION = "resolution_reminder"
    """Remind the voters of a resolution who have not voted."""


class DueReminder(Stored):
    """A reminder that is due: about a meeting, an action item of it, a cycle, a bet or a resolution.

    It holds only ids: the state is read when it is due, so that an outdated reminder does nothing.
    """

    kind: ReminderKind
    due_at: Instant
    board_id: BoardId
    meeting_id: str = ""
    action_item_id: str | None = None
    cycle_id: str | None = None
    bet_id: str | None = None
    resolution_id: str | None = None

    @property
    def subject_id(self) -> str:
        """The id of its subject."""
        return self.cycle_id or self.bet_id or self.resolution_id or self.action_item_id or self.meeting_id
