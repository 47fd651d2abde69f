"""Renders e-mails in HTML and in plain text, from templates that ship with the package.

HTML templates escape their values; a value that is HTML already is passed as `Markup`.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache, partial
from html import unescape
from pathlib import Path
from typing import Any, Literal

from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape
from markupsafe import Markup

from governance.ids import BoardId, UserId
from governance.texts import Language, markup, text

_BREAKS = re.compile(r"[\s\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]+")
_WORD = re.compile(r"[^\s“”\"]+")
_LINK = re.compile(
    r"://|^[^\w]*(?:mailto|tel|javascript|data):|\w\.[^\W\d_]{2,}|\d\.\d+\.\d+\.\d|\.xn--", re.IGNORECASE
)


@dataclass(frozen=True)
class CalendarPart:
    """The part of an e-mail for calendar programs: a method of RFC 5546, the calendar, and the address for replies."""

    method: Literal["REQUEST", "CANCEL"]
    content: bytes
    reply_to: str


@dataclass(frozen=True)
class EmailOrigin:
    """The board that an e-mail is about, and the member that it informs; the inviter where it offers an invite.

    The mail service repeats these ids when it reports that the e-mail came back.
    """

    board_id: BoardId
    invite_id: str | None = None
    user_id: UserId | None = None

    def tags(self) -> dict[str, str]:
        """Returns the ids by the names of the tags that hold them."""
        ids = {"boardId": self.board_id, "inviteId": self.invite_id, "userId": self.user_id}
        return {name: value for name, value in ids.items() if value is not None}


@dataclass(frozen=True)
class RenderedEmail:
    """The content of an e-mail; the subject is one line. A POST to `unsubscribe_url` turns e-mails like it off."""

    recipient: str
    subject: str
    text: str
    html: str
    calendar: CalendarPart | None = None
    unsubscribe_url: str | None = None
    origin: EmailOrigin | None = None


def render_email(template: str, language: Language, recipient: str, subject: str, **values: Any) -> RenderedEmail:
    """Renders `templates/<template>.txt` and `.html`. URLs in the subject become "…"; the body keeps them as text.

    In a template, `t` gives a text of the language. Raises `UndefinedError` for a value that a template misses.
    """
    line = without_links(one_line(subject))
    context = {"recipient": recipient, "subject": line, "language": language, **values}
    plain = _templates().get_template(f"{template}.txt").render(context, t=partial(text, language))
    html = _templates().get_template(f"{template}.html").render(context, t=partial(markup, language))
    return RenderedEmail(recipient, line, plain, html)


def already_escaped(message: str | None) -> Markup | None:
    """Marks a text that was escaped for HTML when it was stored, so that it is not escaped again."""
    return None if message is None else Markup(message)  # noqa: S704 - escaped by domain/invites/invite.py


def one_line(text: str) -> str:
    """Returns the text on one line, without control characters, so that it is safe in a header."""
    return _BREAKS.sub(" ", text).strip()


def without_links(line: str) -> str:
    """Returns the line with every word that a mail client could turn into a link replaced by "…".

    Such words contain a scheme, a host name or an IP address, perhaps in look-alike characters.
    """
    return _WORD.sub(lambda word: "…" if _LINK.search(_comparable(word[0])) else word[0], line)


def _comparable(word: str) -> str:
    """Returns the word in plain characters, without invisible ones, as a browser reads a host name."""
    visible = "".join(character for character in word if unicodedata.category(character) != "Cf")
    return unicodedata.normalize("NFKC", visible).replace("\u3002", ".")


def _plain(message: Markup) -> str:
    return unescape(str(message))


def _isolated(name: str) -> Markup:
    """Returns a name as HTML that does not change the direction of the text around it."""
    return Markup("<bdi>{}</bdi>").format(name)


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
    environment.filters |= {"plain": _plain, "one_line": one_line, "bdi": _isolated}
    return environment
