"""The uses of quotas, as they are stored."""

from __future__ import annotations

from governance.domain.quota import Quota
from governance.store import quotas
from governance.store.schema import make_item
from governance.store.table import read_one, transact
from governance.store.writes import Put


def slots_in_use(quota: Quota, subject: str) -> list[str]:
    """Returns the slots of a subject's quota that hold a use, of whatever age."""
    item = read_one(quotas.key(quota, subject)) or {}
    return [slot for slot in quota.slots if slot in item]


def use_up(quota: Quota, subject: str, at: str, *, but: int = 0) -> None:
    """Stores uses at an instant in all slots `but` so many."""
    used = dict.fromkeys(quota.slots[: quota.uses - but], at)
    transact([Put(make_item(quotas.key(quota, subject), used))])
