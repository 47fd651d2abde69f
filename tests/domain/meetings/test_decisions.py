"""Which decisions of minutes stand in the register of decisions."""

from __future__ import annotations

from typing import Any

from governance.domain.meetings.decisions import decisions_of
from governance.domain.meetings.in_camera import NOBODY as READER
from governance.models.meetings.agenda import StoredAgenda
from governance.models.meetings.meeting import Meeting
from tests.domain.samples import NOW, meeting, minutes

MEETING = Meeting.model_validate(vars(meeting(status="finalized")))
RENT = {"text": "The office is rented.", "result": "carried"}


def decided(*items: dict[str, Any], agenda: StoredAgenda | None = None) -> list[tuple[str, str | None]]:
    noted = minutes(items=[{"text": "", **item} for item in items])
    return [(each.text, each.agenda_item_title) for each in decisions_of(MEETING, noted, agenda, READER).decisions]


def test_what_minutes_take_from_a_resolution_is_no_decision_of_their_own() -> None:
    assert decided({"resolutionId": "r"}, {"decision": RENT}) == [(RENT["text"], None)]


def test_a_decision_has_the_title_of_its_item_while_the_agenda_has_it() -> None:
    made = {"boardId": "b", "meetingId": "m", "createdAt": NOW, "updatedAt": NOW}
    agenda = StoredAgenda.model_validate({**made, "items": [{"id": "a", "title": "Office"}]})
    found = decided({"agendaItemId": "a", "decision": RENT}, {"agendaItemId": "gone", "decision": RENT}, agenda=agenda)
    assert found == [(RENT["text"], "Office"), (RENT["text"], None)]


def test_a_meeting_without_minutes_decided_nothing() -> None:
    assert decisions_of(MEETING, None, None, READER).decisions == ()
