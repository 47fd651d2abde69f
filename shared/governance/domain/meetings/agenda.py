"""The rules of agendas: their content, who sees which papers, when items begin, and what is carried over.

See ADR meetings.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING, Any, TypeVar

from governance.agenda_limits import AGENDA_BYTES, AGENDA_ITEMS, AGENDA_SUMMARY, AGENDA_TITLE
from governance.domain.meetings import in_camera
from governance.domain.meetings.in_camera import Reader
from governance.domain.meetings.meeting import check_editable
from governance.domain.members.unregistered_user import NOT_ACTIVE, NamedPeople
from governance.errors import Reason, conflict, invalid_body
from governance.ids import PersonId, UserId, new_id
from governance.instants import Instant, shift
from governance.models.meetings.agenda import (
    Agenda,
    AgendaBody,
    AgendaItem,
    AgendaItemBody,
    AgendaItemFields,
    ItemBody,
    ItemFields,
    ItemWithPapersBody,
    StoredAgenda,
    StoredAgendaItem,
)
from governance.models.meetings.meeting import MatterOnAgenda, StoredMeeting
from governance.texts import in_every_language

if TYPE_CHECKING:
    from governance.models.action_items.action_item import (
        StoredActionItem,  # only what is carried over or moved needs it
    )


AnyItem = TypeVar("AnyItem", bound=ItemFields)


def items_of(agenda: StoredAgenda | None) -> tuple[StoredAgendaItem, ...]:
    """Returns the items of an agenda; none where there is none."""
    return agenda.items if agenda else ()


def papers_of(items: Iterable[AgendaItemFields | ItemWithPapersBody]) -> list[str]:
    """Returns the ids of the papers of these items, each once."""
    return list(dict.fromkeys(document_id for item in items for document_id in item.document_ids))


def people_of(items: Iterable[ItemFields | ItemBody]) -> set[PersonId]:
    """Returns the ids of the presenters without an account."""
    return {item.presenter_unregistered_user_id for item in items if item.presenter_unregistered_user_id}


def members_of(items: Iterable[ItemFields | ItemBody]) -> set[UserId]:
    """Returns the ids of the presenters with an account."""
    return {item.presenter_user_id for item in items if item.presenter_user_id}


@dataclass(frozen=True)
class KnownReferences:
    """What a writer of an agenda may name: papers that they see, members, and people without an account.

    `hidden` are the papers that exist and that they do not see. `writer` is who they are to items in camera.
    """

    papers: Collection[str]
    hidden: Collection[str]
    members: Collection[str]
    people: NamedPeople
    writer: Reader


def changed(
    meeting: StoredMeeting, old: StoredAgenda | None, body: AgendaBody, known: KnownReferences, now: Instant
) -> StoredAgenda:
    """Returns the agenda that the body sets. A paper that the writer does not see stays with its item.

    An item that the writer does not see stays in its place. Raises 409 `MEETING_FINALIZED`, then 400 for an id that the
    agenda does not have, two presenters of one item, a presenter who is neither a member nor an active person without
    an account, a paper that is absent or hidden, and an audience that is not possible.
    """
    check_editable(meeting)
    withheld = in_camera.hidden(items_of(old), known.writer)
    before = {item.id: item for item in items_of(old)}
    _check(body, before, withheld, known)
    sent = [item for item in body.items if item.id not in withheld]
    new = [
        before[item.id] if item.id and item.withheld else _item(item, before.get(item.id or ""), known) for item in sent
    ]
    items = in_camera.with_kept(new, items_of(old), withheld)
    if any(item.audience for item in items):
        _check_room(items)
    return _with_items(meeting, old, items, now)


def without(meeting: StoredMeeting, old: StoredAgenda, item_id: str, now: Instant) -> StoredAgenda:
    """Returns the agenda without one of its items; raises 409 `MEETING_FINALIZED`."""
    check_editable(meeting)
    return _with_items(meeting, old, tuple(item for item in old.items if item.id != item_id), now)


def removed_items(old: StoredAgenda | None, new: StoredAgenda) -> set[str]:
    """Returns the ids of the items that a change removes."""
    return {item.id for item in items_of(old)} - {item.id for item in new.items}


def _check(
    body: AgendaBody, before: Mapping[str, StoredAgendaItem], withheld: Collection[str], known: KnownReferences
) -> None:
    errors: dict[str, str] = {}
    named: set[str] = set()
    seen = [item for item in before.values() if item.id not in withheld]
    for index, item in enumerate(body.items):
        if item.id is not None and (item.id not in before or item.id in named):
            errors[f"items.{index}.id"] = "must be the id of an item of this agenda, once"
        named.add(item.id or "")
        if item.withheld or item.id in withheld:
            continue
        earlier = before.get(item.id or "")
        item_errors = {
            **errors_of_presenter(item, seen, known),
            **errors_of_papers(item.document_ids, known),
            **in_camera.errors_of(item.audience, earlier.audience if earlier else None, known.writer),
        }
        errors |= {f"items.{index}.{name}": error for name, error in item_errors.items()}
    if errors:
        raise invalid_body(errors)


def errors_of_presenter(
    item: ItemFields | ItemBody, before: Collection[ItemFields], known: KnownReferences
) -> dict[str, str]:
    """Returns the errors of an item's presenter; a presenter that the item had before may stay, even if they left."""
    errors: dict[str, str] = {}
    person_id = item.presenter_unregistered_user_id
    shown = known.people.name_of(person_id)
    if item.presenter_user_id is not None and item.presenter_name is not None:
        errors["presenterName"] = "must not be given beside `presenterUserId`"
    if item.presenter_user_id is not None and person_id is not None:
        errors["presenterUnregisteredUserId"] = "must not be given beside `presenterUserId`"
    elif person_id is not None and item.presenter_name not in (None, shown):
        errors["presenterName"] = "must not be given beside `presenterUnregisteredUserId`, unless it is their name"
    elif person_id is not None and not known.people.may_be_named(person_id, people_of(before)):
        errors["presenterUnregisteredUserId"] = NOT_ACTIVE
    presenters = {None, *known.members, *members_of(before)}
    if item.presenter_user_id not in presenters:
        errors["presenterUserId"] = "must be the user id of a member of the board"
    return errors


