"""The papers of a resolution: which version of each document is voted on (an extension of the API, ADR resolutions)."""

from __future__ import annotations

from governance.models.page import Page, PageQuery
from governance.models.resolutions.paper import ResolutionPaper
from governance.models.resolutions.resolution import StoredContent, StoredResolution
from governance.store.paging import page_of
from governance.store.schema.entities import RESOLUTION, RESOLUTION_CONTENT
from governance.store.writes import StaleRead
from governance.usecases.context import Context
from governance.usecases.declarations import finds, loads, own_committees
from governance.usecases.resolutions.reading import visible_resolution


@loads(RESOLUTION, RESOLUTION_CONTENT, own_committees)
@finds(visible_resolution)
def list_resolution_papers(context: Context, resolution: StoredResolution, query: PageQuery) -> Page[ResolutionPaper]:
    """Returns a page of the versions that opening fixed, by document; none of a draft."""
    content = context.stored_or_none(RESOLUTION_CONTENT, StoredContent)
    if content is None or content.version != resolution.content_version:
        raise StaleRead
    papers = [ResolutionPaper.model_validate(vars(paper)) for paper in content.papers]
    return Page(*page_of(papers, lambda paper: paper.document_id, context.window(query)))
