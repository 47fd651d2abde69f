"""E-mails and notifications in the reader's language, as a mail library reads them; and what the message files hold."""

from __future__ import annotations

import json
import re
from pathlib import Path
from string import Formatter
from typing import get_args

import pytest

from governance import texts as package
from governance.domain.events.registry import KINDS
from governance.texts import Language, texts
from tests.deliveries.inboxes import published
from tests.harness.board_scenario import BoardScenario
from tests.harness.outbox import Outbox, html_of, text_of
from tests.harness.stream import deliver

SOURCES = Path(package.__file__).parents[1]
TEMPLATES = SOURCES / "mail/templates"
LANGUAGES = get_args(Language)


def test_a_notification_and_its_mail_are_in_the_language_of_their_reader(
    scenario: BoardScenario, outbox: Outbox
) -> None:
    ben, eve = scenario.member("ben"), scenario.member("eve")
    assert ben.client.patch("/api/v1/me", {"language": "de"}).status == 200
    deliver(published(scenario))
    mails = {str(mail["To"]): mail for mail in outbox.mails}
    assert mails[ben.email]["Subject"] == "Olivia Tester hat den Bericht „Q3“ veröffentlicht."
    assert "Bericht lesen:" in text_of(mails[ben.email])
    assert "Diese E-Mail wurde an ben" in text_of(mails[ben.email])
    assert '<html lang="de">' in html_of(mails[ben.email])
    assert "Solche E-Mails abbestellen" in html_of(mails[ben.email])
    assert mails[eve.email]["Subject"] == "Olivia Tester published the report “Q3”."
    assert '<html lang="en">' in html_of(mails[eve.email])
    (entry,) = ben.client.get("/api/notification/").json
    assert entry["message"] == "Olivia Tester hat den Bericht „Q3“ veröffentlicht."


def placeholders_of(pattern: str | dict[str, str]) -> set[str]:
    return {name for form in forms(pattern) for _, name, _, _ in Formatter().parse(form) if name is not None}


def forms(pattern: str | dict[str, str]) -> list[str]:
    return [pattern] if isinstance(pattern, str) else list(pattern.values())


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_the_same_texts_with_the_same_placeholders(language: Language) -> None:
    english, other = texts("en"), texts(language)
    assert other.keys() == english.keys()
    for key, pattern in other.items():
        assert type(pattern) is type(english[key]), key
        assert all(forms(pattern)), key
        assert placeholders_of(pattern) == placeholders_of(english[key]), key
        if isinstance(pattern, dict):
            assert pattern.keys() == {"one", "other"}, key


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_message_file_is_sorted_and_names_no_key_twice(language: Language) -> None:
    content = (Path(package.__file__).parent / f"{language}.json").read_text()
    pairs = json.loads(content, object_pairs_hook=list)
    keys = [key for key, _ in pairs]
    assert keys == sorted(set(keys))


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_message_begins_like_a_sentence_only_where_no_name_comes_before_it(language: Language) -> None:
    """The release before shows what begins with a capital letter without the name of its actor."""
    rules = [notification for kind in KINDS.values() for notification in kind.notifications.values()]
    for rule in rules:
        for form in forms(texts(language)[rule.words]):
            assert form[0].isupper() == rule.is_sentence, form


def test_every_text_is_used_and_every_key_that_is_named_is_there() -> None:
    sources = [path.read_text() for path in [*SOURCES.rglob("*.py"), *TEMPLATES.iterdir()] if path.is_file()]
    prefixes = "told|mail|date|list|pack|approval|minutes_file"
    pattern = rf"[\"']((?:{prefixes})\.[\w.]+)[\"']"
    named = {key for source in sources for key in re.findall(pattern, source)}
    topics = {
        key
        for key in texts("en")
        if key.startswith(
            (
                "mail.topic.",
                "mail.decided.",
                "mail.minutes.",
                "mail.paper.",
                "mail.paper_link.",
                "pack.kind.",
                "pack.failed.",
                "pack.lost.",
                "file.rejected.",
            )
        )
    }
    named |= {f"certificate.{key}" for source in sources for key in re.findall(r'_told\(content, "([\w.]+)"', source)}
    parts = ("outcome", "choice", "majority", "base")
    topics |= {key for part in parts for key in texts("en") if key.startswith(f"certificate.{part}.")}
    named |= {f"minutes_file.{key}" for source in sources for key in re.findall(r'_told\(facts, "([\w.]+)"', source)}
    named |= {
        f"minutes_file.book.{key}" for source in sources for key in re.findall(r'_told\(book, "([\w.]+)"', source)
    }
    chosen = ("approved", "book.approved", "book.gap", "book.number", "book.superseded", "decision", "present")
    topics |= {key for part in chosen for key in texts("en") if key.startswith(f"minutes_file.{part}.")}
    built = {"date.weekdays", "date.months", "told.webhook.gone", "told.webhook.failing", "told.webhook.operator"}
    subjects = ("meeting", "document", "committee_document", "document_in_camera", "dashboard")
    built |= {f"told.comment_on_{on}" for on in subjects}
    outcomes = ("carried", "rejected", "lapsed", "recused", "recused_after_voting", "counts_again")
    built |= {f"told.resolution_{outcome}" for outcome in (*outcomes, "proxy_given", "proxy_ended")}
    built |= {
        f"mail.calendar.{part}{change}" for part in ("subject", "kind") for change in ("", "_changed", "_cancelled")
    }
    assert {key for key in named if not key.endswith((".", ".json", ".pdf"))} <= texts("en").keys()
    assert texts("en").keys() - named - topics - built == set()


@pytest.mark.parametrize("template", sorted(TEMPLATES.iterdir()), ids=lambda path: path.name)
def test_no_text_is_written_in_a_template(template: Path) -> None:
    content = re.sub(
        r"<style>.*?</style>|\{%.*?%\}|\{\{.*?\}\}|<[^>]*>|&\w+;", " ", template.read_text(), flags=re.DOTALL
    )
    assert re.findall(r"[A-Za-z]{2,}", content.replace("Board Governance", "")) == []