def errors_of_papers(document_ids: Iterable[str], known: KnownReferences) -> dict[str, str]:
    """Returns the errors of an item's papers."""
    return {
        f"documentIds.{position}": "must be the id of a document of this board"
        for position, document_id in enumerate(document_ids)
        if document_id not in known.papers
    }


def _kept_papers(old: StoredAgendaItem | None, known: KnownReferences) -> list[str]:
    return [document_id for document_id in old.document_ids if document_id in known.hidden] if old else []


def _item(body: AgendaItemBody, old: StoredAgendaItem | None, known: KnownReferences) -> StoredAgendaItem:
    linked = {"presenter_name"} if body.presenter_unregistered_user_id else set()
    is_given, earlier = "audience" in body.model_fields_set, old.audience if old else None
    return StoredAgendaItem(
        **body.model_dump(exclude={"id", "document_ids", "audience", "withheld", *linked}),
        id=old.id if old else new_id(),
        document_ids=(*body.document_ids, *_kept_papers(old, known)),
        audience=in_camera.chosen(body.audience, earlier, known.writer, is_given=is_given),
        carried_from=old.carried_from if old else None,
        plan_item_id=old.plan_item_id if old else None,
        minutes_of_meeting_id=old.minutes_of_meeting_id if old else None,
    )


def _with_items(
    meeting: StoredMeeting, old: StoredAgenda | None, items: tuple[StoredAgendaItem, ...], now: Instant
) -> StoredAgenda:
    return StoredAgenda(
        board_id=meeting.board_id,
        meeting_id=meeting.id,
        items=items,
        created_at=old.created_at if old else now,
        updated_at=now,
        version=old.version + 1 if old else 1,
    )


def shown_item(item: StoredAgendaItem, papers: Collection[str], people: NamedPeople, reader: Reader) -> dict[str, Any]:
    """Returns the members of an item that a reader sees, who sees these papers: of a withheld one, its place."""
    if not reader.sees(item.audience):
        empty = dict.fromkeys(["title", "document_ids", "audience"])
        return {**empty, "id": item.id, "minutes": item.minutes, "withheld": True}
    return {
        **item.model_dump(include=ItemFields.model_fields.keys() - {"presenter_name"}),
        "presenter_name": people.name_of(item.presenter_unregistered_user_id) or item.presenter_name,
        "document_ids": tuple(document_id for document_id in item.document_ids if document_id in papers),
        "audience": reader.shown(item.audience),
        "withheld": False,
    }


def to_resource(
    meeting: StoredMeeting,
    agenda: StoredAgenda | None,
    papers: Collection[str],
    people: NamedPeople,
    reader: Reader,
) -> Agenda:
    """Returns the agenda as seen by a reader who sees these papers, with the current names of these people."""
    items = items_of(agenda)
    shown = [
        AgendaItem(**shown_item(item, papers, people, reader), starts_at=starts_at)
        for item, starts_at in zip(items, _starts(meeting, items), strict=True)
    ]
    return Agenda(
        meeting_id=meeting.id,
        items=tuple(shown),
        created_at=agenda.created_at if agenda else None,
        updated_at=agenda.updated_at if agenda else None,
    )


def known_starts(items: Sequence[AgendaItem]) -> list[str | None]:
    """Returns when each item begins, to be read by people: None after an item without minutes, which count nothing.

    That of the first is known if it has minutes itself: otherwise the meeting says as much.
    """
    known = [all(before.minutes for before in items[: max(1, index)]) for index in range(len(items))]
    return [item.starts_at if is_known else None for item, is_known in zip(items, known, strict=True)]


