"""Quotas as they are stored: which permit a use takes, from when on it is free again, and how it is given back."""

from __future__ import annotations

from dataclasses import replace

import pytest

from governance.domain.quota import MAILS_OF_INVITE, SAME_NOTIFICATION_MAILS, Quota
from governance.errors import ApiError, Code
from governance.instants import Instant, epoch, shift
from governance.store import quotas
from governance.store.quotas import QuotaClaim, QuotaUsage
from governance.store.table import read
from governance.store.transactions import transact
from governance.store.writes import StaleRead

pytestmark = pytest.mark.usefixtures("store")
QUOTA = Quota("mails_of_invite", uses=2, minutes=60)
NOW = Instant("2040-05-01T12:00:00.000Z")
KEY = quotas.key(QUOTA, "invite")


def usage() -> QuotaUsage:
    return quotas.usage_of(QUOTA, "invite", read([KEY]))


def use(now: Instant) -> QuotaClaim:
    claim = usage().claim(now)
    transact([claim.take])
    return claim


def test_a_quota_has_a_permit_for_each_use_and_then_refuses_until_the_first_is_free() -> None:
    assert {use(NOW).permit, use(shift(NOW, minutes=1)).permit} == {*QUOTA.permits}
    last = shift(NOW, minutes=59, seconds=59)
    assert usage().is_exhausted(last)
    with pytest.raises(ApiError) as refusal:
        usage().check(last)
    assert (refusal.value.code, refusal.value.headers) == (Code.RATE_LIMITED, {"Retry-After": "1"})
    free_again = shift(NOW, minutes=60)
    assert not usage().is_exhausted(free_again)
    usage().check(free_again)
    use(free_again)
    assert usage().is_exhausted(free_again)


@pytest.mark.parametrize(("minutes", "is_taken"), [(59, True), (60, False)])
def test_a_permit_that_another_use_took_meanwhile_is_not_taken_twice_within_the_window(
    minutes: int, is_taken: bool
) -> None:
    claim = use(NOW)
    again = replace(claim, now=shift(NOW, minutes=minutes))
    if is_taken:
        with pytest.raises(StaleRead):
            transact([again.take])
    else:
        transact([again.take])
    assert read([KEY])[KEY][claim.permit] == (NOW if is_taken else again.now)


def test_a_use_is_stored_until_it_no_longer_counts() -> None:
    use(NOW)
    assert read([KEY])[KEY]["ttl"] == epoch(shift(NOW, minutes=60)) + 1


def test_a_permit_is_given_back_unless_it_was_taken_again() -> None:
    claim = use(NOW)
    transact([claim.release])
    assert len(QUOTA.free_permits(usage().used, NOW)) == 2
    transact([claim.take])
    transact([replace(claim, now=shift(NOW, minutes=60)).take])
    with pytest.raises(ApiError) as refusal:
        transact([claim.release])
    assert refusal.value.code is Code.SERVICE_UNAVAILABLE
    assert len(QUOTA.free_permits(usage().used, shift(NOW, minutes=60))) == 1


def test_the_uses_of_a_subject_are_its_own_for_each_purpose_and_each_thing() -> None:
    keys = [
        quotas.key(SAME_NOTIFICATION_MAILS, "ann", "one"),
        quotas.key(SAME_NOTIFICATION_MAILS, "ann", "two"),
        quotas.key(SAME_NOTIFICATION_MAILS, "ben", "one"),
        quotas.key(MAILS_OF_INVITE, "ann"),
    ]
    for key in keys:
        transact([quotas.usage_at(SAME_NOTIFICATION_MAILS, key, {}).claim(NOW).take])
    assert len({*keys}) == 4
    assert quotas.keys_of_subject(SAME_NOTIFICATION_MAILS, "ann") == keys[:2]
