"""The pictures of users in notifications."""

from __future__ import annotations

from xml.etree import ElementTree as ET

import pytest

from governance.domain.account import avatars
from tests.domain.samples import user

SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize(
    ("first", "last", "initials"),
    [
        ("Ada", "Lovelace", "AL"),
        ("ada", None, "A"),
        (None, "Lovelace", "L"),
        ("", None, ""),
        ("7of9", "<b>", ""),
        ("ßen", "Øre", "SØ"),
        ("Émile", "Zola", "ÉZ"),
    ],
)
def test_initials_are_the_first_letters_of_the_names_that_begin_with_a_letter(
    first: str | None, last: str | None, initials: str
) -> None:
    assert avatars.initials(user(first_name=first, last_name=last)) == initials


def test_nobody_and_a_purged_user_have_no_initials() -> None:
    assert avatars.initials(None) == ""
    assert avatars.initials(user(first_name="Ada", purged=True)) == ""


def test_a_picture_is_a_disc_in_the_colour_of_the_id_with_the_initials() -> None:
    picture = ET.fromstring(avatars.initials_avatar(user(id=f"{360 + 45:024x}", first_name="Ada")))  # noqa: S314 - ours
    disc, text = picture
    assert "".join(picture.itertext()) == "A"
    assert (disc.tag, disc.get("fill"), text.text) == (f"{SVG}circle", "hsl(45 40% 45%)", "A")


def test_the_neutral_picture_is_one_for_all_and_has_no_text() -> None:
    picture = ET.fromstring(avatars.neutral_avatar())  # noqa: S314 - ours
    assert "".join(picture.itertext()) == ""
    assert [part.tag for part in picture] == [f"{SVG}{name}" for name in ("circle", "circle", "path")]
