"""The messages between the worker of board packs and its child processes."""

from __future__ import annotations

from dataclasses import dataclass

MISSING, LETTERS = "missing", "{letters}"
"""The style of a line that is written only where no font has some letters, and what stands for them in it."""


@dataclass(frozen=True)
class Line:
    """A line of the pages that the service writes: how it looks, and its text.

    `place` is the name of a place: one of the style `page` begins there, another leads there and shows its page number.
    """

    style: str
    text: str
    place: str = ""


@dataclass(frozen=True)
class Job:
    """Work for a child process: to add the pages of a file, or of some lines, to the file of a pack.

    `target` is the pack, whose next object and page have the numbers `next_object` and `next_page`; `pages` and
    `number_font` are the numbers of the objects that pages refer to. No file becomes larger than `most_bytes`.
    """

    target: str
    next_object: int
    next_page: int
    pages: int
    number_font: int
    most_bytes: int
    source: str | None = None
    mime_type: str = "application/pdf"
    lines: tuple[Line, ...] = ()
