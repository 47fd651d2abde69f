"""Documents: one item each, and a numbered row for each meeting that a document is linked to (ADR documents).

The row is in the list of its meeting, by the document's update, and holds keys only: every write of a document moves
all of its rows.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from governance.domain.access.visibility import Visibility
from governance.domain.documents import document as document_rules
from governance.ids import BoardId
from governance.limits import DOCUMENTS_PAGE_MEETINGS
from governance.models.documents.document import StoredDocument
from governance.models.meetings.meeting import StoredMeeting
from governance.store import paging
from governance.store.boards.boards import board_key
from governance.store.decoding import check_settled, decode_all, decode_or_none
from governance.store.meetings.meetings import get_by_keys
from governance.store.paging import Window
from governance.store.schema import ranges
from governance.store.schema.entities import DOCUMENT, MEETING, document_link_key, document_of_link
from governance.store.schema.keys import Item, Key, key_of, make_item, position
from governance.store.table import read
from governance.store.writes import ABSENT, Check, Delete, Put, Write, equals


def document_key(document: StoredDocument) -> Key:
    """Returns the key of a document."""
    return DOCUMENT.key_for(boardId=document.board_id, documentId=document.id)


@dataclass(frozen=True)
class DocumentFilter:
    """The filter of a list of documents."""

    meeting_id: str | None = None
    document_type: str | None = None


def _position(document: StoredDocument) -> str:
    return position(document.updated_at, document.id)


def _item(document: StoredDocument) -> Item:
    visibility, at = document_rules.visibility(document), _position(document)
    of_type = ranges.documents_visible_by(visibility, document.document_type).entry(at)
    entries = ranges.documents_visible_by(visibility, None).entry(at) | of_type
    return make_item(document_key(document), document.item(), **entries)


def _link(key: Key, document: StoredDocument, meeting_id: str) -> Item:
    return make_item(key, {}, **_link_entries(document, meeting_id))


def _link_entries(document: StoredDocument, meeting_id: str) -> dict[str, str]:
    visibility, at = document_rules.visibility(document), _position(document)
    of_type = ranges.document_links(visibility, meeting_id, document.document_type).entry(at)
    return ranges.document_links(visibility, meeting_id, None).entry(at) | of_type


def _links(document: StoredDocument) -> list[Write]:
    return [Put(link) for link in links_of(document)]


def is_link(key: Key) -> bool:
    """Returns whether a key is that of a row for one of a document's meetings."""
    return document_of_link(key) != key


def links_of(document: StoredDocument) -> list[Item]:
    """Returns the rows for the meetings of a document."""
    key = document_key(document)
    return [
        _link(document_link_key(key, number), document, meeting_id)
        for number, meeting_id in enumerate(document.meeting_ids)
    ]


def _unlink(document: StoredDocument, first: int = 0) -> list[Write]:
    key = document_key(document)
    return [Delete(document_link_key(key, number)) for number in range(first, len(document.meeting_ids))]


def create(document: StoredDocument) -> list[Write]:
    """Returns the writes of a new document."""
    return [Put(_item(document), ABSENT), *_links(document)]


def replace(old: StoredDocument, new: StoredDocument) -> list[Write]:
    """Returns the writes that change a document. They fail with `StaleRead` if it changed since it was read."""
    put = Put(_item(new), equals(version=old.version))
    return [put, *_links(new), *_unlink(old, first=len(new.meeting_ids))]


def check_unchanged(document: StoredDocument) -> Write:
    """Returns a check that a document is as it was read. It fails with `StaleRead`."""
    return Check(document_key(document), equals(version=document.version))


def delete(document: StoredDocument) -> list[Write]:
    """Returns the writes that delete a document. They fail with `StaleRead` if it changed since it was read."""
    return [Delete(document_key(document), equals(version=document.version)), *_unlink(document)]


