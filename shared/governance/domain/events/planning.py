"""The events of what a board plans: agenda templates, the backlog and the work plan."""

from governance.domain.events.kind import EventKind, Payload, Ref
from governance.models.history.event import Event


class OfTemplate(Payload):
    """An event of an agenda template."""

    template_id: Ref[str]


TEMPLATE_CREATED = EventKind(Event.TEMPLATE_CREATED, OfTemplate)
TEMPLATE_UPDATED = EventKind(Event.TEMPLATE_UPDATED, OfTemplate)
TEMPLATE_DELETED = EventKind(Event.TEMPLATE_DELETED, OfTemplate)


class OfBacklogItem(Payload):
    """An event of an item that waits."""

    backlog_item_id: Ref[str]


class OfPlanItem(Payload):
    """An event of a matter of the work plan."""

    plan_item_id: Ref[str]


BACKLOG_ITEM_CREATED = EventKind(Event.BACKLOG_ITEM_CREATED, OfBacklogItem)
BACKLOG_ITEM_UPDATED = EventKind(Event.BACKLOG_ITEM_UPDATED, OfBacklogItem)
BACKLOG_ITEM_DELETED = EventKind(Event.BACKLOG_ITEM_DELETED, OfBacklogItem)
PLAN_ITEM_CREATED = EventKind(Event.PLAN_ITEM_CREATED, OfPlanItem)
PLAN_ITEM_UPDATED = EventKind(Event.PLAN_ITEM_UPDATED, OfPlanItem)
PLAN_ITEM_DELETED = EventKind(Event.PLAN_ITEM_DELETED, OfPlanItem)
