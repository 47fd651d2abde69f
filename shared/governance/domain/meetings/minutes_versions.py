"""The rules of versions of minutes: when minutes are circulated, and what a version fixes (ADR minutes)."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping

from governance.agenda_limits import MINUTES_VERSIONS
from governance.domain.meetings.in_camera import Reader, seal
from governance.domain.meetings.meeting import HELD
from governance.errors import Reason, conflict, not_found
from governance.ids import UserId
from governance.instants import Instant
from governance.log.leaves import canonical
from governance.models.meetings.meeting import StoredMeeting
from governance.models.meetings.minutes import Attendance, MinutesItemFields, StoredMinutes, StoredMinutesItem
from governance.models.meetings.minutes_versions import (
    CirculationBody,
    FixedItem,
    FixedMinutes,
    MinutesApproval,
    MinutesSignature,
    MinutesVersion,
    OpenedItem,
    StoredMinutesApproval,
    StoredMinutesVersion,
    StoredSealedItem,
    StoredVersionApproval,
)


def fixed(minutes: StoredMinutes) -> str:
    """Returns the RFC 8785 form of minutes as they were written, without what is computed when they are read.

    Of an item in camera it has the seal.
    """
    facts = FixedMinutes(
        meeting_id=minutes.meeting_id,
        attendance=tuple(Attendance.model_validate(entry.model_dump()) for entry in minutes.attendance),
        items=tuple(_fixed_item(item) for item in minutes.items),
        created_at=minutes.created_at,
    )
    return canonical(facts.to_json())


def _fixed_item(item: StoredMinutesItem) -> FixedItem:
    facts = _facts(item)
    return FixedItem(id=item.id, sealed=seal(item.salt or "", canonical(facts.to_json()))) if item.audience else facts


def _facts(item: StoredMinutesItem) -> FixedItem:
    return FixedItem.model_validate(item.model_dump(include={*MinutesItemFields.model_fields}))


def _sealed(minutes: StoredMinutes) -> Iterator[StoredSealedItem]:
    for item in minutes.items:
        if item.audience is not None:
            text = canonical(_facts(item).to_json())
            yield StoredSealedItem(id=item.id, canonical=text, salt=item.salt or "", audience=item.audience)


def check_not_approved(approval: StoredMinutesApproval | None) -> None:
    """Raises 409 `MINUTES_APPROVED` for minutes of which a version is approved."""
    if approval is not None and approval.in_force is not None:
        raise conflict(Reason.MINUTES_APPROVED)


def next_draft(
    minutes: StoredMinutes, correction: StoredMinutes | None, approval: StoredMinutesApproval | None
) -> StoredMinutes:
    """Returns what is circulated and approved next: the open correction, without one the minutes.

    Raises 409 `MINUTES_APPROVED` for approved minutes without an open correction.
    """
    if correction is None:
        check_not_approved(approval)
    return correction or minutes


def hash_of(text: str) -> str:
    """Returns the SHA-256 of the RFC 8785 form of minutes, in hexadecimal digits."""
    return hashlib.sha256(text.encode()).hexdigest()


def circulated(
    meeting: StoredMeeting,
    written: StoredMinutes,
    last: StoredMinutesApproval | None,
    body: CirculationBody,
    user_id: UserId,
    now: Instant,
) -> tuple[StoredMinutesApproval, StoredMinutesVersion | None]:
    """Returns the approval after a circulation of minutes or of a correction of them, and the version that it fixes.

    What is as it was circulated last makes no version; without another end of the remarks, its approval stays as it is.
    Raises 409: `INVALID_TRANSITION` before the meeting is completed, `LIMIT_REACHED` after `MINUTES_VERSIONS`.
    """
    if meeting.status not in HELD:
        raise conflict(Reason.INVALID_TRANSITION)
    text = fixed(written)
    sha256 = hash_of(text)
    if last is not None and last.status == "circulated" and last.sha256 == sha256:
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
        in_camera=tuple(_sealed(written)),
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
        superseded=_superseded(last) if last else (),
        created_at=last.created_at if last else version.circulated_at,
        updated_at=version.circulated_at,
        version=last.version + 1 if last else 1,
    ).in_place_of(last)


def _superseded(last: StoredMinutesApproval) -> tuple[StoredVersionApproval, ...]:
    """Returns the approvals of the versions that were approved before the next one."""
    if last.status != "approved":
        return last.superseded
    approved = last.model_dump(include={*StoredVersionApproval.model_fields})
    return (*last.superseded, StoredVersionApproval.model_validate(approved))


def approval_resource(
    minutes: StoredMinutes,
    approval: StoredMinutesApproval | None,
    correction: StoredMinutes | None = None,
    indexes: Mapping[str, int] | None = None,
) -> MinutesApproval:
    """Returns how far minutes are, or their open correction; an approval of None is that before any circulation.

    `indexes` are the places of signatures in the log, by their events, as far as they are logged.
    """
    if approval is None:
        return _draft_approval(minutes, None)
    if correction is not None and approval.status == "approved":
        return _draft_approval(correction, approval)
    return approval_of_version(approval, approval.number, indexes)


def _draft_approval(draft: StoredMinutes, corrected: StoredVersionApproval | None) -> MinutesApproval:
    return MinutesApproval(
        meeting_id=draft.meeting_id,
        status="draft",
        version=None,
        sha256=None,
        circulated_at=None,
        remarks_until=None,
        supersedes_version=corrected.number if corrected else None,
        created_at=corrected.created_at if corrected else None,
        updated_at=draft.updated_at if corrected else None,
    )


def approval_of_version(
    approval: StoredMinutesApproval | None, number: int, indexes: Mapping[str, int] | None = None
) -> MinutesApproval:
    """Returns how far the newest version is, or an earlier one that was approved; raises 404 for another.

    `indexes` are as for `approval_resource`.
    """
    if approval is None:
        raise not_found()
    versions = (*approval.superseded, approval)
    index = next((index for index, each in enumerate(versions) if each.number == number), None)
    if index is None:
        raise not_found()
    shown, later = versions[index], versions[index + 1 :]
    superseded_by = later[0].number if later and later[0].status == "approved" else None
    return MinutesApproval(
        meeting_id=approval.meeting_id,
        status="corrected" if superseded_by else shown.status,
        version=shown.number,
        sha256=shown.sha256,
        circulated_at=shown.circulated_at,
        remarks_until=shown.remarks_until,
        approved_at=shown.approved_at,
        approved_by_user_id=shown.approved_by_user_id,
        in_meeting_id=shown.in_meeting_id,
        resolution_id=shown.resolution_id,
        manner=shown.manner,
        number=shown.book_number,
        supersedes_version=versions[index - 1].number if index else None,
        superseded_by_version=superseded_by,
        signatures=tuple(
            MinutesSignature(
                user_id=each.user_id, role=each.role, at=each.at, log_index=(indexes or {}).get(each.event_id)
            )
            for each in shown.signatures
        ),
        created_at=shown.created_at,
        updated_at=shown.updated_at,
    )


def facts_of(version: StoredMinutesVersion) -> FixedMinutes:
    """Returns what a version fixes."""
    return FixedMinutes.model_validate_json(version.canonical)


def version_resource(version: StoredMinutesVersion, reader: Reader) -> MinutesVersion:
    """Returns a version as a reader sees it: as it was written, whatever release wrote it."""
    facts = facts_of(version)
    return MinutesVersion(
        object="minutes_version",
        version=version.number,
        sha256=version.sha256,
        circulated_at=version.circulated_at,
        circulated_by_user_id=version.circulated_by_user_id,
        in_camera=tuple(
            OpenedItem(content=sealed.content, salt=sealed.salt, audience=audience)
            for sealed in version.in_camera
            if reader.sees(sealed.audience) and (audience := reader.shown(sealed.audience))
        ),
        **{name: getattr(facts, name) for name in FixedMinutes.model_fields},
    )
