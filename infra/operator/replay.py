"""`boardctl replay-revocations`: ends again, in a restored table, what had ended since (ADR restore)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, cast

import click

from governance.domain.access.access import member_tier
from governance.domain.invites import invite as invite_rules
from governance.errors import ApiError
from governance.ids import BoardId, UserId
from governance.instants import Instant, now
from governance.models.account.token import StoredToken
from governance.models.base import Stored
from governance.models.boards.board import Membership
from governance.models.calendars.calendar import StoredFeed
from governance.models.invites.invite import StoredInvite
from governance.models.meetings.slot import StoredGuestLink
from governance.models.members.unregistered_user import StoredUnregisteredUser
from governance.settings import settings
from governance.store.account import tokens
from governance.store.boards import boards
from governance.store.calendars import calendars
from governance.store.history.revocations import Revocation
from governance.store.invites import invites
from governance.store.invites.invites import InviteChange
from governance.store.resolutions import departures, kept_certificates
from governance.store.schema.entities import PENDING_INVITE_COUNT, USER
from governance.store.schema.keys import PK, Item
from governance.store.table import read_one
from governance.store.transactions import transact
from governance.store.writes import Delete, retry_stale_reads
from governance.usecases.invites.invite_endings import AT_ONCE
from governance.usecases.operator import operator, purge
from infra.operator import doctor, purging, restored_people
from infra.operator.certified import certify_again
from infra.operator.command import InstallationCommand
from infra.operator.kinds import model_at
from infra.operator.record import recorded, user_of

if TYPE_CHECKING:
    from governance.models.account.user import UserStatus


@click.command("replay-revocations", cls=InstallationCommand)
def replay_revocations() -> None:
    """End again, in a restored table, what has ended since the instant that it was restored to.

    Run it before the restored table serves. It reads the record of the bucket REVOCATIONS_BUCKET: revoked tokens,
    removed feeds, guest links and members, retracted invites, scrubs, the status of accounts, purges. Invites that
    nobody's right keeps any more end too. What came after an end, such as a new membership, stays. Resolutions that
    were certified since are closed again, with their certificates. Repeating it changes nothing.
    """
    if not settings().revocations_bucket:
        raise click.ClickException("Set REVOCATIONS_BUCKET to the bucket with the record of revocations.")
    ended, left = replay()
    for problem in left:
        click.echo(problem)
    click.echo(f"Ended {ended} thing(s) again; {len(left)} need you.")


def replay() -> tuple[int, list[str]]:
    """Applies the whole record; returns how much it ended, and what it could not end."""
    ended, left, touched = 0, list[str](), set[BoardId]()
    statuses: dict[str, Revocation] = {}
    purges: list[UserId] = []
    for revocation in recorded():
        if revocation.kind == "status":
            statuses[revocation.pk] = revocation
            continue
        if revocation.kind == "purge":
            purges.append(user_of(revocation))
            continue
        try:
            changed = retry_stale_reads(lambda revocation=revocation: _end(revocation))  # type: ignore[misc]
        except (ApiError, OwnerError) as error:
            left.append(f"{revocation.pk} {revocation.sk}: {error}")
            continue
        ended += changed
        if changed and revocation.pk.startswith("BOARD#"):
            touched.add(BoardId(revocation.pk.partition("#")[2]))
    ended += _purge_again(purges, left)
    ended += sum(_set_status(revocation) for revocation in statuses.values())
    ended += _certify_again(touched, left)
    for board_id in touched:
        _end_invites(board_id)
        doctor.mend(board_id)
    return ended, left


def _certify_again(touched: set[BoardId], left: list[str]) -> int:
    """Closes again what was certified; returns how much. Its boards are touched, what is not closed is left."""
    total = 0
    for board_id in kept_certificates.board_ids():
        if boards.find(board_id) is None:
            continue
        brought, problems = certify_again(board_id)
        left += problems
        total += brought
        if brought:
            touched.add(board_id)
    return total


class OwnerError(Exception):
    """A member who was removed is the owner of the board again."""

    def __str__(self) -> str:
        """Returns what the operator can do."""
        return "the removed member owns the board in this state; transfer it (`boardctl board transfer`), then repeat"


def _end(revocation: Revocation) -> bool:
    """Ends what a row grants if it is there and no newer than its end; returns whether it did."""
    if revocation.kind == "invite":
        return _retract(BoardId(revocation.pk.partition("#")[2]), revocation.sk.partition("#")[2], revocation.at)
    item, model = read_one(revocation.key), model_at(revocation.key)
    if item is None or model is None:
        return False
    return _end_row(revocation, model.model_validate(item))


def _purge_again(user_ids: Iterable[UserId], left: list[str]) -> int:
    """Purges users, all that one search of the table can; returns how many were not purged before.

    What cannot be purged is added to `left`.
    """
    known = {user_id: before for user_id in dict.fromkeys(user_ids) if (before := _account(user_id)) is not None}
    allowed = []
    for user_id in known:
        try:
            purge.check(user_id)
            allowed.append(user_id)
        except ApiError as error:
            left.append(f"the purge of {user_id}: {error}")
    for start in range(0, len(allowed), purging.MOST_USERS):
        purging.purge_users(allowed[start : start + purging.MOST_USERS])
    return sum(not known[user_id].get("purged") for user_id in allowed)


def _account(user_id: UserId) -> Item | None:
    return read_one(USER.key_for(userId=user_id))


def _end_row(revocation: Revocation, row: Stored) -> bool:
    match row:
        case StoredToken(revoked_at=None):
            transact(tokens.revoke(row, revocation.at))
        case Membership() if row.created_at < revocation.at:
            if row.admin_role == "owner":
                raise OwnerError
            transact([*boards.remove_member(row), departures.left_board(row, revocation.at)])
        case StoredFeed() if row.created_at < revocation.at:
            transact(calendars.delete_feed(row))
        case StoredUnregisteredUser(scrubbed_at=None):
            restored_people.scrub_again(row, revocation.at)
        case StoredGuestLink() if row.created_at < revocation.at:
            transact([Delete(revocation.key)])
        case _:
            return False
    return True


def _retract(board_id: BoardId, invite_id: str, at: Instant) -> bool:
    pending = [invite for invite in _pending_invites(board_id) if invite.id == invite_id]
    _change_invites(board_id, [InviteChange(old, invite_rules.close(old, "retracted", at)) for old in pending])
    return bool(pending)


def _end_invites(board_id: BoardId) -> None:
    """Ends or lowers the pending invites that the right of no present member keeps as they are."""
    pending = _pending_invites(board_id)
    senders = {sender for invite in pending for sender in invite.senders}
    tiers = {member.user_id: member_tier(member) for member in boards.members_among(board_id, senders)}
    changes = [InviteChange(old, invite_rules.by_right_of(old, tiers, now())) for old in pending]
    _change_invites(board_id, [change for change in changes if change.new is not change.old])


def _pending_invites(board_id: BoardId) -> list[StoredInvite]:
    counter = read_one(PENDING_INVITE_COUNT.key_for(boardId=board_id))
    return invites.read_pending(board_id, counter).invites


def _change_invites(board_id: BoardId, changes: Sequence[InviteChange]) -> None:
    board = boards.find(board_id)
    for start in range(0, len(changes), AT_ONCE):
        transact(invites.end(changes[start : start + AT_ONCE], board.invite_code if board else None))


def _set_status(revocation: Revocation) -> bool:
    user = read_one(USER.key_for(userId=revocation.pk.partition("#")[2]))
    if user is None or user[PK] != revocation.pk or user["status"] == revocation.status:
        return False
    operator.set_user_status(UserId(user["id"]), cast("UserStatus", revocation.status))
    return True
