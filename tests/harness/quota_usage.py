"""The uses of quotas, as they are stored."""

from __future__ import annotations

from governance.domain.quota import Quota
from governance.store import quotas
from governance.store.schema.keys import make_item
from governance.store.table import read_one
from governance.store.transactions import transact
from governance.store.writes import Put


def slots_in_use(quota: Quota, subject: str) -> list[str]:
    """Returns the permits of a subject's quota that hold a use, of whatever age."""
    item = read_one(quotas.key(quota, subject)) or {}
    return [permit for permit in quota.permits if permit in item]


def use_up(quota: Quota, subject: str, at: str, *, but: int = 0) -> None:
    """Stores uses at an instant in all permits except `but` of them."""
    used = dict.fromkeys(quota.permits[: quota.uses - but], at)
    transact([Put(make_item(quotas.key(quota, subject), used))])
