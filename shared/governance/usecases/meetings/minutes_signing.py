"""Who signs a board's minutes, and their signatures (an extension of the API, ADR minutes)."""

from __future__ import annotations

from governance.domain.access.visibility import draft_owner
from governance.domain.events import minutes as events
from governance.domain.meetings import minutes_signing as signing_rules
from governance.domain.meetings import minutes_versions as version_rules
from governance.ids import time_ordered_id
from governance.instants import millis
from governance.models.boards.board import RosterEntry
from governance.models.meetings.minutes import StoredMinutes
from governance.models.meetings.minutes_signing import MinutesSigners, MinutesSignersBody, StoredMinutesSigners
from governance.models.meetings.minutes_versions import MinutesApproval
from governance.store.meetings import minutes_signers, minutes_versions
from governance.store.schema.entities import MEETING
from governance.store.schema.minutes import MINUTES, MINUTES_APPROVAL, MINUTES_SIGNERS
from governance.usecases.context import Context, Outcome
from governance.usecases.declarations import finds, loads, prefetch, roster_of
from governance.usecases.event_writes import record_event
from governance.usecases.meetings.meetings import visible_meeting
from governance.usecases.meetings.minutes import approval_of, visible_minutes
from governance.usecases.meetings.minutes_versions import log_indexes


def _signers_of(context: Context) -> StoredMinutesSigners | None:
    return context.stored_or_none(MINUTES_SIGNERS, StoredMinutesSigners)


@loads(MINUTES_SIGNERS)
@prefetch(roster_of)
def get_minutes_signers(context: Context, members: list[RosterEntry]) -> MinutesSigners:
    """Returns who signs the approved minutes of the board."""
    return signing_rules.to_resource(context.board.id, _signers_of(context), {member.user_id for member in members})


@loads(MINUTES_SIGNERS)
@prefetch(roster_of)
def put_minutes_signers(
    context: Context, members: list[RosterEntry], body: MinutesSignersBody
) -> Outcome[MinutesSigners]:
    """Sets who signs the approved minutes of the board; the same list again changes nothing."""
    old, user_ids = _signers_of(context), [member.user_id for member in members]
    new = signing_rules.changed(context.board.id, old, body, user_ids, context.now)
    if new is None:
        return Outcome(signing_rules.to_resource(context.board.id, old, user_ids), [])
    changed = record_event(context, events.MINUTES_SIGNERS_CHANGED, events.MinutesSignersChanged())
    return Outcome(
        signing_rules.to_resource(context.board.id, new, user_ids), [minutes_signers.put(old, new), *changed]
    )


def _own_list(context: Context) -> StoredMinutesSigners:
    """Returns the list of signers, which has the caller; raises 403."""
    context.find(visible_minutes)
    return signing_rules.check_signer(_signers_of(context), context.principal, context.now)


@loads(MEETING, MINUTES, MINUTES_APPROVAL, MINUTES_SIGNERS)
@finds(visible_minutes, _own_list)
def sign_minutes(context: Context, minutes: StoredMinutes, signers: StoredMinutesSigners) -> Outcome[MinutesApproval]:
    """Signs the approved minutes in the name of the caller, once: an act that the log holds."""
    event_id = time_ordered_id(millis(context.now))
    old = approval_of(context)
    new = signing_rules.signed(old, signers, context.known_user_id, event_id, context.now)
    draft_of = draft_owner(context.find(visible_meeting))
    signed = events.MinutesSigned(meeting_id=minutes.meeting_id, number=new.number, sha256=new.sha256)
    writes = [
        minutes_versions.put_approval(old, new),
        minutes_signers.check_unchanged(signers),
        *record_event(context, events.MINUTES_SIGNED, signed, draft_of=draft_of, event_id=event_id),
    ]
    return Outcome(version_rules.approval_resource(minutes, new, indexes=log_indexes(context, old)), writes)
