"""Bugs in who may edit a dashboard, and in how that ends."""

from __future__ import annotations

from governance.domain.reports import dashboard_access
from governance.store.boards import boards
from governance.usecases.reports import dashboard_access as usecases
from governance.usecases.reports import dashboards
from tests.seeded_bugs.bug import Bug

_RULES = "tests/domain/test_dashboard_access.py"
_ACCESS = "tests/functions/dashboards/test_access.py"
_OWNERSHIP = "tests/functions/dashboards/test_ownership.py"

BUGS = (
    Bug(
        "who joins again may edit what they could before",
        dashboard_access.editor_of,
        "if editor.join_id == member.join_id",
        "if editor.join_id",
        f"{_RULES} {_OWNERSHIP}",
    ),
    Bug(
        "who joins again owns what was handed over to them before",
        dashboard_access.is_named_owner,
        "(dashboard.owner_id, dashboard.owner_join_id) == (member.user_id, member.join_id)",
        "dashboard.owner_id == member.user_id",
        f"{_RULES} {_OWNERSHIP}",
    ),
    Bug(
        "a creator who joins again owns the dashboard",
        dashboard_access.is_named_owner,
        " and _is_since(member, dashboard.created_at)",
        "",
        f"{_RULES} {_OWNERSHIP}",
    ),
    Bug(
        "a purged user still owns a dashboard",
        boards.current_members,
        ' if not items.get(user, {}).get("purged")',
        "",
        f"{_OWNERSHIP}::test_a_purged_user_owns_and_edits_nothing",
    ),
    Bug(
        "editors let others edit",
        usecases.owned_dashboard,
        "    _check_runs(context, dashboard)\n",
        "    changeable_dashboard(context)\n",
        f"{_ACCESS}::test_an_editor_changes_title_and_content_and_asks_for_reviews_and_nothing_else",
    ),
    Bug(
        "editors change everything",
        dashboards.update_dashboard,
        "if not dashboard_access.is_manager(context.tier, context.principal):",
        "if context.membership is None:",
        f"{_ACCESS}::test_an_editor_changes_title_and_content_and_asks_for_reviews_and_nothing_else",
    ),
    Bug(
        "a right is given to somebody who leaves meanwhile",
        usecases._change,
        "        boards.check_still_member(member),\n",
        "",
        f"{_ACCESS}::test_a_right_is_not_given_to_a_member_who_leaves_meanwhile",
    ),
)
