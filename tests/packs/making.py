"""Asks for board packs and makes them in this process, of papers that three libraries have written."""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import Any

import pikepdf
from fpdf import FPDF
from PIL import Image
from pypdf import PdfReader, PdfWriter
from reportlab.pdfgen.canvas import Canvas

from governance.settings import settings
from tests.harness import queue, sdk
from tests.harness.board_scenario import BoardScenario
from tests.harness.client import Client, Response
from tests.harness.meeting_scenario import MeetingScenario, new_meeting_scenario, stored_events
from tests.harness.stream import deliver
from tests.harness.uploads import DocumentScenario, new_document, stored_files

START = "2027-03-01T09:00:00.000Z"


def of_reportlab(*pages: str) -> bytes:
    """Returns a PDF with a text on each page, and a link to another page and to an address."""
    written = io.BytesIO()
    canvas = Canvas(written)
    for number, text in enumerate(pages):
        canvas.bookmarkPage(f"page {number}")
        canvas.drawString(72, 700, text)
        canvas.linkURL("https://example.com/", (72, 690, 200, 710))
        canvas.showPage()
    canvas.save()
    return written.getvalue()


def of_fpdf(*pages: str) -> bytes:
    """Returns a PDF whose first page is landscape."""
    document = FPDF()
    document.set_font("helvetica", size=12)
    for number, text in enumerate(pages):
        document.add_page(orientation="portrait" if number else "landscape")
        document.cell(text=text)
    return bytes(document.output())


def of_pikepdf(*pages: str) -> bytes:
    """Returns a PDF with objects in compressed streams, whose pages inherit what they have in common."""
    written = io.BytesIO()
    with pikepdf.open(io.BytesIO(of_reportlab(*pages))) as document:
        document.Root.Pages.MediaBox = pikepdf.Array([0, 0, 400, 800])
        for page in document.pages:
            del page.MediaBox
            page.Rotate = 90
        document.save(written, object_stream_mode=pikepdf.ObjectStreamMode.generate)
    return written.getvalue()


def raw(objects: list[bytes]) -> bytes:
    """Returns a PDF of these objects, the first of which is its catalog."""
    body, offsets = b"%PDF-1.7\n", []
    for number, content in enumerate(objects, 1):
        offsets.append(len(body))
        body += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    return body + _table(offsets, len(body))


def tree(levels: int, width: int) -> bytes:
    """Returns a PDF whose pages are one page, named by ever more nodes of the tree."""
    nodes = [
        b"<< /Type /Pages /Count 1 /MediaBox [0 0 99 99] /Kids [%s] >>" % (width * (b"%d 0 R " % (number + 3)))
        for number in range(levels)
    ]
    return raw([b"<< /Type /Catalog /Pages 2 0 R >>", *nodes, b"<< /Type /Page >>"])


def long_lists(pages: int, names: int) -> bytes:
    """Returns a PDF whose pages share a long list of pictures."""
    page = b"<< /Type /Page /Parent 2 0 R /Resources << /XObject 3 0 R >> >>"
    kids = b" ".join(b"%d 0 R" % (number + 5) for number in range(pages))
    listed = b" ".join(b"/X%d 4 0 R" % number for number in range(names))
    form = b"<< /Type /XObject /Subtype /Form /BBox [0 0 9 9] /Length 0 >>\nstream\n\nendstream"
    tree = b"<< /Type /Pages /Count %d /MediaBox [0 0 99 99] /Kids [%s] >>" % (pages, kids)
    return raw([b"<< /Type /Catalog /Pages 2 0 R >>", tree, b"<< %s >>" % listed, form, *(pages * [page])])


