"""Renders e-mails in HTML and in plain text, from templates that ship with the package.

HTML templates escape their values; a value that is HTML already is passed as `Markup`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from html import unescape
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape
from markupsafe import Markup

_BREAKS = re.compile(r"[\s\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]+")


@dataclass(frozen=True)
class RenderedEmail:
    """The content of an e-mail; the subject is one line."""

    recipient: str
    subject: str
    text: str
    html: str


def render_email(template: str, recipient: str, subject: str, **values: Any) -> RenderedEmail:
    """Renders `templates/<template>.txt` and `.html`; raises `UndefinedError` for a value that a template misses."""
    line = one_line(subject)
    context = {"recipient": recipient, "subject": line, **values}
    text = _templates().get_template(f"{template}.txt").render(context)
    html = _templates().get_template(f"{template}.html").render(context)
    return RenderedEmail(recipient, line, text, html)


def already_escaped(message: str | None) -> Markup | None:
    """Marks a text that was escaped for HTML when it was stored, so that it is not escaped again."""
    return None if message is None else Markup(message)  # noqa: S704 - escaped by domain/invite.py


def one_line(text: str) -> str:
    """Returns the text on one line, without control characters, so that it is safe in a header."""
    return _BREAKS.sub(" ", text).strip()


def _plain(message: Markup) -> str:
    return unescape(str(message))


@lru_cache(maxsize=1)
def _templates() -> Environment:
    folder = FileSystemLoader(Path(__file__).parent / "templates")
    environment = Environment(
        loader=folder,
        autoescape=select_autoescape(["html"]),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters |= {"plain": _plain, "one_line": one_line}
    return environment
