"""The rows of callers who are no users yet, and the partitions that a user's recorded responses may be in."""

from __future__ import annotations

import string

from governance.store.schema import usage

ADDRESS = "192.0.2.1"


def test_the_windows_of_an_address_are_its_own_for_each_kind_of_request() -> None:
    subjects = [ADDRESS, usage.address_subject(ADDRESS), usage.flood_subject(ADDRESS)]
    partitions = [usage.rate_window_key(subject).pk for subject in subjects]
    assert partitions == [f"RATE#{ADDRESS}", f"RATE#ADDRESS#{ADDRESS}", f"RATE#FLOOD#{ADDRESS}"]


def test_the_partitions_of_recorded_responses_are_those_that_a_digest_leads_to() -> None:
    digits = sorted({*string.hexdigits.lower()})
    reached = [usage.idempotency_record_key("ann", digit * 64).pk for digit in digits]
    assert usage.idempotency_partitions("ann") == reached
