"""The rules of versions of minutes: when minutes are circulated, and what a version fixes."""

from __future__ import annotations

import json
from typing import Any

import pytest

from governance.agenda_limits import MINUTES_VERSIONS
from governance.domain.meetings import minutes_versions as version_rules
from governance.domain.meetings.in_camera import NOBODY as READER
from governance.ids import UserId
from governance.instants import Instant
from governance.models.meetings.minutes import StoredMinutes
from governance.models.meetings.minutes_versions import CirculationBody, StoredMinutesApproval, StoredMinutesVersion
from tests.domain.samples import NOW, THEN, conflict, id_of, later, meeting, minutes, refusal

USER = UserId(id_of("user"))
VOTED = id_of("voted")
ITEM = {"id": id_of("item"), "text": "Said", "resolution_id": VOTED}
BODY = CirculationBody()
OVER = meeting(status="completed")


def circulated(
    of: StoredMinutes, last: StoredMinutesApproval | None = None, body: CirculationBody = BODY, now: Instant = NOW
) -> tuple[StoredMinutesApproval, StoredMinutesVersion | None]:
    return version_rules.circulated(OVER, of, last, body, USER, now)


def until(instant: Instant) -> CirculationBody:
    return CirculationBody.model_construct(remarks_until=instant)


@pytest.mark.parametrize("status", ["draft", "scheduled", "in_progress"])
def test_minutes_are_circulated_once_the_meeting_is_over(status: str) -> None:
    asked = (meeting(status=status), minutes(), None, BODY, USER, NOW)
    assert refusal(version_rules.circulated, *asked) == conflict("INVALID_TRANSITION")
    for over in ("completed", "finalized"):
        assert version_rules.circulated(meeting(status=over), *asked[1:])[0].number == 1


def test_a_version_has_what_was_written_and_nothing_that_is_computed() -> None:
    person = {"unregistered_user_id": id_of("anna"), "present": "remote"}
    _, version = circulated(minutes(attendance=[person], items=[ITEM]))
    assert version is not None
    assert json.loads(version.canonical) == {
        "meetingId": "m",
        "attendance": [{"userId": None, "unregisteredUserId": id_of("anna"), "name": None, "present": "remote"}],
        "items": [
            {
                "id": ITEM["id"],
                "agendaItemId": None,
                "text": "Said",
                "decision": None,
                "resolutionId": VOTED,
                "actionItemIds": [],
            }
        ],
        "createdAt": THEN,
    }


@pytest.mark.parametrize("change", [{"status": "final"}, {"updated_at": later(days=1)}, {"version": 9}])
def test_what_is_not_written_changes_no_version(change: dict[str, Any]) -> None:
    assert version_rules.fixed(minutes(items=[ITEM])) == version_rules.fixed(minutes(items=[ITEM], **change))


def test_the_next_version_follows_a_change_alone() -> None:
    first, _ = circulated(minutes(items=[ITEM]))
    again, none = circulated(minutes(items=[ITEM]), first, now=later(days=1))
    assert none is None
    assert again is first
    second, version = circulated(minutes(), first, now=later(days=1))
    assert version is not None
    assert (second.number, second.created_at, second.updated_at, second.version) == (2, NOW, later(days=1), 2)
    assert (second.sha256, second.circulated_at) == (version.sha256, version.circulated_at)


def test_another_end_of_the_remarks_keeps_the_version() -> None:
    first, _ = circulated(minutes(), body=until(later(days=1)))
    moved, none = circulated(minutes(), first, until(later(days=2)), later(hours=1))
    assert none is None
    assert moved == first.model_copy(
        update={"remarks_until": later(days=2), "updated_at": later(hours=1), "version": first.version + 1}
    )


def test_a_meeting_has_as_many_versions_as_the_limit_says() -> None:
    first, _ = circulated(minutes(items=[ITEM]))
    last = first.model_copy(update={"number": MINUTES_VERSIONS})
    asked = (OVER, minutes(), last, BODY, USER, NOW)
    assert refusal(version_rules.circulated, *asked) == conflict("LIMIT_REACHED")


def test_a_version_is_answered_as_it_was_written() -> None:
    """A release that adds a member to items answers earlier versions without it, or nobody could recompute the hash."""
    _, version = circulated(minutes(items=[ITEM]))
    assert version is not None
    earlier = version.canonical.replace(f'"resolutionId":"{VOTED}",', "")
    stored = version.model_copy(update={"canonical": earlier})
    answered = json.loads(version_rules.version_resource(stored, READER).to_json())
    assert {name: answered[name] for name in json.loads(earlier)} == json.loads(earlier)


def test_minutes_that_were_never_circulated_are_a_draft() -> None:
    answered = version_rules.approval_resource(minutes(), None)
    assert (answered.status, answered.version, answered.created_at) == ("draft", None, None)
