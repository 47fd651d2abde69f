"""Places of a document that lines lead to, with the numbers of their pages.

A number is known once the document is drawn. It is then put behind its line, where programs that read a page aloud or
copy its text expect it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NamedTuple, cast

from fpdf import FPDF

_NUMBER_ROOM = 15
"""The room for a number at the right of its line, in millimetres."""


class _Leading(NamedTuple):
    """A line that leads to a place: its page, where its last line is, and where the page's content goes on."""

    place: str
    page: int
    y: float
    height: float
    at: int


class Places:
    """The places of one document."""

    def __init__(self, document: FPDF) -> None:
        self._document = document
        self._links: dict[str, int] = {}
        self._leading: list[_Leading] = []

    def begin(self, place: str) -> None:
        """Lets a place begin on the page that is drawn."""
        self._document.set_link(self._link(place))

    @contextmanager
    def leading_to(self, place: str, height: float) -> Iterator[int]:
        """Lets lines of this height in millimetres be drawn that lead to a place; yields the link for them."""
        document, margin = self._document, self._document.r_margin
        document.set_right_margin(margin + _NUMBER_ROOM)
        yield self._link(place)
        document.set_right_margin(margin)
        at = len(_content(document))
        self._leading.append(_Leading(place, document.page, document.y - height, height, at))
        document.current_font_is_set_on_page = False  # the number will be between this line and the next

    def write_numbers(self, use_font: Callable[[], object]) -> None:
        """Writes the numbers on the pages where they are missing; `use_font` sets their font. Nothing follows them."""
        document, last = self._document, self._document.page
        document.set_auto_page_break(auto=False)
        for place, page, y, height, at in reversed(self._leading):
            document.page = page
            use_font()
            document.set_y(y)
            content, number = _content(document), document.links[self._link(place)].page_number
            end = len(content)
            document.current_font_is_set_on_page = False
            document.cell(0, height, str(number), align="R")
            content[at:] = content[end:] + content[at:end]
        document.page = last
        document.current_font_is_set_on_page = False

    def _link(self, place: str) -> int:
        if place not in self._links:
            self._links[place] = self._document.add_link()
        return self._links[place]


def _content(document: FPDF) -> bytearray:
    """Returns what is drawn on the current page, which is a stream only once the document is written."""
    return cast("bytearray", document.pages[document.page].contents)
