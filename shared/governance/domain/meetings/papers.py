"""The rules of papers in camera: who the papers of items are for (ADR in-camera)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from governance.domain.meetings.in_camera import Reader
from governance.models.meetings.agenda import StoredAgendaItem
from governance.models.meetings.audience import StoredAudience


def audiences_of(items: Iterable[StoredAgendaItem]) -> dict[str, StoredAudience | None]:
    """Returns who the papers of these items are for: the audiences of a paper's items together, by its id.

    A paper that also stands on an item that is not in camera is for everybody: None.
    """
    audiences: dict[str, StoredAudience | None] = {}
    for item in items:
        for document_id in item.document_ids:
            other = audiences.get(document_id, item.audience)
            audiences[document_id] = _together(other, item.audience) if other and item.audience else None
    return audiences


def _together(a: StoredAudience, b: StoredAudience) -> StoredAudience:
    return a if a == b else StoredAudience(join_ids={**a.join_ids, **b.join_ids})


def changed_audiences(
    before: Sequence[StoredAgendaItem], after: Sequence[StoredAgendaItem], writer: Reader
) -> dict[str, StoredAudience | None]:
    """Returns who papers are for after a change of items, by the ids of the papers of which it says something new.

    A paper that is taken off stays for whom it was. An item that the writer does not see changes nothing by itself.
    """
    old, new = (audiences_of(item for item in items if writer.sees(item.audience)) for items in (before, after))
    now = audiences_of(after)
    return {id_: now[id_] for id_, audience in new.items() if id_ not in old or old[id_] != audience}
