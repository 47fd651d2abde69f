"""Reminders that wait in the table until they are due."""

from enum import StrEnum

from governance.ids import BoardId
from governance.instants import Instant
from governance.models.base import Stored


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
    PAPER = "paper"
    """Remind who is asked for a paper some days before it is due."""
    PAPER_OVERDUE = "paper_overdue"
    """Remind who is asked for a paper when it is due."""


class DueReminder(Stored):
    """A reminder that is due: about a meeting, an action item of it, a cycle, a bet, a resolution or a paper.

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
    paper_request_id: str | None = None

    @property
    def subject_id(self) -> str:
        """The id of its subject."""
        named = (self.cycle_id, self.bet_id, self.resolution_id, self.paper_request_id, self.action_item_id)
        return next((id_ for id_ in named if id_), self.meeting_id)
