"""Documents, their links to meetings and their versions: one without the other is left out and reported."""

from __future__ import annotations

import pytest

from governance.domain.access.visibility import document_visibility
from governance.ids import new_id
from governance.instants import shift
from governance.limits import DOCUMENT_VIEW_HOURS
from governance.models.documents.document import StoredDocument
from governance.store.documents import document_versions, document_views, documents, papers
from governance.store.documents.documents import DocumentBatch, DocumentFilter
from governance.store.meetings import meetings
from governance.store.paging import Window
from governance.store.schema.keys import position
from governance.store.transactions import transact
from governance.store.writes import Delete
from tests.harness import logs
from tests.store import stored_items
from tests.store.stored_items import BOARD, MEETING, NOW, ONE, VERSIONS

pytestmark = pytest.mark.usefixtures("store")
FIRST, SECOND, THIRD = (f"{number}" * 24 for number in (1, 2, 3))
ALL = Window(limit=10, descending=False)


def document(id_: str, document_type: str | None = "minutes") -> StoredDocument:
    """Returns a document of the whole board that is linked to a meeting."""
    return stored_items.document(None).model_copy(update={"id": id_, "document_type": document_type})


def linked(document_type: str | None = None) -> list[str]:
    """Returns the ids of the documents that are linked to the meeting."""
    asked = DocumentFilter(MEETING, document_type)
    return [entry.id for entry in documents.list_visible(BOARD, [document_visibility(None)], asked, ALL).documents]


def typed(document_type: str | None) -> list[str]:
    """Returns the ids of the documents of a type, linked or not."""
    asked = DocumentFilter(None, document_type)
    return [entry.id for entry in documents.list_visible(BOARD, [document_visibility(None)], asked, ALL).documents]


def unreadable(capfd: pytest.CaptureFixture[str]) -> int:
    return sum(line["message"] == "item unreadable" for line in logs.lines(capfd.readouterr().out))


def test_a_link_whose_document_is_absent_is_reported_and_the_others_are_listed(
    capfd: pytest.CaptureFixture[str],
) -> None:
    for id_ in (FIRST, SECOND, THIRD):
        transact(documents.create(document(id_)))
    assert linked() == [FIRST, SECOND, THIRD]
    assert unreadable(capfd) == 0
    transact([Delete(documents.document_key(document(SECOND)))])
    assert linked() == [FIRST, THIRD]
    assert unreadable(capfd) == 1


def test_a_deleted_document_leaves_no_link(capfd: pytest.CaptureFixture[str]) -> None:
    transact(documents.create(document(FIRST)))
    transact(documents.delete(document(FIRST)))
    assert (linked(), typed(None)) == ([], [])
    assert unreadable(capfd) == 0


def test_a_document_without_a_type_is_in_the_lists_of_no_type() -> None:
    transact(documents.create(document(FIRST, None)))
    transact(documents.create(document(SECOND)))
    assert (linked(), typed(None)) == ([FIRST, SECOND], [FIRST, SECOND])
    assert (linked("minutes"), typed("minutes")) == ([SECOND], [SECOND])
    assert (linked("None"), typed("None")) == ([], [])


def test_no_buckets_have_no_documents() -> None:
    transact(documents.create(document(FIRST)))
    for asked in (DocumentFilter(), DocumentFilter(MEETING)):
        listed = documents.list_visible(BOARD, [], asked, ALL)
        assert (list(listed.documents), listed.last) == ([], None)


def test_the_linked_meetings_are_those_that_exist() -> None:
    meeting = stored_items.meeting("scheduled")
    transact(meetings.create(meeting))
    assert documents.linked_meetings(BOARD, [MEETING, new_id(), "malformed"]) == {MEETING: meeting}


@pytest.mark.parametrize(("a", "b"), [(True, False), (False, True), (False, False)])
def test_a_page_goes_on_while_either_of_its_batches_does(a: bool, b: bool) -> None:
    first, second = document(FIRST), document(SECOND)
    batches = [DocumentBatch([first], FIRST if a else None), DocumentBatch([second], SECOND if b else None)]
    shown, last = documents.merge(batches, ALL)
    assert shown == [first, second]
    assert last == (position(NOW, SECOND) if a or b else None)


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
