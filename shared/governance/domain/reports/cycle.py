"""The rules of reporting cycles (ADR reports).

    open --> dispatched --> published        an open cycle may be published too

A section is finished when it is ready for review or reviewed, and complete when it is reviewed and has no open flag.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from governance.errors import ApiError, Reason, conflict, invalid_body
from governance.ids import BoardId, UserId, new_id
from governance.instants import Instant
from governance.models.reports.cycle import (
    DEFAULT_REMINDERS,
    Cycle,
    CycleCreate,
    CyclePatch,
    CycleStatus,
    Section,
    StoredCycle,
)
from governance.models.reports.dashboard import StoredDashboard

FINISHED = frozenset({"ready_for_review", "internally_reviewed"})


def status(cycle: StoredCycle) -> CycleStatus:
    """Returns the status of a cycle."""
    if cycle.published_at is not None:
        return "published"
    return "open" if cycle.dispatched_at is None else "dispatched"


def created(board_id: BoardId, body: CycleCreate, now: Instant) -> StoredCycle:
    """Returns the new cycle that the body describes."""
    days = DEFAULT_REMINDERS if body.remind_days_before is None else tuple(body.remind_days_before)
    return StoredCycle(
        id=new_id(),
        board_id=board_id,
        name=body.name,
        report_id=body.report_id,
        due_at=body.due_at,
        remind_days_before=days,
        created_at=now,
        updated_at=now,
    )


def patched(cycle: StoredCycle, body: CyclePatch, now: Instant) -> StoredCycle:
    """Returns the cycle with these changes; the same object if they change nothing.

    Raises 409 `INVALID_TRANSITION` for a published cycle, and for another report of one that was dispatched.
    """
    _check(status(cycle) != "published")
    changes: dict[str, Any] = body.changes()
    if "remind_days_before" in changes:
        changes["remind_days_before"] = tuple(body.remind_days_before)
    new = cycle.model_copy(update=changes)
    if new == cycle:
        return cycle
    _check(new.report_id == cycle.report_id or status(cycle) == "open")
    return _changed(new, now)


def dispatched(cycle: StoredCycle, now: Instant) -> StoredCycle:
    """Returns the cycle after its dispatch; raises 409 `INVALID_TRANSITION` unless it is open."""
    _check(status(cycle) == "open")
    return _changed(cycle, now, dispatched_at=now)


def published(cycle: StoredCycle, sections: Iterable[Section], *, force: bool, now: Instant) -> StoredCycle:
    """Returns the cycle after the publication of its report.

    Raises 409: `INVALID_TRANSITION` for a published cycle, `SECTIONS_OPEN` if a section is not complete, unless forced.
    """
    _check(status(cycle) != "published")
    missing = [section.dashboard_id for section in sections if not is_complete(section)]
    if missing and not force:
        raise conflict(Reason.SECTIONS_OPEN, sections=missing)
    return _changed(cycle, now, published_at=now)


def _check(allowed: bool) -> None:
    if not allowed:
        raise conflict(Reason.INVALID_TRANSITION)


def _changed(cycle: StoredCycle, now: Instant, **changes: Any) -> StoredCycle:
    return cycle.model_copy(update={**changes, "updated_at": now, "version": cycle.version + 1})


def is_complete(section: Section) -> bool:
    """Returns whether a section can be published: reviewed, with no open flag."""
    return section.review_status == "internally_reviewed" and section.open_flags == 0


def section_name(dashboard: StoredDashboard) -> str:
    """Returns the name of a dashboard as a section: that of its source, or else its title."""
    named = dashboard.uniform.source_section_name if dashboard.uniform else ""
    return named or dashboard.title or ""


def is_finished(dashboard: StoredDashboard) -> bool:
    """Returns whether the owner of a section has done their part."""
    return dashboard.uniform is not None and dashboard.uniform.review_status in FINISHED


def sections(
    cycle: StoredCycle,
    dashboards: Sequence[StoredDashboard],
    owners: Mapping[str, UserId | None],
    open_flags: Mapping[str, int],
    now: Instant,
) -> tuple[Section, ...]:
    """Returns the sections of a cycle: the `uniform` dashboards of its report, by creation."""
    late = status(cycle) != "published" and cycle.due_at <= now
    return tuple(
        Section(
            dashboard_id=dashboard.id,
            section_name=section_name(dashboard),
            owner_user_id=owners.get(dashboard.id),
            review_status=dashboard.uniform.review_status,
            open_flags=open_flags.get(dashboard.id, 0),
            overdue=late and not is_finished(dashboard),
        )
        for dashboard in sorted(dashboards, key=lambda dashboard: (dashboard.created_at, dashboard.id))
        if dashboard.uniform is not None
    )


def without_lateness(shown: Iterable[Section]) -> tuple[Section, ...]:
    """Returns the sections of a published cycle, of which none is late any more."""
    return tuple(section.model_copy(update={"overdue": False}) for section in shown)


def to_resource(cycle: StoredCycle, shown: tuple[Section, ...]) -> Cycle:
    """Returns the cycle as its board sees it."""
    return Cycle.model_validate({**cycle.item(), "status": status(cycle), "sections": shown})


def unknown_report() -> ApiError:
    """Returns the 400 for a report that the board does not have."""
    return invalid_body({"reportId": "must be the id of a report of this board"})
