"""Removes what a scrub leaves behind: the person's address and comments where they voted and answered (ADR people).

It may be stopped anywhere and repeated: the address that is to be removed stays with the person until it is removed.
"""

from __future__ import annotations

from collections.abc import Iterator

from governance import deadline
from governance.domain.events.members import OfPerson
from governance.ids import BoardId, PersonId
from governance.models.history.event import StoredEvent
from governance.store.account import users
from governance.store.boards import boards
from governance.store.meetings import guest_votes, rsvps
from governance.store.members import unregistered_users
from governance.store.notifications import notifications
from governance.store.transactions import delete_all, transact
from governance.store.writes import Write, retry_stale_reads

_STEP_SECONDS = 5 * deadline.STORE_ATTEMPT_SECONDS


def is_scrubbed(event: StoredEvent, scrubbed: OfPerson) -> bool:
    """Returns whether something of the person of an event is still to be removed."""
    person = unregistered_users.find(event.board_id, scrubbed.unregistered_user_id)
    return person is not None and person.scrub_pending


def clean(event: StoredEvent, scrubbed: OfPerson) -> bool:
    """Removes the address of the scrubbed person of an event. Returns False if the time was over before."""
    return remove_address(event.board_id, scrubbed.unregistered_user_id)


def remove_address(board_id: BoardId, person_id: PersonId) -> bool:
    """Removes a scrubbed person's address. Returns False if the time was over before."""
    person = unregistered_users.find(board_id, person_id)
    if person is None or not person.scrub_pending:
        return True
    delete_all(users.delivered_keys(person_id))
    for member in boards.roster(board_id) if person.recommended else ():
        delete_all(notifications.keys_naming([member.user_id], person_id))
    for changes in (
        guest_votes.without_address(board_id, person_id, unregistered_users.own_address(person)),
        rsvps.without_comments(board_id, person_id),
    ):
        if not _carry_out(changes):
            return False
    retry_stale_reads(lambda: _forget(board_id, person_id))
    return True


def _carry_out(changes: Iterator[list[Write]]) -> bool:
    for writes in changes:
        if not deadline.has_time(_STEP_SECONDS):
            return False
        transact(writes)
    return True


def _forget(board_id: BoardId, person_id: PersonId) -> None:
    person = unregistered_users.find(board_id, person_id)
    if person is not None and person.scrub_pending:
        new = person.model_copy(update={"scrub_pending": False, "scrubbed_email": None, "version": person.version + 1})
        transact(unregistered_users.replace(person, new))
