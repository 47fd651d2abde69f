"""The rules of reports."""

from __future__ import annotations

from itertools import product
from typing import get_args

import pytest

from governance.domain.reports import report as rules
from governance.errors import ApiError
from governance.ids import BoardId, UserId
from governance.instants import Instant
from governance.models.reports.report import ReportStatus, StoredReport
from tests.domain.samples import changed

STATUSES: tuple[ReportStatus, ...] = get_args(ReportStatus)
ALLOWED = {("draft", "published"), ("published", "draft"), ("published", "finalized")}
NOW = Instant("2027-01-01T00:00:00.000Z")


def a_report(status: ReportStatus) -> StoredReport:
    return StoredReport(
        id="r",
        board_id=BoardId("b"),
        title="T",
        status=status,
        published_at=None if status == "draft" else Instant("2026-06-01T00:00:00.000Z"),
        created_by_user_id=UserId("u"),
        created_at=Instant("2026-01-01T00:00:00.000Z"),
        updated_at=Instant("2026-06-01T00:00:00.000Z"),
    )


@pytest.mark.parametrize(("old", "new"), list(product(STATUSES, STATUSES)))
def test_every_pair_of_statuses_is_a_transition_or_a_conflict_or_nothing(old: ReportStatus, new: ReportStatus) -> None:
    report = a_report(old)
    if old == "finalized":
        with pytest.raises(ApiError) as refused:
            rules.patched(report, {"status": new}, NOW)
        assert refused.value.details == {"reason": "REPORT_FINALIZED"}
    elif old == new:
        assert rules.patched(report, {"status": new}, NOW) is report
    elif (old, new) in ALLOWED:
        assert rules.patched(report, {"status": new}, NOW).status == new
    else:
        with pytest.raises(ApiError) as refused:
            rules.patched(report, {"status": new}, NOW)
        assert refused.value.details == {"reason": "INVALID_TRANSITION"}


def test_published_at_is_set_on_publication_kept_when_finalized_and_gone_in_draft() -> None:
    published = rules.patched(a_report("draft"), {"status": "published"}, NOW)
    assert published.published_at == NOW
    later = Instant("2027-02-01T00:00:00.000Z")
    assert rules.patched(published, {"status": "finalized"}, later).published_at == NOW
    withdrawn = rules.patched(published, {"status": "draft"}, later)
    assert withdrawn.published_at is None
    assert rules.patched(withdrawn, {"status": "published"}, later).published_at == later


def test_a_title_with_the_same_status_changes_the_title_alone() -> None:
    changed = rules.patched(a_report("published"), {"status": "published", "title": "New"}, NOW)
    assert (changed.title, changed.status, changed.published_at) == ("New", "published", "2026-06-01T00:00:00.000Z")
    assert changed.updated_at == NOW


def test_the_values_that_a_report_has_change_nothing() -> None:
    report = a_report("published")
    assert rules.patched(report, {"title": report.title}, NOW) is report
    assert rules.patched(report, {"title": report.title, "status": "published"}, NOW) is report


def test_a_change_of_a_report_is_a_new_version() -> None:
    old = a_report("published")
    assert changed(old, rules.patched(old, {"title": "N"}, NOW)) == {"title": "N", "updated_at": NOW, "version": 2}


def test_every_status_has_its_transitions() -> None:
    assert {"draft": {"published"}, "published": {"draft", "finalized"}, "finalized": set()} == rules.TRANSITIONS
