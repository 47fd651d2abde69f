"""What a board plans: agenda templates, the backlog and the work plan."""

from governance.http.api import Api
from governance.http.route import CONFLICT
from governance.scopes import Scope, Tier
from governance.usecases.planning import agenda_templates, backlog, plan

BOARD = "/api/v1/boards/{boardId}"
TEMPLATES = BOARD + "/agenda-templates"
TEMPLATE = TEMPLATES + "/{templateId}"
BACKLOG = BOARD + "/backlog"
WAITING = BACKLOG + "/{backlogItemId}"
PLAN = BOARD + "/plan"
MATTER = PLAN + "/{planItemId}"

api = Api()
reads = api.group(scope=Scope.MEETINGS_READ, extension=True, agents=False)
writes = api.group(scope=Scope.MEETINGS_WRITE, extension=True, agents=False, tier=Tier.COLLABORATOR)
reads.get(TEMPLATES, agenda_templates.list_agenda_templates)
writes.post(TEMPLATES, agenda_templates.create_agenda_template, codes=CONFLICT)
reads.get(TEMPLATE, agenda_templates.get_agenda_template)
writes.patch(TEMPLATE, agenda_templates.update_agenda_template)
writes.delete(TEMPLATE, agenda_templates.delete_agenda_template)

reads.get(BACKLOG, backlog.list_backlog_items)
writes.post(BACKLOG, backlog.create_backlog_item, codes=CONFLICT)
writes.patch(WAITING, backlog.update_backlog_item)
writes.delete(WAITING, backlog.delete_backlog_item)
writes.post(WAITING + "/place", backlog.place_backlog_item, status=200, codes=CONFLICT)

by_manager = writes.group(tier=Tier.MANAGER)
reads.get(PLAN, plan.list_plan_items)
by_manager.post(PLAN, plan.create_plan_item, codes=CONFLICT)
reads.get(PLAN + "/years/{year}", plan.get_plan_year)
reads.get(MATTER, plan.get_plan_item)
by_manager.patch(MATTER, plan.update_plan_item)
by_manager.delete(MATTER, plan.delete_plan_item)
by_manager.post(MATTER + "/place", plan.place_plan_item, status=200, codes=CONFLICT)

lambda_handler = api