def _starts(meeting: StoredMeeting, items: Iterable[StoredAgendaItem]) -> list[Instant | None]:
    """Returns when each item begins: after the minutes of the items before it; None if the meeting has no start."""
    *before, _ = accumulate((item.minutes or 0 for item in items), initial=0)
    return [shift(meeting.start_time, minutes=minutes) if meeting.start_time else None for minutes in before]


def with_agenda(meeting: StoredMeeting, agenda: StoredAgenda) -> StoredMeeting:
    """Returns the meeting with what calendars and the work plan show of its agenda: of what is in camera, its place."""
    matters = tuple(
        MatterOnAgenda(plan_item_id=item.plan_item_id, agenda_item_id=item.id)
        for item in agenda.items
        if item.plan_item_id is not None and item.audience is None
    )
    shown = {"agenda_summary": summary(agenda), "matters": matters, "version": meeting.version + 1}
    return meeting.model_copy(update=shown)


def summary(agenda: StoredAgenda) -> str:
    """Returns the agenda as plain text for calendars: numbered titles with their minutes, cut at `AGENDA_SUMMARY`."""
    lines = [
        f"{number}. {in_every_language('pack.withheld') if item.audience else item.title}"
        + (f" ({item.minutes} min)" if item.minutes else "")
        for number, item in enumerate(agenda.items, start=1)
    ]
    text = "\n".join(lines)
    return text if len(text) <= AGENDA_SUMMARY else text[: AGENDA_SUMMARY - 1] + "…"


def carried_over(
    meeting: StoredMeeting, old: StoredAgenda | None, left_open: Iterable[StoredAgendaItem], now: Instant
) -> StoredAgenda | None:
    """Returns the agenda with the items that were not carried over to it before; None if there are none.

    Raises 409 as `appended` does.
    """
    check_editable(meeting)
    new = not_carried(old, left_open)
    return appended(meeting, old, new, now) if new else None


def not_carried(agenda: StoredAgenda | None, left_open: Iterable[StoredAgendaItem]) -> list[StoredAgendaItem]:
    """Returns the items that were not carried over to an agenda before."""
    known = {item.carried_from for item in items_of(agenda)}
    return [item for item in left_open if item.carried_from not in known]


def appended(
    meeting: StoredMeeting, old: StoredAgenda | None, new: Iterable[StoredAgendaItem], now: Instant
) -> StoredAgenda:
    """Returns the agenda with these items at its end.

    Raises 409: `MEETING_FINALIZED`, or `LIMIT_REACHED` for more than `AGENDA_ITEMS` items or `AGENDA_BYTES`.
    """
    check_editable(meeting)
    items = (*items_of(old), *new)
    _check_room(items)
    return _with_items(meeting, old, items, now)


def _check_room(items: Sequence[StoredAgendaItem]) -> None:
    if len(items) > AGENDA_ITEMS or _size(items) > AGENDA_BYTES:
        raise conflict(Reason.LIMIT_REACHED)


def with_presenter_if_active(item: AnyItem, people: NamedPeople) -> AnyItem:
    """Returns the item, without its presenter if they have no account and are not active any more."""
    if item.presenter_unregistered_user_id in {None, *people.active}:
        return item
    return item.model_copy(update={"presenter_unregistered_user_id": None})


def filled(
    meeting: StoredMeeting, old: StoredAgenda | None, new: Iterable[StoredAgendaItem], now: Instant
) -> tuple[StoredAgenda | None, tuple[StoredAgendaItem, ...]]:
    """Returns the agenda with as many items as it has room for, None if it gets none, and the others."""
    items = list(items_of(old))
    size, others, added = _size(items), list[StoredAgendaItem](), False
    for item in new:
        size += _size([item])
        if others or len(items) == AGENDA_ITEMS or size > AGENDA_BYTES:
            others.append(item)
        else:
            items.append(item)
            added = True
    return (_with_items(meeting, old, tuple(items), now) if added else None), tuple(others)


def _size(items: Iterable[StoredAgendaItem]) -> int:
    return sum(len(item.to_json().encode()) for item in items)


def left_open(
    agenda: StoredAgenda | None,
    recorded: Collection[str],
    papers: Collection[str],
    action_items: Iterable[StoredActionItem],
    people: NamedPeople,
) -> Iterator[StoredAgendaItem]:
    """Yields, as new items, what a meeting left open: agenda items that its minutes do not name, and open action items.

    `recorded` are the ids of the agenda items in its minutes. Papers that the caller cannot see are not carried over,
    except with an item in camera, nor are presenters without an account who are not active any more.
    """
    for item in items_of(agenda):
        if item.id not in recorded:
            kept = tuple(document_id for document_id in item.document_ids if item.audience or document_id in papers)
            changes: dict[str, object] = {"id": new_id(), "document_ids": kept, "carried_from": item.id}
            yield with_presenter_if_active(item, people).model_copy(update=changes)
    for task in action_items:
        yield StoredAgendaItem(id=new_id(), title=task.title[:AGENDA_TITLE], carried_from=task.id)
