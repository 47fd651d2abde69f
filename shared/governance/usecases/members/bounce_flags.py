"""Flags people without an account whose mails bounced, or who complained of one: no more are sent there (ADR mail)."""

from __future__ import annotations

from functools import partial

from governance.domain.events import members as events
from governance.domain.members import unregistered_user as unregistered_user_rules
from governance.errors import suppress_not_found
from governance.ids import BoardId, PersonId
from governance.instants import now
from governance.models.members.mail_feedback import MailFeedback
from governance.models.members.unregistered_user import Bounce
from governance.store.boards import boards
from governance.store.members import unregistered_users
from governance.store.transactions import transact
from governance.store.writes import retry_stale_reads
from governance.usecases.context import Context
from governance.usecases.event_writes import record_event


def flag_address(feedback: MailFeedback) -> None:
    """Flags every active person with the address, on every board; a repeat changes nothing."""
    for board_id, person_id in unregistered_users.ids_by_email(feedback.email):
        with suppress_not_found():
            retry_stale_reads(partial(_flag, board_id, person_id, feedback))


def _flag(board_id: BoardId, person_id: PersonId, feedback: MailFeedback) -> None:
    old, board = unregistered_users.find(board_id, person_id), boards.find(board_id)
    if old is None or board is None:
        return
    context = Context(now=now(), known_board=board)
    bounce = Bounce(kind=feedback.kind, at=feedback.at, reason=feedback.reason)
    new = unregistered_user_rules.flagged(old, feedback.email, bounce, context.now)
    if new is old:
        return
    payload = events.PersonChanged(unregistered_user_id=new.id, id=new.id, fields=["bounce"])
    event = record_event(context, events.UNREGISTERED_USER_FLAGGED, payload)
    transact(context.while_board_exists([*unregistered_users.replace(old, new), *event]))
