"""What meetings decided: the decisions of their final minutes (an extension of the API, ADR meetings)."""

from typing import Literal

from governance.models.base import Resource
from governance.models.meetings.minutes import Decision
from governance.models.page import ListQuery


class MinutedDecision(Decision):
    """A decision of final minutes, with the item of the agenda that it is about."""

    agenda_item_id: str | None
    """Identifier of the item of the meeting's agenda. Null for another subject."""
    agenda_item_title: str | None
    """Title of that item. Null for another subject."""


class MeetingDecisions(Resource):
    """What the final minutes of a meeting decided."""

    object: Literal["meeting_decisions"] = "meeting_decisions"
    meeting_id: str
    title: str
    """Title of the meeting."""
    start_time: str | None
    """Start of the meeting. Null without one."""
    decisions: tuple[MinutedDecision, ...]
    """Decisions in the order of the minutes."""


class MeetingDecisionsQuery(ListQuery):
    """The parameters of the list of what meetings decided."""

    sort: Literal["startTime"] = "startTime"
    """The date to sort by. Meetings are sorted by their start."""
