"""The decisions of final minutes, as the register of decisions has them (ADR meetings)."""

from collections.abc import Mapping

from governance.domain.meetings.in_camera import Reader
from governance.models.meetings.agenda import StoredAgenda
from governance.models.meetings.decisions import MeetingDecisions, MinutedDecision
from governance.models.meetings.meeting import Meeting
from governance.models.meetings.minutes import StoredMinutes, StoredMinutesItem


def decisions_of(
    meeting: Meeting, minutes: StoredMinutes | None, agenda: StoredAgenda | None, reader: Reader
) -> MeetingDecisions:
    """Returns what a finalized meeting decided, without what its minutes take from resolutions.

    What is in camera for others than the reader is not there, nor its title.
    """
    titles = {item.id: item.title for item in (agenda.items if agenda else ()) if reader.sees(item.audience)}
    items = [item for item in (minutes.items if minutes else ()) if reader.sees(item.audience)]
    return MeetingDecisions(
        meeting_id=meeting.id,
        title=meeting.title,
        start_time=meeting.start_time,
        decisions=tuple(decision for item in items if (decision := _decision(item, titles))),
    )


def _decision(item: StoredMinutesItem, titles: Mapping[str, str]) -> MinutedDecision | None:
    if item.decision is None:
        return None
    return MinutedDecision(
        text=item.decision.text,
        result=item.decision.result,
        agenda_item_id=item.agenda_item_id,
        agenda_item_title=titles.get(item.agenda_item_id or ""),
    )
