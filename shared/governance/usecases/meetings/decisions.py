"""What a board's meetings decided, read from their final minutes (an extension of the API, ADR meetings)."""

from __future__ import annotations

from collections.abc import Iterator

from governance.domain.meetings.decisions import decisions_of
from governance.models.meetings.decisions import MeetingDecisions, MeetingDecisionsQuery
from governance.models.meetings.meeting import Meeting
from governance.models.page import Page
from governance.store.meetings import agendas, meetings
from governance.store.schema.keys import position
from governance.usecases.byte_pages import page_within
from governance.usecases.context import Context
from governance.usecases.meetings.in_camera import reader_of

_READ_TOGETHER = 25
"""Meetings whose minutes and agendas are read at the same time: a page of the usual length."""


def list_meeting_decisions(context: Context, query: MeetingDecisionsQuery) -> Page[MeetingDecisions]:
    """Returns a page of the board's finalized meetings with what they decided, by start.

    A page ends early where its decisions would outgrow a response.
    """
    page, last = meetings.list_by_status(context.board.id, "finalized", context.window(query))
    return page_within(_entries(context, page), last)


def _entries(context: Context, page: list[Meeting]) -> Iterator[tuple[str, MeetingDecisions]]:
    for start in range(0, len(page), _READ_TOGETHER):
        together = page[start : start + _READ_TOGETHER]
        read = agendas.with_minutes(context.board.id, [meeting.id for meeting in together])
        items = [item for pair in read.values() for each in pair if each for item in each.items]
        reader = reader_of(context, items)
        for meeting in together:
            yield position(meeting.start_time or "", meeting.id), decisions_of(meeting, *read[meeting.id], reader)
