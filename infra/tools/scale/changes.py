"""The rows of `make scale` that change something, or show a slot with its votes."""

from __future__ import annotations

from governance import deadline
from governance.deliveries.sweep import sweep
from governance.domain.events.action_items import ACTION_ITEM_CREATED, ActionItemCreated
from governance.domain.events.meetings import MEETING_UPDATED, MeetingUpdated
from governance.domain.events.reports import REPORT_DELETED, ReportNamed
from governance.ids import BoardId, new_id
from governance.instants import now, shift
from governance.limits import DASHBOARDS_PER_REPORT
from governance.models.boards.board import StoredBoard
from governance.models.calendars.calendar import StoredCalendarSettings
from governance.models.notifications.reminder import DueReminder, ReminderKind
from governance.store import due
from governance.store.calendars import calendars
from governance.usecases.cleanup import delete_leftovers
from infra.tools.scale.deliveries import deliver, silence_mails
from infra.tools.scale.preparation import (
    NOTES_BYTES,
    Request,
    board_with_members,
    create_dashboard,
    fill_documents,
    get,
    make_event,
    owned_board,
)
from infra.tools.scale.world import Caller, World

_LINKS = 33
_LARGE_BYTES = 240_000


def _slot_of_many(world: World, size: int) -> tuple[Caller, StoredBoard, str, str]:
    owner, board, _ = world.shared(board_with_members, size)
    meeting = world.meeting(owner, board)
    return owner, board, meeting, world.slot(owner, meeting)


def vote(world: World, size: int) -> Request:
    """Returns a vote on a slot of a board with the given number of members."""
    owner, _, _, slot = _slot_of_many(world, size)
    return lambda: owner.send("PUT", f"{slot}/vote", {"vote": "ok"})


def new_slot(world: World, size: int) -> Request:
    """Returns the proposal of a slot on a board with the given number of members."""
    owner, _, meeting, _ = _slot_of_many(world, size)
    return lambda: world.slot(owner, meeting)


def guest_view(world: World, size: int) -> Request:
    """Returns a guest's view of a slot that the given number of members may vote on."""
    owner, _, meeting, _ = _slot_of_many(world, size)
    token = owner.data("POST", f"{meeting}/guest-link")["token"]
    return get(owner, f"/api/v1/guest/{token}")


def delivery(world: World, size: int) -> Request:
    """Returns the delivery of an assignment's event on a board with the given number of members."""
    owner, board, (assignee, *_) = world.shared(board_with_members, size)
    silence_mails(assignee)
    meeting = world.meeting(owner, board)
    item_id = new_id()
    created = ActionItemCreated(
        meeting_id=meeting.rpartition("/")[2],
        action_item_id=item_id,
        id=item_id,
        title="Task",
        assignee_user_id=assignee,
    )
    return lambda: deliver(make_event(owner, board, ACTION_ITEM_CREATED, now(), created))


def meeting_delivery(world: World, size: int) -> Request:
    """Returns the delivery of a meeting's new title on a board with that many members; no member wants invitations."""
    owner, board, members = world.shared(board_with_members, size)
    unwanted = StoredCalendarSettings(invitations=False)
    world.fill(calendars.put_settings(member, unwanted) for member in (owner.id, *members))
    updated = MeetingUpdated(
        meeting_id=world.meeting(owner, board).rpartition("/")[2], fields=["title"], title="Meeting"
    )
    return lambda: deliver(make_event(owner, board, MEETING_UPDATED, now(), updated))


def idle_sweep(world: World, size: int) -> Request:
    """Returns a sweep in a minute in which nothing is due, with that many messages due a month later."""
    later = shift(now(), days=30)
    world.fill(
        due.put_reminder(
            DueReminder(kind=ReminderKind.MEETING, due_at=later, board_id=BoardId(new_id()), meeting_id=new_id())
        )
        for _ in range(size)
    )
    return sweep


def report_deletion(world: World, size: int) -> Request:
    """Returns the deletion of a report with the given number of large dashboards, and of what it leaves behind."""
    owner, board, path = owned_board(world)
    reports = [_large_report(owner, path, min(size, DASHBOARDS_PER_REPORT)) for _ in range(2)]  # one is sent before

    def delete() -> None:
        report = reports.pop()
        owner.send("DELETE", f"{path}/reports/{report}", None)
        deadline.begin(None)  # the cleanup runs in an invocation of its own, which has more time
        delete_leftovers(make_event(owner, board, REPORT_DELETED, now(), ReportNamed(report_id=report)))

    return delete


def _large_report(owner: Caller, path: str, dashboards: int) -> str:
    report: str = owner.data("POST", f"{path}/reports", {"title": "Report"})["id"]
    body = {"dashboardType": "uniform", "title": "D", "uniform": {"narrative": "n" * _LARGE_BYTES}}
    for _ in range(dashboards):
        owner.data("POST", f"{path}/reports/{report}/dashboards", body)
    return report


def status_flip(world: World, size: int) -> Request:
    """Returns a change of status of an action item with long notes."""
    owner, board, _ = owned_board(world)
    body = {"title": "Task", "notes": {"text": "n" * (NOTES_BYTES * size)}, "assigneeUserId": owner.id}
    item = owner.data("POST", f"{world.meeting(owner, board)}/action-items", body)["_id"]
    states = ("completed", "in_progress")
    return lambda: owner.send("PATCH", f"/api/action-items/{item}/status", {"status": states[world.number() % 2]})


def dashboard_title(world: World, size: int) -> Request:
    """Returns a new title for a dashboard with a large payload."""
    owner, _, path = owned_board(world)
    report, dashboard = create_dashboard(owner, path, size)
    target = f"{path}/reports/{report}/dashboards/{dashboard}"
    return lambda: owner.send("PATCH", target, {"title": f"Dashboard {world.number()}"})


def document_title(world: World, size: int) -> Request:
    """Returns a new title for a document among the given number."""
    owner, board, path = owned_board(world)
    fill_documents(world, owner, board, size, links=1)
    linked = [world.meeting(owner, board).rpartition("/")[2] for _ in range(_LINKS)]
    document = owner.data("POST", f"{path}/documents", {"title": "Document", "meetingIds": linked})["id"]
    target = f"{path}/documents/{document}"
    return lambda: owner.send("PATCH", target, {"title": f"Document {world.number():09d}"})
