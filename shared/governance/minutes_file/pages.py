"""The file of approved minutes: its pages as lines, what is attached, and the acts that it is sealed over."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from governance.domain.notifications.wording import instant_in_words
from governance.instants import Instant
from governance.log.leaves import canonical
from governance.minutes_file.contents import Act, Contents
from governance.models.meetings.approved_minutes import ApprovedMinutes
from governance.packs.jobs import LETTERS, MISSING, Line
from governance.texts import text

VERSION_FILE, APPROVAL_FILE = "minutes.json", "approval.json"
"""The files that are attached: the version as it was hashed, and its approval."""


def contents_of(facts: ApprovedMinutes) -> Contents:
    """Returns the contents of the file of minutes."""
    return Contents(
        title=_told(facts, "title", number=facts.approval["number"], title=facts.title),
        language=facts.language,
        dated_at=_approved_at(facts),
        lines=tuple(lines(facts)),
        attachments={
            VERSION_FILE: facts.version,
            APPROVAL_FILE: canonical(json.dumps(facts.approval)),
        },
        acts=tuple(_acts(facts)),
    )


def _acts(facts: ApprovedMinutes) -> Iterator[Act]:
    """Yields the signatures, each in a field of its own; the approval itself for minutes that nobody has signed."""
    number = facts.approval["number"]
    if not facts.signatures:
        name = facts.name(facts.approval["approvedByUserId"])
        yield Act("Approval", name, _told(facts, "reason.approved", number=number))
    for count, signature in enumerate(facts.signatures, 1):
        reason = _told(facts, "reason.signed", number=number, role=signature["role"])
        yield Act(f"Signature{count}", facts.name(signature["userId"]), reason)


def lines(facts: ApprovedMinutes) -> Iterator[Line]:
    """Yields the lines: title and attendance, each item, how it was approved, and how the file is checked."""
    yield from _head(facts)
    yield Line(MISSING, text(facts.language, "pack.missing_letters", letters=LETTERS))
    yield from _body(facts)
    yield Line("detail", _told(facts, "how", version=VERSION_FILE, approval=APPROVAL_FILE))
    yield Line("item", _told(facts, "seal"))


def lines_in_book(facts: ApprovedMinutes, superseded_by: str | None) -> Iterator[Line]:
    """Yields the lines in a minute book, where another entry may have taken the place of these minutes."""
    yield from _head(facts)
    if superseded_by:
        yield Line("item", _told(facts, "superseded", number=superseded_by))
    yield from _body(facts)


def _head(facts: ApprovedMinutes) -> Iterator[Line]:
    yield Line("title", facts.title)
    yield Line("subtitle", facts.board)
    if facts.start_time:
        yield Line("subtitle", _time(facts, facts.start_time))
    yield Line("subtitle", _told(facts, "number", number=facts.approval["number"]))
    yield Line("item", _told(facts, f"approved.{facts.approval['manner']}", time=_time(facts, _approved_at(facts))))


def _body(facts: ApprovedMinutes) -> Iterator[Line]:
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
    is_logged = event["index"] is not None
    yield Line("detail", _told(facts, "entry", index=event["index"]) if is_logged else _told(facts, "not_logged"))


def _approved_at(facts: ApprovedMinutes) -> Instant:
    return Instant(facts.approval["approvedAt"])


def _time(facts: ApprovedMinutes, instant: str) -> str:
    return instant_in_words(Instant(instant), facts.timezone, facts.language)


def _told(facts: ApprovedMinutes, key: str, **values: object) -> str:
    return text(facts.language, f"minutes_file.{key}", **values)
