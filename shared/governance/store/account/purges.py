"""The progress of a purge: one row in the user's own partition, from the purge's first write to its last (ADR
cleanup)."""

from __future__ import annotations

from typing import Any

from governance.errors import ApiError, Code
from governance.ids import UserId
from governance.models.account.purge import PurgeProgress
from governance.store.schema.entities import PURGE
from governance.store.schema.keys import Key, make_item
from governance.store.table import read_one
from governance.store.writes import ABSENT, Delete, Put, Write, equals, fail_with


def _key(user_id: UserId) -> Key:
    return PURGE.key_for(userId=user_id)


def find(user_id: UserId) -> PurgeProgress | None:
    """Returns the progress of a user's unfinished purge; None if there is none."""
    item = read_one(_key(user_id))
    return PurgeProgress.model_validate(item) if item else None


def start(progress: PurgeProgress) -> Write:
    """Returns the write of a new purge's progress. It fails with `StaleRead` if the user has a purge already."""
    return Put(make_item(_key(progress.user_id), progress.item()), ABSENT)


def advance(progress: PurgeProgress, **steps: Any) -> tuple[PurgeProgress, Write]:
    """Returns the progress after another step, and the write that stores it.

    The write fails with 409 if another process has advanced the same purge, so that no step is taken twice.
    """
    new = progress.model_copy(update={**steps, "version": progress.version + 1})
    item = make_item(_key(new.user_id), new.item())
    return new, Put(item, equals(version=progress.version), fail_with(_already_running))


def finish(user_id: UserId) -> Write:
    """Returns the write that ends a purge."""
    return Delete(_key(user_id))


def _already_running() -> ApiError:
    return ApiError(
        Code.CONFLICT, "Another purge of this user is running. Wait until it has ended, then repeat this one."
    )
