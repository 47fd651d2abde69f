"""The figures that reports state."""

from __future__ import annotations

from typing import Any, TypeVar

import pytest

from governance.domain.reports import figures as figures_rules
from governance.models.base import Resource
from governance.models.reports.dashboard import DashboardField, Uniform, UniformHead
from governance.models.reports.figure import StoredFigure
from tests.domain.samples import field
from tests.store.stored_items import DASHBOARD, FIGURE, NOW, REPORT_ITEM

R = TypeVar("R", bound=Resource)


def changed(resource: R, **members: Any) -> R:
    return resource.model_copy(update=members)


HEAD = UniformHead(source_section_name="", is_ad_hoc=False, review_status="working", data_anchor_date="2027-02-28")
PUBLISHED = changed(REPORT_ITEM, status="published", published_at=NOW)
STATING = changed(DASHBOARD, uniform=HEAD)


def uniform(*fields: DashboardField) -> Uniform:
    return Uniform(data_anchor_date="2027-02-28", fields=fields)


@pytest.mark.parametrize(("value", "number"), [(1, "1"), (1.50, "1.5"), (-0.25, "-0.25"), (10**15, str(10**15))])
def test_a_number_of_a_kpi_is_a_figure(value: float, number: str) -> None:
    (figure,) = figures_rules.stated_figures(PUBLISHED, STATING, uniform(field(value)))
    assert figure == changed(FIGURE, rogue_id="finance.revenue", value=number)


@pytest.mark.parametrize("value", [None, "1", True, [1], {"amount": 1}, 10**15 + 1, -1e16])
def test_anything_else_is_none(value: Any) -> None:
    assert figures_rules.number_of(field(value)) is None


def test_no_draft_history_placeholder_or_field_without_a_kpi_states_a_figure() -> None:
    assert (
        figures_rules.stated_figures(PUBLISHED, STATING, uniform(field(1, is_stub=True), field(2, rogue_id=None))) == []
    )
    assert (
        figures_rules.stated_figures(changed(PUBLISHED, status="draft", published_at=None), STATING, uniform(field(1)))
        == []
    )
    assert figures_rules.stated_figures(PUBLISHED, STATING, None) == []


def test_the_first_that_is_shown_counts() -> None:
    shown = uniform(field(2, display_order=2), field(1, display_order=-1), field(3, rogue_id="people.headcount"))
    assert [(figure.rogue_id, figure.value) for figure in figures_rules.stated_figures(PUBLISHED, STATING, shown)] == [
        ("finance.revenue", "1"),
        ("people.headcount", "3"),
    ]


def test_a_figure_is_current_as_long_as_it_is_published_and_stated_as_it_was() -> None:
    figure: StoredFigure = FIGURE
    assert figures_rules.is_current(figure, PUBLISHED, STATING)
    assert figures_rules.is_current(figure, changed(PUBLISHED, status="finalized", title="Another"), STATING)
    assert not figures_rules.is_current(figure, None, STATING)
    assert not figures_rules.is_current(figure, PUBLISHED, None)
    assert not figures_rules.is_current(figure, changed(PUBLISHED, status="draft"), STATING)
    assert not figures_rules.is_current(figure, changed(PUBLISHED, published_at="2027-03-02T09:00:00.000Z"), STATING)
    assert not figures_rules.is_current(figure, PUBLISHED, changed(STATING, payload_version=2))
    assert not figures_rules.is_current(
        figure, PUBLISHED, changed(STATING, uniform=changed(HEAD, data_anchor_date=None))
    )
    assert not figures_rules.is_current(figure, PUBLISHED, changed(STATING, uniform=None))


def test_figures_change_with_their_fields_and_their_day_only() -> None:
    before = uniform(field(1))
    assert not figures_rules.have_changed(before, changed(before, narrative="N", review_status="ready_for_review"))
    assert figures_rules.have_changed(before, uniform(field(2)))
    assert figures_rules.have_changed(before, changed(before, data_anchor_date="2027-03-01"))
    assert figures_rules.have_changed(None, before)
    assert figures_rules.have_changed(before, None)
    assert not figures_rules.have_changed(None, Uniform())
    assert not figures_rules.have_changed(Uniform(), Uniform(data_anchor_date="2027-03-01"))
