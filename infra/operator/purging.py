"""The purge of a user, in the order in which an interrupted one can go on (ADR 0066)."""

from __future__ import annotations

import boto3

from governance.ids import UserId
from governance.settings import settings
from governance.usecases import purge
from infra import avatars
from infra.operator import address_removal


def purge_user(user_id: UserId) -> None:
    """Deletes a user's personal data for good, or finishes a purge that was interrupted.

    The user's id, memberships and audit entries stay, without a name; each board records the purge once. Raises 404 if
    there is no such user. Repeating a finished purge changes nothing.
    """
    progress = purge.begin(user_id)
    if progress is None:
        return
    addresses = purge.addresses_to_remove(user_id)
    for address in addresses:
        purge.forget_quotas(address)
    purge.forget_own_texts(user_id)
    progress = address_removal.remove(progress, addresses)
    purge.record(progress)
    purge.delete_personal_rows(user_id)
    avatars.remove(boto3.client("s3"), settings().bucket_name, user_id)
    purge.finish(user_id)
