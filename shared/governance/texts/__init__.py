"""The texts of e-mails, notifications and calendars, in every language of the service.

Each language has one file with the same keys and placeholders (ADR languages). The texts of the pages are in
infra/pages/app/messages; those of the API are English, in errors.py and infra/openapi/reference.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Literal, get_args

if TYPE_CHECKING:
    from markupsafe import Markup

Language = Literal["en", "de"]
DEFAULT: Language = "en"
_FOLDER = Path(__file__).parent


def language_of(code: str | None) -> Language:
    """Returns the language of an account, by its ISO 639-1 code; English if it has none, or one without texts."""
    return next((language for language in get_args(Language) if language == code), DEFAULT)


def text(language: Language, key: str, **values: object) -> str:
    """Returns a text with its values; `number` chooses the plural form. Raises `KeyError` for an unknown key."""
    return _pattern(language, key, values).format_map(values)


def in_every_language(key: str) -> str:
    """Returns a text in all languages, for readers whose language is not known. Raises like `text`."""
    return " / ".join(text(language, key) for language in get_args(Language))


def markup(language: Language, key: str, **values: object) -> Markup:
    """Returns a text as HTML, with its values escaped unless they are `Markup`. Raises like `text`."""
    from markupsafe import Markup, escape  # only mails need it

    return Markup(escape(_pattern(language, key, values))).format(**values)  # noqa: S704 - escaped


def listed(language: Language, parts: list[str]) -> str:
    """Returns one or more parts as a sentence lists them, such as "A, B and C"."""
    *first, last = parts
    return text(language, "list.and", first=", ".join(first), last=last) if first else last


def _pattern(language: Language, key: str, values: dict[str, object]) -> str:
    pattern = texts(language)[key]
    if isinstance(pattern, str):
        return pattern
    return pattern["one" if values["number"] == 1 else "other"]  # the plural rule of English and German


@cache
def texts(language: Language) -> dict[str, str | dict[str, str]]:
    """Returns the texts of a language: each a pattern, or one for each plural form."""
    read: dict[str, str | dict[str, str]] = json.loads((_FOLDER / f"{language}.json").read_text(encoding="utf-8"))
    return read
