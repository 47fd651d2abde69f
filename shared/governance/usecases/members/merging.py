"""Merges a person without an account into a member: everything of theirs becomes the member's (ADR merging).

A merge marks the person first, so that nothing new names them; then it moves one row after the other, each in a
transaction that also counts it; and last it records itself. The same request again goes on from the mark, or the
deliveries do, by the row that is due a minute after the merge began.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any

from governance import deadline
from governance.domain.access.access import Principal
from governance.domain.events import members as events
from governance.domain.members import merging as merging_rules
from governance.errors import ApiError, Code, Reason, conflict, invalid_body, suppress_not_found, unavailable
from governance.ids import BoardId, MembershipId, PersonId
from governance.instants import Instant, now, shift
from governance.limits import MERGE_RESUMED_MINUTES, OPEN_ITEMS_PER_ASSIGNEE
from governance.models.boards.board import Membership
from governance.models.members.unregistered_user import Merge, MergeBody, Moved, StoredMerge, StoredUnregisteredUser
from governance.models.queue import DeliveryKind, DueMessage
from governance.queue.message import Message
from governance.store import due
from governance.store.account import users
from governance.store.boards import boards
from governance.store.dynamodb import run_async
from governance.store.members import unregistered_users
from governance.store.schema.entities import UNREGISTERED_USER
from governance.store.schema.keys import Key
from governance.store.table import read
from governance.store.transactions import transact
from governance.store.writes import Write, retry_stale_reads
from governance.usecases.context import Context, Outcome
from governance.usecases.declarations import finds, loads, repeated_if
from governance.usecases.event_writes import record_event
from governance.usecases.members.members import check_still_member
from governance.usecases.members.unregistered_users import known_person, requested_person

if TYPE_CHECKING:
    from governance.usecases.members.belongings import Belonging, Move, Owner

    _Found = tuple[Belonging, Key, Move]
    """A row that moves, of which kind it is, and how it would move now."""

_STEP_SECONDS = deadline.STORE_ATTEMPT_SECONDS + 1.0
"""To read a row, and still begin the transaction that moves it: a step that is cut short has moved nothing."""


@dataclass(frozen=True)
class _Plan:
    """What a merge would move now, the meetings that both attended, and the member's open items after it."""

    moved: Moved
    both_attended: list[str]
    open_items: int

    def check(self) -> None:
        """Raises 409 `BOTH_ATTENDED`, or `LIMIT_REACHED` for a member who would have too many open items."""
        if self.both_attended:
            raise conflict(Reason.BOTH_ATTENDED, meetingIds=sorted(self.both_attended))
        if self.open_items > OPEN_ITEMS_PER_ASSIGNEE:
            raise conflict(Reason.LIMIT_REACHED)


def _check_known(context: Context, data: Mapping[str, Any]) -> None:
    """Raises 404 once the person's data were removed, or the member has left."""
    known_person(context)
    check_still_member(context, data["memberId"])


@repeated_if(_check_known)
@loads(UNREGISTERED_USER)
@finds(requested_person)
def merge_unregistered_user(context: Context, old: StoredUnregisteredUser, body: MergeBody) -> Outcome[Merge]:
    """Merges a person into a member, or says what that would move.

    Raises 400 for an id that is not a member's, and 409: `MERGED`, `SCRUBBED`, `BOTH_ATTENDED`, or `LIMIT_REACHED` for
    a member who would have too many open action items.
    """
    member, _ = boards.find_member(context.board.id, MembershipId(body.member_id))
    if member is None:
        raise invalid_body({"memberId": "must be the id of a member of the board"})
    has_begun = merging_rules.is_merge_into(old, member)
    person = old if has_begun else _begun(context, old, member)
    plan = _plan(person)
    if not has_begun:
        plan.check()
    if body.dry_run:
        return Outcome(_resource(person, member.id, plan.moved, dry_run=True), [])
    if not has_begun:
        _mark(context, old, person, member)
    done = _move_everything(person)
    if done is None or done.merge is None:
        raise conflict(Reason.MERGED)
    return Outcome(_resource(done, member.id, done.merge.moved, dry_run=False), _finish(context, done, done.merge))


