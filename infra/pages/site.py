"""The page behind an invite's link: the objects that stand in the bucket, by their path (ADR 0043)."""

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
    """The page, its style and its script."""
    return {f"{ROOT}/{path.name}": File(path.read_bytes(), _TYPES[path.suffix]) for path in sorted(_FOLDER.iterdir())}


def object_path(path: str) -> str:
    """The object that answers a path: every link has the one page, as `infra/cdn/pages.js` has it."""
    return PAGE if _LINK.fullmatch(path) else path
