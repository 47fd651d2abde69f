"""The rules of agenda templates: which items a meeting gets, and which ids a change may name."""

from __future__ import annotations

from typing import Any

import pytest

from governance.domain.meetings.agenda import KnownReferences
from governance.domain.meetings.in_camera import Reader
from governance.domain.members.unregistered_user import NOBODY
from governance.domain.planning import agenda_template
from governance.ids import UserId
from governance.models.planning.agenda_template import AgendaTemplateCreate, AgendaTemplatePatch, StoredAgendaTemplate
from tests.domain import samples
from tests.domain.samples import BOARD, NOW, refusal

MEMBER, GONE = UserId(samples.id_of("member")), UserId(samples.id_of("gone"))
KNOWN = KnownReferences((), (), {MEMBER, GONE}, NOBODY, Reader())


def template(*items: dict[str, Any]) -> StoredAgendaTemplate:
    body = AgendaTemplateCreate.model_validate({"name": "Board meeting", "items": [*items]})
    return agenda_template.created(BOARD, body, KNOWN, NOW)


@pytest.mark.parametrize(
    ("start", "titles"),
    [
        ("2098-03-10T09:00:00.000Z", ["Always", "Spring"]),
        ("2098-04-10T09:00:00.000Z", ["Always"]),
        (None, ["Always"]),
    ],
)
def test_a_meeting_gets_the_items_of_its_month_and_those_of_all(start: str | None, titles: list[str]) -> None:
    of_months = template({"title": "Always"}, {"title": "Spring", "months": [3]})
    items = agenda_template.items_for(of_months, samples.meeting(start_time=start), (), NOBODY)
    assert [item.title for item in items] == titles


def test_a_presenter_who_left_the_board_is_left_out() -> None:
    presented = template({"title": "A", "presenterUserId": MEMBER}, {"title": "B", "presenterUserId": GONE})
    items = list(agenda_template.items_for(presented, samples.meeting(), {MEMBER}, NOBODY))
    assert [item.presenter_user_id for item in items] == [MEMBER, None]
    assert [item.carried_from for item in items] == [item.id for item in presented.items]


def test_a_change_keeps_items_by_their_ids_and_names_no_other_and_none_twice() -> None:
    old = template({"title": "A"}, {"title": "B"})
    kept = {"id": old.items[1].id, "title": "C"}
    patch = AgendaTemplatePatch.model_validate
    new = agenda_template.patched(old, patch({"items": [kept]}), KNOWN, NOW)
    assert [(item.id, item.title) for item in new.items] == [(old.items[1].id, "C")]
    assert refusal(agenda_template.patched, old, patch({"items": [kept, kept]}), KNOWN, NOW)[2]["fields"].keys() == {
        "items.1.id"
    }
    foreign = {"id": samples.id_of("foreign"), "title": "D"}
    assert refusal(agenda_template.patched, old, patch({"items": [foreign]}), KNOWN, NOW)[2]["fields"].keys() == {
        "items.0.id"
    }


def test_the_same_values_change_nothing() -> None:
    old = template({"title": "A"})
    same = {"name": old.name, "items": [{"id": old.items[0].id, "title": "A"}]}
    assert agenda_template.patched(old, AgendaTemplatePatch.model_validate(same), KNOWN, NOW) is old
