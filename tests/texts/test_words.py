"""One word for one thing, in the pages, mails and packs, in each language."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from governance.texts import texts

PAGES = Path(__file__).parents[2] / "infra/pages/app/messages"
ELSEWHERE = {
    "en": {r"bets?": "target"},
    "de": {
        r"Wetten?": "Ziel",
        r"KPIs?": "Kennzahl",
        r"Diskussion(en)?": "Beratung",
        r"beschlussunfähig": "nicht beschlussfähig",
        r"Protokollbuch": "Logbuch",
        r"Inhaber(in|innen|s)?": "Inhaberschaft",
        r"Administrator(in|en|innen|s)?": "Administration",
        r"Benutzer(in|innen|n|s)?": "Konto",
        r"Teilnehmer|Leser|Eigentümer|Besitzer|Ersteller|Sekretär|Mitarbeiter|Nutzer": "a neutral word",
    },
}
"""What is not said, and the word that is, by language."""
KEY = re.compile(r"\b[a-z]+[A-Z]\w*")
"""What looks like a field of the API."""


def sentences(language: str) -> Iterator[tuple[str, str]]:
    """Yields the key and the words of each text of a language, without the names of its values."""
    pages = json.loads((PAGES / f"{language}.json").read_text())
    for key, text in [*texts(language).items(), *pages.items()]:
        for form in [text] if isinstance(text, str) else text.values():
            yield key, re.sub(r"{\w+}", "", form)


@pytest.mark.parametrize(
    ("language", "other", "word"),
    [(language, *pair) for language, words in ELSEWHERE.items() for pair in words.items()],
)
def test_a_thing_has_one_word(language: str, other: str, word: str) -> None:
    said = [key for key, text in sentences(language) if re.search(rf"\b({other})\b", text, re.IGNORECASE)]
    assert said == [], f"the word is: {word}"


@pytest.mark.parametrize("language", ELSEWHERE)
def test_no_text_for_people_has_a_key_of_the_api(language: str) -> None:
    assert [key for key, text in sentences(language) if KEY.search(text)] == []
