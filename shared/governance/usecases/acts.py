"""One act, one record: the event and, where the act is audited, the audit entry (ADR 0009)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from governance.domain.acts import AUDIT_ACTION
from governance.ids import new_id
from governance.models.act import AuditEntry, Event, StoredEvent
from governance.store import acts
from governance.store.table import Write
from governance.usecases.context import Context


def record(
    context: Context,
    event: Event,
    *,
    board_id: str | None = None,
    refs: Mapping[str, str] | None = None,
    details: Mapping[str, Any] | None = None,
    data: Mapping[str, Any] | None = None,
    draft_of: str | None = None,
) -> list[Write]:
    """The writes that record an act of this caller.

    `refs` are ids (`meetingId`, ...), `details` goes to the audit entry and the event, `data` to the event alone.
    """
    principal = context.known_principal
    board = board_id or context.board.id
    via = principal.created_via if principal else None
    actor = principal.user_id if principal else None
    happened = StoredEvent(
        id=new_id(),
        board_id=board,
        type=event,
        actor_user_id=actor,
        created_via=via,
        created_at=context.now,
        draft_of=draft_of,
        refs=dict(refs or {}),
        data={**(details or {}), **(data or {})},
    )
    action = AUDIT_ACTION.get(event)
    if action is None:
        return [acts.event(happened)]
    entry = AuditEntry(
        id=happened.id,
        board_id=board,
        actor_user=actor,
        action=action,
        details=dict(details or {}),
        created_via=via,
        created_at=context.now,
        updated_at=context.now,
    )
    return [acts.event(happened), acts.audit(entry)]
