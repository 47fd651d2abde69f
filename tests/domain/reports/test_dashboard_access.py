"""Who owns a dashboard, who may edit it, and what owner and editors may change."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from governance.domain.access.access import Principal
from governance.domain.reports import dashboard_access as dashboard_access_rules
from governance.ids import UserId
from governance.limits import DASHBOARD_EDITORS
from governance.models.boards.board import Membership
from governance.models.reports.dashboard import DashboardPatch, StoredDashboard
from governance.models.reports.report import StoredReport
from governance.scopes import BOARD_PRESETS, Tier
from tests.domain.samples import BOARD, FORBIDDEN, NOW, THEN, changed, conflict, later, membership, refusal, token, user

CREATOR, REPORTER, NEW, BOARD_OWNER = UserId("creator"), UserId("reporter"), UserId("new"), UserId("boss")
NOT_FOUND = (404, "RESOURCE_NOT_FOUND", None)


def dashboard(**members: Any) -> StoredDashboard:
    usual = {"id": "d", "board_id": BOARD, "report_id": "r", "dashboard_type": "uniform", "title": "Money"}
    made = {"creator_id": CREATOR, "created_by_user_id": CREATOR, "created_at": THEN, "updated_at": THEN}
    return StoredDashboard.model_validate({**usual, **made, "latest_version_id": None, "uniform": None, **members})


def report() -> StoredReport:
    made = {"created_by_user_id": REPORTER, "created_at": THEN, "updated_at": THEN}
    return StoredReport.model_validate({"id": "r", "board_id": BOARD, "title": "Q1", **made})


def member(user_id: str, **members: Any) -> Membership:
    return membership(user_id=user_id, join_id=f"join of {user_id}", access_type="guest", **members)


def members(*names: str, **again: Any) -> Mapping[UserId, Membership]:
    """Members of the board; those who are named in `again` have left and joined again at this instant."""
    since = {UserId(name): member(name) for name in names}
    return since | {UserId(name): member(name, created_at=at).model_copy(update={"join_id": "again"})
                    for name, at in again.items()}  # fmt: skip


def owner(of: StoredDashboard, present: Mapping[UserId, Membership]) -> UserId | None:
    return dashboard_access_rules.owner(of, report(), present, BOARD_OWNER)


def handed_over() -> StoredDashboard:
    return dashboard_access_rules.handed_over(dashboard(), member(NEW))


def with_editors(*names: str) -> StoredDashboard:
    made = dashboard()
    for name in names:
        made = dashboard_access_rules.granted(made, member(name), members(*names), CREATOR, CREATOR, NOW)
    return made


def test_the_creator_owns_a_dashboard_until_it_is_handed_over() -> None:
    everybody = members(CREATOR, REPORTER, NEW)
    assert owner(dashboard(), everybody) == CREATOR
    assert owner(handed_over(), everybody) == NEW


@pytest.mark.parametrize("owned", [dashboard(), handed_over()])
def test_an_owner_who_left_is_followed_by_the_reports_creator_and_then_by_the_boards_owner(
    owned: StoredDashboard,
) -> None:
    gone = owned.owner_id or CREATOR
    assert owner(owned, members(REPORTER)) == REPORTER
    assert owner(owned, members()) == BOARD_OWNER
    assert owner(owned, members(REPORTER, **{gone: later()})) == REPORTER
    assert owner(owned, members(**{gone: later(), REPORTER: later()})) == BOARD_OWNER


def test_what_a_board_token_created_has_no_owner_until_it_is_handed_over() -> None:
    made = dashboard(creator_id=None)
    assert owner(made, members(CREATOR, REPORTER)) is None
    assert owner(dashboard_access_rules.handed_over(made, member(NEW)), members(NEW)) == NEW
    assert owner(dashboard_access_rules.handed_over(made, member(NEW)), members(REPORTER)) == REPORTER


def test_the_users_with_a_right_are_all_named() -> None:
    assert dashboard_access_rules.named_users(with_editors("e"), report()) == {CREATOR, REPORTER, "e"}
    assert dashboard_access_rules.named_users(handed_over(), report()) == {NEW, REPORTER}
    assert dashboard_access_rules.named_users(dashboard(creator_id=None), report()) == {REPORTER}


def test_an_editor_has_the_right_in_the_membership_to_which_it_was_granted_only() -> None:
    made = with_editors("e")
    assert dashboard_access_rules.editor_of(made, member("e")) == made.editors[0]
    assert dashboard_access_rules.editor_of(made, members(e=THEN)[UserId("e")]) is None
    assert dashboard_access_rules.editor_of(made, member("f")) is None
    assert dashboard_access_rules.editor_of(made, None) is None
    assert dashboard_access_rules.editors(made, members("e", "f")) == made.editors
    assert dashboard_access_rules.editors(made, members(e=THEN)) == dashboard_access_rules.editors(made, {}) == ()


def test_a_grant_says_to_whom_by_whom_and_when_and_repeating_it_changes_nothing() -> None:
    made = with_editors("e")
    (editor,) = made.editors
    assert editor.model_dump() == {"userId": "e", "joinId": "join of e", "grantedByUserId": CREATOR, "grantedAt": NOW}
    assert changed(dashboard(), made).keys() == {"editors", "version"}
    assert made.version == 2
    assert dashboard_access_rules.granted(made, member("e"), members("e"), CREATOR, NEW, later()) is made


def test_no_grant_is_needed_for_the_owner_and_for_managers() -> None:
    def grant(grantee: Membership) -> Any:
        return refusal(dashboard_access_rules.granted, dashboard(), grantee, members(), CREATOR, CREATOR, NOW)

    assert grant(member(CREATOR)) == conflict("NOT_NEEDED")
    assert grant(member("e").model_copy(update={"access_type": "manager"})) == conflict("NOT_NEEDED")
    assert grant(member("e").model_copy(update={"admin_role": "admin"})) == conflict("NOT_NEEDED")


def test_at_most_twenty_may_edit_and_those_who_left_do_not_count() -> None:
    names = [f"e{number}" for number in range(DASHBOARD_EDITORS)]
    full = with_editors(*names)
    grant = (full, member("late"))
    assert refusal(dashboard_access_rules.granted, *grant, members(*names), CREATOR, CREATOR, NOW) == conflict(
        "LIMIT_REACHED"
    )
    after = dashboard_access_rules.granted(*grant, members(*names[1:]), CREATOR, CREATOR, NOW)
    assert [editor.user_id for editor in after.editors] == [*names[1:], "late"]


def test_a_right_that_ended_with_a_membership_is_granted_anew() -> None:
    again = members(e=THEN)
    made = dashboard_access_rules.granted(with_editors("e"), again[UserId("e")], again, CREATOR, CREATOR, NOW)
    assert [editor.join_id for editor in made.editors] == ["again"]


def test_a_revoked_right_is_gone_and_one_that_is_not_held_is_a_404() -> None:
    made = dashboard_access_rules.revoked(with_editors("e", "f"), member("e"))
    assert [editor.user_id for editor in made.editors] == ["f"]
    assert made.version == 4
    for grantee in (member("e"), None):
        assert refusal(dashboard_access_rules.revoked, made, grantee) == NOT_FOUND


def test_a_new_owner_is_no_editor_and_handing_over_to_the_owner_changes_nothing() -> None:
    made = dashboard_access_rules.handed_over(with_editors("e", "f"), member("e"))
    assert (made.owner_id, made.owner_join_id) == ("e", "join of e")
    assert [editor.user_id for editor in made.editors] == ["f"]
    assert dashboard_access_rules.handed_over(made, member("e")) is made
    assert dashboard_access_rules.handed_over(made, members(e=THEN)[UserId("e")]).owner_join_id == "again"
    untouched = dashboard()
    assert dashboard_access_rules.handed_over(untouched, member(CREATOR)) is untouched


def test_a_dashboard_is_handed_over_to_members_only() -> None:
    assert dashboard_access_rules.new_owner(member("e")) == member("e")
    status, _, details = refusal(dashboard_access_rules.new_owner, None)
    assert (status, [*details["fields"]]) == (400, ["userId"])


@given(st.sampled_from([None, *Tier]))
def test_managers_and_board_tokens_that_write_reports_run_dashboards(tier: Tier | None) -> None:
    person = Principal(user(), None)
    assert dashboard_access_rules.is_manager(tier, person) == (tier is not None and tier >= Tier.MANAGER)
    for preset, writes in (("read_only", False), ("read_write", True)):
        robot = Principal(None, token(kind="board", scopes=BOARD_PRESETS[preset]))
        assert dashboard_access_rules.is_manager(Tier.COLLABORATOR, robot) == writes
    if tier is not None and tier < Tier.MANAGER:
        assert refusal(dashboard_access_rules.check_manager, tier, person)[0] == FORBIDDEN[0]


@pytest.mark.parametrize(
    ("body", "current", "allowed"),
    [
        ({"title": "New"}, "internally_reviewed", True),
        ({"title": None, "uniform": {"narrative": "N", "fields": []}}, "working", True),
        ({"uniform": None}, None, True),
        ({"latestVersionId": "v2"}, "working", False),
        ({"latestVersionId": None, "title": "New"}, "working", False),
        *[({"uniform": {"reviewStatus": new}}, "ready_for_review", new in {"working", "ready_for_review"})
          for new in ("working", "ready_for_review", "changes_requested", "internally_reviewed")],
        ({"uniform": {"reviewStatus": "internally_reviewed", "narrative": "N"}}, "internally_reviewed", True),
    ],
)  # fmt: skip
def test_owner_and_editors_change_title_and_content_and_ask_for_reviews(
    body: dict[str, Any], current: Any, allowed: bool
) -> None:
    given = DashboardPatch.model_validate(body)
    if allowed:
        dashboard_access_rules.check_own_changes(given, current)
    else:
        assert refusal(dashboard_access_rules.check_own_changes, given, current) == FORBIDDEN


def test_a_refused_change_is_named() -> None:
    with pytest.raises(Exception, match="FORBIDDEN") as refused:
        dashboard_access_rules.check_own_changes(DashboardPatch.model_validate({"latestVersionId": "v2"}), "working")
    assert "`latestVersionId`" in refused.value.message  # type: ignore[attr-defined]


def test_members_see_the_owner_and_the_rights_that_hold() -> None:
    shown = dashboard_access_rules.to_resource(with_editors("e", "f"), CREATOR, members("f"))
    assert shown.model_dump() == {
        "object": "dashboard_access",
        "dashboardId": "d",
        "ownerUserId": CREATOR,
        "editors": ({"userId": "f", "grantedByUserId": CREATOR, "grantedAt": NOW},),
    }
