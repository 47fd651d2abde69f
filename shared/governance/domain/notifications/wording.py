"""Texts of e-mails and notifications about instants and events, in the reader's language (ADR 0135)."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from governance.domain.notifications.notification_rules import NotificationRule
from governance.instants import Instant, to_datetime
from governance.models.event import StoredEvent
from governance.texts import Language, listed, text


def instant_in_words(instant: Instant, timezone: str, language: Language) -> str:
    """Returns an instant in words, such as "Monday, 1 March 2027, 10:00 (Europe/Paris)"."""
    local = to_datetime(instant).astimezone(ZoneInfo(timezone))
    return text(language, "date.in_zone", time=local_time_in_words(local, language), zone=timezone)


def local_time_in_words(local: datetime, language: Language) -> str:
    """Returns date and time in words, without their zone, such as "Monday, 1 March 2027, 10:00"."""
    weekdays, months = (text(language, f"date.{name}").split() for name in ("weekdays", "months"))
    return text(
        language,
        "date.local",
        weekday=weekdays[local.weekday()],
        day=local.day,
        month=months[local.month - 1],
        year=local.year,
        time=f"{local:%H:%M}",
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


def notification_message(rule: NotificationRule, event: StoredEvent, board: str, language: Language) -> str:
    """Returns the message of an event's notification; it continues the actor's name if the rule's text does."""
    data = event.delivery_data
    return text(
        language,
        rule.message,
        board=board,
        title=_title(event, language),
        number=data.get("number", 1),
        cycle=data.get("cycle", ""),
    )


def _title(event: StoredEvent, language: Language) -> str:
    """Returns the title of the event's subject, or a phrase in its place."""
    data: dict[str, Any] = event.delivery_data
    if "left" in data:
        return leftovers(language, **data["left"])
    if "webhook" in data:
        return why_disabled(language, **data["webhook"])
    return data.get("title") or event.details.get("title") or text(language, "told.untitled")


def leftovers(language: Language, names: list[str], tokens: int, webhooks: int, invites: int) -> str:
    """Returns what a member leaves behind, as a part of a sentence; `names` are those of the first tokens."""
    shown = [text(language, "list.quoted", text=name) for name in names]
    if tokens > len(names):
        shown.append(text(language, "told.left.more", number=tokens - len(names)))
    found = [
        text(language, "told.left.tokens", number=tokens, names=listed(language, shown)) if tokens else "",
        text(language, "told.left.webhooks", number=webhooks) if webhooks else "",
        text(language, "told.left.invites", number=invites) if invites else "",
    ]
    return "; ".join(part for part in found if part)


def why_disabled(language: Language, name: str, reason: str, days: int) -> str:
    """Returns why a webhook was disabled, as a part of a sentence; `days` is for how long it had accepted nothing."""
    return text(language, f"told.webhook.{reason}", name=name, number=days)
