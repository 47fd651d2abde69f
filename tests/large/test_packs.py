"""A pack of two hundred megabytes is made in bounded memory."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from pypdf import PdfReader, apply_configuration

pytestmark = pytest.mark.slow
MEGABYTE = 1024**2
MOST = 512
"""Megabytes of the function and of its child process together."""
_MAKE = """
import json, resource, sys
from pathlib import Path
from governance.packs.book import Book, Bookmark

folder = Path(sys.argv[1])
made, pages = Book(folder / "pack.pdf"), []
for paper in sorted(folder.glob("paper*")):
    pages += made.add_file(paper, "application/pdf", len(pages) + 1)
made.finish(pages, [Bookmark("First", pages[0])], "Pack", "en")
own = next(int(line.split()[1]) for line in open("/proc/self/status") if line.startswith("VmHWM"))
peaks = [own // 1024, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024]
json.dump({"peaks": peaks, "pages": len(pages)}, sys.stdout)
"""


def write_paper(path: Path, pages: int, side: int) -> None:
    """Writes a PDF whose pages have a picture of `side` squared bytes each."""
    offsets: list[int] = []

    with path.open("wb") as file:

        def write(content: bytes) -> None:
            offsets.append(file.tell())
            file.write(b"%d 0 obj\n%s\nendobj\n" % (len(offsets), content))

        file.write(b"%PDF-1.7\n")
        write(b"<< /Type /Catalog /Pages 2 0 R >>")
        kids = b" ".join(b"%d 0 R" % (3 + 2 * number) for number in range(pages))
        write(b"<< /Type /Pages /Count %d /MediaBox [0 0 595 842] /Kids [%s] >>" % (pages, kids))
        for number in range(pages):
            resources = b"<< /XObject << /I %d 0 R >> >>" % (4 + 2 * number)
            write(b"<< /Type /Page /Parent 2 0 R /Resources %s >>" % resources)
            size = b"/Width %d /Height %d /BitsPerComponent 8 /ColorSpace /DeviceGray" % (side, side)
            pixels = os.urandom(side * side)
            write(
                b"<< /Subtype /Image %s /Length %d >>\nstream\n%s\nendstream" % (size, len(pixels), pixels),
            )
        table = file.tell()
        file.write(b"xref\n0 %d\n0000000000 65535 f \n" % (len(offsets) + 1))
        file.writelines(b"%010d 00000 n \n" % offset for offset in offsets)
        file.write(b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(offsets) + 1, table))


def test_two_hundred_megabytes_are_packed_in_bounded_memory(tmp_path: Path) -> None:
    write_paper(tmp_path / "paper1.pdf", 1, 10_000)
    write_paper(tmp_path / "paper2.pdf", 100, 1000)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    command = [sys.executable, "-c", _MAKE, str(tmp_path)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)  # noqa: S603 - ours
    told = json.loads(done.stdout)
    size = (tmp_path / "pack.pdf").stat().st_size
    print(f"{size // MEGABYTE} MB in pages: {told}")
    assert told["pages"] == 101
    assert size > 190 * MEGABYTE
    assert sum(told["peaks"]) < MOST, told
    with apply_configuration(maximum_declared_stream_length=2 * size):
        assert len(PdfReader(tmp_path / "pack.pdf", strict=True).pages) == 101