def _resource(person: StoredUnregisteredUser, member_id: MembershipId, moved: Moved, *, dry_run: bool) -> Merge:
    return Merge(unregistered_user_id=person.id, member_id=member_id, dry_run=dry_run, moved=moved)


def _begun(context: Context, old: StoredUnregisteredUser, member: Membership) -> StoredUnregisteredUser:
    due_at = shift(context.now, minutes=MERGE_RESUMED_MINUTES)
    return merging_rules.begun(old, member, context.user_id, due_at, context.now)


def _mark(context: Context, old: StoredUnregisteredUser, person: StoredUnregisteredUser, member: Membership) -> None:
    """Commits the mark of the merge, with the row that is due if the merge is not completed by then."""
    assert person.merge is not None  # noqa: S101 - it has just begun
    marked = unregistered_users.replace(old, person)
    writes = [*marked, boards.check_still_member(member), due.put(due_message(person, person.merge))]
    transact(context.while_board_exists(writes))


def due_message(person: StoredUnregisteredUser, merge: StoredMerge) -> DueMessage:
    """Returns the message by which the deliveries go on with a merge, if it is not complete by then."""
    body = {"boardId": person.board_id, "unregisteredUserId": person.id}
    return DueMessage(
        kind=DeliveryKind.MERGE, due_at=merge.due_at, group=person.board_id, subject_id=person.id, body=body
    )


def _plan(person: StoredUnregisteredUser) -> _Plan:
    """Returns what the merge of the person would move, by the code that moves it; what has moved counts too."""
    owner, belongings = _belongings_of(person)
    return _plan_of(owner, _search(owner, [belonging for belonging in belongings if belonging.counted]))


def _plan_of(owner: Owner, found: Iterable[_Found]) -> _Plan:
    from governance.store.action_items import action_item_counts  # as `_belongings_of` says

    moved, both, opened = owner.merge.moved, list[str](), 0
    for belonging, _, move in found:
        moved = moved.plus(belonging.counted, move.number) if belonging.counted else moved
        both += [move.both_attended] if move.both_attended else []
        opened += move.opened
    already = action_item_counts.open_items_of(owner.board_id, owner.merge.user_id) if opened else 0
    return _Plan(moved, both, already + opened)


def _belongings_of(person: StoredUnregisteredUser) -> tuple[Owner, Sequence[Belonging]]:
    """Returns the owner of what moves, and its kinds, without whose modules a start of the boards gains 35 ms."""
    from governance.usecases.members.belongings import BELONGINGS, Owner

    return Owner.of(person), BELONGINGS


def _search(owner: Owner, belongings: Sequence[Belonging]) -> list[_Found]:
    """Returns what there is to move.

    The kinds are searched in parallel, the wide ones by this thread: in the pool their reads would follow one another.
    """
    narrow = [run_async(partial(_moves, belonging, owner)) for belonging in belongings if not belonging.is_wide]
    wide = [_moves(belonging, owner) for belonging in belongings if belonging.is_wide]
    return [*chain(*(moves.result() for moves in narrow), *wide)]


def _moves(belonging: Belonging, owner: Owner) -> list[_Found]:
    """Returns the rows of a kind that there is something to do with, by how they are stored now."""
    keys = [*belonging.find(owner)]
    items = read(keys) if keys else {}
    moves = ((key, belonging.move(owner, key, items[key])) for key in keys if key in items)
    return [(belonging, key, move) for key, move in moves if move.writes]


