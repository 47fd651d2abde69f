"""Reporting cycles: a report that is due, section by section, until it is published (an extension, ADR reports)."""

from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from governance.ids import BoardId, UserId
from governance.instants import Instant
from governance.limits import CYCLE_NAME, CYCLE_REMINDER_DAYS, CYCLE_REMINDERS
from governance.models.base import ApiObject, Body, Patch, Resource, Stored
from governance.models.meetings.poll import in_future
from governance.models.reports.dashboard import ReviewStatus
from governance.models.text import NamedId, NoControls, NotBlank, ParsedInstant, text

CycleStatus = Literal["open", "dispatched", "published"]
"""Status of a cycle. In a `dispatched` cycle, the owners of the sections have been asked for their figures."""
DEFAULT_REMINDERS = (3, 1)


class CycleFields(Resource):
    """The fields of a cycle that its board sees, without the state of its sections."""

    id: str
    board_id: BoardId
    name: str
    """Name of the cycle."""
    report_id: str
    """Identifier of the report that is due."""
    due_at: Instant
    """When the report is due."""
    remind_days_before: tuple[int, ...]
    """Days before `dueAt` on which the owners of unfinished sections are reminded, the earliest first."""
    dispatched_at: Instant | None = None
    """When the cycle was dispatched; null before that."""
    published_at: Instant | None = None
    """When the cycle was published; null before that."""
    created_at: Instant
    updated_at: Instant


class Section(Resource):
    """A section of a reporting cycle, in its current state."""

    dashboard_id: str
    """Identifier of the dashboard."""
    section_name: str
    """The `sourceSectionName` of the dashboard, or else its title."""
    owner_user_id: UserId | None
    """Identifier of the user who owns the dashboard; null if a board token created it and it has not been handed over.
    """
    review_status: ReviewStatus
    """Status of the dashboard's review."""
    open_flags: int
    """Number of contradictions that are neither corrected nor dismissed."""
    overdue: bool
    """Whether `dueAt` has passed and the section is neither ready for review nor reviewed; false in a published cycle.
    """


class Cycle(CycleFields, ApiObject):
    """A reporting cycle, with a due date for a report and the state of its sections."""

    object: Literal["cycle"] = "cycle"
    status: CycleStatus
    """Status of the cycle."""
    sections: tuple[Section, ...]
    """The report's dashboards of the type `uniform`, sorted by creation; empty if the report was deleted."""


class StoredCycle(CycleFields, Stored):
    """A cycle as it is stored."""

    version: int = 1


def once_each(days: list[int]) -> list[int]:
    """Returns days, the earliest reminder first. Raises `ValueError` if one is given twice."""
    if len(set(days)) < len(days):
        raise ValueError("must not name a day twice")
    return sorted(days, reverse=True)


CycleName = Annotated[str, text(1, CYCLE_NAME), NotBlank, NoControls]
DueAt = Annotated[ParsedInstant, AfterValidator(in_future)]
ReminderDays = Annotated[
    list[Annotated[int, Field(ge=1, le=CYCLE_REMINDER_DAYS)]],
    Field(max_length=CYCLE_REMINDERS),
    AfterValidator(once_each),
]


class CycleCreate(Body):
    """The cycle to create."""

    name: CycleName
    """Name of the cycle. It must not be blank or contain control characters."""
    report_id: NamedId
    """Identifier of a report of this board that is not finalized."""
    due_at: DueAt
    """When the report is due. It must be in the future."""
    remind_days_before: ReminderDays | None = None
    """Days before `dueAt` on which the owners of unfinished sections are reminded, up to $CYCLE_REMINDERS different
    ones. Left out or null on creation means $DEFAULT_REMINDERS.
    """


class CyclePatch(Patch):
    """The fields of the cycle to change; at least one."""

    name: CycleName = ""
    report_id: NamedId = ""
    due_at: DueAt = Instant("")
    remind_days_before: ReminderDays = Field(default_factory=list)


class PublishBody(Body):
    """How to publish a cycle. The body is optional."""

    optional = True

    force: bool = False
    """Whether to publish even if sections are not reviewed or have open flags."""
