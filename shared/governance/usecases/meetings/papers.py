"""The papers of agendas: who sees which, and what puts them in camera (ADR meetings, ADR in-camera)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from governance.agenda_limits import PAPER_WRITES
from governance.domain.access.visibility import can_see_document
from governance.domain.meetings import agenda as agenda_rules
from governance.domain.meetings.in_camera import Reader
from governance.domain.meetings.papers import changed_audiences
from governance.errors import Reason, conflict
from governance.models.meetings.agenda import AgendaItemFields, ItemWithPapersBody, StoredAgendaItem
from governance.models.meetings.audience import StoredAudience
from governance.store.writes import Write
from governance.usecases.context import Context
from governance.usecases.documents.readers import withheld_among

if TYPE_CHECKING:
    from governance.models.documents.document import StoredDocument


@dataclass(frozen=True)
class Papers:
    """The documents that exist, and their ids by whether the caller sees them; `withheld` are in camera for others."""

    documents: Mapping[str, StoredDocument]
    visible: frozenset[str]
    hidden: frozenset[str]
    withheld: frozenset[str]


def papers_named(context: Context, items: Iterable[AgendaItemFields | ItemWithPapersBody]) -> Papers:
    """Returns the papers of these items that exist."""
    return papers_of(context, agenda_rules.papers_of(items))


def papers_of(context: Context, document_ids: Iterable[str]) -> Papers:
    """Returns the documents of these ids that exist."""
    from governance.store.documents import documents  # only agendas need it; a start of the meetings gains 13 ms

    papers = documents.get_by_ids(context.board.id, document_ids)
    withheld = withheld_among(context, papers.values())
    seen = {id_ for id_, paper in papers.items() if can_see_document(context.committee_ids, paper.committee_id)}
    visible = frozenset(seen - withheld)
    return Papers(papers, visible, frozenset(papers.keys() - visible), frozenset(withheld))


def audience_writes(
    context: Context,
    papers: Papers,
    before: Sequence[StoredAgendaItem],
    after: Sequence[StoredAgendaItem],
    writer: Reader,
) -> list[Write]:
    """Returns the writes of the papers that a change of items puts in camera, opens, or gives another audience.

    A paper in camera for others stays as it is. Raises 403 unless the caller may change each of these papers, 409
    `LIMIT_REACHED` for more of them than one transaction takes.
    """
    changed = changed_audiences(before, after, writer)
    known = [id_ for id_ in changed if id_ in papers.documents and id_ not in papers.withheld]
    writes = [write for id_ in known for write in _writes(context, papers, id_, changed[id_])]
    if len(writes) > PAPER_WRITES:
        raise conflict(Reason.LIMIT_REACHED)
    return writes


def _writes(context: Context, papers: Papers, document_id: str, audience: StoredAudience | None) -> list[Write]:
    document = papers.documents[document_id]
    if document.audience is None and audience is None:
        return []
    from governance.domain.documents import document as rules  # few agendas need them
    from governance.store.documents import documents

    if document.audience == audience:
        return [documents.check_unchanged(document)]
    rules.check_changeable(document, context.tier, context.principal)
    return documents.replace(document, rules.patched(document, {"audience": audience}, context.now))
