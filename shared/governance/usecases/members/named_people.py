"""The people without an account that agendas, minutes and action items name (ADR people).

What names them keeps their id. Their names are read with it, so that nothing else changes when they do.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from governance.domain.members.unregistered_user import NamedPeople, named
from governance.errors import not_found
from governance.ids import PersonId
from governance.store.members import unregistered_users
from governance.store.schema.entities import UNREGISTERED_USER_COUNT
from governance.store.writes import Write
from governance.usecases.context import Context


def people_named(context: Context, person_ids: Collection[PersonId]) -> NamedPeople:
    """Returns the people of the board with these ids; reads nothing if there are none."""
    return named(unregistered_users.get_many(context.board.id, person_ids) if person_ids else {})


def check_still_known(context: Context, person_ids: Iterable[PersonId | None]) -> None:
    """Raises 404 if the data of one of these people were removed, for a recorded response that has their name."""
    people = unregistered_users.get_many(context.board.id, [id_ for id_ in person_ids if id_])
    if any(person.scrubbed_at is not None for person in people.values()):
        raise not_found()


def check_people_unchanged(context: Context, before: Collection[PersonId], after: Collection[PersonId]) -> list[Write]:
    """Returns the check that people who are newly named are still active.

    It needs the counter of the board's people, which is loaded before they are read.
    """
    if {*after} <= {*before}:
        return []
    return [unregistered_users.check_unchanged(context.board.id, context.item(UNREGISTERED_USER_COUNT))]
