"""The rules of agenda templates: their items, and which of them a meeting gets (ADR planning)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from governance.domain.meetings.agenda import KnownReferences, errors_of_presenter, with_presenter_if_active
from governance.domain.members.unregistered_user import NamedPeople
from governance.domain.planning.months import local_start
from governance.errors import invalid_body
from governance.ids import BoardId, UserId, new_id
from governance.instants import Instant
from governance.models.meetings.agenda import StoredAgendaItem
from governance.models.meetings.meeting import StoredMeeting
from governance.models.planning.agenda_template import (
    AgendaTemplate,
    AgendaTemplateCreate,
    AgendaTemplatePatch,
    StoredAgendaTemplate,
    StoredTemplateItem,
    TemplateItemBody,
)


def created(
    board_id: BoardId, body: AgendaTemplateCreate, known: KnownReferences, now: Instant
) -> StoredAgendaTemplate:
    """Returns the new template that the body describes; raises 400 as `patched` does."""
    return StoredAgendaTemplate(
        id=new_id(),
        board_id=board_id,
        name=body.name,
        items=_items(body.items, (), known),
        created_at=now,
        updated_at=now,
    )


def patched(
    template: StoredAgendaTemplate, body: AgendaTemplatePatch, known: KnownReferences, now: Instant
) -> StoredAgendaTemplate:
    """Returns the template with these changes; the same object if they change nothing.

    Raises 400 for an id that the template does not have, and for a presenter who is not on the board.
    """
    changes = body.changes()
    if "items" in changes:
        changes["items"] = _items(body.items, template.items, known)
    new = template.model_copy(update=changes)
    return template if new == template else new.model_copy(update={"updated_at": now, "version": template.version + 1})


def _items(
    bodies: Sequence[TemplateItemBody], before: Collection[StoredTemplateItem], known: KnownReferences
) -> tuple[StoredTemplateItem, ...]:
    errors: dict[str, str] = {}
    named, ids = set[str](), {item.id for item in before}
    for index, body in enumerate(bodies):
        if body.id is not None and (body.id not in ids or body.id in named):
            errors[f"items.{index}.id"] = "must be the id of an item of this template, once"
        named.add(body.id or "")
        of_item = errors_of_presenter(body, before, known)
        errors |= {f"items.{index}.{name}": error for name, error in of_item.items()}
    if errors:
        raise invalid_body(errors)
    return tuple(_item(body) for body in bodies)


def _item(body: TemplateItemBody) -> StoredTemplateItem:
    linked = {"presenter_name"} if body.presenter_unregistered_user_id else set()
    months = tuple(body.months) if body.months else None
    return StoredTemplateItem(
        **body.model_dump(exclude={"id", "months", *linked}), id=body.id or new_id(), months=months
    )


def to_resource(template: StoredAgendaTemplate, people: NamedPeople) -> AgendaTemplate:
    """Returns the template as its board sees it, with the current names of these people."""
    items = [
        {
            **item.item(),
            "presenterName": people.name_of(item.presenter_unregistered_user_id) or item.presenter_name,
        }
        for item in template.items
    ]
    return AgendaTemplate.model_validate({**template.item(), "items": items})


def items_for(
    template: StoredAgendaTemplate, meeting: StoredMeeting, members: Collection[UserId], people: NamedPeople
) -> Iterator[StoredAgendaItem]:
    """Yields the items of a template that a meeting gets, as items of its agenda: those of its month, and of all.

    A meeting without a start gets those of all. Presenters who are no longer on the board are left out.
    """
    start = local_start(meeting)
    for item in template.items:
        if item.months is None or (start is not None and start.month in item.months):
            kept = with_presenter_if_active(item, people)
            presenter = kept.presenter_user_id if kept.presenter_user_id in members else None
            made = {"id": new_id(), "presenter_user_id": presenter, "carried_from": item.id}
            yield StoredAgendaItem(**{**kept.model_dump(by_alias=False, exclude={"months"}), **made})
