"""Agenda templates: items that many agendas get (ADR planning)."""

from __future__ import annotations

from typing import Any

import pytest

from governance import agenda_limits
from governance.usecases import byte_pages
from tests.harness.board_scenario import BoardScenario
from tests.harness.client import Response
from tests.harness.meeting_scenario import MeetingScenario, new_meeting_scenario, stored_events
from tests.harness.table_snapshot import TableSnapshot

MARCH = "2098-03-05T09:00:00.000Z"
ABSENT = "0" * 24


@pytest.fixture
def meeting(scenario: BoardScenario) -> MeetingScenario:
    timed = new_meeting_scenario(scenario)
    assert timed.patch(startTime=MARCH).status == 200
    return timed


def create(board: BoardScenario, *items: dict[str, Any], name: str = "Board meeting") -> Any:
    created = board.owner.client.post(f"{board.path}/agenda-templates", {"name": name, "items": list(items)})
    assert created.status == 201, created.text
    return created.data


def apply(meeting: MeetingScenario, template: Any) -> Response:
    return meeting.board.owner.client.post(f"{meeting.path}/agenda/template", {"templateId": template["id"]})


def titles(response: Response) -> list[str]:
    assert response.status == 200, response.text
    return [item["title"] for item in response.data["items"]]


def test_a_template_is_listed_read_changed_and_deleted(scenario: BoardScenario) -> None:
    client, path = scenario.owner.client, f"{scenario.path}/agenda-templates"
    first = create(scenario, {"title": "Opening", "minutes": 5}, {"title": "Accounts", "months": [3, 1, 3]})
    assert [item["months"] for item in first["items"]] == [None, [1, 3]]
    second = create(scenario, name="Budget")
    assert client.all(path) == [second, first]
    opening, accounts = first["items"]
    body = {"items": [{"title": "Accounts", "id": accounts["id"]}, {"title": "New"}]}
    changed = client.patch(f"{path}/{first['id']}", body)
    assert changed.status == 200, changed.text
    assert changed.data["name"] == "Board meeting"
    assert [item["title"] for item in changed.data["items"]] == ["Accounts", "New"]
    assert (changed.data["items"][0]["id"], changed.data["items"][0]["months"]) == (accounts["id"], None)
    assert client.get(f"{path}/{first['id']}").data == changed.data
    again = {"items": [{"title": "O", "id": opening["id"]}]}
    assert client.patch(f"{path}/{first['id']}", again).fields.keys() == {"items.0.id"}
    assert client.delete(f"{path}/{first['id']}").status == 200
    assert client.get(f"{path}/{first['id']}").status == 404
    assert [len(stored_events(scenario, f"template.{what}")) for what in ("created", "updated", "deleted")] == [2, 1, 1]


def test_the_same_values_change_nothing(scenario: BoardScenario) -> None:
    template = create(scenario, {"title": "Opening", "months": [2]})
    before = TableSnapshot()
    path = f"{scenario.path}/agenda-templates/{template['id']}"
    same = scenario.owner.client.patch(path, {"name": template["name"]})
    assert (same.status, same.data) == (200, template)
    assert "AGENDA_TEMPLATE" not in str(before.changes())


@pytest.mark.parametrize(
    ("item", "named"),
    [
        ({"title": "A", "months": [0]}, "items.0.months.0"),
        ({"title": "A", "months": [13]}, "items.0.months.0"),
        ({"title": "A", "months": []}, "items.0.months"),
        ({"title": "A", "id": ABSENT}, "items.0.id"),
        ({"title": "A", "documentIds": [ABSENT]}, "items.0.documentIds"),
        ({"title": "A", "presenterUserId": ABSENT}, "items.0.presenterUserId"),
        ({"title": "A", "presenterUnregisteredUserId": ABSENT}, "items.0.presenterUnregisteredUserId"),
        ({"title": " "}, "items.0.title"),
    ],
)
def test_what_a_template_may_not_have_is_named_and_nothing_is_stored(
    scenario: BoardScenario, item: dict[str, Any], named: str
) -> None:
    before = TableSnapshot()
    refused = scenario.owner.client.post(f"{scenario.path}/agenda-templates", {"name": "N", "items": [item]})
    assert refused.failure == (400, "INVALID_REQUEST_BODY")
    assert refused.fields.keys() == {named}
    assert "AGENDA_TEMPLATE" not in str(before.changes())


