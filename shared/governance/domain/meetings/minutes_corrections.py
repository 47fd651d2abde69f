"""The rules of corrections of approved minutes: what is corrected, and what a correction is until it is approved (ADR
minutes).
"""

from __future__ import annotations

from governance.domain.meetings import minutes as minutes_rules
from governance.domain.meetings.in_camera import Reader
from governance.domain.meetings.minutes_versions import fixed, hash_of
from governance.errors import Reason, conflict, invalid_body
from governance.instants import Instant
from governance.models.meetings.meeting import StoredMeeting
from governance.models.meetings.minutes import MinutesBody, StoredMinutes
from governance.models.meetings.minutes_versions import StoredMinutesApproval, StoredVersionApproval


def check_correctable(
    approval: StoredMinutesApproval | None,
) -> tuple[StoredMinutesApproval, StoredVersionApproval]:
    """Returns the approval of minutes, and that of their version which was approved last.

    Raises 409 `NOT_APPROVED` before the first was approved.
    """
    in_force = approval.in_force if approval else None
    if approval is None or in_force is None:
        raise conflict(Reason.NOT_APPROVED)
    return approval, in_force


def correctable(approved: StoredMinutes, correction: StoredMinutes | None, writer: Reader) -> StoredMinutes:
    """Returns the approved minutes with what only their open correction has: the next one may keep both.

    Of items in camera that the writer does not see, it has those of the correction alone, as they are there.
    """
    if correction is None:
        return approved
    ids = {item.id for item in correction.items}
    left_out = (item for item in approved.items if item.id not in ids and writer.sees(item.audience))
    items = (*correction.items, *left_out)
    return approved.model_copy(update={"items": items, "attendance": (*approved.attendance, *correction.attendance)})


def corrected(
    meeting: StoredMeeting,
    approved: StoredMinutes,
    correction: StoredMinutes | None,
    body: MinutesBody,
    known: minutes_rules.KnownSubjects,
    now: Instant,
) -> StoredMinutes:
    """Returns the correction that the body sets, in place of an open one: a draft, whose author is that of the minutes.

    It keeps the quorum unless it changes who attended. Raises 400 as for minutes.
    """
    new = minutes_rules.changed(meeting, correctable(approved, correction, known.writer), body, known, None, now)
    changes = {
        "status": "draft",
        "quorum": approved.quorum if new.attendance == approved.attendance else None,
        "version": correction.version + 1 if correction else 1,
    }
    return new.model_copy(update=changes)


def check_differs(correction: StoredMinutes, in_force: StoredVersionApproval) -> None:
    """Raises 400 for a correction that has the text of the version that it corrects."""
    if hash_of(fixed(correction)) == in_force.sha256:
        raise invalid_body({"items": "must differ from what was approved, if `attendance` does not"})
