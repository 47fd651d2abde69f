"""The rules of documents: who changes one, and what becomes of its links (ADR 0050)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any

from governance.domain.access import Principal, check_tier
from governance.errors import invalid_body
from governance.limits import DOCUMENT_MEETINGS
from governance.models.document import StoredDocument
from governance.scopes import Scope, Tier


def check_changeable(document: StoredDocument, tier: Tier | None, principal: Principal) -> None:
    """A document is changed and deleted by its creator or a manager; a board token that writes documents is one."""
    if principal.user_id is None or principal.user_id != document.creator_id:
        check_tier(tier, Tier.MANAGER, principal, Scope.DOCUMENTS_WRITE)


def check_links(
    meeting_ids: Iterable[str], visible: Collection[str], committee_id: str | None, committee_ids: Collection[str]
) -> None:
    """400 unless the writer may see every meeting and is in the committee; absent and hidden are one offence."""
    faults = {
        f"meetingIds.{place}": "must be the id of a meeting"
        for place, meeting_id in enumerate(meeting_ids)
        if meeting_id not in visible
    }
    if committee_id is not None and committee_id not in committee_ids:
        faults["committeeId"] = "must be the id of a committee that you are in"
    if faults:
        raise invalid_body(faults)


def merge_links(given: Sequence[str], before: Iterable[str], hidden: Collection[str]) -> tuple[str, ...]:
    """The links after a writer named his: those that he cannot see stay, as far as there is room."""
    kept = [meeting_id for meeting_id in before if meeting_id in hidden and meeting_id not in given]
    return (*given, *kept)[:DOCUMENT_MEETINGS]


def patched(document: StoredDocument, changes: dict[str, Any], now: str) -> StoredDocument:
    """The document with these changes."""
    return document.model_copy(update={**changes, "updated_at": now, "version": document.version + 1})


def drops_version(old: StoredDocument, new: StoredDocument) -> bool:
    """Whether the version that was the latest is gone."""
    return old.latest_version_id is not None and old.latest_version_id != new.latest_version_id
