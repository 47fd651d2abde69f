"""The rules of personal links: what their tokens name, and when they open a meeting."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from governance.domain.meetings import personal_link as links
from governance.domain.meetings.guest_link import digest
from governance.ids import BoardId, PersonId
from governance.models.meetings.slot import StoredPersonalLink
from governance.models.members.unregistered_user import StoredUnregisteredUser
from tests.domain.samples import NOW, chosen, just_before, later, meeting, person

IDS = st.text("0123456789abcdef", min_size=24, max_size=24)
MEETING = "c" * 24
ANNA = person()


def token(of: StoredUnregisteredUser = ANNA, secret: str = "s", meeting_id: str = MEETING) -> str:
    return links.token(secret, of, meeting_id)


@given(IDS, IDS, IDS)
def test_a_token_names_its_board_meeting_and_person_and_fits_in_a_path(board: str, of: str, who: str) -> None:
    text = token(person(board_id=board, id=who), meeting_id=of)
    assert links.parse(text) == links.ParsedPersonalToken(BoardId(board), of, PersonId(who))
    assert text.replace("-", "").replace("_", "").isalnum()
    assert len(text) == 80


@given(st.text())
def test_whatever_is_sent_is_a_token_or_none(text: str) -> None:
    assert links.parse(text) is None or len(text) == 80


@given(st.text("abcXYZ019-_", min_size=80, max_size=80))
def test_every_text_of_its_shape_names_something(text: str) -> None:
    assert links.parse(text) is not None


@pytest.mark.parametrize("end", ["", "AA", "=", "+", "é", "\n", "\N{ARABIC-INDIC DIGIT ONE}"])
def test_a_text_of_another_shape_is_no_token(end: str) -> None:
    assert links.parse(token()[:-1] + end) is None
    assert links.parse(token()[:-1] + "A") is not None


def test_every_e_mail_has_the_same_link_until_the_links_of_its_person_end() -> None:
    assert token() == token(person(first_name="Ann", version=9, updated_at=NOW))


@pytest.mark.parametrize(
    "other",
    [
        {"secret": "t"},
        {"meeting_id": "e" * 24},
        {"of": person(links=1)},
        {"of": person(email="berg@example.com")},
        {"of": person(email=None)},
        {"of": person(id="e" * 24)},
        {"of": person(board_id="e" * 24)},
    ],
)
def test_nobody_can_make_the_mark_of_one_link_from_another(other: dict[str, Any]) -> None:
    assert token(**other)[48:] != token()[48:]


def test_the_mark_of_a_link_tells_the_number_of_links_from_the_address() -> None:
    assert token(person(links=1, email="1@example.com")) != token(person(links=11, email="@example.com"))


LINK = StoredPersonalLink(digest=digest(token()), links=0, expires_at=later(NOW, days=30))


def test_a_link_is_stored_as_a_digest_and_lives_thirty_days_after_the_last_e_mail() -> None:
    assert links.link(token(), ANNA, NOW) == LINK
    assert links.link(token(), person(links=4), NOW).links == 4


@pytest.mark.parametrize(
    ("change", "opens"),
    [
        ({}, True),
        ({"now": just_before(later(NOW, days=30))}, True),
        ({"now": later(NOW, days=30)}, False),
        ({"stored": None}, False),
        ({"person": None}, False),
        ({"meeting": None}, False),
        ({"meeting": meeting(status="draft")}, False),
        ({"meeting": meeting(status="finalized")}, True),
        ({"text": token(secret="t")}, False),
        ({"person": person(status="archived")}, False),
        ({"person": person(status="merged")}, False),
        ({"person": person(links=1)}, False),
        ({"person": person(email=None)}, False),
        ({"stored": LINK.model_copy(update={"links": 1})}, False),
        ({"person": person(receives_mail=False)}, True),
        ({"chosen": chosen(None)}, True),
        ({"chosen": chosen((ANNA.id,))}, True),
        ({"chosen": chosen(())}, False),
    ],
)
def test_a_link_opens_its_meeting_while_its_person_is_active_and_their_links_have_not_ended(
    change: dict[str, Any], opens: bool
) -> None:
    arguments = {
        "text": token(),
        "stored": LINK,
        "person": ANNA,
        "meeting": meeting(),
        "chosen": None,
        "now": NOW,
        **change,
    }
    assert links.opens_meeting(**arguments) is opens
