"""The rules of flags: how they change with a check of their report, and when they are dismissed (ADR figures).

    open <--> corrected        the contradiction ended, and came back
    open <--> dismissed        a manager decided so, and took it back

A flag belongs to certain values: its id is made from them. A contradiction with other values is another flag.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from governance.domain.reports.checks import Contradiction
from governance.errors import Reason, conflict, not_found
from governance.ids import UserId
from governance.instants import Instant
from governance.limits import DISMISSAL_REASONS_BYTES, FLAGS_KEPT
from governance.models.reports.check import FlagStatus, StoredFlag, StoredFlags, ValidationFlag


def after_check(
    dashboard_id: str, old: StoredFlags | None, contradictions: Sequence[Contradiction], now: Instant
) -> StoredFlags | None:
    """Returns the flags of a dashboard after its contradictions were found again; None if it never had one.

    The same object is returned if nothing changed.
    """
    before = old.flags if old else ()
    standing = {contradiction.flag_id: contradiction for contradiction in contradictions}
    kept = [_renewed(flag, flag.id in standing, now) for flag in before]
    known = {flag.id for flag in before}
    new = [_raised(contradiction, now) for id_, contradiction in standing.items() if id_ not in known]
    flags = _remembered([*kept, *new])
    if flags == before:
        return old
    return StoredFlags(dashboard_id=dashboard_id, flags=flags, version=old.version + 1 if old else 1)


def _renewed(flag: StoredFlag, stands: bool, now: Instant) -> StoredFlag:
    if flag.stands == stands:
        return flag
    status: FlagStatus = "dismissed" if flag.status == "dismissed" else "open" if stands else "corrected"
    return flag.model_copy(update={"status": status, "stands": stands, "updated_at": now})


def _raised(contradiction: Contradiction, now: Instant) -> StoredFlag:
    return StoredFlag(
        id=contradiction.flag_id,
        field_id=contradiction.field_id,
        rogue_id=contradiction.rogue_id,
        status="open",
        stands=True,
        created_at=now,
        updated_at=now,
    )


def _remembered(flags: Sequence[StoredFlag]) -> tuple[StoredFlag, ...]:
    """Returns the flags without the oldest of those whose contradiction ended, beyond `FLAGS_KEPT`."""
    ended = sorted((flag for flag in flags if not flag.stands), key=lambda flag: flag.updated_at)
    forgotten = {flag.id for flag in ended[: max(0, len(ended) - FLAGS_KEPT)]}
    return tuple(flag for flag in flags if flag.id not in forgotten)


def raised_between(old: StoredFlags | None, new: StoredFlags | None) -> list[StoredFlag]:
    """Returns the flags that are in the new state and were not in the old one: nobody was notified of them yet."""
    known = {flag.id for flag in old.flags} if old else set()
    return [flag for flag in (new.flags if new else ()) if flag.id not in known]


def corrected_between(old: StoredFlags | None, new: StoredFlags | None) -> list[StoredFlag]:
    """Returns the flags that were open in the old state and are corrected in the new one."""
    were_open = {flag.id for flag in (old.flags if old else ()) if flag.status == "open"}
    return [flag for flag in (new.flags if new else ()) if flag.id in were_open and flag.status == "corrected"]


def open_among(flags: StoredFlags | None) -> int:
    """Returns how many flags are open."""
    return sum(flag.status == "open" for flag in flags.flags) if flags else 0


def find(flags: StoredFlags | None, flag_id: str) -> StoredFlag:
    """Returns a flag by its id; raises 404 if there is none."""
    match = next((flag for flag in (flags.flags if flags else ()) if flag.id == flag_id), None)
    if match is None:
        raise not_found()
    return match


def dismissed(flag: StoredFlag, reason: str, user_id: UserId, now: Instant) -> StoredFlag:
    """Returns the flag as it is after its dismissal; the same object if it is dismissed for that reason already."""
    if flag.status == "dismissed" and flag.reason == reason:
        return flag
    decided = {"status": "dismissed", "reason": reason, "dismissed_by_user_id": user_id, "updated_at": now}
    return flag.model_copy(update=decided)


def taken_up_again(flag: StoredFlag, now: Instant) -> StoredFlag:
    """Returns the flag without its dismissal: open if its contradiction stands. Raises 404 if it is not dismissed."""
    if flag.status != "dismissed":
        raise not_found()
    status: FlagStatus = "open" if flag.stands else "corrected"
    undone = {"status": status, "reason": None, "dismissed_by_user_id": None, "updated_at": now}
    return flag.model_copy(update=undone)


def with_flag(flags: StoredFlags, changed: StoredFlag) -> StoredFlags:
    """Returns the flags with one of them changed. Raises 409 `LIMIT_REACHED` if their reasons outgrow their item."""
    new = tuple(changed if flag.id == changed.id else flag for flag in flags.flags)
    if sum(len((flag.reason or "").encode()) for flag in new) > DISMISSAL_REASONS_BYTES:
        raise conflict(Reason.LIMIT_REACHED)
    return flags.model_copy(update={"flags": new, "version": flags.version + 1})


def to_resource(flag: StoredFlag) -> ValidationFlag:
    """Returns the flag as the members of the board see it."""
    return ValidationFlag.model_validate(flag.item())


def newest_first(flags: Iterable[StoredFlag]) -> list[StoredFlag]:
    """Returns the flags in the order of their lists."""
    return sorted(flags, key=position_of, reverse=True)


def position_of(flag: StoredFlag) -> str:
    """Returns the position of a flag in its list: when it was raised, then its id."""
    return f"{flag.created_at}#{flag.id}"
