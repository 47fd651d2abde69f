"""The rules of dashboards: their review, the merging of their payload, their size (ADR reports).

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
from governance.models.reports.dashboard import (
    DashboardField,
    DashboardType,
    ReviewStatus,
    StoredDashboard,
    StoredField,
    Uniform,
    UniformCreate,
    UniformHead,
    UniformPatch,
    UniformPayload,
)
from governance.sizes import sent_bytes

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
    """Returns the payload with these changes.

    Raises 400 for a payload on a fundraising history, which has none, and for null on any other dashboard.
    """
    if (given is None) != (old is None):
        null_only = "must be null for a dashboard of type `historicalFundraising`"
        raise invalid_body({"uniform": null_only if old is None else "must be an object"})
    if old is None or given is None:
        return None
    return Uniform.model_validate({**vars(old), **given.given()})


def check_review(old: Uniform | None, new: Uniform | None) -> None:
    """Raises 409 `INVALID_TRANSITION` for a review status that may not follow the old one; keeping it is allowed."""
    if old is None or new is None or new.review_status == old.review_status:
        return
    if new.review_status not in TRANSITIONS.get(old.review_status, ()):
        raise conflict(Reason.INVALID_TRANSITION)


def payload_of(uniform: Uniform | None) -> str | None:
    """Returns the large parts of a `uniform` as the JSON text that is stored; None if there are none."""
    if uniform is None or (uniform.narrative is None and not uniform.fields):
        return None
    return UniformPayload(narrative=uniform.narrative, fields=tuple(map(_stored, uniform.fields))).to_json()


def _stored(field: DashboardField) -> StoredField:
    """Returns a field in the form in which it is stored; a field that comes from the store has it already."""
    return field if isinstance(field, StoredField) else StoredField.model_validate(field.model_dump())


def joined(head: UniformHead | None, payload: str | None) -> Uniform | None:
    """Returns the whole `uniform` from what is stored; None for a fundraising history, which has none."""
    if head is None:
        return None
    large = {} if payload is None else vars(UniformPayload.model_validate_json(payload))
    return Uniform.model_validate({**vars(head), **large})


def with_uniform(dashboard: StoredDashboard, uniform: Uniform | None, payload: str | None) -> StoredDashboard:
    """Returns the dashboard with the small parts of a `uniform`, whose payload is written at its version.

    Raises 400 if the payload is larger than the store takes (`DASHBOARD_BYTES`).
    """
    if len((payload or "").encode()) > DASHBOARD_BYTES:
        raise invalid_body({"uniform": f"must not make the dashboard larger than {DASHBOARD_BYTES} bytes"})
    version = 0 if payload is None else dashboard.version
    changes = {
        "uniform": _head(uniform, dashboard),
        "payload_version": version,
        "payload_bytes": sent_bytes(payload or ""),
    }
    return dashboard.model_copy(update=changes)


def _head(uniform: Uniform | None, earlier: StoredDashboard) -> UniformHead | None:
    if uniform is None:
        return None
    head = UniformHead.model_validate({name: getattr(uniform, name) for name in UniformHead.model_fields})
    return head if earlier.uniform is None else earlier.uniform.model_copy(update=vars(head))


def patched(
    dashboard: StoredDashboard, changes: dict[str, Any], before: Uniform | None, after: Uniform | None, now: Instant
) -> StoredDashboard:
    """Returns the dashboard with these changes and with `after` for its `uniform`; the same object if nothing changes.

    Raises 400 for a payload that is too large.
    """
    payload = payload_of(after)
    is_payload_kept = payload == payload_of(before)
    new = dashboard.model_copy(update={**changes, "uniform": _head(after, dashboard)})
    if new == dashboard and is_payload_kept:
        return dashboard
    new = new.model_copy(update={"updated_at": now, "version": dashboard.version + 1})
    return new if is_payload_kept else with_uniform(new, after, payload)
