"""The document of a minute book: asked for here, and read for the function that makes and seals it (ADR minutes)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from governance.domain.access.visibility import document_visibilities
from governance.domain.meetings import minute_book_file as file_rules
from governance.domain.packs.board_pack import Failure, PackFailed, versions_to_make
from governance.errors import not_found
from governance.ids import BoardId
from governance.limits import MINUTES_FILE_BYTES
from governance.models.documents.document import Document
from governance.models.meetings.agenda import StoredAgenda
from governance.models.meetings.approved_minutes import ApprovedMinutes
from governance.models.meetings.meeting import StoredMeeting
from governance.models.meetings.minute_book import MinuteBook, MinuteBookEntry
from governance.models.meetings.minute_book_content import MinuteBookContent
from governance.models.meetings.minutes_versions import StoredMinutesApproval, StoredMinutesVersion
from governance.models.resolutions.certificate_content import CertificateContent
from governance.store.decoding import decode_all
from governance.store.meetings import meetings
from governance.store.resolutions import certificates
from governance.store.schema.entities import AGENDA, DOCUMENT, MEETING
from governance.store.schema.minutes import MINUTES_APPROVAL, minutes_version_key
from governance.store.table import read
from governance.usecases.context import Context, Outcome
from governance.usecases.declarations import creates, finds
from governance.usecases.documents import made_documents
from governance.usecases.documents.documents import (
    visible_document,
)
from governance.usecases.meetings.minute_book import book_from
from governance.usecases.meetings.minutes_files import language_of_maker, names_of, user_names
from governance.usecases.years import requested_year

_UTC = "UTC"


@creates(DOCUMENT, "documentId", visible_document)
@finds(requested_year)
def create_minute_book_document(context: Context, year: int) -> Outcome[Document]:
    """Creates a document with the minute book of a year as a sealed PDF, which is made after the response."""
    document = file_rules.document_of(context.board.id, year, context.principal, context.language, context.now)
    versions = versions_to_make(document, context.now, sealed_book_year=str(year))
    return made_documents.create(context, document, versions)


def read_minute_book(context: Context) -> MinuteBookContent:
    """Returns the minute book of a year as every member may read it, with what stands under its numbers.

    Raises 404 if a part of it was lost, and `PackFailed` if it is too long for one file.
    """
    board_id, year = context.board.id, requested_year(context)
    book = _whole_book(board_id, year)
    user = context.known_principal.user if context.known_principal else None
    timezone = (user.timezone if user else None) or _UTC
    reader = _Reader(context, timezone)
    held = meetings.held_in(board_id, year)
    return MinuteBookContent(
        board=context.board.name,
        book=book,
        minutes={entry.number: reader.minutes(entry) for entry in book.entries if entry.kind == "minutes"},
        resolutions={entry.number: reader.resolution(entry) for entry in book.entries if entry.kind == "resolution"},
        gaps=file_rules.gaps(book.entries),
        unapproved=file_rules.unapproved(held, _approvals(board_id, held)),
        timezone=timezone,
        language=language_of_maker(context),
    )


def _whole_book(board_id: BoardId, year: int) -> MinuteBook:
    """Returns the book of a year with all entries that every member may read."""
    pages = list(_pages(board_id, year))
    return pages[0].model_copy(
        update={"entries": tuple(entry for page in pages for entry in page.entries), "next_count": None}
    )


def _pages(board_id: BoardId, year: int) -> Iterator[MinuteBook]:
    following: int | None = 1
    while following is not None:
        page = book_from(board_id, year, document_visibilities(()), following)
        yield page
        following = page.next_count


def _approvals(board_id: BoardId, held: Iterable[StoredMeeting]) -> dict[str, StoredMinutesApproval]:
    items = read(MINUTES_APPROVAL.key_for(boardId=board_id, meetingId=meeting.id) for meeting in held)
    return {approval.meeting_id: approval for approval in decode_all(StoredMinutesApproval, items.values())}


class _Reader:
    """Reads what stands under the numbers of a book, no more than a file can hold."""

    def __init__(self, context: Context, timezone: str) -> None:
        self._context = context
        self._timezone = timezone
        self._characters = 0

    def minutes(self, entry: MinuteBookEntry) -> ApprovedMinutes:
        """Returns the minutes of an entry."""
        board_id, version_number = self._context.board.id, entry.version or 0
        named = {"boardId": board_id, "meetingId": entry.id}
        keys = [
            MEETING.key_for(**named),
            MINUTES_APPROVAL.key_for(**named),
            minutes_version_key(board_id, entry.id, version_number),
            AGENDA.key_for(**named),
        ]
        items = read(keys)
        if any(key not in items for key in keys[:3]):
            raise not_found()
        meeting = StoredMeeting.model_validate(items[keys[0]])
        approval = StoredMinutesApproval.model_validate(items[keys[1]])
        version = StoredMinutesVersion.model_validate(items[keys[2]])
        agenda = StoredAgenda.model_validate(items[keys[3]]) if keys[3] in items else None
        self._count(version.canonical)
        shown = approval.of_version(version.number)
        if shown is None:
            raise not_found()
        return ApprovedMinutes(
            board=self._context.board.name,
            title=entry.title,
            start_time=entry.held_at,
            timezone=meeting.timezone or _UTC,
            language=language_of_maker(self._context),
            version=version.canonical,
            approval=file_rules.approval_facts(approval, entry, version.number),
            names=names_of(self._context, agenda, json.loads(version.canonical), shown),
        )

    def resolution(self, entry: MinuteBookEntry) -> CertificateContent:
        """Returns the certificate of an entry."""
        stored = certificates.find(self._context.board.id, entry.id)
        if stored is None:
            raise not_found()
        self._count(stored.text)
        facts = json.loads(stored.text)
        casting = facts["resolution"]["rule"]["castingVoteUserId"]
        names = user_names([casting] if casting else [])
        language = language_of_maker(self._context)
        return CertificateContent(stored.text, facts, names, {}, self._timezone, language)

    def _count(self, text: str) -> None:
        self._characters += len(text)
        if self._characters > MINUTES_FILE_BYTES:
            raise PackFailed(Failure.LONG_BOOK)
