"""Resolutions: list, draft, read, change, delete (an extension of the API, ADR resolutions)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from governance.domain.audit import changed_fields
from governance.domain.events import resolutions as events
from governance.domain.resolutions.opening import check_draft
from governance.domain.resolutions.visibility import shelves
from governance.ids import is_id, new_id
from governance.limits import RESOLUTIONS_PAGE_BYTES
from governance.models.base import Deleted
from governance.models.page import Page
from governance.models.resolutions.resolution import (
    DraftVoter,
    Resolution,
    ResolutionBody,
    ResolutionCreate,
    ResolutionPatch,
    ResolutionsQuery,
    Rule,
    StoredContent,
    StoredResolution,
)
from governance.settings import Secret
from governance.sizes import sent_bytes
from governance.store.resolutions import departures, resolutions
from governance.store.resolutions.resolutions import Body
from governance.store.schema.entities import RESOLUTION
from governance.usecases.context import Context, Outcome
from governance.usecases.declarations import finds, loads, own_seats, prefetch, uses_secret
from governance.usecases.resolutions.reading import (
    State,
    body_named,
    reader_of,
    run_resolution,
    state_of,
    visible_resolution,
)
from governance.usecases.resolutions.recording import record_resolution_event
from governance.usecases.resolutions.references import check_references

_READ_TOGETHER = 10
"""Resolutions whose text and voters are read at the same time."""


@uses_secret(Secret.BALLOT)
@loads(own_seats)
def list_resolutions(context: Context, query: ResolutionsQuery) -> Page[Resolution]:
    """Returns a page of the resolutions that the caller may see, by creation or by the recorded result.

    A page ends early where its texts and voters would outgrow a response.
    """
    if any(id_ is not None and not is_id(id_) for id_ in (query.meeting_id, query.committee_id)):
        return Page([])
    found, last = resolutions.list_ids(
        context.board.id,
        shelves(reader_of(context), query.status, query.committee_id),
        context.window(query),
        by_closing=query.sort == "closedAt",
        meeting_id=query.meeting_id,
        status=query.status,
    )
    shown: list[Resolution] = []
    position, size = last, 0
    for start in range(0, len(found), _READ_TOGETHER):
        for at, resolution in _shown(context, found[start : start + _READ_TOGETHER]):
            size += sent_bytes(resolution.to_json())
            if shown and size > RESOLUTIONS_PAGE_BYTES:
                return Page(_of_status(shown, query), position)
            shown.append(resolution)
            position = at
    return Page(_of_status(shown, query), last)


def _of_status(shown: list[Resolution], query: ResolutionsQuery) -> list[Resolution]:
    """Returns the resolutions of the status that is asked for: the clock may have changed one since it was stored."""
    return [each for each in shown if query.status in (None, each.status)]


def _shown(context: Context, found: list[tuple[str, str]]) -> list[tuple[str, Resolution]]:
    """Returns the resolutions at these positions, as they are now."""
    heads = resolutions.get_many(context.board.id, (id_ for _, id_ in found))
    existing = [(at, heads[id_]) for at, id_ in found if id_ in heads]
    bodies = resolutions.read_bodies([head for _, head in existing])
    opened = [head.opened_at for _, head in existing if head.status == "open" and head.opened_at]
    left = departures.since(context.board.id, min(opened)) if opened else []
    return [
        (at, state_of(head, body, context.now, left).shown()) for (at, head), body in zip(existing, bodies, strict=True)
    ]


@loads(own_seats)
def create_resolution(context: Context, body: ResolutionCreate) -> Outcome[Resolution]:
    """Drafts a resolution. What it refers to must be visible to the caller, who must be in its committee."""
    fields, content = _fields(body.model_dump(by_alias=False)), _content(body)
    resolution = StoredResolution.model_validate(
        {
            **fields,
            "id": new_id(),
            "board_id": context.board.id,
            "created_by_user_id": context.known_user_id,
            "created_at": context.now,
            "updated_at": context.now,
        }
    )
    check_references(context, resolution, fields.keys())
    created = events.OfResolution(resolution_id=resolution.id, meeting_id=resolution.meeting_id)
    writes = [
        *resolutions.create(resolution, content),
        *record_resolution_event(context, events.RESOLUTION_CREATED, resolution, created),
    ]
    return Outcome(State(resolution, content, {}).shown(), writes)


_DEFAULTS: Mapping[str, Any] = {"document_ids": (), "rule": Rule(), "ballots": "named"}


def _fields(changes: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the given fields of a head; null is the default of those that have one."""
    named = {name: value for name, value in changes.items() if name not in ("text", "voters")}
    found = {name: _DEFAULTS[name] if value is None and name in _DEFAULTS else value for name, value in named.items()}
    if isinstance(found.get("rule"), dict):
        found["rule"] = Rule(**found["rule"])
    if "document_ids" in found:
        found["document_ids"] = tuple(found["document_ids"])
    return found


def _content(body: ResolutionBody, old: StoredContent | None = None) -> StoredContent:
    given = body.model_fields_set
    voters = tuple(DraftVoter(user_id=each.user_id, weight=each.weight) for each in body.voters or ())
    if old is None:
        return StoredContent(text=body.text, voters=voters)
    text = body.text if "text" in given else old.text
    return old.model_copy(update={"text": text, "voters": voters if "voters" in given else old.voters})


@uses_secret(Secret.BALLOT)
@loads(RESOLUTION, own_seats)
@prefetch(body_named)
@finds(visible_resolution)
def get_resolution(context: Context, resolution: StoredResolution, body: Body | None) -> Resolution:
    """Returns one resolution."""
    return state_of(resolution, body, context.now).shown()


@uses_secret(Secret.BALLOT)
@loads(RESOLUTION, own_seats)
@prefetch(body_named)
@finds(run_resolution)
def update_resolution(
    context: Context, old: StoredResolution, read: Body | None, body: ResolutionPatch
) -> Outcome[Resolution]:
    """Changes the fields of a draft that the body names; setting the same values changes nothing."""
    check_draft(old)
    before = state_of(old, read, context.now).content
    changes = _fields(
        {name: value for name, value in body.model_dump(by_alias=False).items() if name in body.changes()}
    )
    merged = old.model_copy(update={**changes, "updated_at": context.now, "version": old.version + 1})
    check_references(context, merged, changes.keys())
    content = _content(body, before)
    named = {"text": content.text != before.text, "voters": content.voters != before.voters}
    fields = [*changed_fields(old, merged), *(name for name, differs in named.items() if differs)]
    if not fields:
        return Outcome(State(old, before, {}).shown(), [])
    if any(named.values()):
        merged = merged.model_copy(update={"content_version": old.content_version + 1})
        content = content.model_copy(update={"version": merged.content_version})
    changed = events.ResolutionUpdated(resolution_id=old.id, meeting_id=merged.meeting_id, fields=sorted(fields))
    writes = [
        *resolutions.replace(old, merged, content if any(named.values()) else None),
        *record_resolution_event(context, events.RESOLUTION_UPDATED, merged, changed),
    ]
    return Outcome(State(merged, content, {}).shown(), writes)


@loads(RESOLUTION, own_seats)
@finds(run_resolution)
def delete_resolution(context: Context, resolution: StoredResolution) -> Outcome[Deleted]:
    """Deletes a draft."""
    check_draft(resolution)
    deleted = events.ResolutionDeleted(
        resolution_id=resolution.id, meeting_id=resolution.meeting_id, drafted_at=resolution.created_at
    )
    event = record_resolution_event(context, events.RESOLUTION_DELETED, resolution, deleted)
    return Outcome(Deleted(), [*resolutions.delete(resolution), *event])
