"""Texts of e-mails and notifications about instants and events, in the reader's language (ADR languages)."""

from __future__ import annotations

from datetime import date, datetime

from governance.domain.events.kind import Notification, P
from governance.domain.notifications.addressee import Addressee
from governance.instants import Instant
from governance.local_times import in_zone
from governance.texts import Language, text


def instant_in_words(instant: Instant, timezone: str, language: Language) -> str:
    """Returns an instant in words, such as "Monday, 1 March 2027, 10:00 (Europe/Paris)"."""
    local = in_zone(instant, timezone)
    return text(language, "date.in_zone", time=local_time_in_words(local, language), zone=timezone)


def local_time_in_words(local: datetime, language: Language) -> str:
    """Returns date and time in words, without their zone, such as "Monday, 1 March 2027, 10:00"."""
    return text(language, "date.local", day=day_in_words(local, language), time=f"{local:%H:%M}")


def day_in_words(day: date, language: Language) -> str:
    """Returns a day in words, such as "Monday, 1 March 2027"."""
    weekdays, months = (text(language, f"date.{name}").split() for name in ("weekdays", "months"))
    return text(
        language,
        "date.day",
        weekday=weekdays[day.weekday()],
        day=day.day,
        month=months[day.month - 1],
        year=day.year,
    )


def time_range_in_words(start: datetime, end: datetime, zone: str, language: Language) -> str:
    """Returns start and end in words, such as "Monday, 1 March 2027, 10:00 to 11:30 (Europe/Paris)"."""
    last = f"{end:%H:%M}" if end.date() == start.date() else local_time_in_words(end, language)
    return text(language, "date.range", start=local_time_in_words(start, language), end=last, zone=zone)


def instant_in_zones(instant: Instant, own: str | None, other: str | None, language: Language) -> str:
    """Returns an instant in words in the reader's time zone, then in another if that differs.

    Without a zone of their own, the reader gets the other; without any, UTC.
    """
    zones = [zone for zone in dict.fromkeys((own, other)) if zone] or ["UTC"]
    return "; ".join(instant_in_words(instant, zone, language) for zone in zones)


def notification_message(notification: Notification[P], payload: P, board: str, reader: Addressee) -> str:
    """Returns the message of a notification; it continues the actor's name unless it is a whole sentence."""
    language = reader.language
    times = {
        name: instant_in_zones(instant, reader.timezone, zone, language)
        for name, (instant, zone) in payload.instants.items()
    }
    return text(language, notification.words, board=board, **{**payload.words(language), **times})
