"""Writes to one busy board, as its use cases build them: members vote and tick off tasks while others do daily work."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

from governance.domain.access import Principal, tier
from governance.http.response import _checked
from governance.ids import UserId, new_id
from governance.instants import now, shift
from governance.models.account.user import StoredUser
from governance.models.boards.board import BoardCreate, Membership, StoredBoard
from governance.models.documents.document import DocumentCreate, DocumentPatch
from governance.models.meetings.action_item import ActionItemCreate, ActionItemPatch
from governance.models.meetings.meeting import MeetingCreate, MeetingPatch
from governance.models.meetings.slot import SlotCreate, VoteBody
from governance.models.reports.dashboard import DashboardCreate, DashboardPatch
from governance.models.reports.report import ReportCreate
from governance.store.boards import boards as board_store
from governance.store.schema.keys import Item, Key, key_of
from governance.store.writes import Put, Write
from governance.usecases.boards import boards
from governance.usecases.context import Context, Outcome
from governance.usecases.documents import documents
from governance.usecases.meetings import action_items, meetings, slots
from governance.usecases.members.members import new_membership
from governance.usecases.reports import dashboards, reports

MEMBERS, SLOTS = 300, 3
MEETINGS, ITEMS, DOCUMENTS, DASHBOARDS = 60, 200, 60, 20
UseCase = Callable[..., Outcome[Any]]


class BoardTraffic:
    """A board with members and content, kept in memory, and the writes of random requests to it."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)  # noqa: S311 - a simulation
        self.now = now()
        self.items: dict[Key, Item] = {}
        self.board: StoredBoard | None = None
        owner = self._user()
        self.owner: tuple[StoredUser, Membership | None] = (owner, None)
        board_id = self._call(self.owner, boards.create_board, body=BoardCreate(name="Board")).id
        self.board = StoredBoard.model_validate(self.items[board_store.board_key(board_id)])
        self.members = [self._join(self._user(), admin_role="admin") for _ in range(MEMBERS)]
        self.owner = self.members[0]
        self.slots = self._slots(self._meeting("scheduled"))
        self.meetings = [self._meeting("scheduled") for _ in range(MEETINGS)]
        self.action_items = [self._action_item(self.meetings[i % len(self.meetings)]) for i in range(ITEMS)]
        self.documents = [{"documentId": self._created(documents.create_document, _DOCUMENT)} for _ in range(DOCUMENTS)]
        report = {"reportId": self._created(reports.create_report, ReportCreate(title="Report"))}
        self.report = report
        self.dashboards = [
            report | {"dashboardId": self._created(dashboards.create_dashboard, _DASHBOARD, report)}
            for _ in range(DASHBOARDS)
        ]

    @property
    def root(self) -> Key:
        """The key of the board's root item."""
        assert self.board is not None
        return board_store.board_key(self.board.id)

    # -- what there is

    def _user(self) -> StoredUser:
        address = f"{new_id()}@example.com"
        return StoredUser(id=UserId(new_id()), email=address, created_at=self.now, updated_at=self.now)

    def _join(self, user: StoredUser, **members: Any) -> tuple[StoredUser, Membership]:
        assert self.board is not None
        membership = new_membership(self.board.id, user.id, self.now, **members)
        self._apply(board_store.add_member(self.board, membership))
        return user, membership

    def _created(self, usecase: UseCase, body: object, params: dict[str, str] | None = None) -> str:
        return str(self._call(self.owner, usecase, params, body=body).id)

    def _meeting(self, status: str) -> dict[str, str]:
        body = MeetingCreate.model_validate({"title": "Meeting", "status": status})
        return {"meetingId": self._created(meetings.create_meeting, body)}

    def _slots(self, meeting: dict[str, str]) -> list[dict[str, str]]:
        bodies = [
            SlotCreate.model_validate(
                {"startTime": shift(self.now, days=day), "timezone": "UTC"}, context={"now": self.now}
            )
            for day in range(1, SLOTS + 1)
        ]
        found = [self._call(self.owner, slots.create_slot, meeting, [], body=body).id for body in bodies]
        return [meeting | {"slotId": slot_id} for slot_id in found]

    def _action_item(self, meeting: dict[str, str]) -> dict[str, str]:
        assignee = self.random.choice(self.members)[0].id
        body = ActionItemCreate.model_validate({"title": "Item", "assigneeUserId": assignee})
        return meeting | {"actionItemId": self._created(action_items.create_action_item, body, meeting)}

    # -- requests

    def writes(self) -> Sequence[Write]:
        """Returns the writes of a random request of a random member, as the response builder commits them."""
        kinds, weights = zip(*_REQUESTS, strict=True)
        usecase, where, prefetched, body = self.random.choices(kinds, weights)[0]
        context = self._context(
            self.random.choice(self.members), self.random.choice(getattr(self, where)) if where else {}
        )
        return _checked(usecase(context, *prefetched, body()), context)

    def deletion(self) -> Sequence[Write]:
        """Returns the writes of the board's deletion."""
        context = self._context(self.members[0], {})
        return _checked(boards.delete_board(context), context)

    def _call(
        self,
        caller: tuple[StoredUser, Membership | None],
        usecase: UseCase,
        params: dict[str, str] | None = None,
        *prefetched: object,
        body: object,
    ) -> Any:
        outcome = usecase(self._context(caller, params or {}), *prefetched, body)
        self._apply(outcome.writes)
        return outcome.response

    def _context(self, caller: tuple[StoredUser, Membership | None], params: dict[str, str]) -> Context:
        user, membership = caller
        principal = Principal(user, None)
        return Context(
            now=self.now,
            params=params if self.board is None else params | {"boardId": self.board.id},
            known_principal=principal,
            known_board=self.board,
            membership=membership,
            tier=tier(membership, principal),
            loaded=self.items,
        )

    def _apply(self, writes: Sequence[Write]) -> None:
        self.items |= {key_of(write.item): write.item for write in writes if isinstance(write, Put)}


_DOCUMENT = DocumentCreate(title="Document")
_DASHBOARD = DashboardCreate.model_validate({"dashboardType": "uniform", "title": "Dashboard"})
_COMPLETED = ActionItemPatch.model_validate({"status": "completed"})
_TWO_LISTS: Sequence[object] = ([], [])
_REQUESTS: tuple[tuple[tuple[UseCase, str, Sequence[object], Callable[[], object]], int], ...] = (
    ((slots.vote_on_slot, "slots", _TWO_LISTS, lambda: VoteBody(vote="ok")), 30),
    ((action_items.update_action_item, "action_items", (), lambda: _COMPLETED), 20),
    ((meetings.create_meeting, "", (), lambda: MeetingCreate.model_validate({"title": "Meeting"})), 10),
    ((meetings.update_meeting, "meetings", (), lambda: MeetingPatch.model_validate({"title": "New"})), 10),
    ((documents.create_document, "", (), lambda: _DOCUMENT), 10),
    ((documents.update_document, "documents", (), lambda: DocumentPatch.model_validate({"title": "New"})), 10),
    ((dashboards.update_dashboard, "dashboards", (), lambda: DashboardPatch.model_validate({"title": "New"})), 10),
)
"""Each kind of request with its share in per cent: use case, name of the resources, what it prefetches, body."""
