"""The versions of documents as they are stored: the files that they name; and how long a view counts as recent."""

from __future__ import annotations

from governance.instants import shift
from governance.limits import DOCUMENT_VIEW_HOURS
from governance.store.documents import document_versions, document_views, papers
from tests.store.stored_items import BOARD, NOW, ONE, VERSIONS


def test_only_an_item_of_versions_of_a_document_names_files() -> None:
    item = document_versions.to_item(VERSIONS)
    assert document_versions.file_keys(item) == papers.keys(BOARD, ONE, ONE)
    assert document_versions.file_keys({**item, "SK": f"OTHER{item['SK']}"}) == []
    assert document_versions.file_keys({**item, "SK": f"{item['SK']}#OTHER"}) == []


def test_a_view_is_recent_for_less_than_an_hour() -> None:
    now, just_before = shift(NOW, hours=DOCUMENT_VIEW_HOURS), shift(NOW, hours=DOCUMENT_VIEW_HOURS, seconds=-1)
    assert document_views.is_recent({"viewedAt": NOW}, just_before)
    assert not document_views.is_recent({"viewedAt": NOW}, now)
    assert not document_views.is_recent(None, now)
