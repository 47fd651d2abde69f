"""The rows of `make scale` that read lists. A page has ten entries, so that the smallest size fills it."""

from __future__ import annotations

from governance.domain.events.meetings import MEETING_CREATED, MeetingCreated
from governance.ids import BoardId, new_id, time_ordered_id
from governance.instants import Instant, millis, now, shift
from governance.models.action_items.action_item import StoredActionItem
from governance.models.boards.board import StoredBoard
from governance.models.history.audit import AuditEntry
from governance.models.notifications.notification import StoredNotification
from governance.models.reports.report import StoredReport
from governance.store.action_items import action_items
from governance.store.boards import boards
from governance.store.documents import document_versions
from governance.store.history import audit, events
from governance.store.notifications import notifications
from governance.store.reports import reports
from governance.usecases.calendars.calendar_content import read_feed
from governance.usecases.members.members import new_membership
from infra.tools.scale.preparation import (
    Request,
    board_with_members,
    create_dashboard,
    files_of,
    fill_documents,
    fill_meetings,
    get,
    make_event,
    owned_board,
    stamps,
)
from infra.tools.scale.world import Caller, World, earlier

PAGE = 10
_NOTIFIED, _MOST_LINKS = 50, 50
_YEAR_DAYS = 360


def _caller_with_boards(world: World, size: int) -> Caller:
    """Creates a user who is a member of the given number of boards."""
    caller = world.caller()
    stored_boards = [
        StoredBoard(
            id=BoardId(new_id()),
            name=f"Board {number}",
            description="Quarterly governance.",
            billing_state="PAID_ACTIVE",
            created_at=earlier(number),
            updated_at=earlier(number),
        )
        for number in range(size)
    ]
    world.fill(boards.create(board) for board in stored_boards)
    world.fill(
        write
        for board in stored_boards
        for write in boards.add_member(board, new_membership(board.id, caller.id, board.created_at))
    )
    return caller


def boards_page(world: World, size: int) -> Request:
    """Returns the first page of the caller's boards."""
    return get(world.shared(_caller_with_boards, size), f"/api/v1/boards?limit={PAGE}")


def boards_by_creation(world: World, size: int) -> Request:
    """Returns the first page of the caller's boards, oldest first."""
    return get(world.shared(_caller_with_boards, size), f"/api/v1/boards?limit={PAGE}&sort=createdAt&order=asc")


def members_page(world: World, size: int) -> Request:
    """Returns the first page of a board's members."""
    owner, board, _ = world.shared(board_with_members, size)
    return get(owner, f"/api/v1/boards/{board.id}/members?limit={PAGE}")


def meetings_page(world: World, size: int) -> Request:
    """Returns the first page of a board's meetings."""
    owner, board, path = owned_board(world)
    fill_meetings(world, owner, board, size)
    return get(owner, f"{path}/meetings?limit={PAGE}")


def _feed(world: World, size: int) -> str:
    """Creates a calendar feed of a board with the given number of meetings; returns its secret."""
    owner, board, _ = owned_board(world)
    fill_meetings(world, owner, board, size)
    url: str = owner.data("POST", "/api/v1/me/calendar-feeds", {"boardId": board.id})["url"]
    return url.rpartition("/")[2].removesuffix(".ics")


def unchanged_feed(world: World, size: int) -> Request:
    """Returns a poll of a calendar feed with the tag of the last read."""
    secret = world.shared(_feed, size)
    tag = read_feed(secret, "", now()).tag
    return lambda: read_feed(secret, tag, now())


def whole_feed(world: World, size: int) -> Request:
    """Returns the read of a calendar feed without a tag."""
    secret = world.shared(_feed, size)
    return lambda: read_feed(secret, "", now())


def documents_page(world: World, size: int) -> Request:
    """Returns the first page of a board's documents."""
    owner, board, path = owned_board(world)
    fill_documents(world, owner, board, size, links=3)
    return get(owner, f"{path}/documents?limit={PAGE}")


def documents_with_files(world: World, size: int) -> Request:
    """Returns a page of documents, each of which has the given number of files."""
    owner, board, path = owned_board(world)
    ids = fill_documents(world, owner, board, PAGE, links=3)
    world.fill(document_versions.replace(None, files_of(board, owner, document_id, size)) for document_id in ids)
    return get(owner, f"{path}/documents?limit={PAGE}")


def documents_with_many_links(world: World, size: int) -> Request:
    """Returns a page of documents with as many links as they may have."""
    owner, board, path = owned_board(world)
    fill_documents(world, owner, board, min(size, 100), links=_MOST_LINKS)
    return get(owner, f"{path}/documents?limit=100")


def reports_page(world: World, size: int) -> Request:
    """Returns the first page of a board's reports."""
    owner, board, path = owned_board(world)
    world.fill(
        reports.create(StoredReport.model_validate({**stamps(board, owner, earlier(number)), "title": "Report"}))
        for number in range(size)
    )
    return get(owner, f"{path}/reports?limit={PAGE}")


