"""The event of a published report, and the notifications and e-mails that members get."""

from __future__ import annotations

from typing import Any

from governance.ids import new_id
from governance.models.history.event import Event
from tests.harness.board_scenario import BoardScenario, Person
from tests.harness.outbox import Outbox
from tests.harness.stream import new_event


def inbox(who: Person) -> list[Any]:
    """Returns the notifications of a member, newest first."""
    answer = who.client.get("/api/notification/")
    assert answer.status == 200, answer.text
    return list(answer.json)


def types(who: Person) -> list[str]:
    """Returns the types of a member's notifications, newest first."""
    return [entry["type"] for entry in inbox(who)]


def published(scenario: BoardScenario, **members: Any) -> Any:
    """Returns the event of a report that the owner has published."""
    details = {"from": "draft", "to": "published"}
    usual = {"refs": {"reportId": new_id()}, "details": details, "delivery_data": {"title": "Q3"}}
    return new_event(scenario.board_id, Event.REPORT_STATUS_CHANGED, scenario.owner.id, **(usual | members))


def addresses(outbox: Outbox) -> list[str]:
    """Returns the addresses that e-mails were sent to, sorted."""
    return sorted(str(mail["To"]) for mail in outbox.mails)
