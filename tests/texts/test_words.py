"""One word for one thing, in the pages, mails and packs, in each language."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from governance.texts import texts

PAGES = Path(__file__).parents[2] / "infra/pages/app/messages"
WEB = PAGES.parent / "web"
ELSEWHERE = {
    "en": {
        r"bets?": "target",
        r"tasks?": "action item",
        r"packages?": "report",
        r"flags?": "contradiction",
        r"(take|takes|taken|took|taking) (\w+ ){0,4}back": "withdraw",
        r"send again": "resend",
        r"(not|n't) answered yet": "not voted yet",
        r"planned for": "scheduled for",
        r"what stands|stands here": "what the thing is",
        r"whoever|whom|is gone|let go|of late": "plain English",
        r"this is no|is no (KPI|date|address|number)": "this is not",
        r"^cancel$": "what stays, such as “Keep it”",
    },
    "de": {
        r"Rollen?": "Funktion of a position, Stellung of a member",
        r"Positionen?": "Funktion",
        r"Entscheidung(en)?": "Beschluss",
        r"fertiggestellt": "abgeschlossen",
        r"Protokoll wird endgültig": "abgeschlossen",
        r"nicht zustande": "nicht beschlussfähig",
        r"gebucht": "festgelegt",
        r"verschoben": "verlegt",
        r"geplant": "angesetzt",
        r"protokolliert\w*": "Logbuch",
        r"Protokoll dieses Dienstes": "Logbuch",
        r"zurückgenommen|zurücknehmen": "zurückziehen",
        r"Abbrechen": "what stays, such as „Behalten“",
        r"Wetten?": "Ziel",
        r"KPIs?": "Kennzahl",
        r"Diskussion(en)?": "Beratung",
        r"beschlussunfähig": "nicht beschlussfähig",
        r"Inhaber(in|innen|s)?": "Inhaberschaft",
        r"Administrator(in|en|innen|s)?": "Administration",
        r"Benutzer(in|innen|n|s)?": "Konto",
        r"(Manager|Beobachter|Investor|Stabschef|\w*jurist)(s|in|en|innen)?": "a neutral word",
        r"Betreibers?|Absenders?|Empfängers?|jeder kann": "a neutral word",
        r"Teilnehmer|Leser|Eigentümer|Besitzer|Ersteller|Sekretär|Mitarbeiter|Nutzer": "a neutral word",
    },
}
"""What is not said, and the word that is, by language."""
KEY = re.compile(r"\b[a-z]+[A-Z]\w*")
"""What looks like a field of the API."""
SECOND_BUTTON = re.compile(r"\bkeep(?:: | = )[^,}]*t\('[^,}]*")
NAMED = re.compile(r"t\('([\w.]+)'\)")
STAYS = {
    "en": r"^(Keep|Leave|Stay|Not now|Tell nobody)\b",
    "de": r"[Bb]ehalten$|lassen$|^Bleiben$|^Jetzt nicht$|^Noch niemanden",
}
"""How the second button of a question begins, or ends, by language."""


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


@pytest.mark.parametrize(("language", "stays"), STAYS.items())
def test_the_second_button_of_a_question_says_what_stays(language: str, stays: str) -> None:
    pages = json.loads((PAGES / f"{language}.json").read_text())
    sources = "".join(path.read_text() for path in WEB.rglob("*.js"))
    named = {key for found in SECOND_BUTTON.findall(sources) for key in NAMED.findall(found)}
    assert {"ui.keepIt", "ui.notNow", "meeting.keepTheMeeting"} <= named
    assert [pages[key] for key in sorted(named) if not re.search(stays, pages[key])] == []
