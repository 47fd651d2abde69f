"""The rules of series: which occurrences are to come, how they are changed and opened (ADR series).

Occurrences are computed. A series keeps what was changed of those to come; what was opened is kept for good.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, timedelta
from typing import Any

from governance.agenda_limits import (
    SERIES_CHANGES,
    SERIES_CHANGES_DAYS,
    SERIES_NEXT,
    SERIES_OPENS_DAYS,
    SERIES_SEGMENTS,
)
from governance.domain.series import rule as rules
from governance.domain.series.occurrences import (
    Slot,
    day_of,
    last_day,
    next_opening,
    occurrence,
    planned,
    schedules,
    slot,
    starts_at,
    today_of,
)
from governance.errors import Reason, conflict, invalid_body, not_found
from governance.ids import BoardId, UserId, new_id
from governance.instants import Instant, shift
from governance.models.meetings.meeting import StoredMeeting
from governance.models.series.of_meeting import OccurrenceOfMeeting
from governance.models.series.rule import parse
from governance.models.series.series import (
    Change,
    EarlierRule,
    Occurrence,
    OccurrenceBody,
    OpenedOccurrence,
    Series,
    SeriesCreate,
    SeriesPatch,
    StoredSeries,
)

_SCHEDULE = ("rule", "start", "timezone", "ends_on", "count")
"""Fields whose change makes other occurrences."""


def created(board_id: BoardId, body: SeriesCreate, creator: UserId, now: Instant) -> StoredSeries:
    """Returns the new series that the body describes. Raises 400 for a start or an end that its rule does not have."""
    series = StoredSeries(
        **body.model_dump(exclude={"opens_days_before"}),
        opens_days_before=body.opens_days_before or SERIES_OPENS_DAYS,
        id=new_id(),
        board_id=board_id,
        since=body.start[:10],
        created_by_user_id=creator,
        created_at=now,
        updated_at=now,
    )
    _check(series)
    return _scheduled(series, now)


def _check(series: StoredSeries) -> None:
    start = day_of(series.start)
    rules.check_start(parse(series.rule), start)
    if series.ends_on is not None and series.ends_on < series.start[:10]:
        raise invalid_body({"endsOn": "must not be before the day of `start`"})


def patched(series: StoredSeries, body: SeriesPatch, now: Instant) -> StoredSeries:
    """Returns the series with these changes; the same object if they change nothing.

    Another schedule holds from the day after the latest occurrence that was opened, before which the earlier one stays.
    Raises 400 for a start or an end that the rule does not have, 409 `LIMIT_REACHED` for too many earlier rules.
    """
    changes: dict[str, Any] = body.changes()
    if changes.get("ends_on") is not None and "count" not in changes:
        changes["count"] = None
    if changes.get("count") is not None and "ends_on" not in changes:
        changes["ends_on"] = None
    new = series.model_copy(update=changes)
    if new == series:
        return series
    if any(getattr(new, name) != getattr(series, name) for name in _SCHEDULE):
        _check(new)
        new = _from_newest_opened(series, new, now)
    return _changed(new, now)


def without_template(series: StoredSeries, now: Instant) -> StoredSeries:
    """Returns the series without its agenda template, which is deleted."""
    return series.model_copy(update={"template_id": None, "updated_at": now, "version": series.version + 1})


def _from_newest_opened(old: StoredSeries, new: StoredSeries, now: Instant) -> StoredSeries:
    """Returns the series whose new schedule begins behind what was opened, without changes of what is none any more."""
    opened = old.newest_opened
    if opened is None:
        new = new.model_copy(update={"since": new.start[:10], "counted": 0, "earlier": ()})
    else:
        through = day_of(opened)
        kept = [] if old.since > opened else [_earlier_rule(old, through)]
        earlier = [rule for rule in (*old.earlier, *kept) if rule.until >= today_of(old, now).isoformat()]
        if len(earlier) > SERIES_SEGMENTS:
            raise conflict(Reason.LIMIT_REACHED)
        counted = old.counted + sum(1 for _ in schedules(old)[-1].slots(day_of(old.since), through))
        since = (through + timedelta(days=1)).isoformat()
        new = new.model_copy(update={"since": since, "counted": counted, "earlier": tuple(earlier)})
    kept_changes = {
        key: change for key, change in new.changes.items() if change.status == "opened" or slot(new, key) is not None
    }
    return new.model_copy(update={"changes": kept_changes})


def _earlier_rule(series: StoredSeries, until: date) -> EarlierRule:
    return EarlierRule(
        rule=series.rule,
        start=series.start,
        timezone=series.timezone,
        since=series.since,
        until=min(until, last_day(series)).isoformat(),
    )


def _changed(series: StoredSeries, now: Instant) -> StoredSeries:
    """Returns a series that was changed now, without what it need not keep any more."""
    oldest = (today_of(series, now) - timedelta(days=SERIES_CHANGES_DAYS)).isoformat()
    changed = series.model_copy(
        update={
            "changes": {key: change for key, change in series.changes.items() if _latest(key, change) >= oldest},
            "skipped": tuple(key for key in series.skipped if key >= oldest),
            "updated_at": now,
            "version": series.version + 1,
        }
    )
    return _scheduled(changed, now)


def _scheduled(series: StoredSeries, now: Instant) -> StoredSeries:
    following = next_opening(series, now)
    return series.model_copy(update={"opens_at": following[1] if following else None})


def _latest(key: str, change: Change) -> str:
    return max(key, change.start_time or "")


def to_resource(series: StoredSeries, opened: Iterable[Occurrence], now: Instant) -> Series:
    """Returns the series with what is next: what is planned, and these opened ones that are to come."""
    to_come = [each for each in opened if each.status == "opened" and each.start_time > now]
    both = [*(occurrence(series, found) for found in planned(series, now, SERIES_NEXT)), *to_come]
    following = sorted(both, key=lambda each: (each.start_time, each.key))[:SERIES_NEXT]
    return Series.model_validate({**series.item(), "next": following})


# -- changes of occurrences


def requested(series: StoredSeries, key: str, now: Instant) -> Slot:
    """Returns an occurrence with this key that is to come, or was moved to what is; raises 404 if there is none."""
    found = slot(series, key)
    if found is None or starts_at(series, found) <= now:
        raise not_found()
    return found


def with_change(series: StoredSeries, found: Slot, body: OccurrenceBody, now: Instant) -> StoredSeries:
    """Returns the series with an occurrence that is moved or cancelled; the same object if it was.

    Raises 409 `LIMIT_REACHED` if too many were changed.
    """
    change = Change(status="cancelled" if body.cancelled else "moved", start_time=body.start_time)
    if change.start_time == found.original:
        return without_change(series, found, now)
    if series.changes.get(found.key) == change:
        return series
    return _with(series, found, change, now)


def _with(series: StoredSeries, found: Slot, change: Change, now: Instant) -> StoredSeries:
    to_come = [key for key in series.changes if key >= today_of(series, now).isoformat() and key != found.key]
    if len(to_come) >= SERIES_CHANGES:
        raise conflict(Reason.LIMIT_REACHED)
    skipped = tuple(key for key in series.skipped if key != found.key)
    changes = {**series.changes, found.key: change}
    return _changed(series.model_copy(update={"changes": changes, "skipped": skipped}), now)


def without_change(series: StoredSeries, found: Slot, now: Instant) -> StoredSeries:
    """Returns the series with an occurrence where the rule has it; the same object if it is there."""
    if found.key not in series.changes:
        return series
    changes = {key: change for key, change in series.changes.items() if key != found.key}
    return _changed(series.model_copy(update={"changes": changes}), now)


def check_takes_place(series: StoredSeries, found: Slot) -> None:
    """Raises 409 `OCCURRENCE_CANCELLED` for an occurrence that was cancelled."""
    change = series.changes.get(found.key)
    if change is not None and change.status == "cancelled":
        raise conflict(Reason.OCCURRENCE_CANCELLED)


def opened(series: StoredSeries, found: Slot, now: Instant) -> tuple[StoredSeries, OpenedOccurrence, StoredMeeting]:
    """Returns the series with an occurrence that is opened, what is kept of that, and its meeting."""
    start = starts_at(series, found)
    meeting = StoredMeeting(
        id=new_id(),
        board_id=series.board_id,
        title=series.title,
        status="scheduled",
        location=series.location,
        start_time=start,
        end_time=shift(start, minutes=series.duration_minutes),
        timezone=found.zone,
        creator_id=None,
        created_by_user_id=series.created_by_user_id,
        occurrence=OccurrenceOfMeeting(series_id=series.id, key=found.key),
        created_at=now,
        updated_at=now,
    )
    moved = start if start != found.original else None
    new = _with(series, found, Change(status="opened", start_time=moved, meeting_id=meeting.id), now)
    newest = max(series.newest_opened or "", found.key[:10])
    kept = OpenedOccurrence(key=found.key, meeting_id=meeting.id, original=found.original, start_time=start)
    return new.model_copy(update={"newest_opened": newest, "is_told": False}), kept, meeting


def skipped(series: StoredSeries, found: Slot, now: Instant) -> StoredSeries:
    """Returns the series with an occurrence that the clock passed over, of which the managers know."""
    keys = (*series.skipped, found.key)
    return _changed(series.model_copy(update={"skipped": keys, "is_told": True}), now)


def lapsed(series: StoredSeries, now: Instant) -> StoredSeries:
    """Returns the series whose next opening is computed again: what was to be opened before it began has begun."""
    return _changed(series, now)
