"""The events of reports, their dashboards and flags, of reporting cycles and of bets."""

from typing import Annotated, Literal

from governance.domain.events.kind import (
    APP,
    MANAGERS,
    MEMBERS,
    Audience,
    Detail,
    Effect,
    EventKind,
    Leftovers,
    Lookup,
    Notification,
    Payload,
    Ref,
    StoredAs,
    Subject,
    ToldRef,
    Transition,
    notifies,
)
from governance.ids import UserId
from governance.models.history.event import Event


class ReportStatusChanged(Transition):
    """The status of a report changed; `told` that it was published in a package, which has its own notification."""

    report_id: Ref[str]
    title: str | None = None
    told: Literal["package"] | None = None

    @property
    def variant(self) -> str | None:
        """The new status, or `package`."""
        return self.told or self.after


class ReportNamed(Subject):
    """An event whose details name the report."""

    report_id: Ref[str]


class OfDashboard(Payload):
    """An event of a dashboard."""

    report_id: Ref[str]
    dashboard_id: Ref[str]


class ReviewStatusChanged(OfDashboard, Transition):
    """The review status of a dashboard changed."""

    title: str | None = None
    dashboard_type: str | None = None


class DashboardNamed(OfDashboard, Subject):
    """An event whose details name the dashboard."""


class DashboardAccessChanged(DashboardNamed):
    """A member was granted, or lost, a right to a dashboard."""

    user_id: Ref[UserId]
    member_id: Annotated[UserId | None, StoredAs("details", "userId")] = None
    dashboard_type: str | None = None


class OfFlag(OfDashboard):
    """An event of a flag."""

    flag_id: Ref[str]


class Flagged(Payload):
    """Flags of a report's dashboards were raised or corrected together; `number` is how many.

    The dashboard is that which the notification of some recipients links to.
    """

    report_id: Ref[str]
    dashboard_ids: Detail[list[str]]
    number: Detail[int]
    dashboard_id: ToldRef[str | None] = None
    title: str | None = None
    dashboard_type: str | None = None
    number_before: Annotated[int | None, StoredAs("delivery_data", "number")] = None  # the release before reads it here


class OfCycle(Payload):
    """An event of a cycle; `name` is the cycle's."""

    cycle_id: Ref[str]
    report_id: Ref[str | None] = None
    id: Detail[str] = ""
    name: Annotated[str | None, StoredAs("details", "title")] = None


class CycleDispatched(OfCycle):
    """The sections of a cycle were handed to their owners; a section is named in what its owner is notified of."""

    told: Literal["section"] | None = None
    dashboard_id: ToldRef[str | None] = None
    title: str | None = None
    section_name: str | None = None
    dashboard_type: str | None = None
    cycle: str | None = None

    @property
    def variant(self) -> str | None:
        """`section` in the consequence for the owner of one."""
        return self.told


class CyclePublished(OfCycle):
    """A cycle was published; `meeting_link` leads to the form of the meeting that is suggested then."""

    told: Literal["package", "meeting"]
    title: str | None = None
    meeting_link: str | None = None

    @property
    def variant(self) -> str | None:
        """`package`, or `meeting` in the consequence that suggests one."""
        return self.told


class OfBet(Subject):
    """An event of a bet; with the first one on a KPI, the board `keeps_figures`."""

    bet_id: Ref[str]
    keeps_figures: bool = False


_MEMBER: Audience[DashboardAccessChanged] = Audience(named=lambda changed: [changed.user_id])
_DASHBOARD_OWNER: Audience[Payload] = Audience(lookup=Lookup.DASHBOARD_OWNER)

