"""What all pages share: the style of colours, text, links and focus, the header, the footer, and modules."""

from __future__ import annotations

from base64 import b64encode
from pathlib import Path

_FOLDER = Path(__file__).parent
_APP = _FOLDER.parent / "pages/app/web"
_ICON = b64encode((_APP / "icon.svg").read_bytes())
MODULES = _APP / "lib"
"""Modules of the app, of which other pages ship some too."""


def with_base(style: bytes) -> bytes:
    """Returns a page's own style after the shared one, as one file."""
    return (_FOLDER / "base.css").read_bytes() + b"\n" + style


def with_font(style: bytes) -> bytes:
    """Returns a style of a page outside of the app, with the shared style and font before it."""
    return (_FOLDER / "font.css").read_bytes() + b"\n" + with_base(style)


def framed(page: bytes) -> bytes:
    """Returns a page with the shared header, footer and icon in the places that it has for them."""
    for part in ("header", "footer"):
        page = page.replace(b"{%b}" % part.encode(), (_FOLDER / f"{part}.html").read_bytes().rstrip())
    return page.replace(b"{icon}", b"data:image/svg+xml;base64," + _ICON)
