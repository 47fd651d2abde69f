"""The child process that adds the pages of a paper to a pack: `python -m governance.packs <seconds> <memory> <bytes>`.

It reads a `Job` as JSON and writes an `Added`. Papers are made by strangers: whatever one does to the libraries that
read it happens in this process, which has no credentials and no more than this time, memory and disk.
"""

from __future__ import annotations

import json
import logging
import sys
from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from governance.limits import PACK_PAPER_OBJECTS, PACK_PAPER_PAGES
from governance.packs.children import bound
from governance.packs.copier.report import Added, PaperError, Problem
from governance.packs.jobs import Job, Line

_PDF = "application/pdf"


def main() -> None:
    """Does the job that the standard input holds."""
    bound(*map(int, sys.argv[1:]))
    logging.disable(logging.CRITICAL)
    given: dict[str, Any] = json.load(sys.stdin)
    job = Job(**{**given, "lines": tuple(Line(**line) for line in given["lines"])})
    json.dump(asdict(added(job)), sys.stdout)


def added(job: Job) -> Added:
    """Does a job; returns what was added, or why nothing can be added."""
    try:
        with TemporaryDirectory(dir=Path(job.target).parent) as folder:
            return _copied(job, _pdf(job, Path(folder) / "pages.pdf"))
    except PaperError as error:
        return Added(problem=error.problem)
    except MemoryError:
        return Added(problem=Problem.TOO_HEAVY)
    except Exception:  # noqa: BLE001 - no list of what a damaged file does to its reader is complete
        return Added(problem=Problem.BROKEN)


def _pdf(job: Job, made: Path) -> Path:
    """Returns the PDF whose pages are added: the source, or one that is made of it."""
    if job.source is not None and job.mime_type == _PDF:
        return Path(job.source)
    from governance.packs import pages  # what makes pages is not needed to copy them

    if job.source is None:
        pages.of_lines(job.lines, made)
    else:
        pages.MAKERS[job.mime_type](Path(job.source), made)
    return made


def _copied(job: Job, source: Path) -> Added:
    from governance.packs.copier.copying import PackFile, PaperBounds, copy_pages  # a job that fails before needs none

    with Path(job.target).open("ab") as written:
        target = PackFile(written, job.next_object, job.next_page, job.pages, job.number_font)
        return copy_pages(source, target, PaperBounds(PACK_PAPER_PAGES, PACK_PAPER_OBJECTS))


if __name__ == "__main__":
    main()
