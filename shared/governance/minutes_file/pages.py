"""The pages of the file of approved minutes, as lines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from governance.domain.notifications.wording import instant_in_words
from governance.instants import Instant
from governance.models.meetings.approved_minutes import ApprovedMinutes
from governance.packs.jobs import LETTERS, MISSING, Line
from governance.texts import text

VERSION_FILE, APPROVAL_FILE = "minutes.json", "approval.json"
"""The files that are attached: the version as it was hashed, and its approval."""


def lines(facts: ApprovedMinutes) -> Iterator[Line]:
    """Yields the lines: title and attendance, each item, and how it was approved."""
    yield Line("title", facts.title)
    yield Line("subtitle", facts.board)
    if facts.start_time:
        yield Line("subtitle", _time(facts, facts.start_time))
    yield Line("subtitle", _told(facts, "number", number=facts.approval["number"]))
    yield Line("item", _told(facts, f"approved.{facts.approval['manner']}", time=_time(facts, _approved_at(facts))))
    yield Line(MISSING, text(facts.language, "pack.missing_letters", letters=LETTERS))
    minutes = facts.minutes
    yield Line("heading", " ")
    yield Line("heading", _told(facts, "attendance"))
    yield from (Line("detail", _attendance(facts, entry)) for entry in minutes["attendance"])
    for number, item in enumerate(minutes["items"], 1):
        yield from _item(facts, number, item)
    yield from _approval(facts)


def _attendance(facts: ApprovedMinutes, entry: Mapping[str, Any]) -> str:
    name = entry["name"] or facts.name(entry["userId"] or entry["unregisteredUserId"])
    present = _told(facts, f"present.{entry['present']}")
    return f"{name} · {present}"


def _item(facts: ApprovedMinutes, number: int, item: Mapping[str, Any]) -> Iterator[Line]:
    agenda_item_id = item.get("agendaItemId")
    title = facts.name(agenda_item_id) if agenda_item_id else _told(facts, "item")
    yield Line("detail", " ")
    yield Line("item", f"{number}. {title}")
    if "sealed" in item:
        yield Line("detail", _told(facts, "withheld", sha256=item["sealed"]))
        return
    yield from (Line("detail", part or " ") for part in item["text"].split("\n"))
    if item["decision"]:
        yield Line("item", _told(facts, f"decision.{item['decision']['result']}"))
        yield from (Line("detail", part or " ") for part in item["decision"]["text"].split("\n"))
    if item["resolutionId"]:
        yield Line("item", _told(facts, "resolution", resolution=facts.name(item["resolutionId"])))
    for action_item_id in item["actionItemIds"]:
        yield Line("detail", _told(facts, "action_item", title=facts.name(action_item_id)))


def _approval(facts: ApprovedMinutes) -> Iterator[Line]:
    approval, event = facts.approval, facts.approval["event"]
    yield Line("heading", " ")
    yield Line("heading", _told(facts, "approval"))
    yield Line("item", _told(facts, f"approved.{approval['manner']}", time=_time(facts, _approved_at(facts))))
    if approval["inMeetingId"]:
        yield Line("detail", _told(facts, "in_meeting", meeting=facts.name(approval["inMeetingId"])))
    if approval["resolutionId"]:
        yield Line("detail", _told(facts, "by_resolution", resolution=facts.name(approval["resolutionId"])))
    yield Line("detail", _told(facts, "recorded_by", name=facts.name(approval["approvedByUserId"])))
    for signature in facts.signatures:
        name, time = facts.name(signature["userId"]), _time(facts, signature["at"])
        yield Line("detail", _told(facts, "signed", name=name, role=signature["role"], time=time))
    yield Line("detail", _told(facts, "version", version=approval["version"]))
    if approval["supersedesVersion"]:
        yield Line("detail", _told(facts, "corrects", version=approval["supersedesVersion"]))
    yield Line("text", f"SHA-256 {approval['sha256']}")
    yield Line("detail", _told(facts, "entry", index=event["index"]))
    yield Line("detail", _told(facts, "how", version=VERSION_FILE, approval=APPROVAL_FILE))
    yield Line("item", _told(facts, "seal"))


def _approved_at(facts: ApprovedMinutes) -> str:
    approved_at: str = facts.approval["approvedAt"]
    return approved_at


def _time(facts: ApprovedMinutes, instant: str) -> str:
    return instant_in_words(Instant(instant), facts.timezone, facts.language)


def _told(facts: ApprovedMinutes, key: str, **values: object) -> str:
    return text(facts.language, f"minutes_file.{key}", **values)
