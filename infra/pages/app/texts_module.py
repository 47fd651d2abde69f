"""Writes the modules `messages/<language>.js` of the pages: the texts of one language (ADR languages)."""

from __future__ import annotations

import json
from pathlib import Path

FOLDER = Path(__file__).parent / "messages"
ENGLISH = "en"
Texts = dict[str, str | dict[str, str]]


def texts(language: str) -> Texts:
    """Returns the texts of a language as its file has them."""
    by_key: Texts = json.loads((FOLDER / f"{language}.json").read_text(encoding="utf-8"))
    return by_key


def texts_modules() -> dict[str, bytes]:
    """Returns the modules by name. What a language lacks is English there, so that nobody reads a key."""
    languages = sorted(path.stem for path in FOLDER.glob("*.json"))
    return {f"messages/{language}.js": _module(texts(ENGLISH) | texts(language)) for language in languages}


def _module(by_key: Texts) -> bytes:
    return f"export default {json.dumps(by_key, ensure_ascii=False, separators=(',', ':'))};\n".encode()
