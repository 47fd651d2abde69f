"""Reporting cycles: a report that is due, section by section, until it is published (an extension, ADR reports)."""

from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from governance.ids import BoardId, UserId
from governance.instants import Instant
from governance.limits import CYCLE_NAME, CYCLE_REMINDER_DAYS, CYCLE_REMINDERS
from governance.models.base import ApiObject, Body, Patch, Resource, Stored
from governance.models.meetings.poll import in_future
from governance.models.reports.dashboard import ReviewStatus
from governance.models.text import NoControls, NotBlank, ParsedInstant, text

CycleStatus = Literal["open", "dispatched", "published"]
DEFAULT_REMINDERS = (3, 1)


class CycleFields(Resource):
    """The fields of a cycle that its board sees, without the state of its sections."""

    id: str
    board_id: BoardId
    name: str
    report_id: str
    due_at: Instant
    remind_days_before: tuple[int, ...]
    dispatched_at: Instant | None = None
    published_at: Instant | None = None
    created_at: Instant
    updated_at: Instant


class Section(Resource):
    """A section of a cycle: a dashboard of its report, and its progress."""

    dashboard_id: str
    section_name: str
    owner_user_id: UserId | None
    review_status: ReviewStatus
    open_flags: int
    overdue: bool


class Cycle(CycleFields, ApiObject):
    """A cycle as its board sees it, with the sections as they are now."""

    object: Literal["cycle"] = "cycle"
    status: CycleStatus
    sections: tuple[Section, ...]


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
    """The body that creates a cycle."""

    name: CycleName
    report_id: str
    due_at: DueAt
    remind_days_before: ReminderDays | None = None


class CyclePatch(Patch):
    """The body that changes a cycle."""

    name: CycleName = ""
    report_id: str = ""
    due_at: DueAt = Instant("")
    remind_days_before: ReminderDays = Field(default_factory=list)


class PublishBody(Body):
    """The body that publishes a cycle's report; it may be left out."""

    optional = True

    force: bool = False
