"""The webhooks of a board: what is stored, shown, limited and recorded."""

from __future__ import annotations

import base64
from typing import Any

import pytest

from governance import telemetry
from governance.instants import shift
from governance.limits import WEBHOOK_DELIVERY_DAYS
from governance.store.webhooks import webhook_secrets, webhooks
from tests.harness.board_scenario import BoardScenario
from tests.harness.client import Response
from tests.harness.clock import Clock

URL = "https://hooks.example.com/boards?tenant=7"
BODY: dict[str, Any] = {"url": URL, "events": ["meeting.*", "report.status_changed"], "name": "CRM"}
FIELDS = {"object", "id", "boardId", "name", "url", "events", "enabled", "disabledReason", "createdAt", "updatedAt"}


def path(scenario: BoardScenario, *parts: str) -> str:
    return "/".join([f"{scenario.path}/webhooks", *parts])


def create(scenario: BoardScenario, **members: Any) -> Response:
    return scenario.owner.client.post(path(scenario), {**BODY, **members})


def test_a_new_webhook_is_shown_whole_with_its_secret_and_later_without(scenario: BoardScenario) -> None:
    created = create(scenario)
    assert created.status == 201
    assert created.data.keys() == FIELDS | {"secret"}
    secret = created.data["secret"]
    assert secret.startswith("whsec_")
    assert len(base64.b64decode(secret.removeprefix("whsec_"), validate=True)) == 32
    shown = scenario.owner.client.get(path(scenario, created.data["id"]))
    assert shown.data == {name: value for name, value in created.data.items() if name != "secret"}
    assert (shown.data["object"], shown.data["enabled"], shown.data["disabledReason"]) == ("webhook", True, None)
    assert (shown.data["url"], shown.data["events"], shown.data["name"]) == (URL, BODY["events"], "CRM")
    assert scenario.owner.client.get(path(scenario)).data == [shown.data]


def test_a_rotation_keeps_the_old_secret_for_a_day(scenario: BoardScenario) -> None:
    created = create(scenario).data
    rotated = scenario.owner.client.post(path(scenario, created["id"], "rotate-secret"), idempotency_key="turn")
    assert rotated.status == 201
    assert rotated.data["secret"] not in (None, created["secret"])
    again = scenario.owner.client.post(path(scenario, created["id"], "rotate-secret"), idempotency_key="turn")
    assert again.data == {**rotated.data, "secret": None}
    (stored,) = webhooks.of_board(scenario.board_id).webhooks
    assert webhook_secrets.decrypt(stored.previous_secret or "", scenario.board_id, stored.id) == created["secret"]
    assert stored.previous_until == shift(stored.updated_at, hours=24)


def test_a_webhook_may_be_created_disabled(scenario: BoardScenario) -> None:
    assert create(scenario, enabled=False).data["enabled"] is False


def test_a_change_touches_only_what_it_names(scenario: BoardScenario, clock: Clock) -> None:
    created = create(scenario).data
    clock.advance(seconds=5)
    changed = scenario.owner.client.patch(path(scenario, created["id"]), {"name": None, "enabled": False})
    assert changed.status == 200
    assert changed.data.keys() == FIELDS
    different = {name for name in FIELDS if changed.data[name] != created[name]}
    assert different == {"name", "enabled", "updatedAt"}
    assert scenario.owner.client.get(path(scenario, created["id"])).data == changed.data


def test_a_disabled_webhook_is_neither_tested_nor_redelivered_to(scenario: BoardScenario) -> None:
    hook = create(scenario).data["id"]
    delivery = scenario.owner.client.post(path(scenario, hook, "test")).data["id"]
    scenario.owner.client.patch(path(scenario, hook), {"enabled": False})
    for action in ("test", f"deliveries/{delivery}/redeliver"):
        refused = scenario.owner.client.post(path(scenario, hook, action))
        assert (*refused.failure, refused.details["reason"]) == (409, "CONFLICT", "WEBHOOK_DISABLED")


BAD: dict[str, list[Any]] = {
    "url": [
        "http://hooks.example.com/",
        "https://user:password@hooks.example.com/",
        "https://user@hooks.example.com/",
        "https://hooks.example.com/#part",
        "https://hooks.example.com:0/",
        "https://hooks.example.com:65536/",
        "https://hooks.example.com/ /",
        "https://hooks.example.com\\@127.0.0.1/",
        "https://ho\u00f6ks.example.com/",
        "https://127.0.0.1/",
        "ftp://hooks.example.com/",
        "hooks.example.com",
        "https://[v1.foo]/",
        "https://",
    ],
    "events": [["*", "meeting.*"], ["meeting"], ["meeting.unknown"], ["meetin*"], ["nothing.*"]],
}


@pytest.mark.parametrize("member", BAD)
def test_a_bad_member_is_named(scenario: BoardScenario, member: str) -> None:
    for value in BAD[member]:
        refused = create(scenario, **{member: value})
        assert refused.failure == (400, "INVALID_REQUEST_BODY")
        assert {name.partition(".")[0] for name in refused.fields} == {member}, value
    assert scenario.owner.client.get(path(scenario)).data == []


def test_a_test_is_a_delivery_and_a_redelivery_is_the_same_one_again(scenario: BoardScenario, clock: Clock) -> None:
    hook = create(scenario).data["id"]
    tested = scenario.owner.client.post(path(scenario, hook, "test"))
    assert tested.status == 201
    assert tested.data == {
        "object": "webhook_delivery",
        "id": tested.data["id"],
        "webhookId": hook,
        "eventId": tested.data["eventId"],
        "type": "webhook.tested",
        "status": "pending",
        "attempts": [],
        "createdAt": tested.data["createdAt"],
    }
    assert scenario.owner.client.get(path(scenario, hook, "deliveries")).data == [tested.data]
    again = scenario.owner.client.post(path(scenario, hook, "deliveries", tested.data["id"], "redeliver"))
    assert (again.status, again.data) == (201, tested.data)
    clock.advance(minutes=1)
    (event,) = [
        event for event in scenario.owner.client.all(f"{scenario.path}/events") if event["id"] == tested.data["eventId"]
    ]
    assert (event["type"], event["refs"]) == ("webhook.tested", {"webhookId": hook})


def test_deliveries_older_than_thirty_days_are_not_shown(scenario: BoardScenario, clock: Clock) -> None:
    hook = create(scenario).data["id"]
    clock.advance(days=-WEBHOOK_DELIVERY_DAYS, hours=-1)
    scenario.owner.client.post(path(scenario, hook, "test"))
    clock.advance(days=-WEBHOOK_DELIVERY_DAYS, hours=1)
    kept = scenario.owner.client.post(path(scenario, hook, "test")).data["id"]
    clock.advance()
    listed = scenario.owner.client.get(path(scenario, hook, "deliveries")).data
    assert [delivery["id"] for delivery in listed] == [kept]


def test_no_secret_and_no_url_reaches_the_log(scenario: BoardScenario, capsys: pytest.CaptureFixture[str]) -> None:
    telemetry.logger().setLevel("DEBUG")
    created = create(scenario).data
    rotated = scenario.owner.client.post(path(scenario, created["id"], "rotate-secret")).data
    written = "".join(capsys.readouterr())
    assert "webhooks" in written
    assert all(hidden not in written for hidden in (created["secret"], rotated["secret"], "hooks.example.com"))
