"""The rows of `make scale`: requests whose cost must not depend on how much there is beside what they show or change.

A row is prepared with a size and returns a request that can be sent again and again. A page has ten entries, so that
the smallest size of the table fills it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from governance.ids import BoardId, UserId, new_id, time_ordered_id
from governance.instants import Instant, millis, now
from governance.limits import ACTION_ITEMS_PER_MEETING, BOARDS_PER_USER, MEMBERS_PER_BOARD
from governance.models.action_item import StoredActionItem
from governance.models.audit import AuditEntry
from governance.models.board import StoredBoard
from governance.models.document import StoredDocument
from governance.models.event import Event, StoredEvent
from governance.models.meeting import StoredMeeting
from governance.models.notification import StoredNotification
from governance.models.report import StoredReport
from governance.store import action_items, audit, boards, documents, events, meetings, notifications, reports
from governance.usecases.calendar_content import read_feed
from governance.usecases.members import new_membership
from infra.bench.scale_deliveries import deliver, silence_mails
from infra.bench.scale_world import Caller, World, earlier

Request = Callable[[], object]
PAGE = 10
_PAYLOAD_BYTES, _NOTES_BYTES = 24, 6
"""For each unit of size: 240 KB and 60 KB at ten thousand."""
_NOTIFIED = 50
_LINKS, _MOST_LINKS = 33, 50


@dataclass(frozen=True)
class Row:
    """A request, what there is more and more of, and how to prepare it.

    `limit` is what the service allows of it; beyond, the rows are in the store only. `entry_bytes` is what the request
    reads for each of them at most: 0, unless its answer lists every one.
    """

    name: str
    grows: str
    prepare: Callable[[World, int], Request]
    limit: int | None = None
    entry_bytes: int = 0


def _get(caller: Caller, target: str) -> Request:
    return lambda: caller.send("GET", target, None)


def _owned(world: World) -> tuple[Caller, StoredBoard, str]:
    owner = world.caller()
    board = world.board(owner)
    return owner, board, f"/api/v1/boards/{board.id}"


def _stamps(board: StoredBoard, caller: Caller, moment: Instant) -> dict[str, Any]:
    by = {"creator_id": caller.id, "created_by_user_id": caller.id}
    return {"id": new_id(), "board_id": board.id, **by, "created_at": moment, "updated_at": moment}


# -- lists


def _caller_with_boards(world: World, size: int) -> Caller:
    """Creates a user who is a member of so many boards."""
    caller = world.caller()
    found = [
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
    world.fill(boards.create(board) for board in found)
    world.fill(
        write
        for board in found
        for write in boards.add_member(board, new_membership(board.id, caller.id, board.created_at))
    )
    return caller


def _boards_page(world: World, size: int) -> Request:
    return _get(world.shared(_caller_with_boards, size), f"/api/v1/boards?limit={PAGE}")


def _boards_by_creation(world: World, size: int) -> Request:
    return _get(world.shared(_caller_with_boards, size), f"/api/v1/boards?limit={PAGE}&sort=createdAt&order=asc")


def _board_with_members(world: World, size: int) -> tuple[Caller, StoredBoard, list[UserId]]:
    owner, board, _ = _owned(world)
    return owner, board, world.join(board, size)


def _members_page(world: World, size: int) -> Request:
    owner, board, _ = world.shared(_board_with_members, size)
    return _get(owner, f"/api/v1/boards/{board.id}/members?limit={PAGE}")


def _fill_meetings(world: World, owner: Caller, board: StoredBoard, size: int) -> list[str]:
    """Creates so many meetings; returns their ids."""
    common = {"status": "scheduled", "title": "Meeting"}
    made = [
        StoredMeeting.model_validate(
            {**_stamps(board, owner, earlier(number)), **common, "start_time": earlier(number)}
        )
        for number in range(size)
    ]
    world.fill(meetings.create(meeting) for meeting in made)
    return [meeting.id for meeting in made]


def _meetings_page(world: World, size: int) -> Request:
    owner, board, path = _owned(world)
    _fill_meetings(world, owner, board, size)
    return _get(owner, f"{path}/meetings?limit={PAGE}")


def _fill_documents(world: World, owner: Caller, board: StoredBoard, size: int, links: int) -> None:
    """Creates so many documents; a hundred in succession have no linked meeting in common."""
    linkable = _fill_meetings(world, owner, board, min(size, 100) * links)
    world.fill(
        write
        for number in range(size)
        for write in documents.create(
            StoredDocument.model_validate(
                {
                    **_stamps(board, owner, earlier(number)),
                    "title": "Document",
                    "meeting_ids": tuple(linkable[number % 100 * links :][:links]),
                }
            )
        )
    )


def _unchanged_feed(world: World, size: int) -> Request:
    """Returns a poll of a calendar feed with the tag of the last read."""
    owner, board, _ = _owned(world)
    _fill_meetings(world, owner, board, size)
    url = owner.data("POST", "/api/v1/me/calendar-feeds", {"boardId": board.id})["url"]
    secret = url.rpartition("/")[2].removesuffix(".ics")
    tag = read_feed(secret, "", now()).tag
    return lambda: read_feed(secret, tag, now())


def _documents_page(world: World, size: int) -> Request:
    owner, board, path = _owned(world)
    _fill_documents(world, owner, board, size, links=3)
    return _get(owner, f"{path}/documents?limit={PAGE}")


def _documents_with_many_links(world: World, size: int) -> Request:
    owner, board, path = _owned(world)
    _fill_documents(world, owner, board, min(size, 100), links=_MOST_LINKS)
    return _get(owner, f"{path}/documents?limit=100")


def _reports_page(world: World, size: int) -> Request:
    owner, board, path = _owned(world)
    world.fill(
        reports.create(StoredReport.model_validate({**_stamps(board, owner, earlier(number)), "title": "Report"}))
        for number in range(size)
    )
    return _get(owner, f"{path}/reports?limit={PAGE}")


def _audit_page(world: World, size: int) -> Request:
    owner, board, _ = _owned(world)
    details = {"id": new_id(), "title": "Meeting"}
    common = {"board_id": board.id, "actor_user": owner.id, "action": "meetingCreate", "created_via": "web"}
    world.fill(
        audit.put(
            AuditEntry.model_validate(
                {**common, "details": details, "id": new_id(), "created_at": moment, "updated_at": moment}
            )
        )
        for moment in _moments(board, size)
    )
    return _get(owner, f"/api/auditlog/{board.id}?limit={PAGE}")


def _moments(board: StoredBoard, size: int) -> list[Instant]:
    """Returns instants since the creation of a board, of which several may be the same."""
    return [board.created_at] * size


def _events_page(world: World, size: int) -> Request:
    owner, board, path = _owned(world)
    world.fill(
        events.put(_event(owner, board, Event.MEETING_CREATED, moment, {"meetingId": new_id()}, {}))
        for moment in _moments(board, size)
    )
    return _get(owner, f"{path}/events?limit={PAGE}")


def _event(
    owner: Caller, board: StoredBoard, kind: Event, moment: Instant, refs: dict[str, str], data: dict[str, str]
) -> StoredEvent:
    return StoredEvent(
        id=time_ordered_id(millis(moment)),
        board_id=board.id,
        type=kind,
        actor_user_id=owner.id,
        created_via="web",
        created_at=moment,
        refs=refs,
        details={},
        data=data,
    )


def _notifications(world: World, size: int) -> Request:
    owner, board, path = _owned(world)
    made = [_dashboard(world, owner, path, size) for _ in range(_NOTIFIED)]
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
    return _get(owner, "/api/notification/")


def _notifications_page(world: World, size: int) -> Request:
    owner, board, _ = _owned(world)
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
    return _get(owner, f"/api/notification/?limit={PAGE}")


def _pending_of_all_boards(world: World, size: int) -> Request:
    caller = world.shared(_caller_with_boards, size)
    for _ in range(3):
        board = world.board(caller)
        body = {"inviteeEmail": f"invitee{world.number()}@example.com"}
        caller.send("POST", f"/api/invite/{board.id}", body)
    return _get(caller, "/api/invite/all-boards")


def _action_items_page(world: World, size: int) -> Request:
    owner, board, _ = _owned(world)
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
    return _get(owner, f"{meeting}/action-items?limit={PAGE}")


def _dashboard(world: World, owner: Caller, board_path: str, size: int) -> tuple[str, str]:
    """Creates a dashboard in a report of its own, with a payload that grows with the size."""
    del world
    report = owner.data("POST", f"{board_path}/reports", {"title": "Report"})["id"]
    body = {"dashboardType": "uniform", "title": "D", "uniform": {"narrative": "n" * (_PAYLOAD_BYTES * size)}}
    return report, owner.data("POST", f"{board_path}/reports/{report}/dashboards", body)["id"]


# -- slots


def _slot_of_many(world: World, size: int) -> tuple[Caller, StoredBoard, str, str]:
    owner, board, _ = world.shared(_board_with_members, size)
    meeting = world.meeting(owner, board)
    return owner, board, meeting, world.slot(owner, meeting)


def _vote(world: World, size: int) -> Request:
    owner, _, _, slot = _slot_of_many(world, size)
    return lambda: owner.send("PUT", f"{slot}/vote", {"vote": "ok"})


def _new_slot(world: World, size: int) -> Request:
    owner, _, meeting, _ = _slot_of_many(world, size)
    return lambda: world.slot(owner, meeting)


def _guest_view(world: World, size: int) -> Request:
    owner, _, meeting, _ = _slot_of_many(world, size)
    token = owner.data("POST", f"{meeting}/guest-link")["token"]
    return _get(owner, f"/api/v1/guest/{token}")


# -- action items, dashboards and documents that change


def _delivery(world: World, size: int) -> Request:
    owner, board, (assignee, *_) = world.shared(_board_with_members, size)
    silence_mails(assignee)
    meeting = world.meeting(owner, board)
    refs = {"meetingId": meeting.rpartition("/")[2], "actionItemId": new_id()}
    data = {"id": refs["actionItemId"], "title": "Task", "assigneeUserId": assignee}
    return lambda: deliver(_event(owner, board, Event.ACTION_ITEM_CREATED, now(), refs, data))


def _status_flip(world: World, size: int) -> Request:
    owner, board, _ = _owned(world)
    body = {"title": "Task", "notes": {"text": "n" * (_NOTES_BYTES * size)}, "assigneeUserId": owner.id}
    item = owner.data("POST", f"{world.meeting(owner, board)}/action-items", body)["_id"]
    states = ("completed", "in_progress")
    return lambda: owner.send("PATCH", f"/api/action-items/{item}/status", {"status": states[world.number() % 2]})


def _dashboard_title(world: World, size: int) -> Request:
    owner, _, path = _owned(world)
    report, dashboard = _dashboard(world, owner, path, size)
    target = f"{path}/reports/{report}/dashboards/{dashboard}"
    return lambda: owner.send("PATCH", target, {"title": f"Dashboard {world.number()}"})


def _document_title(world: World, size: int) -> Request:
    owner, board, path = _owned(world)
    _fill_documents(world, owner, board, size, links=1)
    linked = [world.meeting(owner, board).rpartition("/")[2] for _ in range(_LINKS)]
    document = owner.data("POST", f"{path}/documents", {"title": "Document", "meetingIds": linked})["id"]
    target = f"{path}/documents/{document}"
    return lambda: owner.send("PATCH", target, {"title": f"Document {world.number():09d}"})


_BOARDS, _MEMBERS = "boards of the user", "members of the board"
ROWS = (
    Row("page of boards, by update", _BOARDS, _boards_page, BOARDS_PER_USER),
    Row("page of boards, oldest first", _BOARDS, _boards_by_creation, BOARDS_PER_USER),
    Row("pending invites of all boards, 3 of them with one", _BOARDS, _pending_of_all_boards, BOARDS_PER_USER, 1600),
    Row("page of members", _MEMBERS, _members_page, MEMBERS_PER_BOARD),
    Row("page of meetings", "meetings of the board", _meetings_page),
    Row("poll of an unchanged calendar feed", "meetings of the board", _unchanged_feed),
    Row("page of documents, 3 links each", "documents of the board", _documents_page),
    Row("page of 100 documents, 50 links each", "documents of the board", _documents_with_many_links, entry_bytes=4000),
    Row("page of reports", "reports of the board", _reports_page),
    Row("page of the audit log", "entries of the board", _audit_page),
    Row("page of events", "events of the board", _events_page),
    Row("page of action items", "action items of the meeting", _action_items_page, ACTION_ITEMS_PER_MEETING),
    Row("page of notifications", "notifications of the user", _notifications_page),
    Row("50 notifications about dashboards", f"{_PAYLOAD_BYTES} bytes in each dashboard", _notifications),
    Row("vote on a slot", _MEMBERS, _vote, MEMBERS_PER_BOARD, entry_bytes=400),
    Row("new slot", _MEMBERS, _new_slot, MEMBERS_PER_BOARD, entry_bytes=400),
    Row("guest's view of a slot", _MEMBERS, _guest_view, MEMBERS_PER_BOARD, entry_bytes=400),
    Row("delivery of a task's assignment", _MEMBERS, _delivery, MEMBERS_PER_BOARD),
    Row("status of an action item", f"{_NOTES_BYTES} bytes of notes", _status_flip),
    Row("title of a dashboard", f"{_PAYLOAD_BYTES} bytes of payload", _dashboard_title, entry_bytes=_PAYLOAD_BYTES),
    Row("title of a document with 33 links", "documents of the board", _document_title),
)
