"""Agenda templates of a board: list, create, read, change, delete, apply (an extension of the API, ADR planning)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from governance.domain.events import planning as events
from governance.domain.events.kind import EventKind
from governance.domain.meetings import agenda as agenda_rules
from governance.domain.meetings.agenda import KnownReferences, items_of
from governance.domain.meetings.in_camera import NOBODY
from governance.domain.planning import agenda_template as template_rules
from governance.domain.series import series as series_rules
from governance.errors import invalid_body
from governance.models.base import Deleted
from governance.models.meetings.agenda import Agenda, ItemBody, ItemFields, TemplateBody
from governance.models.meetings.meeting import StoredMeeting
from governance.models.page import OrderedQuery, Page
from governance.models.planning.agenda_template import (
    AgendaTemplate,
    AgendaTemplateCreate,
    AgendaTemplatePatch,
    StoredAgendaTemplate,
)
from governance.store.planning import agenda_templates
from governance.store.schema.entities import AGENDA, AGENDA_TEMPLATE, MEETING, UNREGISTERED_USER_COUNT
from governance.store.series import series
from governance.store.writes import Write
from governance.usecases.byte_pages import page_within
from governance.usecases.context import Context, Outcome, RequestInfo
from governance.usecases.declarations import creates, finds, loads, own_committees, prefetch, repeated_if
from governance.usecases.event_writes import record_event
from governance.usecases.meetings.agendas import (
    agenda_in,
    agenda_outcome,
    check_still_shown,
    members_among,
    papers_named,
    presenters,
    unchanged,
)
from governance.usecases.meetings.meetings import visible_meeting
from governance.usecases.members.named_people import check_people_unchanged, check_still_known


def _templates_page(info: RequestInfo) -> Page[StoredAgendaTemplate]:
    return Page(*agenda_templates.list_of_board(info.board_id, info.window(info.query_as(OrderedQuery))))


@prefetch(_templates_page)
def list_agenda_templates(
    context: Context, page: Page[StoredAgendaTemplate], _query: OrderedQuery
) -> Page[AgendaTemplate]:
    """Returns a page of the board's templates, newest first; it ends early where they would outgrow a response."""
    people = presenters(context, [item for template in page.data for item in template.items])
    entries = (
        (agenda_templates.position(template), template_rules.to_resource(template, people)) for template in page.data
    )
    return page_within(entries, page.next_position)


def requested_template(context: Context) -> StoredAgendaTemplate:
    """Returns the template that the path names; raises 404 if it does not exist."""
    return context.stored(AGENDA_TEMPLATE, StoredAgendaTemplate)


@loads(AGENDA_TEMPLATE)
@finds(requested_template)
def get_agenda_template(context: Context, template: StoredAgendaTemplate) -> AgendaTemplate:
    """Returns one template."""
    return template_rules.to_resource(template, presenters(context, template.items))


def _known(context: Context, named: Sequence[ItemBody], before: Iterable[ItemFields] = ()) -> KnownReferences:
    """Returns the presenters that these items may name; templates have no papers, and nothing in camera."""
    members = members_among(context, agenda_rules.members_of(named))
    return KnownReferences((), (), members, presenters(context, [*named, *before]), NOBODY)


def _check_template_still_shown(context: Context) -> None:
    """Raises 404 if a template names a person whose data were removed."""
    named = agenda_rules.people_of(requested_template(context).items)
    check_still_known(context, named)


@creates(AGENDA_TEMPLATE, "templateId", _check_template_still_shown)
@loads(UNREGISTERED_USER_COUNT)
def create_agenda_template(context: Context, body: AgendaTemplateCreate) -> Outcome[AgendaTemplate]:
    """Creates a template; raises 409 `LIMIT_REACHED` on a board that has the most templates allowed."""
    known = _known(context, body.items)
    template = template_rules.created(context.board.id, body, known, context.now)
    writes = [
        *agenda_templates.create(template),
        *check_people_unchanged(context, (), agenda_rules.people_of(template.items)),
        *_event(context, events.TEMPLATE_CREATED, template),
    ]
    return Outcome(template_rules.to_resource(template, known.people), writes)


@loads(AGENDA_TEMPLATE, UNREGISTERED_USER_COUNT)
@finds(requested_template)
def update_agenda_template(
    context: Context, old: StoredAgendaTemplate, body: AgendaTemplatePatch
) -> Outcome[AgendaTemplate]:
    """Changes the name or the items of a template; setting the same values changes nothing."""
    known = _known(context, body.items, old.items)
    new = template_rules.patched(old, body, known, context.now)
    if new is old:
        return Outcome(template_rules.to_resource(old, known.people), [])
    writes = [
        agenda_templates.replace(old, new),
        *check_people_unchanged(context, agenda_rules.people_of(old.items), agenda_rules.people_of(new.items)),
        *_event(context, events.TEMPLATE_UPDATED, new),
    ]
    return Outcome(template_rules.to_resource(new, known.people), writes)


@loads(AGENDA_TEMPLATE)
@finds(requested_template)
def delete_agenda_template(context: Context, template: StoredAgendaTemplate) -> Outcome[Deleted]:
    """Deletes a template; the agendas that have its items keep them, and series that use it have none."""
    using = (found for found in series.all_of_board(template.board_id) if found.template_id == template.id)
    freed = [write for old in using for write in series.replace(old, series_rules.without_template(old, context.now))]
    event = _event(context, events.TEMPLATE_DELETED, template)
    return Outcome(Deleted(), [*agenda_templates.delete(template), *freed, *event])


def _event(context: Context, kind: EventKind[events.OfTemplate], template: StoredAgendaTemplate) -> list[Write]:
    return record_event(context, kind, events.OfTemplate(template_id=template.id))


@repeated_if(check_still_shown)
@loads(MEETING, AGENDA, UNREGISTERED_USER_COUNT, own_committees)
@finds(visible_meeting)
def apply_agenda_template(context: Context, meeting: StoredMeeting, body: TemplateBody) -> Outcome[Agenda]:
    """Appends the items of a template to an agenda: those for the meeting's month that it does not have.

    Raises 400 if there is no such template.
    """
    template = agenda_templates.find(context.board.id, body.template_id)
    if template is None:
        raise invalid_body({"templateId": "must be the id of an agenda template of this board"})
    old = agenda_in(context)
    papers, people = papers_named(context, items_of(old)), presenters(context, [*items_of(old), *template.items])
    members = members_among(context, agenda_rules.members_of(template.items))
    items = template_rules.items_for(template, meeting, members, people)
    new = agenda_rules.carried_over(meeting, old, items, context.now)
    if new is None:
        return Outcome(unchanged(context, meeting, old, papers), [])
    return agenda_outcome(context, meeting, old, new, papers, people)
