"""Which documents the caller sees (ADR documents, ADR in-camera)."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from governance.domain.access.visibility import can_see_document
from governance.usecases.context import Context
from governance.usecases.meetings.in_camera import hidden_among

if TYPE_CHECKING:
    from governance.models.documents.document import StoredDocument


def seen_among(context: Context, documents: Collection[StoredDocument]) -> set[str]:
    """Returns the ids of those of these documents that the caller sees: also those in camera, if it is for them."""
    of_committees = {each.id for each in documents if can_see_document(context.committee_ids, each.committee_id)}
    return of_committees - hidden_among(context, [*documents])


def may_name(context: Context, document: StoredDocument) -> bool:
    """Returns whether the caller may name a document in what others read: they see it, and it is not in camera."""
    return document.audience is None and can_see_document(context.committee_ids, document.committee_id)
