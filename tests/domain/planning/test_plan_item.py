"""The rules of a matter of the work plan: whose it is, who owns it, and in which months it comes on an agenda."""

from __future__ import annotations

from typing import Any

import pytest

from governance.domain.meetings.in_camera import NOBODY as READER
from governance.domain.planning import plan_item
from governance.models.meetings.agenda import StoredAgendaItem
from governance.models.planning.plan_item import PlanItemCreate, PlanItemPatch, StoredPlanItem
from tests.domain import samples
from tests.domain.samples import BOARD, NOW, OTHER, THEN, refusal

COMMITTEE, FOREIGN = samples.id_of("audit"), samples.id_of("foreign")


def matter(**members: Any) -> StoredPlanItem:
    usual = {"id": "m", "board_id": BOARD, "title": "Accounts", "months": (3,), "created_at": THEN, "updated_at": THEN}
    return StoredPlanItem.model_validate({**usual, **members})


def test_a_matter_belongs_to_a_committee_of_its_writer_or_to_the_board() -> None:
    body = PlanItemCreate.model_validate({"title": "T", "months": [3], "committeeId": COMMITTEE})
    assert plan_item.created(BOARD, body, [COMMITTEE], NOW).committee_id == COMMITTEE
    for refused in (
        refusal(plan_item.created, BOARD, body, [FOREIGN], NOW),
        refusal(plan_item.patched, matter(), PlanItemPatch.model_validate({"committeeId": FOREIGN}), [COMMITTEE], NOW),
    ):
        assert refused[0] == 400
        assert refused[2]["fields"].keys() == {"committeeId"}


def test_the_same_values_change_nothing() -> None:
    old = matter()
    assert plan_item.patched(old, PlanItemPatch.model_validate({"title": "Accounts", "months": [3]}), [], NOW) is old


def test_who_left_owns_it_no_more_unless_it_was_given_to_them_since() -> None:
    owned = matter(owner_user_id=OTHER, owned_since=THEN)
    released = plan_item.without_owner(owned, OTHER, NOW, NOW)
    assert released is not None
    assert (released.owner_user_id, released.version) == (None, 2)
    assert plan_item.without_owner(owned, samples.CREATOR, NOW, NOW) is None
    assert plan_item.without_owner(matter(owner_user_id=OTHER, owned_since=NOW), OTHER, THEN, NOW) is None


@pytest.mark.parametrize("start", ["2098-02-28T12:00:00.000Z", None])
def test_a_meeting_of_another_month_does_not_get_it(start: str | None) -> None:
    assert refusal(plan_item.check_month, matter(), samples.meeting(start_time=start))[2]["fields"].keys() == {
        "meetingId"
    }
    plan_item.check_month(matter(), samples.meeting(start_time="2098-03-01T12:00:00.000Z"))


def test_an_agenda_has_a_matter_by_the_item_that_came_from_it() -> None:
    item = plan_item.on_agenda(matter(minutes=45))
    assert (item.title, item.minutes, item.plan_item_id) == ("Accounts", 45, "m")
    assert plan_item.is_on(samples.agenda(items=(item,)), matter(), READER)
    assert not plan_item.is_on(samples.agenda(items=(StoredAgendaItem(id="i", title="Accounts"),)), matter(), READER)
    assert not plan_item.is_on(None, matter(), READER)
