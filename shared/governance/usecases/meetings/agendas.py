"""The agendas of meetings, with their papers (an extension of the API, ADR meetings)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from governance.agenda_limits import PAPER_WRITES
from governance.domain.access.visibility import can_see_document, can_see_meeting
from governance.domain.events import meetings as events
from governance.domain.meetings import agenda as agenda_rules
from governance.domain.meetings import in_camera
from governance.domain.meetings.agenda import items_of
from governance.domain.meetings.in_camera import Reader
from governance.domain.members.unregistered_user import NamedPeople
from governance.errors import Reason, conflict, invalid_body, not_found
from governance.ids import UserId
from governance.models.meetings.agenda import (
    Agenda,
    AgendaBody,
    AgendaItemFields,
    CarryOverBody,
    ItemBody,
    ItemFields,
    ItemWithPapersBody,
    StoredAgenda,
    StoredAgendaItem,
)
from governance.models.meetings.audience import StoredAudience
from governance.models.meetings.meeting import StoredMeeting
from governance.store.boards import boards
from governance.store.meetings import agendas, meetings
from governance.store.schema.entities import AGENDA, MEETING, UNREGISTERED_USER_COUNT
from governance.store.table import read
from governance.store.writes import Write
from governance.usecases.context import Context, Outcome
from governance.usecases.declarations import finds, loads, own_committees, repeated_if
from governance.usecases.event_writes import record_meeting_event
from governance.usecases.meetings.in_camera import check_none_hidden, hidden_among, reader_of
from governance.usecases.meetings.meetings import check_no_open_resolution, visible_meeting
from governance.usecases.members.named_people import check_people_unchanged, check_still_known, people_named

if TYPE_CHECKING:
    from governance.models.action_items.action_item import StoredActionItem
    from governance.models.documents.document import StoredDocument


@dataclass(frozen=True)
class Papers:
    """The documents that exist, and their ids by whether the caller sees them; `withheld` are in camera for others."""

    documents: Mapping[str, StoredDocument]
    visible: frozenset[str]
    hidden: frozenset[str]
    withheld: frozenset[str]


def papers_named(context: Context, items: Iterable[AgendaItemFields | ItemWithPapersBody]) -> Papers:
    """Returns the papers of these items that exist."""
    return papers_of(context, agenda_rules.papers_of(items))


def papers_of(context: Context, document_ids: Iterable[str]) -> Papers:
    """Returns the documents of these ids that exist."""
    from governance.store.documents import documents  # only agendas need it; a start of the meetings gains 13 ms

    papers = documents.get_by_ids(context.board.id, document_ids)
    withheld = hidden_among(context, [*papers.values()])
    seen = {id_ for id_, paper in papers.items() if can_see_document(context.committee_ids, paper.committee_id)}
    visible = frozenset(seen - withheld)
    return Papers(papers, visible, frozenset(papers.keys() - visible), frozenset(withheld))


def agenda_in(context: Context) -> StoredAgenda | None:
    """Returns the agenda of the meeting that the path names, if the use case loads it."""
    return context.stored_or_none(AGENDA, StoredAgenda)


def presenters(context: Context, items: Iterable[ItemFields | ItemBody]) -> NamedPeople:
    """Returns the presenters without an account that these items name."""
    return people_named(context, agenda_rules.people_of(items))


@loads(MEETING, AGENDA, own_committees)
@finds(visible_meeting)
def get_agenda(context: Context, meeting: StoredMeeting) -> Agenda:
    """Returns the agenda of the meeting, with the papers that the caller sees; without one, an empty list."""
    agenda = agenda_in(context)
    return unchanged(context, meeting, agenda, papers_named(context, items_of(agenda)))


@loads(MEETING, AGENDA, UNREGISTERED_USER_COUNT, own_committees)
@finds(visible_meeting)
def put_agenda(context: Context, meeting: StoredMeeting, body: AgendaBody) -> Outcome[Agenda]:
    """Sets the agenda of the meeting. Papers and items that the caller does not see stay where they are.

    What stands on items in camera alone goes in camera. Raises 403 unless the caller may change such a paper.
    """
    old = agenda_in(context)
    named: list[ItemWithPapersBody | AgendaItemFields] = [*body.items, *items_of(old)]
    papers, people = papers_named(context, named), presenters(context, named)
    members = members_among(context, agenda_rules.members_of(body.items))
    writer = reader_of(context, items_of(old), [item.audience for item in body.items])
    known = agenda_rules.KnownReferences(papers.visible, papers.hidden, members, people, writer)
    new = agenda_rules.changed(meeting, old, body, known, context.now)
    check_no_open_resolution(context, meeting, agenda_rules.removed_items(old, new))
    shown = agenda_outcome(context, meeting, old, new, papers, people, writer)
    of_papers = audience_writes(context, papers, items_of(old), new.items, writer)
    return Outcome(shown.response, [*shown.writes, *of_papers])


def audience_writes(
    context: Context,
    papers: Papers,
    before: Sequence[StoredAgendaItem],
    after: Sequence[StoredAgendaItem],
    writer: Reader,
) -> list[Write]:
    """Returns the writes of the papers that a change of items puts in camera, opens, or gives another audience.

    A paper in camera for others stays as it is. Raises 403 unless the caller may change each of these papers, 409
    `LIMIT_REACHED` for more of them than one transaction takes.
    """
    changed = in_camera.changed_audiences(before, after, writer)
    known = [id_ for id_ in changed if id_ in papers.documents and id_ not in papers.withheld]
    writes = [write for id_ in known for write in _writes(context, papers, id_, changed[id_])]
    if len(writes) > PAPER_WRITES:
        raise conflict(Reason.LIMIT_REACHED)
    return writes


def _writes(context: Context, papers: Papers, document_id: str, audience: StoredAudience | None) -> list[Write]:
    document = papers.documents[document_id]
    if document.audience is None and audience is None:
        return []
    from governance.domain.documents import document as rules  # few agendas need them
    from governance.store.documents import documents

    if document.audience == audience:
        return [documents.check_unchanged(document)]
    rules.check_changeable(document, context.tier, context.principal)
    return documents.replace(document, rules.patched(document, {"audience": audience}, context.now))


def members_among(context: Context, user_ids: Iterable[UserId]) -> set[UserId]:
    """Returns those of these users who are members of the board; reads nothing if there are none."""
    named = [*user_ids]
    return {member.user_id for member in boards.roster_of(context.board.id, named)} if named else set()


def agenda_outcome(
    context: Context,
    meeting: StoredMeeting,
    old: StoredAgenda | None,
    new: StoredAgenda,
    papers: Papers,
    people: NamedPeople,
    reader: Reader | None = None,
) -> Outcome[Agenda]:
    """Returns the agenda with its writes."""
    writes = agenda_writes(context, meeting, old, new)
    shown_to = reader or reader_of(context, new.items)
    return Outcome(agenda_rules.to_resource(meeting, new, papers.visible, people, shown_to), writes)


def unchanged(context: Context, meeting: StoredMeeting, agenda: StoredAgenda | None, papers: Papers) -> Agenda:
    """Returns an agenda that nothing changes, as the caller sees it."""
    items = items_of(agenda)
    people, reader = presenters(context, items), reader_of(context, items)
    return agenda_rules.to_resource(meeting, agenda, papers.visible, people, reader)


def agenda_writes(context: Context, meeting: StoredMeeting, old: StoredAgenda | None, new: StoredAgenda) -> list[Write]:
    """Returns the writes of an agenda; the meeting is written too, since it has what calendars and the plan show.

    They fail with `StaleRead` if the agenda or the meeting changed since it was read.
    """
    shown = agenda_rules.with_agenda(meeting, new)
    return [
        agendas.put_agenda(old, new),
        *check_people_unchanged(context, agenda_rules.people_of(items_of(old)), agenda_rules.people_of(new.items)),
        *meetings.replace(meeting, shown, context.now),
        *record_meeting_event(context, events.AGENDA_UPDATED, meeting, events.OfMeeting(meeting_id=meeting.id)),
    ]


def check_still_shown(context: Context, data: Mapping[str, Any]) -> None:
    """Raises 404 if an agenda names what the caller sees no more: a paper, an item that is in camera by now.

    So it does if it names a person whose data were removed.
    """
    named = {id_ for item in data["items"] for id_ in item["documentIds"] or ()}
    if papers_of(context, named).visible != named:
        raise not_found()
    agenda = agendas.agenda_of(context.board.id, data["meetingId"])
    check_none_hidden(context, items_of(agenda), data["items"])
    check_still_known(context, [item["presenterUnregisteredUserId"] for item in data["items"]])


@repeated_if(check_still_shown)
@loads(MEETING, AGENDA, UNREGISTERED_USER_COUNT, own_committees)
@finds(visible_meeting)
def carry_over_agenda(context: Context, meeting: StoredMeeting, body: CarryOverBody) -> Outcome[Agenda]:
    """Appends the open items of another meeting: agenda items that its minutes do not name, and open action items.

    What the minutes have in camera for others than the caller names none that the caller sees.
    If repeated, it adds nothing twice. Raises 400 if the caller does not see the other meeting.
    """
    old, earlier = agenda_in(context), _agenda_of(context, meeting, body)
    minutes = agendas.minutes_of(meeting.board_id, body.from_meeting_id)
    named = [*items_of(old), *items_of(earlier)]
    papers, people = papers_named(context, named), presenters(context, named)
    entries = minutes.items if minutes else ()
    reader = reader_of(context, [*items_of(earlier), *entries])
    recorded = in_camera.recorded(entries, items_of(earlier), reader)
    tasks = _open_items(meeting, body.from_meeting_id)
    left_open = agenda_rules.left_open(earlier, recorded, papers.visible, tasks, people)
    new = agenda_rules.carried_over(meeting, old, left_open, context.now)
    if new is None:
        return Outcome(unchanged(context, meeting, old, papers), [])
    return agenda_outcome(context, meeting, old, new, papers, people)


def _agenda_of(context: Context, meeting: StoredMeeting, body: CarryOverBody) -> StoredAgenda | None:
    """Returns the agenda of the other meeting; raises 400 if there is no such meeting that the caller sees."""
    found = named_meeting(context, body.from_meeting_id)
    if found is None or found[0].id == meeting.id:
        raise invalid_body({"fromMeetingId": "must be the id of another meeting of this board"})
    return found[1]


def named_meeting(context: Context, meeting_id: str) -> tuple[StoredMeeting, StoredAgenda | None] | None:
    """Returns the meeting with this id, and its agenda; None if there is no such meeting that the caller sees."""
    ids = {"boardId": context.board.id, "meetingId": meeting_id}
    key, agenda_key = MEETING.key_for(**ids), AGENDA.key_for(**ids)
    items = read([key, agenda_key])
    meeting = StoredMeeting.model_validate(items[key]) if key in items else None
    if meeting is None or not can_see_meeting(context.user_id, meeting):
        return None
    return meeting, StoredAgenda.model_validate(items[agenda_key]) if agenda_key in items else None


def _open_items(meeting: StoredMeeting, from_meeting_id: str) -> list[StoredActionItem]:
    from governance.models.action_items.action_item import OPEN  # only what is carried over needs them: 28 ms
    from governance.store.action_items import action_items

    items = action_items.list_of_meeting(meeting.board_id, from_meeting_id)
    return [item for item in items if item.status == OPEN]
