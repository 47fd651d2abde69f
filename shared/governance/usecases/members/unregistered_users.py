"""People without an account: list, add, change, archive, scrub (an extension of the API, ADR people)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from governance.domain.events import members as events
from governance.domain.events.kind import EventKind
from governance.domain.history.audit import changed_fields
from governance.domain.members import unregistered_user as unregistered_user_rules
from governance.errors import not_found
from governance.models.members.unregistered_user import (
    StoredUnregisteredUser,
    UnregisteredStatus,
    UnregisteredUser,
    UnregisteredUserCreate,
    UnregisteredUserPatch,
    UnregisteredUsersQuery,
)
from governance.models.page import Page
from governance.store.account.users import user_ids_by_email
from governance.store.members import unregistered_users
from governance.store.schema.entities import UNREGISTERED_USER
from governance.store.writes import Write
from governance.usecases.context import Context, Outcome, RequestInfo
from governance.usecases.declarations import creates, finds, loads, prefetch, repeated_if
from governance.usecases.event_writes import record_event


def to_resources(context: Context, people: Sequence[StoredUnregisteredUser]) -> list[UnregisteredUser]:
    """Returns people as the caller sees them: their addresses from manager up, never for a board token."""
    seen = unregistered_user_rules.sees_address(context.tier, context.principal)
    members = unregistered_users.merged_into(people)
    return [
        unregistered_user_rules.to_resource(person, with_address=seen, merged_into=members.get(person.id))
        for person in people
    ]


def to_resource(context: Context, person: StoredUnregisteredUser) -> UnregisteredUser:
    """Returns a person as the caller sees them."""
    return to_resources(context, [person])[0]


def _people_page(info: RequestInfo) -> Page[StoredUnregisteredUser]:
    query = info.query_as(UnregisteredUsersQuery)
    return Page(*unregistered_users.list_of_board(info.board_id, query.status, info.window(query)))


@prefetch(_people_page)
def list_unregistered_users(
    context: Context, page: Page[StoredUnregisteredUser], _query: UnregisteredUsersQuery
) -> Page[UnregisteredUser]:
    """Returns a page of the board's people without an account, newest first."""
    return Page(to_resources(context, page.data), page.next_position)


def requested_person(context: Context) -> StoredUnregisteredUser:
    """Returns the person that the path names; raises 404 if they do not exist."""
    return context.stored(UNREGISTERED_USER, StoredUnregisteredUser)


@loads(UNREGISTERED_USER)
@finds(requested_person)
def get_unregistered_user(context: Context, person: StoredUnregisteredUser) -> UnregisteredUser:
    """Returns one person."""
    return to_resource(context, person)


def known_person(context: Context) -> StoredUnregisteredUser:
    """Returns the person named in the path; raises 404 once their data were removed."""
    person = requested_person(context)
    if person.scrubbed_at is not None:
        raise not_found()
    return person


def _check_known(context: Context, _data: Mapping[str, Any]) -> None:
    known_person(context)


@creates(UNREGISTERED_USER, "unregisteredUserId", known_person)
def create_unregistered_user(context: Context, body: UnregisteredUserCreate) -> Outcome[UnregisteredUser]:
    """Adds a person. Raises 409 `LIMIT_REACHED` or `ADDRESS_IN_USE`."""
    adder = context.principal.user
    person = unregistered_user_rules.created(context.board.id, body, adder.language if adder else None, context.now)
    writes = [*unregistered_users.create(person), *_check_no_member_has(person)]
    return _outcome(context, person, writes, events.UNREGISTERED_USER_CREATED)


@loads(UNREGISTERED_USER)
@finds(requested_person)
def update_unregistered_user(
    context: Context, old: StoredUnregisteredUser, body: UnregisteredUserPatch
) -> Outcome[UnregisteredUser]:
    """Changes a person; setting the same values changes nothing. Raises 409 `MERGED`, `SCRUBBED`, `ADDRESS_IN_USE`."""
    new = unregistered_user_rules.patched(old, body, context.now)
    if new is old:
        return Outcome(to_resource(context, old), [])
    fields = changed_fields(old, new)
    checks = _check_no_member_has(new) if "email" in fields else []
    changed = events.PersonChanged(unregistered_user_id=new.id, id=new.id, fields=fields)
    event = record_event(context, events.UNREGISTERED_USER_UPDATED, changed)
    return Outcome(to_resource(context, new), [*unregistered_users.replace(old, new), *checks, *event])


@repeated_if(_check_known)
@loads(UNREGISTERED_USER)
@finds(requested_person)
def archive_unregistered_user(context: Context, old: StoredUnregisteredUser) -> Outcome[UnregisteredUser]:
    """Archives a person: nothing is sent to them any more. Raises 409 `MERGED`."""
    return _set_status(context, old, "archived", events.UNREGISTERED_USER_ARCHIVED)


@repeated_if(_check_known)
@loads(UNREGISTERED_USER)
@finds(requested_person)
def unarchive_unregistered_user(context: Context, old: StoredUnregisteredUser) -> Outcome[UnregisteredUser]:
    """Makes an archived person active again. Raises 409 `MERGED`, `SCRUBBED` or `ADDRESS_IN_USE`."""
    return _set_status(context, old, "active", events.UNREGISTERED_USER_UNARCHIVED)


@loads(UNREGISTERED_USER)
@finds(requested_person)
def scrub_unregistered_user(context: Context, old: StoredUnregisteredUser) -> Outcome[UnregisteredUser]:
    """Removes a person's name, address and positions for good. Raises 409 `MERGED` or `SCRUBBED`."""
    new = unregistered_user_rules.scrubbed(old, context.now)
    return _outcome(context, new, unregistered_users.replace(old, new), events.UNREGISTERED_USER_SCRUBBED)


@loads(UNREGISTERED_USER)
@finds(requested_person)
def dismiss_unregistered_user_bounce_flag(context: Context, old: StoredUnregisteredUser) -> Outcome[UnregisteredUser]:
    """Lifts the flag of an address that bounced or complained: mails go to it again. Raises 404 without a flag."""
    new = unregistered_user_rules.without_flag(old, context.now)
    writes = unregistered_users.replace(old, new)
    return _outcome(context, new, writes, events.UNREGISTERED_USER_FLAG_DISMISSED)


def _set_status(
    context: Context, old: StoredUnregisteredUser, status: UnregisteredStatus, kind: EventKind[events.OfPerson]
) -> Outcome[UnregisteredUser]:
    new = unregistered_user_rules.with_status(old, status, context.now)
    if new is old:
        return Outcome(to_resource(context, old), [])
    checks = _check_no_member_has(new) if new.status == "active" else []
    return _outcome(context, new, [*unregistered_users.replace(old, new), *checks], kind)


def _outcome(
    context: Context, person: StoredUnregisteredUser, writes: Sequence[Write], kind: EventKind[events.OfPerson]
) -> Outcome[UnregisteredUser]:
    event = record_event(context, kind, events.OfPerson(unregistered_user_id=person.id, id=person.id))
    return Outcome(to_resource(context, person), [*writes, *event])


def _check_no_member_has(person: StoredUnregisteredUser) -> list[Write]:
    """Checks that no member has the person's address; a user who joins with it later is not refused."""
    if person.email is None:
        return []
    return unregistered_users.check_no_members(person.board_id, user_ids_by_email(person.email))
