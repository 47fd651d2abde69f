"""Instants in words."""

from __future__ import annotations

from datetime import UTC as UTC_ZONE
from datetime import datetime

import pytest

from governance.domain.events.members import Left
from governance.domain.events.webhooks import Disabled, WebhookDisabled
from governance.domain.notifications.wording import instant_in_words, instant_in_zones, time_range_in_words
from governance.instants import Instant
from governance.texts import Language, language_of, text, texts

MORNING = Instant("2027-03-01T09:00:00.000Z")
PARIS = "Monday, 1 March 2027, 10:00 (Europe/Paris)"
UTC = "Monday, 1 March 2027, 09:00 (UTC)"


@pytest.mark.parametrize(
    ("own", "other", "words"),
    [
        (None, None, UTC),
        ("Europe/Paris", None, PARIS),
        (None, "Europe/Paris", PARIS),
        ("Europe/Paris", "Europe/Paris", PARIS),
        ("Europe/Paris", "UTC", f"{PARIS}; {UTC}"),
    ],
)
def test_the_readers_zone_comes_first(own: str | None, other: str | None, words: str) -> None:
    assert instant_in_zones(MORNING, own, other, "en") == words


@pytest.mark.parametrize(
    ("day", "hour", "words"),
    [
        (1, 12, "Montag, 1. März 2027, 10:00 bis 12:00 Uhr (Europe/Berlin)"),
        (2, 1, "Montag, 1. März 2027, 10:00 bis Dienstag, 2. März 2027, 01:00 Uhr (Europe/Berlin)"),
    ],
)
def test_times_are_said_in_german_to_german_readers(day: int, hour: int, words: str) -> None:
    start, end = datetime(2027, 3, 1, 10, tzinfo=UTC_ZONE), datetime(2027, 3, day, hour, tzinfo=UTC_ZONE)
    assert time_range_in_words(start, end, "Europe/Berlin", "de") == words
    assert instant_in_words(MORNING, "Europe/Berlin", "de") == "Montag, 1. März 2027, 10:00 Uhr (Europe/Berlin)"


@pytest.mark.parametrize("code", ["en", "fr", None])
def test_a_reader_without_a_language_of_the_service_reads_english(code: str | None) -> None:
    assert language_of(code) == "en"


@pytest.mark.parametrize(("language", "number"), [("en", 1), ("en", 2), ("de", 1), ("de", 2), ("de", 0)])
def test_a_number_chooses_the_plural_form(language: Language, number: int) -> None:
    forms = texts(language)["told.left.invites"]
    assert isinstance(forms, dict)
    form = forms["one" if number == 1 else "other"]
    assert text(language, "told.left.invites", number=number) == form.format(number=number)


def test_a_member_s_leftovers_and_a_disabled_webhook_are_told_in_the_readers_language() -> None:
    left = Left(names=["A", "B", "C"], tokens=5, webhooks=1, invites=2)
    assert left.in_words("de") == (
        "5 von dieser Person erstellte Zugriffstokens sind noch aktiv: „A“, „B“, „C“ und 2 weitere; "
        "1 von dieser Person erstellter Webhook besteht noch; 2 Einladungen dieser Person sind noch offen"
    )
    disabled = WebhookDisabled(webhook_id="w", webhook=Disabled(name="Archiv", reason="failing", days=3))
    assert disabled.words("de")["title"] == "„Archiv“ hat seit 3 Tagen nichts angenommen"


@pytest.mark.parametrize(
    ("names", "webhooks", "invites", "words"),
    [
        (["A"], 0, 0, "1 access token that they created is still active: “A”"),
        (["A", "B"], 0, 0, "2 access tokens that they created are still active: “A” and “B”"),
        (["A", "B", "C"], 0, 0, "3 access tokens that they created are still active: “A”, “B” and “C”"),
        ([], 1, 0, "1 webhook that they created is still there"),
        ([], 2, 1, "2 webhooks that they created are still there; 1 invite that they made is still pending"),
        ([], 0, 2, "2 invites that they made are still pending"),
    ],
)
def test_what_a_member_leaves_behind_in_words(names: list[str], webhooks: int, invites: int, words: str) -> None:
    assert Left(names=names, tokens=len(names), webhooks=webhooks, invites=invites).in_words("en") == words