def audit_page(world: World, size: int) -> Request:
    """Returns the first page of a board's audit log."""
    owner, board, _ = owned_board(world)
    world.fill(audit.put(_audit_entry(owner, board, board.created_at)) for _ in range(size))
    return get(owner, f"/api/auditlog/{board.id}?limit={PAGE}")


def log_proof(world: World, size: int) -> Request:
    """Returns the proof of an audit entry that is not logged yet; what the bucket is asked for is not counted."""
    owner, board, _ = owned_board(world)
    entries = [_audit_entry(owner, board, board.created_at) for _ in range(size + 1)]
    world.fill(audit.put(entry) for entry in entries)
    amidst = sorted(entry.id for entry in entries)[size // 2]
    return get(owner, f"/api/v1/boards/{board.id}/audit/{amidst}/proof")


def audit_year(world: World, size: int) -> Request:
    """Returns the first page of the audit log of a board of a year ago, with its entries spread over twelve months."""
    owner, board, _ = owned_board(world)
    begun = shift(board.created_at, days=-_YEAR_DAYS)
    world.fill([boards.replace(board, board.model_copy(update={"created_at": begun}))])
    minutes = _YEAR_DAYS * 24 * 60
    world.fill(audit.put(_audit_entry(owner, board, earlier(minutes * number // size))) for number in range(size))
    return get(owner, f"/api/auditlog/{board.id}?limit={PAGE}")


def _audit_entry(owner: Caller, board: StoredBoard, at: Instant) -> AuditEntry:
    return AuditEntry.model_validate(
        {
            "id": time_ordered_id(millis(at)),
            "board_id": board.id,
            "actor_user": owner.id,
            "action": "meetingCreate",
            "created_via": "web",
            "details": {"id": new_id(), "title": "Meeting"},
            "created_at": at,
            "updated_at": at,
        }
    )


def events_page(world: World, size: int) -> Request:
    """Returns the first page of a board's events."""
    owner, board, path = owned_board(world)
    world.fill(
        events.put(make_event(owner, board, MEETING_CREATED, board.created_at, MeetingCreated(meeting_id=new_id())))
        for _ in range(size)
    )
    return get(owner, f"{path}/events?limit={PAGE}")


def dashboard_notifications(world: World, size: int) -> Request:
    """Returns the caller's notifications, which name dashboards with a large payload."""
    owner, board, path = owned_board(world)
    made = [create_dashboard(owner, path, size) for _ in range(_NOTIFIED)]
    common = {"user_id": owner.id, "message": "asks for a review.", "board_name": board.name, "in_app": True}
    kind = {"type": "dashboard_ready_for_review", "mail": "none"}
    world.fill(
        notifications.create(
            StoredNotification.model_validate(
                {
                    **common,
                    **kind,
                    "id": time_ordered_id(millis(now())),
                    "refs": {
                        "boardId": board.id,
                        "triggeringUserId": owner.id,
                        "reportId": report,
                        "dashboardId": dashboard,
                        "dashboardType": "uniform",
                    },
                    "delivered_at": now(),
                    "created_at": now(),
                    "updated_at": now(),
                }
            )
        )
        for report, dashboard in made
    )
    return get(owner, "/api/notification/")


def notifications_page(world: World, size: int) -> Request:
    """Returns the first page of the caller's notifications."""
    owner, board, _ = owned_board(world)
    common = {
        "type": "board_update",
        "user_id": owner.id,
        "message": "changed the board.",
        "in_app": True,
        "mail": "none",
    }
    stamps = {"delivered_at": now(), "created_at": now(), "updated_at": now()}
    refs = {"boardId": board.id, "triggeringUserId": owner.id}
    world.fill(
        notifications.create(
            StoredNotification.model_validate(
                {**common, **stamps, "id": time_ordered_id(millis(now()) - number), "refs": refs}
            )
        )
        for number in range(size)
    )
    return get(owner, f"/api/notification/?limit={PAGE}")


def pending_of_all_boards(world: World, size: int) -> Request:
    """Returns the pending invites of the caller's boards."""
    caller = world.shared(_caller_with_boards, size)
    for _ in range(3):
        board = world.board(caller)
        body = {"inviteeEmail": f"invitee{world.number()}@example.com"}
        caller.send("POST", f"/api/invite/{board.id}", body)
    return get(caller, "/api/invite/all-boards")


def action_items_page(world: World, size: int) -> Request:
    """Returns the first page of a meeting's action items."""
    owner, board, _ = owned_board(world)
    meeting = world.meeting(owner, board)
    common = {"board_id": board.id, "meeting_id": meeting.rpartition("/")[2], "title": "Task", "created_by": owner.id}
    stamps = {"created_via": "web", "created_at": now(), "updated_at": now()}
    world.fill(
        write
        for _ in range(size)
        for write in action_items.create(
            StoredActionItem.model_validate({**common, **stamps, "id": new_id(), "assignee_user_id": owner.id}), None
        )
    )
    return get(owner, f"{meeting}/action-items?limit={PAGE}")
