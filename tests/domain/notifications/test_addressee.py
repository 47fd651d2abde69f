"""Whom e-mails go to."""

from __future__ import annotations

from typing import Any

import pytest

from governance.domain.notifications import addressee as addressee_rules
from governance.domain.notifications.addressee import Addressee
from governance.ids import UserId
from governance.texts import Language
from tests.domain.samples import NOW, person, user


def test_a_user_is_addressed_in_their_own_time_zone_and_language() -> None:
    anna = user(first_name="Anna", last_name="Berg", timezone="Europe/Paris", language="de")
    assert addressee_rules.of_user(anna) == Addressee(
        UserId("u"), "u@example.com", "Anna Berg", "Europe/Paris", "de", is_active=True, user_id=UserId("u")
    )


@pytest.mark.parametrize(("status", "is_active"), [("active", True), ("suspended", False), ("newer", False)])
def test_e_mails_go_to_active_users(status: str, is_active: bool) -> None:
    assert addressee_rules.of_user(user(status=status)).is_active is is_active


@pytest.mark.parametrize(("language", "addressed"), [(None, "en"), ("de", "de"), ("x", "en")])
def test_a_person_without_an_account_is_addressed_in_their_language_and_without_a_time_zone(
    language: str | None, addressed: Language
) -> None:
    anna = person(language=language)
    assert addressee_rules.of_person(anna) == Addressee(
        anna.id, "anna@example.com", "Anna Berg", None, addressed, is_active=True, person=anna
    )


@pytest.mark.parametrize(
    "members",
    [
        {"email": None},
        {"receives_mail": False},
        {"status": "archived"},
        {"status": "merged"},
        {"bounce": {"kind": "bounce", "at": NOW, "reason": "NoEmail"}},
    ],
)
def test_no_e_mails_go_to_a_person_whom_they_do_not_reach_or_who_does_not_want_them(members: dict[str, Any]) -> None:
    assert addressee_rules.of_person(person(**members)) is None
