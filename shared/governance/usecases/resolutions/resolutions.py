"""Resolutions: draft, read, change, delete (an extension of the API, ADR resolutions)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from governance.domain.events import resolutions as events
from governance.domain.history.audit import changed_fields
from governance.domain.resolutions.opening import check_draft
from governance.ids import new_id
from governance.models.base import Deleted
from governance.models.resolutions.resolution import (
    DraftVoter,
    Resolution,
    ResolutionBody,
    ResolutionCreate,
    ResolutionPatch,
    StoredContent,
    StoredResolution,
)
from governance.models.resolutions.rule import Rule
from governance.settings import Secret
from governance.store.resolutions import resolutions
from governance.store.resolutions.resolutions import ResolutionContents
from governance.store.schema.entities import RESOLUTION
from governance.usecases.context import Context, Outcome
from governance.usecases.declarations import creates, finds, loads, own_committees, prefetch, uses_secret
from governance.usecases.resolutions.reading import (
    State,
    body_named,
    run_resolution,
    state_of,
    visible_resolution,
)
from governance.usecases.resolutions.recording import record_resolution_event
from governance.usecases.resolutions.references import check_references


@creates(RESOLUTION, "resolutionId", visible_resolution)
@loads(own_committees)
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
    fields = {name: _DEFAULTS[name] if value is None and name in _DEFAULTS else value for name, value in named.items()}
    if isinstance(fields.get("rule"), dict):
        fields["rule"] = Rule(**fields["rule"])
    if "document_ids" in fields:
        fields["document_ids"] = tuple(fields["document_ids"])
    return fields


def _content(body: ResolutionBody, old: StoredContent | None = None) -> StoredContent:
    given = body.model_fields_set
    voters = tuple(DraftVoter(user_id=voter.user_id, weight=voter.weight) for voter in body.voters or ())
    if old is None:
        return StoredContent(text=body.text, voters=voters)
    text = body.text if "text" in given else old.text
    return old.model_copy(update={"text": text, "voters": voters if "voters" in given else old.voters})


@uses_secret(Secret.BALLOT)
@loads(RESOLUTION, own_committees)
@prefetch(body_named)
@finds(visible_resolution)
def get_resolution(context: Context, resolution: StoredResolution, body: ResolutionContents | None) -> Resolution:
    """Returns one resolution."""
    return state_of(resolution, body, context.now).shown()


@uses_secret(Secret.BALLOT)
@loads(RESOLUTION, own_committees)
@prefetch(body_named)
@finds(run_resolution)
def update_resolution(
    context: Context, old: StoredResolution, read: ResolutionContents | None, body: ResolutionPatch
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


@loads(RESOLUTION, own_committees)
@finds(run_resolution)
def delete_resolution(context: Context, resolution: StoredResolution) -> Outcome[Deleted]:
    """Deletes a draft."""
    check_draft(resolution)
    deleted = events.ResolutionDeleted(
        resolution_id=resolution.id, meeting_id=resolution.meeting_id, drafted_at=resolution.created_at
    )
    event = record_resolution_event(context, events.RESOLUTION_DELETED, resolution, deleted)
    return Outcome(Deleted(), [*resolutions.delete(resolution), *event])
