"""Finds and removes what names purged users in rows that come back from a restored table (ADR restore).

A purge keeps no address. So after a restore, the addresses to remove are read from the restored table, which still has
the accounts as they were.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from governance.ids import UserId
from governance.models.resolutions.ballot import VoterGroup
from governance.store.account import users
from governance.store.schema.entities import USER, former_email_key
from governance.store.schema.keys import Item, key_of
from governance.store.schema.lookups import email_user_key
from governance.store.table import read
from governance.usecases.operator import purge
from infra.operator import address_removal, record
from infra.operator.address_removal import Wanted
from infra.operator.kinds import model_of
from infra.operator.table_reader import TableReader

_OF_USERS = ("userId", "authorUserId", "disposedByUserId", "assigneeUserId", "inviterId")
_OF_ADDRESSES = ("inviteeEmail", "invitee_email", "email")


def forget(source: TableReader, rows: Collection[Item], invite_code: str | None = None) -> None:
    """Removes what names purged users from rows that were restored from a table; a repeat changes nothing.

    `invite_code` is that of a board whose own row is not there yet.
    """
    ids = {*named_users(rows), *_owners_of_addresses(source, rows), *record.purged_users()}
    purged = purged_among(ids)
    if not purged:
        return
    addresses = {address for user_id in purged for address in _addresses(source, user_id)}
    free = frozenset(address for address in addresses if not users.user_ids_by_email(address))
    for row in rows:
        address_removal.remove_from(key_of(row), Wanted(free, purged, invite_code))
    for user_id in purged & {*named_users(rows)}:
        purge.forget_own_texts(user_id)
        purge.delete_personal_rows(user_id)


def named_users(rows: Iterable[Item]) -> Iterator[UserId]:
    """Yields the ids of users in rows."""
    for row in rows:
        yield from (UserId(row[name]) for name in _OF_USERS if isinstance(row.get(name), str))
        if model_of(row) is VoterGroup:
            ballots = (voter.ballot for voter in VoterGroup.model_validate(row).voters)
            yield from (ballot.cast_by_user_id for ballot in ballots if ballot)


def purged_among(user_ids: Iterable[UserId]) -> frozenset[UserId]:
    """Returns those of these users who were purged."""
    keys = [key for user_id in {*user_ids} if (key := USER.key_or_none(userId=user_id))]
    return frozenset(UserId(account["id"]) for account in read(keys).values() if account.get("purged"))


def _owners_of_addresses(source: TableReader, rows: Iterable[Item]) -> Iterator[UserId]:
    """Yields the users who had, in a restored table, an address that is in rows."""
    addresses = {row[name] for row in rows for name in _OF_ADDRESSES if isinstance(row.get(name), str)}
    for address in sorted(filter(None, addresses)):
        entries = source.rows(email_user_key(address, UserId("")).pk)
        yield from (UserId(entry["userId"]) for entry in entries if "userId" in entry)


def _addresses(source: TableReader, user_id: UserId) -> Iterator[str]:
    """Yields the present and the former addresses of a user in a restored table."""
    accounts = source.get([USER.key_for(userId=user_id)])
    yield from (account["email"] for account in accounts if account["email"])
    former = former_email_key(user_id, "")
    yield from (row["email"] for row in source.rows(former.pk, former.sk))
