"""Removes e-mail addresses from the rows that do not belong to their user, for a purge (ADR cleanup).

No index leads from an address to the invites, votes, events and answers that contain it, or from a user to the answers
to meetings, votes or comments. So the table is searched page by page, once for all users that are purged together: what
a page shows of a row says whether it concerns one of them. The progress is stored after each page: a search that was
interrupted goes on with the page it was at.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import click

from governance.domain.events.members import UNREGISTERED_USER_SCRUBBED, OfPerson
from governance.domain.meetings.minutes_remarks import without_users
from governance.domain.members.unregistered_user import SCRUBBED_NAME, forgotten
from governance.domain.resolutions import voting
from governance.ids import UserId, user_id_of
from governance.instants import now
from governance.models.account.purge import PurgeProgress
from governance.models.base import Stored
from governance.models.comments.comment import StoredComment
from governance.models.invites.invite import StoredInvite
from governance.models.meetings.minutes_remarks import StoredMinutesRemark
from governance.models.meetings.rsvp import StoredRsvp
from governance.models.meetings.slot import StoredVote
from governance.models.members.unregistered_user import StoredUnregisteredUser
from governance.models.notifications.notification import StoredNotification
from governance.models.resolutions.ballot import VoterGroup
from governance.settings import settings
from governance.store import recorded_answers, table
from governance.store.account import purges, users
from governance.store.attributes import marshal, unmarshal
from governance.store.boards import boards
from governance.store.comments import comments
from governance.store.history import events
from governance.store.invites import invites
from governance.store.meetings import guest_votes, minutes_remarks, rsvps, slots
from governance.store.members import unregistered_users
from governance.store.resolutions import resolutions
from governance.store.schema.keys import PK, SK, Item, Key, key_of
from governance.store.schema.lookups import unregistered_email_key
from governance.store.table import read_one
from governance.store.transactions import delete_all, transact
from governance.store.writes import Delete, retry_stale_reads
from governance.usecases.context import Context
from governance.usecases.event_writes import record_event
from infra.operator.kinds import model_at

_PAGE = 5_000
"""Rows of a page at most; it ends at a megabyte before."""
_PAGES_OF_A_LINE = 10


@dataclass(frozen=True)
class Wanted:
    """What a pass through the table looks for: addresses and users of all purges that share it."""

    addresses: frozenset[str]
    user_ids: frozenset[UserId]
    invite_code: str | None = None
    """The invite code of a board whose own row is missing."""

    @cached_property
    def texts(self) -> list[str]:
        """How recorded answers spell them."""
        return [
            *map(json.dumps, self.addresses),
            *(f'"{name}":"{user_id}"' for name in _NAMES for user_id in self.user_ids),
        ]


_NAMES = ("userId", "authorUserId", "disposedByUserId")
"""The fields in which recorded answers name the author of an answer to a meeting, of a comment or of a remark, and who
decided about a remark.
"""
_IN_DELIVERY_DATA = ("inviteeEmail", "memberEmail")
_IN_DETAILS = ("memberEmail",)


@dataclass(frozen=True)
class Search:
    """The purge of a user, with the addresses that are to be removed."""

    progress: PurgeProgress
    addresses: frozenset[str]


def remove(searches: Sequence[Search]) -> list[PurgeProgress]:
    """Deletes invites to the addresses, guest votes cast with them, and recorded answers that hold them or the users.

    Deletes the users' comments, answers to meetings and what they wrote with votes and ballots, takes their ids from
    remarks on minutes, and redacts the addresses in events. The audit log keeps them. Purges that are as far as each
    other share one pass through the table. Returns their progress with the search as done.
    """
    done = [search.progress for search in searches if search.progress.searched]
    waiting = [search for search in searches if not search.progress.searched]
    for position in dict.fromkeys(search.progress.searched_to for search in waiting):
        done += _pass([search for search in waiting if search.progress.searched_to == position])
    return done


def _pass(searches: Sequence[Search]) -> list[PurgeProgress]:
    """Searches the rest of the table for all of them, from where they are; returns their progress."""
    all_progress = [search.progress for search in searches]
    wanted = Wanted(
        frozenset().union(*(search.addresses for search in searches)),
        frozenset(progress.user_id for progress in all_progress),
    )
    rows, pages = 0, 0
    while not all_progress[0].searched:
        page = _next_page(all_progress[0].searched_to)
        for item in map(unmarshal, page["Items"]):
            if _removal(item, wanted) is not None:
                remove_from(key_of(item), wanted)
        last = page.get("LastEvaluatedKey")
        searched_to = None if last is None else (unmarshal(last)[PK], unmarshal(last)[SK])
        steps = [purges.advance(progress, searched_to=searched_to, searched=last is None) for progress in all_progress]
        transact([step for _, step in steps])
        all_progress = [progress for progress, _ in steps]
        rows, pages = rows + len(page["Items"]), pages + 1
        if last is not None and pages % _PAGES_OF_A_LINE == 0:
            click.echo(f"Searched {rows} rows; the search goes on.", err=True)
    return all_progress


def _next_page(after: tuple[str, str] | None) -> Any:
    """Returns the next page of the table, as the store answers it: a filter would cost the local engine most."""
    request: dict[str, Any] = {"TableName": settings().table_name, "ConsistentRead": True, "Limit": _PAGE}
    if after is not None:
        request["ExclusiveStartKey"] = marshal(Key(*after).attributes)
    return table.scan_page(**request)


def remove_from(key: Key, wanted: Wanted) -> None:
    """Removes what is wanted from a row, which is read again: it may have changed since it was found."""
    retry_stale_reads(partial(_remove, key, wanted))


def concerns(row: Item, wanted: Wanted) -> bool:
    """Returns whether a row holds something that is wanted."""
    return _removal(row, wanted) is not None


def _remove(key: Key, wanted: Wanted) -> None:
    item = read_one(key)
    removal = None if item is None else _removal(item, wanted)
    if removal is not None:
        removal()


def _removal(item: Item, wanted: Wanted) -> Callable[[], None] | None:
    """Returns what removes the addresses, or the users, from a row; None for a row that concerns none of them."""
    key = key_of(item)
    kind = (key.pk.partition("#")[0], key.sk.partition("#")[0])
    if kind[0] == "EVENTS":
        return _redaction(key, item, wanted.addresses)
    model = model_at(key)
    if model is VoterGroup:
        return _comments_removal(key, VoterGroup.model_validate(item), wanted.user_ids)
    if model is StoredMinutesRemark:
        return _ids_removal(StoredMinutesRemark.model_validate(item), wanted.user_ids)
    if model is StoredUnregisteredUser:
        person = StoredUnregisteredUser.model_validate(item)
        return partial(_forget_person, person) if _is_of(person, wanted) else None
    if item.get("userId") in wanted.user_ids and model is StoredVote:
        return None if item["comment"] is None else (lambda: transact([slots.delete_comment(key)]))
    if _is_wanted(kind, model, item, wanted):
        is_invite = kind in {("BOARD", "INVITE"), ("BOARD", "PENDING_INVITE")}
        return partial(_delete_invite, item, wanted.invite_code) if is_invite else partial(_delete, kind, item)
    return None


def _comments_removal(key: Key, group: VoterGroup, user_ids: Collection[UserId]) -> Callable[[], None] | None:
    new = voting.without_comments(group, user_ids)
    return None if new is group else (lambda: transact([resolutions.replace_group_at(key, group, new)]))


def _ids_removal(remark: StoredMinutesRemark, user_ids: Collection[UserId]) -> Callable[[], None] | None:
    new = without_users(remark, user_ids)
    return None if new is remark else (lambda: transact([minutes_remarks.replace(remark, new)]))


def _is_wanted(kind: tuple[str, str], model: type[Stored] | None, item: Item, wanted: Wanted) -> bool:
    """Returns whether a row that is not an event is deleted whole."""
    if kind[0] == "IDEMPOTENCY":
        has_answer = recorded_answers.PLAIN in item or recorded_answers.COMPRESSED in item
        answer = recorded_answers.answer_in(item) if has_answer else ""
        return any(text in answer for text in wanted.texts)
    if model is StoredRsvp:
        return item["userId"] in wanted.user_ids
    if model is StoredComment:
        return item["authorUserId"] in wanted.user_ids
    if model is StoredNotification:
        return item.get("aboutEmail") in wanted.addresses or item.get("aboutUserId") in wanted.user_ids
    if kind == ("GUESTS", "MEETING"):
        return item.get("email") in wanted.addresses
    if kind[0] == "INVITE" or kind in {("BOARD", "INVITE"), ("BOARD", "PENDING_INVITE")}:
        return item.get("inviteeEmail") in wanted.addresses
    return kind == ("USER", "SENT") and item["invitee_email"] in wanted.addresses


def _is_of(person: StoredUnregisteredUser, wanted: Wanted) -> bool:
    """Returns whether a person without an account has a wanted address, or was merged into a wanted user."""
    into = person.merged_into_member_id
    has_address = bool({person.email, person.scrubbed_email} & {*wanted.addresses})
    was_merged = into is not None and user_id_of(person.board_id, into) in wanted.user_ids
    return has_address or (was_merged and person.first_name != SCRUBBED_NAME)


def _forget_person(person: StoredUnregisteredUser) -> None:
    """Scrubs a person without an account who is the purged user, with what was delivered to them."""
    board, at = boards.find(person.board_id), now()
    delete_all(users.delivered_keys(UserId(person.id)))
    for writes in rsvps.without_comments(person.board_id, person.id):
        transact(writes)
    scrubbed = OfPerson(unregistered_user_id=person.id, id=person.id)
    is_news = board is not None and person.status != "merged" and person.scrubbed_at is None
    event = record_event(Context(now=at, known_board=board), UNREGISTERED_USER_SCRUBBED, scrubbed) if is_news else []
    transact([*unregistered_users.replace(person, forgotten(person, at)), *event])
    if person.email is not None:
        delete_all([unregistered_email_key(person.email, person.board_id, person.id)])


def _delete(kind: tuple[str, str], item: Item) -> None:
    key = key_of(item)
    if model_at(key) is StoredComment:
        transact(comments.delete(StoredComment.model_validate(item)))
    else:
        transact(guest_votes.delete(key) if kind[0] == "GUESTS" else [Delete(key)])


def _redaction(key: Key, item: Item, addresses: Collection[str]) -> Callable[[], None] | None:
    delivery_data = [name for name in _IN_DELIVERY_DATA if item["deliveryData"].get(name) in addresses]
    details = [name for name in _IN_DETAILS if item["details"].get(name) in addresses]
    return (lambda: transact([events.redact(key, delivery_data, details)])) if delivery_data or details else None


def _delete_invite(item: Item, invite_code: str | None) -> None:
    """Deletes every row of an invite, its own last, because it names the others."""
    invite = StoredInvite.model_validate(item)
    board = boards.find(invite.board_id)
    delete_all(invites.keys_outside_board(invite, board.invite_code if board else invite_code))
    transact(invites.delete(invite))