@dataclass(frozen=True)
class DocumentBatch:
    """The first documents of some visibilities, and the position behind which more follow (None: no more)."""

    documents: Sequence[StoredDocument] = ()
    last: str | None = None


def list_visible(
    board_id: BoardId, visibilities: Sequence[Visibility], document_filter: DocumentFilter, window: Window
) -> DocumentBatch:
    """Returns the first documents of these visibilities that pass the filter, by update."""
    pk, document_type = board_key(board_id).pk, document_filter.document_type
    if document_filter.meeting_id is not None:
        return _linked_to(pk, document_filter.meeting_id, document_type, visibilities, window)
    lists = [ranges.documents_visible_by(visibility, document_type) for visibility in visibilities]
    items, last = paging.page(pk, lists, window)
    return DocumentBatch(decode_all(StoredDocument, items), last)


def _linked_to(
    pk: str, meeting_id: str, document_type: str | None, visibilities: Sequence[Visibility], window: Window
) -> DocumentBatch:
    """Reads the links to a meeting, then their documents.

    Raises `StaleRead` if a document changed since its link was read, which gave it another place in the list, or none.
    A document that does not match its link, though neither changes, is left out.
    """
    lists = [ranges.document_links(visibility, meeting_id, document_type) for visibility in visibilities]
    links, last = paging.page(pk, lists, window)
    keys = [document_of_link(key_of(link)) for link in links]
    items = read(keys)
    shown = [_document_of(link, items, meeting_id) for link in links]
    torn = [link for link, document in zip(links, shown, strict=True) if document is None]
    if torn:
        documents = [document_of_link(key_of(link)) for link in torn]
        check_settled(
            [*torn, *(items[key] for key in documents if key in items)], [key for key in documents if key not in items]
        )
    return DocumentBatch([document for document in shown if document], last)


def _document_of(link: Item, items: Mapping[Key, Item], meeting_id: str) -> StoredDocument | None:
    """Returns the document that a link names; None if it cannot be read, or does not match its link."""
    item = items.get(document_of_link(key_of(link)))
    document = decode_or_none(StoredDocument, item)
    return document if document and _link_entries(document, meeting_id).items() & link.items() else None


def merge(batches: Sequence[DocumentBatch], window: Window) -> tuple[list[StoredDocument], str | None]:
    """Returns the page out of some batches, and the position of its last document (None: no more).

    A page ends early where its documents together are linked to more than `DOCUMENTS_PAGE_MEETINGS` meetings.
    """
    listed = sorted((each for batch in batches for each in batch.documents), key=_position, reverse=window.descending)
    shown = listed[: _fitting(listed[: window.limit])]
    more = any(batch.last for batch in batches) or len(listed) > len(shown)
    return shown, _position(shown[-1]) if more else None


def _fitting(documents: Sequence[StoredDocument]) -> int:
    """Returns how many of the documents one page may show: at least one, if there is one."""
    linked: set[str] = set()
    for number, document in enumerate(documents):
        linked.update(document.meeting_ids)
        if number and len(linked) > DOCUMENTS_PAGE_MEETINGS:
            return number
    return len(documents)


def get_by_ids(board_id: BoardId, document_ids: Iterable[str]) -> dict[str, StoredDocument]:
    """Returns the documents of a board that exist among these ids, by id; malformed ids are ignored."""
    keys = (DOCUMENT.key_or_none(boardId=board_id, documentId=document_id) for document_id in document_ids)
    items = read(key for key in keys if key is not None)
    return {document.id: document for document in decode_all(StoredDocument, items.values())}


def linked_meetings(board_id: BoardId, meeting_ids: Iterable[str]) -> dict[str, StoredMeeting]:
    """Returns the meetings that exist, by id, in one round trip."""
    keys = (MEETING.key_or_none(boardId=board_id, meetingId=meeting_id) for meeting_id in meeting_ids)
    return get_by_keys(key for key in keys if key is not None)
