"""Documents: one item each, and a numbered row for each meeting that it is linked to (ADR 0050).

A row holds a copy of the document and lies in its meeting's range, so that a list of one meeting's documents is one
range like any other. Every write of a document writes all of its rows.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from governance.domain.visibility import document_bucket
from governance.models.document import StoredDocument
from governance.models.meeting import StoredMeeting
from governance.store import paging
from governance.store.boards import board_key
from governance.store.meetings import get_by_keys
from governance.store.paging import Window
from governance.store.schema import DOCUMENT, MEETING, Index, Item, Key, document_link, make_item
from governance.store.writes import ABSENT, Delete, Put, Write, equals


def document_key(document: StoredDocument) -> Key:
    """Where a document lies."""
    return DOCUMENT.at(boardId=document.board_id, documentId=document.id)


@dataclass(frozen=True)
class Filter:
    """What a list of documents is narrowed to."""

    meeting_id: str | None = None
    document_type: str | None = None

    def prefix(self, bucket: str) -> str:
        """The range of a bucket's documents that pass. A type is free text, so its digest stands for it."""
        facet = f"{bucket}#ALL" if self.meeting_id is None else f"{bucket}#M#{self.meeting_id}"
        if self.document_type is None:
            return f"{facet}#"
        return f"{facet}#T#{hashlib.sha256(self.document_type.encode()).hexdigest()[:24]}#"


def _place(document: StoredDocument) -> str:
    return f"{document.updated_at}#{document.id}"


def _item(key: Key, document: StoredDocument, meeting_id: str | None = None) -> Item:
    bucket, place = document_bucket(document.committee_id), _place(document)
    by_type = {}
    if document.document_type is not None:
        by_type["L2"] = Filter(meeting_id, document.document_type).prefix(bucket) + place
    return make_item(key, document.item(), L1=Filter(meeting_id).prefix(bucket) + place, **by_type)


def _links(document: StoredDocument) -> list[Write]:
    key = document_key(document)
    return [
        Put(_item(document_link(key, number), document, meeting_id))
        for number, meeting_id in enumerate(document.meeting_ids)
    ]


def _unlink(document: StoredDocument, first: int = 0) -> list[Write]:
    key = document_key(document)
    return [Delete(document_link(key, number)) for number in range(first, len(document.meeting_ids))]


def create(document: StoredDocument) -> list[Write]:
    """A new document."""
    return [Put(_item(document_key(document), document), ABSENT), *_links(document)]


def replace(old: StoredDocument, new: StoredDocument) -> list[Write]:
    """A document as it is now, if it is still as it was read."""
    put = Put(_item(document_key(new), new), equals(version=old.version))
    return [put, *_links(new), *_unlink(old, first=len(new.meeting_ids))]


def delete(document: StoredDocument) -> list[Write]:
    """Remove a document, if it is still as it was read."""
    return [Delete(document_key(document), equals(version=document.version)), *_unlink(document)]


@dataclass(frozen=True)
class Run:
    """The first documents of some buckets, and whether more follow."""

    documents: Sequence[StoredDocument] = ()
    more: bool = False


def list_buckets(board_id: str, buckets: Sequence[str], narrowed: Filter, window: Window) -> Run:
    """The documents of these buckets, by update."""
    if not buckets:
        return Run()
    index: Index = "L1" if narrowed.document_type is None else "L2"
    prefixes = [narrowed.prefix(bucket) for bucket in buckets]
    items, position = paging.page(board_key(board_id).pk, index, prefixes, window)
    return Run([StoredDocument.model_validate(item) for item in items], position is not None)


def merged(one: Run, other: Run, window: Window) -> tuple[list[StoredDocument], str | None]:
    """The page out of two runs, and the position of its last document; None where nothing follows."""
    both = sorted([*one.documents, *other.documents], key=_place, reverse=window.descending)
    shown = both[: window.limit]
    more = one.more or other.more or len(both) > window.limit
    return shown, _place(shown[-1]) if more else None


def linked_meetings(board_id: str, meeting_ids: Iterable[str]) -> dict[str, StoredMeeting]:
    """Those of the meetings that there are, by id: one round trip."""
    keys = (MEETING.key(boardId=board_id, meetingId=meeting_id) for meeting_id in meeting_ids)
    return get_by_keys(key for key in keys if key is not None)
