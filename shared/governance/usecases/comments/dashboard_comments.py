"""Comments on dashboards (an extension of the API, ADR comments)."""

from __future__ import annotations

from governance.domain.comments import comment as comment_rules
from governance.domain.comments.comment import Subject
from governance.domain.reports import dashboard as dashboard_rules
from governance.models.comments.comment import Comment, DashboardCommentCreate
from governance.models.reports.dashboard import StoredDashboard
from governance.store import payloads
from governance.store.comments import comments
from governance.store.schema.entities import DASHBOARD, DASHBOARD_COMMENT, REPORT, payload_key
from governance.store.table import read
from governance.usecases.comments import commenting
from governance.usecases.context import Context, Outcome
from governance.usecases.declarations import creates, finds, loads
from governance.usecases.reports.dashboard_access import requested_dashboard
from governance.usecases.reports.reports import requested_report


def _dashboard(context: Context) -> Subject:
    """Returns the dashboard that the path names; raises 404 if it or its report is absent."""
    context.find(requested_report)
    return comment_rules.of_dashboard(context.find(requested_dashboard))


COMMENTS = commenting.CommentsOn("dashboard", _dashboard, DASHBOARD_COMMENT, REPORT, DASHBOARD)


@creates(DASHBOARD_COMMENT, "commentId")
@loads(REPORT, DASHBOARD)
@finds(_dashboard)
def create_dashboard_comment(context: Context, dashboard: Subject, body: DashboardCommentCreate) -> Outcome[Comment]:
    """Comments on the dashboard."""
    return commenting.create(
        context,
        dashboard,
        body,
        comments.check_dashboard(dashboard),
        body.field_id,
        has_field=_has_field(dashboard, body.field_id),
    )


def _has_field(subject: Subject, field_id: str | None) -> bool:
    """Returns whether the dashboard has this figure, or none is named."""
    if field_id is None:
        return True
    key = DASHBOARD.key_for(boardId=subject.board_id, **subject.refs)
    items = read([key, payload_key(key)])
    if key not in items:
        return False
    dashboard = StoredDashboard.model_validate(items[key])
    text = payloads.text_of(items.get(payload_key(key)), dashboard.payload_version)
    uniform = dashboard_rules.joined(dashboard.uniform, text)
    return uniform is not None and field_id in {field.field_id for field in uniform.fields}
