"""The purge of users, in the order in which an interrupted one can go on (ADR cleanup)."""

from __future__ import annotations

from collections.abc import Collection

import boto3

from governance.ids import UserId
from governance.models.account.purge import PurgeProgress
from governance.settings import settings
from governance.usecases.operator import purge
from infra import avatars
from infra.operator import address_removal
from infra.operator.address_removal import Search

MOST_USERS = 90
"""Users that are purged together: one transaction stores the progress of all."""


def purge_users(user_ids: Collection[UserId]) -> None:
    """Deletes the personal data of users for good, or finishes a purge that was interrupted.

    A user's id, memberships and audit entries stay, without a name; each board records the purge once. Raises 404 if
    one of them does not exist, 400 if one owns a board; nobody is purged then. A finished purge can be repeated, and
    removes what a restore has brought back. However many they are, the table is searched once.
    """
    for user_id in user_ids:
        purge.check(user_id)
    begun = [purge.begin(user_id) for user_id in dict.fromkeys(user_ids)]
    for progress in address_removal.remove([_search(progress) for progress in begun]):
        purge.record(progress)
        purge.delete_personal_rows(progress.user_id)
        avatars.remove(boto3.client("s3"), settings().bucket_name, progress.user_id)
        purge.finish(progress.user_id)


def _search(progress: PurgeProgress) -> Search:
    """Forgets what is found without a search; returns the search for the rest."""
    addresses = purge.addresses_to_remove(progress.user_id)
    for address in addresses:
        purge.forget_quotas(address)
    purge.forget_own_texts(progress.user_id)
    return Search(progress, addresses)