# -- adding the items to an agenda


def test_a_meeting_gets_the_items_of_its_month_and_those_of_all_once(meeting: MeetingScenario) -> None:
    items = {"title": "Every"}, {"title": "March", "minutes": 7, "months": [3]}, {"title": "April", "months": [4]}
    template = create(meeting.board, *items)
    applied = apply(meeting, template)
    assert titles(applied) == ["Every", "March"]
    assert applied.data["items"][1]["minutes"] == 7
    assert {item["id"] for item in template["items"]}.isdisjoint(item["id"] for item in applied.data["items"])
    assert apply(meeting, template).data == applied.data
    assert len(stored_events(meeting.board, "agenda.updated")) == 1
    body = {"items": [{"title": "Renamed", "id": applied.data["items"][0]["id"]}]}
    assert meeting.board.owner.client.put(f"{meeting.path}/agenda", body).status == 200
    assert titles(apply(meeting, template)) == ["Renamed", "March"], "the one that was removed comes again"


def test_the_month_is_that_of_the_meetings_zone(scenario: BoardScenario) -> None:
    template = create(scenario, {"title": "March", "months": [3]}, {"title": "April", "months": [4]})
    for zone, expected in (("Europe/Paris", ["April"]), ("America/New_York", ["March"])):
        meeting = new_meeting_scenario(scenario, title=zone)
        body = {"startTime": "2098-03-31T22:30:00.000Z", "timezone": zone}
        slot = scenario.owner.client.post(f"{meeting.path}/slots", body)
        assert scenario.owner.client.post(f"{meeting.path}/slots/{slot.data['id']}/confirm").status == 200
        assert titles(apply(meeting, template)) == expected, zone


def test_a_meeting_without_a_start_gets_the_items_of_all_months(scenario: BoardScenario) -> None:
    template = create(scenario, {"title": "Every"}, {"title": "March", "months": [3]})
    assert titles(apply(new_meeting_scenario(scenario), template)) == ["Every"]


def test_who_has_left_presents_nothing_that_is_added(meeting: MeetingScenario) -> None:
    ada = meeting.board.member("ada")
    template = create(meeting.board, {"title": "A", "presenterUserId": ada.id})
    (member,) = [
        entry for entry in meeting.board.owner.client.all(f"{meeting.board.path}/members") if entry["userId"] == ada.id
    ]
    assert meeting.board.owner.client.delete(f"{meeting.board.path}/members/{member['id']}").status == 200
    (item,) = apply(meeting, template).data["items"]
    assert item["presenterUserId"] is None


def test_a_template_that_is_not_there_is_named(meeting: MeetingScenario) -> None:
    assert apply(meeting, {"id": ABSENT}).fields == {"templateId": "must be the id of an agenda template of this board"}


def test_an_agenda_that_is_full_or_frozen_takes_no_items(meeting: MeetingScenario) -> None:
    client, template = meeting.board.owner.client, create(meeting.board, {"title": "Every"})
    full = {"items": [{"title": "T"}] * agenda_limits.AGENDA_ITEMS}
    assert client.put(f"{meeting.path}/agenda", full).status == 200
    assert apply(meeting, template).details == {"reason": "LIMIT_REACHED"}
    assert client.put(f"{meeting.path}/agenda", {"items": []}).status == 200
    assert meeting.patch(status="completed").status == meeting.patch(status="finalized").status == 200
    assert apply(meeting, template).details == {"reason": "MEETING_FINALIZED"}


def test_an_agenda_does_not_outgrow_a_row_of_the_store(meeting: MeetingScenario) -> None:
    large = [{"title": "T", "notes": "n" * agenda_limits.AGENDA_ITEM_NOTES}] * 45
    assert meeting.board.owner.client.put(f"{meeting.path}/agenda", {"items": large}).status == 200
    assert apply(meeting, create(meeting.board, *large)).details == {"reason": "LIMIT_REACHED"}


def test_a_page_of_templates_ends_early_where_it_would_outgrow_a_response(
    scenario: BoardScenario, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = [create(scenario, {"title": "T"}, name=f"N{number}") for number in range(3)]
    monkeypatch.setattr(byte_pages, "PAGE_BYTES", 10)
    assert len(scenario.owner.client.get(f"{scenario.path}/agenda-templates").data) == 1
    assert scenario.owner.client.all(f"{scenario.path}/agenda-templates") == made[::-1]
