"""The rules of documents: who may change or delete one, and what it may be linked to (ADR documents)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any

from governance.domain.access.access import Principal, check_tier
from governance.domain.access.visibility import DOCUMENTS_IN_CAMERA, Visibility, document_visibility
from governance.errors import invalid_body
from governance.instants import Instant
from governance.limits import DOCUMENT_MEETINGS
from governance.models.documents.document import StoredDocument
from governance.scopes import Scope, Tier


def visibility(document: StoredDocument) -> Visibility:
    """Returns the visibility of a document: a common one for those in camera, its committee's, or the board's."""
    return document_visibility(document.committee_id) if document.audience is None else DOCUMENTS_IN_CAMERA


def check_changeable(document: StoredDocument, tier: Tier | None, principal: Principal) -> None:
    """Raises 403 unless the caller, who changes or deletes the document, is its creator or a manager.

    A board token that may write documents counts as a manager.
    """
    if principal.user_id is None or principal.user_id != document.creator_id:
        check_tier(tier, Tier.MANAGER, principal, Scope.DOCUMENTS_WRITE)


def check_links(
    meeting_ids: Iterable[str], visible: Collection[str], committee_id: str | None, committee_ids: Collection[str]
) -> None:
    """Raises 400 unless the caller sees every meeting and is in the committee.

    An absent meeting and a hidden one are the same error. `committee_ids` are the caller's committees.
    """
    errors = {
        f"meetingIds.{index}": "must be the id of a meeting of this board"
        for index, meeting_id in enumerate(meeting_ids)
        if meeting_id not in visible
    }
    if committee_id is not None and committee_id not in committee_ids:
        errors["committeeId"] = "must be the id of a committee that you are a member of"
    if errors:
        raise invalid_body(errors)


def merge_links(given: Sequence[str], before: Iterable[str], hidden: Collection[str]) -> tuple[str, ...]:
    """Returns a document's links after a change: those given, then earlier ones that the caller cannot see.

    Hidden links beyond `DOCUMENT_MEETINGS` are dropped.
    """
    kept = [meeting_id for meeting_id in before if meeting_id in hidden and meeting_id not in given]
    return (*given, *kept)[:DOCUMENT_MEETINGS]


def patched(document: StoredDocument, changes: dict[str, Any], now: Instant) -> StoredDocument:
    """Returns the document with these changes, and where it was if they move it away from its readers."""
    version = document.version + 1
    update = {**changes, "updated_at": now, "version": version}
    is_moved = changes.get("committee_id", document.committee_id) != document.committee_id
    if document.audience is None and (is_moved or changes.get("audience") is not None):
        update |= {"moved_from": document.committee_id, "moved_in": version}
    return document.model_copy(update=update)


def readers_of_change(document: StoredDocument) -> tuple[str | None, ...]:
    """Returns the committees (None: the board) whose members the last change of a document concerns.

    They are its readers, unless it is in camera, and those who can read it no longer if it was moved.
    """
    is_in_camera = document.audience is not None
    readers = () if is_in_camera else (document.committee_id,)
    moved = document.moved_in == document.version and (is_in_camera or document.moved_from != document.committee_id)
    return (*readers, document.moved_from) if moved else readers


def drops_version(old: StoredDocument, new: StoredDocument) -> bool:
    """Returns whether a change replaces or removes the latest version."""
    return old.latest_version_id is not None and old.latest_version_id != new.latest_version_id
