"""Makes board packs: reads the papers one by one into a file (ADR packs)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from governance import deadline
from governance.domain.packs.board_pack import Failure, PackFailed
from governance.instants import Instant, now, shift
from governance.limits import PACK_BYTES
from governance.models.documents.document import StoredDocument
from governance.models.documents.document_version import StoredVersion
from governance.packs import certificates, front
from governance.packs.attempts import Making, attempt, requested
from governance.packs.book import Book, Bookmark
from governance.packs.copier.report import LeftOut, PaperError
from governance.packs.jobs import Line
from governance.packs.message import minutes_file_message, pack_message
from governance.queue.message import Message
from governance.settings import settings
from governance.store.documents import papers
from governance.texts import text
from governance.usecases.packs import pack_making
from governance.usecases.packs.pack_making import Pack, PackContent

_PAPER_SECONDS = 75.0
"""The longest reading of one paper, its download included."""
_LOGGED_SECONDS, _LOG_PAUSE_SECONDS = 600, 20
"""Seconds that a certificate waits for its proof, and between two looks: without a proof it is not valid."""
SHOWN = frozenset(
    {"application/pdf", "image/gif", "image/jpeg", "image/png", "image/tiff", "image/webp", "text/csv", "text/plain"}
)
"""The types whose files are pages of a pack; others are named with their link."""


def make_pack(body: Mapping[str, Any]) -> Iterable[Message]:
    """Makes a board pack or the PDF of a certificate; passes a file that is sealed on to the function that seals."""
    pack = requested(body)
    if pack is None:
        return []
    if pack.version.is_sealed:
        return [minutes_file_message(pack.document.board_id, pack.document.id, pack.version.id)]
    return attempt(pack, Making(_message, _pause, _made))


def _message(pack: Pack, delay_seconds: float) -> Message:
    return pack_message(pack.document.board_id, pack.document.id, pack.version.id, delay_seconds)


def _pause(pack: Pack) -> int:
    """Returns the seconds to wait for the log: a certificate's event may not be logged yet, and will soon be."""
    is_certificate = pack.version.certified_resolution_id is not None
    if not is_certificate or now() > shift(pack.version.created_at, seconds=_LOGGED_SECONDS):
        return 0
    return 0 if pack_making.certificate_of(pack, now()).is_logged else _LOG_PAUSE_SECONDS


def _made(pack: Pack, folder: Path) -> Path:
    """Returns the file. Raises `PackFailed` if it cannot be made."""
    if pack.version.certified_resolution_id is not None:
        return certificates.make(pack_making.certificate_of(pack, now()), pack.document.title, folder, now())
    return _Maker(pack, pack_making.content_of(pack, now()), folder).make()


@dataclass
class _Maker:
    """Makes the file of one pack in a folder."""

    pack: Pack
    content: PackContent
    folder: Path
    _pages: dict[str, list[int]] = field(default_factory=dict)
    """The objects of the pages of each paper, by its id."""
    _numbers: dict[str, int] = field(default_factory=dict)
    """The number of the first page of each paper."""
    _left_out: dict[str, list[LeftOut]] = field(default_factory=dict)
    """What of each paper is not in the pack, by its id; papers that lack nothing are absent."""
    _begun: Instant = field(default_factory=now)
    _bytes: int = 0

    def make(self) -> Path:
        """Returns the file. Raises `PackFailed` if a paper cannot be part of it."""
        book, front_pages = self._add_papers()
        if self._left_out and book.count_pages(self._front(None)) > front_pages:
            book, front_pages = self._add_papers()  # the cover became longer, and the numbers of pages others
        first = self._add_front(book, self._front(self._numbers), front_pages)
        behind = [page for pages in self._pages.values() for page in pages]
        book.finish([*first, *behind], self._bookmarks(first), self.pack.document.title, self.content.language)
        if book.path.stat().st_size > book.most_bytes:
            raise PackFailed(Failure.TOO_MUCH)
        return book.path

    def _add_papers(self) -> tuple[Book, int]:
        """Returns the file with all papers, and how many pages are kept before them."""
        book, self._bytes = Book(self.folder / "whole.pdf"), 0
        front_pages = book.count_pages(self._front(None))
        for paper in self.content.papers.values():
            self._numbers[paper.id] = front_pages + len(book.pages) + 1
            self._pages[paper.id] = self._add(book, paper)
            if book.left_out:
                self._left_out[paper.id] = book.left_out
        return book, front_pages

    def _front(self, numbers: Mapping[str, int] | None) -> list[Line]:
        """Returns the lines of the first pages; `numbers` are those of the papers' first pages where they are known."""
        lost = [(paper.title, _url(paper), self._left_out.get(paper.id, [])) for paper in self.content.papers.values()]
        return front.lines(self.content, numbers, self._begun, lost)

    @staticmethod
    def _add_front(book: Book, lines: list[Line], number: int) -> list[int]:
        """Adds the first pages, as many as were counted: real page numbers are no wider than the counted ones."""
        pages = book.add_lines(lines, 1)
        missing = number - len(pages)
        return [*pages, *(book.add_lines((missing - 1) * [Line("page", "")], len(pages) + 1) if missing else [])]

    def _add(self, book: Book, paper: StoredDocument) -> list[int]:
        if not deadline.has_time(_PAPER_SECONDS):
            raise PackFailed(Failure.TOO_MUCH)
        version, number = pack_making.version_of(self.pack, paper), self._numbers[paper.id]
        try:
            if version is not None and version.mime_type in SHOWN and self._download(paper, version):
                return book.add_file(self._source, version.mime_type, number)
            name = version.file_name if version else None
            return book.add_lines(front.link_lines(self.content.language, paper, name, _url(paper)), number)
        except PaperError as error:
            raise PackFailed(Failure(error.problem), paper.title) from None

    @property
    def _source(self) -> Path:
        """The file of the paper that is being read; the next paper replaces it."""
        return self.folder / "paper"

    def _download(self, paper: StoredDocument, version: StoredVersion) -> bool:
        """Reads the file of a paper from the bucket. Returns False if it was deleted meanwhile."""
        self._bytes += version.size
        if self._bytes > PACK_BYTES:
            raise PackFailed(Failure.TOO_LARGE)
        chunks = papers.read(papers.file_key(paper.board_id, paper.id, version.id))
        if chunks is None:
            return False
        with self._source.open("wb") as file:
            file.writelines(chunks)
        return True

    def _bookmarks(self, first: list[int]) -> list[Bookmark]:
        """Returns the outline: the agenda, then its items with their papers."""
        agenda = first[min(1, len(first) - 1)]
        entries = [Bookmark(text(self.content.language, "pack.agenda"), agenda)]
        for number, item in enumerate(self.content.agenda.items, 1):
            shown = [
                Bookmark(self.content.papers[document_id].title, self._pages[document_id][0])
                for document_id in item.document_ids or ()
            ]
            entries.append(
                Bookmark(front.numbered(self.content.language, number, item), shown[0].page if shown else agenda, shown)
            )
        return entries


def _url(paper: StoredDocument) -> str:
    return f"{settings().root_url}/boards/{paper.board_id}/documents/{paper.id}"