def _move_everything(person: StoredUnregisteredUser) -> StoredUnregisteredUser | None:
    """Moves all that is left; returns the person as they are then, None if they are gone.

    Nothing names the person anew since the mark. What was found before may have changed until then, so it is planned
    again, and the mark is taken back if the merge is refused now. Raises 503 if the time is over: what is left follows.
    """
    owner, belongings = _belongings_of(person)
    found = _search(owner, belongings)
    if owner.merge.moved == Moved() and owner.merge.status_before != "merged":
        _check_again(person, owner, found)
    for belonging, key, _ in found:
        if not deadline.has_time(_STEP_SECONDS):
            raise unavailable()
        retry_stale_reads(partial(_step, person.board_id, person.id, belonging, key))
    return unregistered_users.find(person.board_id, person.id) if found else person


def _check_again(person: StoredUnregisteredUser, owner: Owner, found: Sequence[_Found]) -> None:
    try:
        _plan_of(owner, found).check()
    except ApiError as error:
        if error.code is Code.CONFLICT:
            transact(
                [
                    *unregistered_users.replace(person, merging_rules.taken_back(person, owner.merge)),
                    due.delete(due_message(person, owner.merge)),
                ]
            )
        raise


def _step(board_id: BoardId, person_id: PersonId, belonging: Belonging, key: Key) -> None:
    """Moves one row, and counts it with the person, in one transaction."""
    own = UNREGISTERED_USER.key_for(boardId=board_id, unregisteredUserId=person_id)
    items = read([own, key])
    if own not in items or key not in items:
        return
    person = StoredUnregisteredUser.model_validate(items[own])
    if person.merge is None:
        return
    owner, _ = _belongings_of(person)
    move = belonging.move(owner, key, items[key])
    if move.writes:
        counted = merging_rules.advanced(person, person.merge, belonging.counted, move.number)
        transact([*unregistered_users.replace(person, counted), *move.writes])


def _finish(context: Context, person: StoredUnregisteredUser, merge: StoredMerge) -> list[Write]:
    """Returns the writes that end the merge and record it, unless it is repeated after a restore."""
    if merge.status_before == "merged":
        return _end(person, merge)
    payload = events.Merged(unregistered_user_id=person.id, id=person.id, fields=["status"], user_id=merge.user_id)
    return [*_end(person, merge), *record_event(context, events.UNREGISTERED_USER_MERGED, payload)]


def _end(person: StoredUnregisteredUser, merge: StoredMerge) -> list[Write]:
    """Returns the writes that take the mark of the merge and its due row away."""
    return [*unregistered_users.replace(person, merging_rules.finished(person)), due.delete(due_message(person, merge))]


def merge_again(person: StoredUnregisteredUser) -> None:
    """Gives the member what a restore brought back of a merged person. It may be stopped, and then repeated.

    Nothing is refused: where both attended a meeting, the member's entry stays. It changes nothing of what members
    know, so nothing records it.
    """
    marked = person if person.merge else merging_rules.begun_again(person, now())
    if marked.merge is None:
        return
    if marked is not person:
        transact([*unregistered_users.replace(person, marked), due.put(due_message(marked, marked.merge))])
    done = _move_everything(marked)
    if done is not None and done.merge is not None:
        transact(_end(done, done.merge))


def complete_merge(body: Mapping[str, Any]) -> Iterable[Message]:
    """Completes a merge whose request did not: it was killed, or had no time left."""
    board_id, person_id = BoardId(body["boardId"]), body["unregisteredUserId"]
    person = unregistered_users.find(board_id, person_id)
    if person is None or person.merge is None:
        return []
    try:
        _move_everything(person)
    except ApiError as error:
        if error.code is not Code.CONFLICT:
            raise
        return []
    with suppress_not_found():
        retry_stale_reads(partial(_complete, board_id, person_id, now()))
    return []


def _complete(board_id: BoardId, person_id: PersonId, at: Instant) -> None:
    person, board = unregistered_users.find(board_id, person_id), boards.find(board_id)
    if board is None or person is None or person.merge is None:
        return
    actor = users.find(person.merge.actor_user_id) if person.merge.actor_user_id else None
    context = Context(now=at, known_board=board, known_principal=Principal(actor, None) if actor else None)
    transact(context.while_board_exists(_finish(context, person, person.merge)))