def overlapping(count: int, size: int) -> bytes:
    """Returns a PDF whose page has so many streams of this size, which overlap: it is as large as one."""
    streams = b" ".join(b"%d 0 R" % (number + 4) for number in range(count))
    page = b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents [%s] >>" % streams
    first = raw([b"<< /Type /Catalog /Pages 2 0 R >>", b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>", page])
    body = first[: first.index(b"xref")]
    offsets = [body.index(b"%d 0 obj" % number) for number in (1, 2, 3)]
    for number in range(count):
        offsets.append(len(body))
        body += b"%d 0 obj\n<< /Length %d >>\nstream\n" % (number + 4, size)
    body += size * b" " + b"\nendstream\nendobj\n"
    return body + _table(offsets, len(body))


def _table(offsets: list[int], at: int) -> bytes:
    rows = b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    trailer = b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(offsets) + 1, at)
    return b"xref\n0 %d\n0000000000 65535 f \n" % (len(offsets) + 1) + rows + trailer


def encrypted(content: bytes) -> bytes:
    """Returns a PDF that opens with a password only."""
    writer, written = PdfWriter(clone_from=io.BytesIO(content)), io.BytesIO()
    writer.encrypt("secret", algorithm="RC4-128")
    writer.write(written)
    return written.getvalue()


def picture(kind: str = "PNG", size: tuple[int, int] = (80, 60)) -> bytes:
    """Returns a picture in one of the formats of Pillow."""
    written = io.BytesIO()
    Image.new("RGB", size, (200, 30, 30)).save(written, kind)
    return written.getvalue()


def item(title: str, *papers: DocumentScenario, **members: Any) -> dict[str, Any]:
    """Returns an item of an agenda with these papers."""
    return {"title": title, "documentIds": [paper.document["id"] for paper in papers], **members}


@dataclass
class PackScenario:
    """A meeting with an agenda, of which packs are made."""

    meeting: MeetingScenario

    @property
    def board(self) -> BoardScenario:
        """The board of the meeting."""
        return self.meeting.board

    def paper(self, content: bytes, name: str = "Paper.pdf", mime_type: str = "application/pdf", **members: Any) -> Any:
        """Returns a document with a file; `members` are those of the document."""
        document = new_document(self.board, **members)
        document.add(content, name, mimeType=mime_type)
        return document

    def put_agenda(self, *items: dict[str, Any]) -> None:
        """Sets the agenda of the meeting."""
        answer = self.board.owner.client.call("PUT", f"{self.meeting.path}/agenda", {"items": list(items)})
        assert answer.status == 200, answer.text

    def ask(self, client: Client | None = None, body: Any = None, **headers: str) -> Response:
        """Asks for a pack, by default as the owner."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return (client or self.board.owner.client).call("POST", f"{self.meeting.path}/pack", body, headers=named)

    def begin(self, client: Client | None = None, **body: Any) -> Any:
        """Asks for a pack and lets the events go to the queue of packs; returns its document."""
        asked = self.ask(client, body or None)
        assert asked.status == 201, asked.text
        self.deliver()
        return asked.data

    def deliver(self) -> None:
        """Lets the packs that were asked for go to their queue."""
        deliver(*stored_events(self.board, "board_pack.requested"))

    def make(self, client: Client | None = None, **body: Any) -> Any:
        """Returns the version of a new pack, made or failed."""
        document = self.begin(client, **body)
        work()
        return self.version(document)

    def version(self, document: Any, client: Client | None = None) -> Any:
        """Returns the one version of a pack."""
        path = f"{self.board.path}/documents/{document['id']}/versions"
        (version,) = (client or self.board.owner.client).get(path).data
        return version

    def content(self, version: Any) -> bytes:
        """Returns the file of a pack."""
        key = f"papers/{self.board.board_id}/{version['documentId']}/{version['id']}"
        return bytes(sdk.s3().get_object(Bucket=settings().papers_bucket, Key=key)["Body"].read())

    def read(self, version: Any) -> PdfReader:
        """Returns the pages of a pack, which every reader can read."""
        assert version["status"] == "ready", version
        content = self.content(version)
        with pikepdf.open(io.BytesIO(content)) as document:
            assert document.check_pdf_syntax() == []
        return PdfReader(io.BytesIO(content), strict=True)


def work(times: int = 10) -> int:
    """Lets the worker handle the messages of the queue of packs that are visible; returns how many it handled."""
    for handled in range(times):
        message = queue.current.receive("packer")
        if message is None:
            return handled
        if not queue.invoke_deliveries(message):
            queue.current.messages.remove(message)
    return times


def new_pack_scenario(scenario: BoardScenario) -> PackScenario:
    """Returns a scheduled meeting with a start."""
    packs = PackScenario(new_meeting_scenario(scenario))
    assert packs.meeting.patch(startTime=START).status == 200
    return packs


def documents(packs: PackScenario) -> list[Any]:
    """Returns the documents of the board."""
    listed: list[Any] = packs.board.owner.client.get(f"{packs.board.path}/documents").data
    return listed


def keys_of_papers() -> list[str]:
    """Returns the keys of the files that stay in the bucket of papers."""
    return stored_files(sdk.s3())


def texts(reader: PdfReader) -> list[str]:
    """Returns the text of each page."""
    return [page.extract_text() for page in reader.pages]
