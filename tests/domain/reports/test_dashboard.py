"""The rules of dashboards."""

from __future__ import annotations

from itertools import product
from typing import get_args

import pytest

from governance.domain.reports import dashboard as dashboard_rules
from governance.instants import Instant
from governance.limits import DASHBOARD_BYTES
from governance.models.reports.dashboard import ReviewStatus, StoredDashboard, Uniform, UniformCreate, UniformPatch
from tests.domain.samples import conflict, refusal

NOW = Instant("2030-01-01T12:00:00.000Z")

STATUSES: tuple[ReviewStatus, ...] = get_args(ReviewStatus)
ALLOWED = {
    ("working", "ready_for_review"),
    ("ready_for_review", "changes_requested"),
    ("ready_for_review", "internally_reviewed"),
    ("changes_requested", "working"),
    ("changes_requested", "ready_for_review"),
    ("internally_reviewed", "working"),
}


def stored(uniform: Uniform) -> StoredDashboard:
    members = dict.fromkeys(("id", "boardId", "reportId", "createdByUserId", "createdAt", "updatedAt"), "x")
    nulls = dict.fromkeys(("title", "latestVersionId", "creatorId", "uniform"))
    dashboard = StoredDashboard.model_validate({**members, **nulls, "dashboardType": "uniform"})
    return dashboard_rules.with_uniform(dashboard, uniform, dashboard_rules.payload_of(uniform))


@pytest.mark.parametrize(("old", "new"), list(product(STATUSES, STATUSES)))
def test_every_pair_of_review_statuses_is_a_transition_or_a_conflict_or_nothing(
    old: ReviewStatus, new: ReviewStatus
) -> None:
    before, after = Uniform(review_status=old), Uniform(review_status=new)
    if old == new or (old, new) in ALLOWED:
        dashboard_rules.check_review(before, after)
    else:
        assert refusal(dashboard_rules.check_review, before, after) == conflict("INVALID_TRANSITION")


def test_a_history_has_no_payload_and_everything_else_the_empty_one() -> None:
    assert dashboard_rules.initial_uniform("historicalFundraising", None) is None
    assert dashboard_rules.initial_uniform("uniform", None) == Uniform()
    given = UniformCreate.model_validate({"narrative": "N", "fields": None})
    assert dashboard_rules.initial_uniform("uniform", given) == Uniform(narrative="N")


def test_a_payload_is_merged_member_by_member_and_its_fields_are_replaced_whole() -> None:
    fields = [{"fieldId": name, "isStub": False, "label": name, "displayOrder": 1} for name in ("a", "b")]
    old = Uniform.model_validate({"narrative": "N", "isAdHoc": True, "sourceSectionName": "Old", "fields": fields})
    change = {"fields": fields[1:], "narrative": None, "sourceSectionName": "New"}
    merged = dashboard_rules.patched_uniform(old, UniformPatch.model_validate(change))
    assert merged == Uniform.model_validate({"isAdHoc": True, "sourceSectionName": "New", "fields": fields[1:]})


def test_a_dashboard_that_would_outgrow_the_store_is_refused() -> None:
    text = "é" * (DASHBOARD_BYTES // 2) + "x" * (DASHBOARD_BYTES % 2)
    fitting = dashboard_rules.with_uniform(stored(Uniform()), Uniform(), text)
    assert fitting.payload_bytes == DASHBOARD_BYTES // 2 * len(r"\u00e9") + DASHBOARD_BYTES % 2
    too_large = refusal(dashboard_rules.with_uniform, stored(Uniform()), Uniform(), text + "x")
    assert too_large[2]["fields"].keys() == {"uniform"}


def test_what_is_stored_apart_comes_back_as_it_was() -> None:
    fields = [{"fieldId": "a", "isStub": False, "label": "A", "displayOrder": 1, "value": [1, 1.0, True, 10**30]}]
    for members in ({}, {"narrative": ""}, {"fields": fields, "dataAnchorDate": "2027-01-01", "isAdHoc": True}):
        uniform = Uniform.model_validate(members)
        again = dashboard_rules.joined(stored(uniform).uniform, dashboard_rules.payload_of(uniform))
        assert again is not None
        assert again.to_json() == uniform.to_json()


def test_a_payload_has_the_version_at_which_it_was_written() -> None:
    narrated = Uniform(narrative="N")
    first = stored(narrated)
    assert (first.version, first.payload_version) == (1, 1)
    titled = dashboard_rules.patched(first, {"title": "T"}, narrated, narrated, NOW)
    assert (titled.version, titled.payload_version, titled.updated_at) == (2, 1, NOW)
    reviewed = dashboard_rules.patched(
        titled, {}, narrated, Uniform(narrative="N", review_status="ready_for_review"), NOW
    )
    assert (reviewed.version, reviewed.payload_version) == (3, 1)
    rewritten = dashboard_rules.patched(reviewed, {}, narrated, Uniform(narrative="M"), NOW)
    assert (rewritten.version, rewritten.payload_version) == (4, 4)
    emptied = dashboard_rules.patched(rewritten, {}, Uniform(narrative="M"), Uniform(), NOW)
    assert (emptied.version, emptied.payload_version, emptied.payload_bytes) == (5, 0, 0)
    assert dashboard_rules.patched(emptied, {"title": "T"}, Uniform(), Uniform(), NOW) is emptied


def test_a_fundraising_history_is_stored_and_read_without_a_payload() -> None:
    history = stored(Uniform())
    without = dashboard_rules.with_uniform(history, None, None)
    assert (without.uniform, without.payload_version, without.payload_bytes) == (None, 0, 0)
    assert dashboard_rules.joined(None, None) is None
    assert dashboard_rules.payload_of(None) is None
    assert dashboard_rules.patched_uniform(None, None) is None
    dashboard_rules.check_review(None, None)
    dashboard_rules.check_review(Uniform(), None)
    dashboard_rules.check_review(None, Uniform(review_status="internally_reviewed"))


def test_the_refusal_of_a_payload_says_what_it_must_be() -> None:
    history = refusal(dashboard_rules.patched_uniform, None, UniformPatch.model_validate({"narrative": "N"}))
    assert history[2] == {"fields": {"uniform": "must be null for a dashboard of type `historicalFundraising`"}}
    other = refusal(dashboard_rules.patched_uniform, Uniform(), None)
    assert other == (400, "INVALID_REQUEST_BODY", {"fields": {"uniform": "must be an object"}})
