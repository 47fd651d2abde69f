"""The rules of versions of minutes: when minutes are circulated, and what a version fixes (ADR minutes)."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

from governance.agenda_limits import MINUTES_VERSIONS
from governance.errors import Reason, conflict
from governance.ids import UserId
from governance.instants import Instant
from governance.log.leaves import canonical
from governance.models.meetings.meeting import StoredMeeting
from governance.models.meetings.minutes import Attendance, MinutesItem, StoredMinutes
from governance.models.meetings.minutes_versions import (
    CirculationBody,
    FixedMinutes,
    MinutesApproval,
    MinutesSignature,
    MinutesVersion,
    StoredMinutesApproval,
    StoredMinutesVersion,
)

_OVER = {"completed", "finalized"}


def fixed(minutes: StoredMinutes) -> str:
    """Returns the RFC 8785 form of minutes as they were written, without what is computed when they are read."""
    facts = FixedMinutes(
        meeting_id=minutes.meeting_id,
        attendance=tuple(Attendance.model_validate(entry.model_dump()) for entry in minutes.attendance),
        items=tuple(MinutesItem.model_validate(item.model_dump()) for item in minutes.items),
        created_at=minutes.created_at,
    )
    return canonical(facts.to_json())


def check_not_approved(approval: StoredMinutesApproval | None) -> None:
    """Raises 409 `MINUTES_APPROVED` for minutes that are approved."""
    if approval is not None and approval.status == "approved":
        raise conflict(Reason.MINUTES_APPROVED)


def hash_of(text: str) -> str:
    """Returns the SHA-256 of the RFC 8785 form of minutes, in hexadecimal digits."""
    return hashlib.sha256(text.encode()).hexdigest()


def circulated(
    meeting: StoredMeeting,
    minutes: StoredMinutes,
    last: StoredMinutesApproval | None,
    body: CirculationBody,
    user_id: UserId,
    now: Instant,
) -> tuple[StoredMinutesApproval, StoredMinutesVersion | None]:
    """Returns the approval after a circulation of these minutes, and the version that it fixes.

    Minutes that are as they were circulated last make no version; without another end of the remarks, their approval
    stays as it is. Raises 409: `MINUTES_APPROVED`, `INVALID_TRANSITION` before the meeting is completed,
    `LIMIT_REACHED` after `MINUTES_VERSIONS`.
    """
    check_not_approved(last)
    if meeting.status not in _OVER:
        raise conflict(Reason.INVALID_TRANSITION)
    text = fixed(minutes)
    sha256 = hash_of(text)
    if last is not None and last.sha256 == sha256:
        return _circulated_again(last, body, now), None
    number = last.number + 1 if last else 1
    if number > MINUTES_VERSIONS:
        raise conflict(Reason.LIMIT_REACHED)
    version = StoredMinutesVersion(
        board_id=meeting.board_id,
        meeting_id=meeting.id,
        number=number,
        sha256=sha256,
        circulated_at=now,
        circulated_by_user_id=user_id,
        canonical=text,
    )
    return _approval_of(version, last, body), version


def _circulated_again(last: StoredMinutesApproval, body: CirculationBody, now: Instant) -> StoredMinutesApproval:
    if last.remarks_until == body.remarks_until:
        return last
    changes = {"remarks_until": body.remarks_until, "updated_at": now, "version": last.version + 1}
    return last.model_copy(update=changes)


def _approval_of(
    version: StoredMinutesVersion, last: StoredMinutesApproval | None, body: CirculationBody
) -> StoredMinutesApproval:
    return StoredMinutesApproval(
        board_id=version.board_id,
        meeting_id=version.meeting_id,
        number=version.number,
        sha256=version.sha256,
        circulated_at=version.circulated_at,
        remarks_until=body.remarks_until,
        created_at=last.created_at if last else version.circulated_at,
        updated_at=version.circulated_at,
        version=last.version + 1 if last else 1,
    ).in_place_of(last)


def approval_resource(
    minutes: StoredMinutes, approval: StoredMinutesApproval | None, indexes: Mapping[str, int]
) -> MinutesApproval:
    """Returns how far minutes are; an approval of None is that of minutes that were never circulated.

    `indexes` are the places of signatures in the log, by their events, as far as they are logged.
    """
    return MinutesApproval(
        meeting_id=minutes.meeting_id,
        status=approval.status if approval else "draft",
        version=approval.number if approval else None,
        sha256=approval.sha256 if approval else None,
        circulated_at=approval.circulated_at if approval else None,
        remarks_until=approval.remarks_until if approval else None,
        approved_at=approval.approved_at if approval else None,
        approved_by_user_id=approval.approved_by_user_id if approval else None,
        in_meeting_id=approval.in_meeting_id if approval else None,
        resolution_id=approval.resolution_id if approval else None,
        manner=approval.manner if approval else None,
        number=approval.book_number if approval else None,
        signatures=tuple(
            MinutesSignature(user_id=each.user_id, role=each.role, at=each.at, log_index=indexes.get(each.event_id))
            for each in (approval.signatures if approval else ())
        ),
        created_at=approval.created_at if approval else None,
        updated_at=approval.updated_at if approval else None,
    )


def facts_of(version: StoredMinutesVersion) -> FixedMinutes:
    """Returns what a version fixes."""
    return FixedMinutes.model_validate_json(version.canonical)


def version_resource(version: StoredMinutesVersion) -> MinutesVersion:
    """Returns a version as clients see it: as it was written, whatever release wrote it."""
    facts = facts_of(version)
    return MinutesVersion(
        object="minutes_version",
        version=version.number,
        sha256=version.sha256,
        circulated_at=version.circulated_at,
        circulated_by_user_id=version.circulated_by_user_id,
        **{name: getattr(facts, name) for name in FixedMinutes.model_fields},
    )
