"""Builds the catalog page for one version: it reads that version's files and loads its own parts by their digest.

So HTML, scripts, styles and data match, even if a release is published while a browser loads the page (ADR catalog).
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

from infra.frame.frame import MODULES, framed, with_font

FOLDER = Path(__file__).parent / "browse"
HTML = "index.html"
OWN = (HTML, "browse.css", "browse.js", "record.js", "expression.js")
SEARCH = ("kpi-search.js", "search.js")
"""Modules of the app: it finds definitions by them, so that the same words find the same here and there."""
FILES = (*OWN, *SEARCH)
_ROOT = b"/api/ontology"


@dataclass(frozen=True)
class Page:
    """A build of the page, as it is published under `browse/<digest>/`."""

    digest: str
    files: dict[str, bytes]


def build(version: str) -> Page:
    """Returns the page for a version; the digest changes with any byte."""
    files = {name: (FOLDER / name).read_bytes() for name in OWN}
    files |= {name: (MODULES / name).read_bytes() for name in SEARCH}
    files["browse.css"] = with_font(files["browse.css"])
    html = framed(files[HTML]).replace(b"{tree}", b"%b/v/%b" % (_ROOT, version.encode()))
    digest = _digest({**files, HTML: html})
    files[HTML] = html.replace(b"{page}", b"%b/browse/%b" % (_ROOT, digest.encode()))
    return Page(digest, files)


def _digest(files: dict[str, bytes]) -> str:
    parts = (hashlib.sha256(body).digest() for body in files.values())
    return hashlib.sha256(b"".join(parts)).hexdigest()[:12]
