"""Invitations are right though the store reads no batch at one moment: a change is mailed between two of its reads."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from governance.deliveries import calendar_invitations
from tests.calendar.calendar_invitation_mails import schedule, settle
from tests.harness.board_scenario import BoardScenario, Person
from tests.harness.client import Response
from tests.harness.meeting_scenario import MeetingScenario, from_now, leave
from tests.harness.outbox import Outbox
from tests.interleavings.torn_reads import every_torn_read

CHANGES: dict[str, Callable[[MeetingScenario, Person], object]] = {
    "a new title": lambda meeting, _: meeting.patch(title="Summer"),
    "a new time": lambda meeting, _: meeting.patch(startTime=from_now(days=9)),
    "a draft": lambda meeting, _: meeting.patch(status="draft"),
    "left": lambda meeting, ben: leave(meeting.board, ben),
}


@pytest.mark.parametrize("change", CHANGES)
def test_no_mail_follows_that_is_about_an_earlier_state(
    scenario: BoardScenario, ben: Person, outbox: Outbox, monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    """A delivery that finds nothing new is interrupted by a change and its mail: it must not mail what was before."""
    meeting = schedule(scenario)
    settle(scenario)
    known, seen = len(outbox.raw), scenario.owner.client.get(meeting.path)
    body = {"boardId": scenario.board_id, "meetingId": meeting.path.rpartition("/")[2], "userId": ben.id}

    def deliver() -> Response:
        list(calendar_invitations.mail_calendar_invitation(body))
        return seen

    def change_and_deliver() -> Response:
        CHANGES[change](meeting, ben)
        return deliver()

    for split, _, _ in every_torn_read(deliver, change_and_deliver, monkeypatch):
        assert len(outbox.raw) == known + 1, split
        del outbox.raw[known:]
