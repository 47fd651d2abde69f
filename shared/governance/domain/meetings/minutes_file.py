"""The rules of the file of approved minutes: its document, and what it tells (ADR minutes)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from governance.domain.access.access import Principal
from governance.domain.documents import document_version as document_version_rules
from governance.domain.meetings import minutes_versions as version_rules
from governance.domain.packs.board_pack import PDF, document_to_make
from governance.errors import Reason, conflict, invalid_body, not_found
from governance.ids import UserId
from governance.instants import Instant
from governance.limits import MINUTES_FILE_BYTES
from governance.models.documents.document import StoredDocument
from governance.models.documents.document_version import DocumentVersionCreate, StoredVersion
from governance.models.meetings.meeting import StoredMeeting
from governance.models.meetings.minutes_versions import StoredMinutesApproval, StoredVersionApproval
from governance.texts import Language, text

DOCUMENT_TYPE = "minutes"


class Named(NamedTuple):
    """The ids of what a file of minutes names."""

    users: set[UserId]
    people: set[str]
    action_items: set[str]
    meetings: set[str]
    resolutions: set[str]


def check_approved(approval: StoredMinutesApproval | None) -> StoredVersionApproval:
    """Returns the approval of the version that was approved last. Raises 409 `NOT_APPROVED` before the first."""
    approved = approval.in_force if approval else None
    if approved is None:
        raise conflict(Reason.NOT_APPROVED)
    return approved


def document_of(
    meeting: StoredMeeting, approval: StoredVersionApproval, principal: Principal, language: Language, now: Instant
) -> StoredDocument:
    """Returns the document of a file of minutes, linked to its meeting."""
    title = text(language, "minutes_file.title", number=approval.book_number, title=meeting.title)
    return document_to_make(meeting.board_id, title, DOCUMENT_TYPE, meeting.id, principal, now)


def is_sealed(version: StoredVersion, meeting_id: str) -> bool:
    """Returns whether a version is the sealed file of a meeting's minutes, and ready."""
    sealed = version.sealed_minutes
    return sealed is not None and sealed.meeting_id == meeting_id and version.status == "ready"


def declared(body: DocumentVersionCreate, user_id: UserId, now: Instant) -> StoredVersion:
    """Returns the version of a copy that was signed elsewhere, whose file is still to come.

    Raises 400 for what is no PDF, or larger than a file of minutes can be.
    """
    errors = {
        "mimeType": "" if body.mime_type == PDF else f"must be {PDF}",
        "size": "" if body.size <= MINUTES_FILE_BYTES else f"must be at most {MINUTES_FILE_BYTES}",
    }
    if any(errors.values()):
        raise invalid_body({name: sentence for name, sentence in errors.items() if sentence})
    return document_version_rules.declared(body, user_id, now).model_copy(update={"is_signed_copy": True})


def approval_of_file(approval: StoredMinutesApproval | None, number: int) -> StoredVersionApproval:
    """Returns the approval of a version. Raises 404 for a version that was not approved."""
    shown = approval.of_version(number) if approval else None
    if shown is None or shown.approved_at is None:
        raise not_found()
    return shown


def approval_facts(
    meeting: StoredMeeting,
    approval: StoredMinutesApproval | None,
    shown: StoredVersionApproval,
    proofs: Mapping[str, Mapping[str, Any]],
) -> dict[str, Any]:
    """Returns the approval of a version as its file has it: the resource, the board, and the log proof of each act."""
    indexes = {event_id: index for event_id, proof in proofs.items() if (index := proof["index"]) is not None}
    resource = version_rules.approval_of_version(approval, shown.number, indexes)
    members: dict[str, Any] = json.loads(resource.to_json())
    acts = zip(members["signatures"], shown.signatures, strict=True)
    signatures = [{**signature, "event": proofs[stored.event_id]} for signature, stored in acts]
    event = proofs[shown.event_id or ""]
    return {**members, "boardId": meeting.board_id, "signatures": signatures, "event": event}


def is_logged(facts: Mapping[str, Any]) -> bool:
    """Returns whether the approval and each signature have the proof that they are entries of the log."""
    return all(act["event"]["proof"] is not None for act in (facts, *facts["signatures"]))


def named_by(minutes: Mapping[str, Any], approval: StoredVersionApproval) -> Named:
    """Returns what a version of minutes and its approval name."""
    items, attendance = minutes["items"], minutes["attendance"]
    users = {entry["userId"] for entry in attendance} | {signature.user_id for signature in approval.signatures}
    return Named(
        users={UserId(id_) for id_ in (*users, approval.approved_by_user_id) if id_},
        people={entry["unregisteredUserId"] for entry in attendance if entry["unregisteredUserId"]},
        action_items={id_ for item in items for id_ in item.get("actionItemIds", ())},
        meetings={approval.in_meeting_id} if approval.in_meeting_id else set(),
        resolutions={id_ for id_ in (*(item.get("resolutionId") for item in items), approval.resolution_id) if id_},
    )