REPORT_STATUS_CHANGED = EventKind(
    Event.REPORT_STATUS_CHANGED,
    ReportStatusChanged,
    audit="reportStatusChange",
    notifications={
        "published": Notification("report_published", MEMBERS, "told.report_published"),
        "finalized": Notification("report_finalized", MEMBERS, "told.report_finalized"),
    },
    effects=(Effect.CHANGES_FIGURES,),
)
REPORT_DELETED = EventKind(
    Event.REPORT_DELETED, ReportNamed, effects=(Effect.CHANGES_FIGURES,), leaves=Leftovers.REPORT
)
DASHBOARD_REVIEW_STATUS_CHANGED = EventKind(
    Event.DASHBOARD_REVIEW_STATUS_CHANGED,
    ReviewStatusChanged,
    audit="dashboardReviewStatusChange",
    notifications={
        "ready_for_review": Notification("dashboard_ready_for_review", MANAGERS, "told.review_asked"),
        "changes_requested": Notification("dashboard_changes_requested", _DASHBOARD_OWNER, "told.changes_asked"),
        "internally_reviewed": Notification("dashboard_internally_reviewed", _DASHBOARD_OWNER, "told.reviewed"),
    },
)
DASHBOARD_ACCESS_GRANTED = EventKind(
    Event.DASHBOARD_ACCESS_GRANTED,
    DashboardAccessChanged,
    audit="dashboardAccessGranted",
    notifications=notifies(Notification("dashboard_access_granted", _MEMBER, "told.dashboard_opened")),
)
DASHBOARD_ACCESS_REVOKED = EventKind(
    Event.DASHBOARD_ACCESS_REVOKED,
    DashboardAccessChanged,
    audit="dashboardAccessRevoked",
    is_protecting=True,
    notifications=notifies(Notification("dashboard_access_removed", _MEMBER, "told.dashboard_closed")),
)
DASHBOARD_OWNERSHIP_TRANSFERRED = EventKind(
    Event.DASHBOARD_OWNERSHIP_TRANSFERRED,
    DashboardAccessChanged,
    audit="dashboardOwnershipTransferred",
    is_protecting=True,
    notifications=notifies(Notification("dashboard_assigned", _MEMBER, "told.dashboard_assigned")),
)
DASHBOARD_FIGURES_CHANGED = EventKind(Event.DASHBOARD_FIGURES_CHANGED, OfDashboard, effects=(Effect.CHANGES_FIGURES,))
DASHBOARD_DELETED = EventKind(Event.DASHBOARD_DELETED, DashboardNamed, leaves=Leftovers.DASHBOARD)
VALIDATION_FLAG_RAISED = EventKind(
    Event.VALIDATION_FLAG_RAISED,
    Flagged,
    notifications=notifies(Notification("validation_flag_raised", Audience(), "told.flags_raised", is_sentence=True)),
)
VALIDATION_FLAG_CORRECTED = EventKind(Event.VALIDATION_FLAG_CORRECTED, Flagged)
VALIDATION_FLAG_DISMISSED = EventKind(Event.VALIDATION_FLAG_DISMISSED, OfFlag)
VALIDATION_FLAG_REOPENED = EventKind(Event.VALIDATION_FLAG_REOPENED, OfFlag)
CYCLE_CREATED = EventKind(Event.CYCLE_CREATED, OfCycle)
CYCLE_UPDATED = EventKind(Event.CYCLE_UPDATED, OfCycle)
CYCLE_DELETED = EventKind(Event.CYCLE_DELETED, OfCycle)
CYCLE_DISPATCHED = EventKind(
    Event.CYCLE_DISPATCHED,
    CycleDispatched,
    notifications={"section": Notification("section_dispatched", Audience(), "told.section_dispatched")},
)
CYCLE_PUBLISHED = EventKind(
    Event.CYCLE_PUBLISHED,
    CyclePublished,
    notifications={
        "package": Notification("package_published", MEMBERS, "told.package_published"),
        "meeting": Notification("meeting_creation_suggestion", MANAGERS, "told.meeting_suggested", channels=APP),
    },
)
BET_CREATED = EventKind(Event.BET_CREATED, OfBet, effects=(Effect.CHANGES_FIGURES,))
BET_UPDATED = EventKind(Event.BET_UPDATED, OfBet, effects=(Effect.CHANGES_FIGURES,))
BET_DELETED = EventKind(Event.BET_DELETED, OfBet)
