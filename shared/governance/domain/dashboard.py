"""The rules of dashboards: their review, the merging of their payload, their size (ADR 0052).

working --> ready_for_review --> internally_reviewed
  ^  ^        ^      |                  |
  |  |        |      v                  |
  |  +-- changes_requested              |
  +-------------------------------------+
"""

from __future__ import annotations

from typing import Any

from governance.errors import Reason, conflict, invalid_body
from governance.instants import Instant
from governance.limits import DASHBOARD_BYTES
from governance.models.dashboard import (
    DashboardType,
    ReviewStatus,
    StoredDashboard,
    Uniform,
    UniformCreate,
    UniformPatch,
)

TRANSITIONS: dict[ReviewStatus, frozenset[ReviewStatus]] = {
    "working": frozenset({"ready_for_review"}),
    "ready_for_review": frozenset({"changes_requested", "internally_reviewed"}),
    "changes_requested": frozenset({"working", "ready_for_review"}),
    "internally_reviewed": frozenset({"working"}),
}


def initial_uniform(kind: DashboardType, given: UniformCreate | None) -> Uniform | None:
    """Returns the payload of a new dashboard, with defaults for what is not given; None for a fundraising history."""
    if kind == "historicalFundraising":
        return None
    return Uniform.model_validate({} if given is None else given.given())


def patched_uniform(old: Uniform | None, given: UniformPatch | None) -> Uniform | None:
    """Returns the payload with these members changed.

    Raises 400 for a payload on a fundraising history, which has none, and for null on any other dashboard.
    """
    if (given is None) != (old is None):
        null_only = "must be null for a dashboard of type `historicalFundraising`"
        raise invalid_body({"uniform": null_only if old is None else "must be an object"})
    if old is None or given is None:
        return None
    return Uniform.model_validate({**old.model_dump(by_alias=False), **given.given()})


def check_review(old: Uniform | None, new: Uniform | None) -> None:
    """Raises 409 `INVALID_TRANSITION` for a review status that may not follow the old one; keeping it is allowed."""
    if old is None or new is None or new.review_status == old.review_status:
        return
    if new.review_status not in TRANSITIONS[old.review_status]:
        raise conflict(Reason.INVALID_TRANSITION)


def payload_bytes(dashboard: StoredDashboard) -> int:
    """Returns the size of a dashboard's payload, in bytes of its JSON text."""
    return len((dashboard.uniform or "").encode())


def check_size(dashboard: StoredDashboard) -> None:
    """Raises 400 if the dashboard's payload is larger than the store takes (`DASHBOARD_BYTES`)."""
    if payload_bytes(dashboard) > DASHBOARD_BYTES:
        raise invalid_body({"uniform": f"must not make the dashboard larger than {DASHBOARD_BYTES} bytes"})


def patched(dashboard: StoredDashboard, changes: dict[str, Any], now: Instant) -> StoredDashboard:
    """Returns the dashboard with these changes; the same object if they change nothing."""
    new = dashboard.model_copy(update=changes)
    if new == dashboard:
        return dashboard
    return new.model_copy(update={"updated_at": now, "version": dashboard.version + 1})
