"""The file of a pack: pages are added at its end, and finally the structure that makes one PDF of them.

Only the numbers of pages and the positions of objects are in memory. Each paper is read by a process of its own.
"""

from __future__ import annotations

import json
import os
import subprocess
import zlib
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

from governance.limits import PACK_MORE_BYTES, PACK_PAPER_MEMORY, PACK_PAPER_SECONDS
from governance.packs import children
from governance.packs.copier.report import Added, LeftOut, Loss, PaperError, Place, Problem
from governance.packs.jobs import Job, Line

_HEAD = b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n"
_CATALOG, _PAGES, _OUTLINE, _INFO, _NUMBER_FONT, _FIRST = range(1, 7)
_OFFSET_BYTES = 5


@dataclass(frozen=True)
class Bookmark:
    """An entry of the outline: a title, the object of the page that it leads to, and the entries under it."""

    title: str
    page: int
    entries: Sequence[Bookmark] = ()


@dataclass
class Book:
    """The file of a pack that is being made."""

    path: Path
    pages: list[int] = field(default_factory=list)
    """The objects of the pages, in the order in which they were added."""
    left_out: list[LeftOut] = field(default_factory=list)
    """What the paper that was added last has, and the pack has not."""
    _places: dict[int, Place] = field(default_factory=dict)
    _next_object: int = _FIRST
    _attachment: tuple[bytes, int] | None = None
    """The name of the attached file, and its object."""
    _papers: int = 0
    """Bytes of the papers of which pages were added."""

    def __post_init__(self) -> None:
        self.path.write_bytes(_HEAD)
        self._write(_NUMBER_FONT, b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>")

    def add_file(self, source: Path, mime_type: str, first_page: int) -> list[int]:
        """Adds the pages of a paper, whose first has this number; returns their objects. Raises `PaperError`."""
        self._papers += source.stat().st_size
        return self._add(replace(self._job(first_page), source=str(source), mime_type=mime_type))

    def add_lines(self, lines: Sequence[Line], first_page: int) -> list[int]:
        """Adds pages made of lines, the first of which has this number; returns their objects. Raises `PaperError`."""
        return self._add(replace(self._job(first_page), lines=tuple(lines)))

    def attach(self, name: str, mime_type: str, content: bytes) -> None:
        """Attaches a file that the service wrote, beside the pages."""
        packed = zlib.compress(content)
        embedded, file = self._next_object, self._next_object + 1
        self._next_object += 2
        self._attachment = _text(name), file
        kind = mime_type.replace("/", "#2F").encode()
        members = b"/Type /EmbeddedFile /Subtype /%s /Params << /Size %d >> /Filter /FlateDecode /Length %d" % (
            kind,
            len(content),
            len(packed),
        )
        self._write(embedded, b"<< %s >>\nstream\n%s\nendstream" % (members, packed))
        self._write(
            file,
            b"<< /Type /Filespec /F %s /UF %s /AFRelationship /Data /EF << /F %d 0 R /UF %d 0 R >> >>"
            % (_text(name), _text(name), embedded, embedded),
        )

    def count_pages(self, lines: Sequence[Line]) -> int:
        """Returns how many pages these lines are, without adding them. Raises `PaperError` for too many."""
        size = self.path.stat().st_size
        added = run(replace(self._job(1), lines=tuple(lines)))
        os.truncate(self.path, size)
        if added.problem is not None:
            raise PaperError(added.problem)
        return len(added.pages)

    def finish(self, pages: Sequence[int], bookmarks: Sequence[Bookmark], title: str, language: str) -> None:
        """Writes the structure that makes one PDF of the pages, given in their final order."""
        outline = self._outline(bookmarks, _OUTLINE)
        self._write(_OUTLINE, b"<< /Type /Outlines%s >>" % outline)
        kids = b" ".join(b"%d 0 R" % page for page in pages)
        self._write(_PAGES, b"<< /Type /Pages /Count %d /Kids [%s] >>" % (len(pages), kids))
        self._write(
            _CATALOG,
            b"<< /Type /Catalog /Pages %d 0 R /Outlines %d 0 R /PageMode /UseOutlines /Lang %s"
            b" /ViewerPreferences << /DisplayDocTitle true >>%s >>"
            % (_PAGES, _OUTLINE, _text(language), self._attached()),
        )
        self._write(_INFO, b"<< /Title %s >>" % _text(title))
        self._write_table()

    def _attached(self) -> bytes:
        """Returns the members of the catalog that name the attached file."""
        if self._attachment is None:
            return b""
        name, file = self._attachment
        return b" /AF [%d 0 R] /Names << /EmbeddedFiles << /Names [%s %d 0 R] >> >>" % (file, name, file)

    @property
    def most_bytes(self) -> int:
        """The largest size that the file may have: that of its papers, and some more."""
        return self._papers + PACK_MORE_BYTES

    def _job(self, first_page: int) -> Job:
        return Job(str(self.path), self._next_object, first_page, _PAGES, _NUMBER_FONT, self.most_bytes)

    def _add(self, job: Job) -> list[int]:
        size = self.path.stat().st_size
        added = run(job)
        if added.problem is not None:
            os.truncate(self.path, size)
            raise PaperError(added.problem)
        self._places |= added.places
        self._next_object = max(self._next_object, *(number + 1 for number in added.places))
        self.pages += added.pages
        self.left_out = added.left_out
        return added.pages

    def _outline(self, bookmarks: Sequence[Bookmark], parent: int) -> bytes:
        """Writes the entries of a level of the outline; returns the entries by which their parent names them."""
        first = self._next_object
        self._next_object += len(bookmarks)
        for number, bookmark in enumerate(bookmarks, first):
            beside = b" /Prev %d 0 R" % (number - 1) if number > first else b""
            beside += b" /Next %d 0 R" % (number + 1) if number < first + len(bookmarks) - 1 else b""
            under = self._outline(bookmark.entries, number)
            self._write(
                number,
                b"<< /Title %s /Parent %d 0 R%s%s /Dest [%d 0 R /Fit] >>"
                % (_text(bookmark.title), parent, beside, under, bookmark.page),
            )
        return (
            b" /First %d 0 R /Last %d 0 R /Count %d" % (first, first + len(bookmarks) - 1, len(bookmarks))
            if bookmarks
            else b""
        )

    def _write(self, number: int, content: bytes) -> None:
        with self.path.open("ab") as file:
            self._places[number] = (0, file.tell())
            file.write(b"%d 0 obj\n%s\nendobj\n" % (number, content))

    def _write_table(self) -> None:
        """Writes the place of each object, as a compressed table; a number without an object is free."""
        with self.path.open("ab") as file:
            start = file.tell()
            self._places[self._next_object] = (0, start)
            rows = zlib.compress(b"".join(map(self._row, range(self._next_object + 1))))
            members = b"/Type /XRef /Size %d /W [1 %d 4] /Root %d 0 R /Info %d 0 R /Filter /FlateDecode /Length %d" % (
                self._next_object + 1,
                _OFFSET_BYTES,
                _CATALOG,
                _INFO,
                len(rows),
            )
            file.write(b"%d 0 obj\n<< %s >>\nstream\n%s\nendstream\nendobj\n" % (self._next_object, members, rows))
            file.write(b"startxref\n%d\n%%%%EOF\n" % start)

    def _row(self, number: int) -> bytes:
        place = self._places.get(number)
        if place is None:
            return b"\0" + bytes(_OFFSET_BYTES) + (0xFFFF if number == 0 else 0).to_bytes(4)
        stream, position = place
        kind, first, second = (2, stream, position) if stream else (1, position, 0)
        return kind.to_bytes() + first.to_bytes(_OFFSET_BYTES) + second.to_bytes(4)


def _text(text: str) -> bytes:
    """Returns a text as a string of PDF."""
    return b"<FEFF%s>" % text.encode("utf-16-be", "replace").hex().encode()


def run(job: Job) -> Added:
    """Lets a child process do a job. A child that ends without a result has exceeded its limits."""
    try:
        with children.unreadable():
            ended = subprocess.run(  # noqa: S603 - ours
                children.command(str(__package__), PACK_PAPER_SECONDS, PACK_PAPER_MEMORY, job.most_bytes),
                input=json.dumps(asdict(job)).encode(),
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env=children.environment(),
                timeout=2 * PACK_PAPER_SECONDS,
                check=True,
            )
        answer = json.loads(ended.stdout)
    except (subprocess.SubprocessError, ValueError):
        return Added(problem=Problem.TOO_HEAVY)
    problem = Problem(answer["problem"]) if answer["problem"] else None
    places = {int(number): (stream, position) for number, (stream, position) in answer["places"].items()}
    left_out = [LeftOut(Loss(each["loss"]), tuple(each["files"])) for each in answer["left_out"]]
    return Added(answer["pages"], places, problem, left_out)
