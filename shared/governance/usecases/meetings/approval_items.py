"""Items on agendas for the minutes that wait for their approval (an extension of the API, ADR minutes)."""

from __future__ import annotations

from collections.abc import Iterable

from governance.domain.meetings import agenda as agenda_rules
from governance.domain.meetings import minutes_approval as approval_rules
from governance.domain.meetings.agenda import items_of
from governance.models.meetings.agenda import Agenda, StoredAgendaItem
from governance.models.meetings.meeting import StoredMeeting
from governance.models.series.series import StoredSeries
from governance.store.account import users
from governance.store.meetings import meetings, minutes_versions
from governance.store.schema.entities import AGENDA, MEETING, UNREGISTERED_USER_COUNT
from governance.texts import language_of
from governance.usecases.context import Context, Outcome
from governance.usecases.declarations import finds, loads, own_committees, repeated_if
from governance.usecases.meetings.agendas import (
    agenda_in,
    agenda_outcome,
    check_still_shown,
    papers_named,
    presenters,
    unchanged,
)
from governance.usecases.meetings.meetings import visible_meeting


@repeated_if(check_still_shown)
@loads(MEETING, AGENDA, UNREGISTERED_USER_COUNT, own_committees)
@finds(visible_meeting)
def add_agenda_approvals(context: Context, meeting: StoredMeeting) -> Outcome[Agenda]:
    """Appends an item for the minutes of each earlier meeting that wait for their approval and have none here."""
    old = agenda_in(context)
    papers, people = papers_named(context, items_of(old)), presenters(context, items_of(old))
    items = approval_rules.to_approve(meeting, items_of(old), _waiting(context), context.language)
    new = agenda_rules.carried_over(meeting, old, items, context.now)
    if new is None:
        return Outcome(unchanged(context, meeting, old, papers), [])
    return agenda_outcome(context, meeting, old, new, papers, people)


def items_of_occurrence(
    context: Context, series: StoredSeries, meeting: StoredMeeting, known: Iterable[StoredAgendaItem]
) -> list[StoredAgendaItem]:
    """Returns the items for minutes of meetings of the series; for a series of the board, also of those of no series.

    They are in the language of who made the series.
    """
    own = {series.id} if series.committee_id else {series.id, None}
    waiting = [other for other in _waiting(context) if (other.occurrence and other.occurrence.series_id) in own]
    if not waiting:
        return []
    maker = users.find(series.created_by_user_id)
    return approval_rules.to_approve(meeting, known, waiting, language_of(maker.language if maker else None))


def _waiting(context: Context) -> list[StoredMeeting]:
    """Returns the meetings that the caller sees whose circulated minutes are not approved."""
    ids = [approval.meeting_id for approval in minutes_versions.list_unapproved(context.board.id)]
    return [*meetings.visible_by_ids(context.board.id, ids, context.user_id).values()] if ids else []
