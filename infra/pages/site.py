"""The files of the invite page, by their path in the bucket (ADR 0043)."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from infra.openapi.site import File

ROOT = "/invite"
PAGE = f"{ROOT}/index.html"
_FOLDER = Path(__file__).parent / "invite"
_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
}
_LINK = re.compile(rf"{ROOT}/[^/.]+")


@cache
def invite_page() -> dict[str, File]:
    """Returns the page, its style and its script by path."""
    return {f"{ROOT}/{path.name}": File(path.read_bytes(), _TYPES[path.suffix]) for path in sorted(_FOLDER.iterdir())}


def object_path(path: str) -> str:
    """Returns the path of the object that answers `path`; every invite link gets the same page.

    `infra/cdn/pages.js` has the same rule.
    """
    return PAGE if _LINK.fullmatch(path) else path
