"""Lanes: how many attempts run at a time for the boards of one owner, and which queue they wait in (ADR webhooks)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from governance.domain.quota import WEBHOOK_ATTEMPTS
from governance.models.queue import DeliveryKind
from governance.settings import settings
from governance.store import quotas
from governance.store.quotas import QuotaUsage
from governance.store.schema.keys import Item, Key

_LANES = (DeliveryKind.WEBHOOK, DeliveryKind.SLOW_WEBHOOK)
_OWNERS = 3
"""Least number of owners that it takes to fill a lane."""


def lane_for(*, slow: bool) -> DeliveryKind:
    """Returns the kind of the messages of a receiver: a slow one has a lane of its own if the installation has one."""
    return DeliveryKind.SLOW_WEBHOOK if slow and settings().slow_webhooks_concurrency else DeliveryKind.WEBHOOK


def permit_keys(owner_id: str) -> list[Key]:
    """Returns the keys of the permits of an owner, in every lane."""
    return [quotas.key(WEBHOOK_ATTEMPTS, owner_id, lane) for lane in _LANES]


def permits(owner_id: str, lane: DeliveryKind, loaded: Mapping[Key, Item]) -> QuotaUsage:
    """Returns the permits of an owner in a lane, from the loaded items: at most a third of those of the lane."""
    slow = lane is DeliveryKind.SLOW_WEBHOOK
    concurrency = settings().slow_webhooks_concurrency if slow else settings().webhooks_concurrency
    quota = replace(WEBHOOK_ATTEMPTS, uses=max(1, min(WEBHOOK_ATTEMPTS.uses, concurrency // _OWNERS)))
    return quotas.usage_at(quota, quotas.key(quota, owner_id, lane), loaded)
