"""The webhooks of a board: what is stored, shown, limited and recorded."""

from __future__ import annotations

import base64
import json
from typing import Any

import pytest

from governance import telemetry
from governance.instants import shift
from governance.limits import WEBHOOK_DELIVERY_DAYS, WEBHOOKS_PER_BOARD
from governance.store.webhooks import webhook_secrets, webhooks
from tests.harness.board_scenario import BoardScenario
from tests.harness.client import Response
from tests.harness.clock import Clock
from tests.harness.table_snapshot import TableSnapshot

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


def test_a_secret_is_stored_encrypted_for_its_webhook_alone(scenario: BoardScenario) -> None:
    first, second = create(scenario), create(scenario)
    one, other = webhooks.of_board(scenario.board_id).webhooks
    assert webhook_secrets.decrypt(one.secret, scenario.board_id, one.id) == first.data["secret"]
    with pytest.raises(Exception, match="invalid"):
        webhook_secrets.decrypt(other.secret, scenario.board_id, one.id)
    rows = repr(TableSnapshot().items)
    for response in (first, second):
        assert response.data["secret"].removeprefix("whsec_") not in rows


def test_a_repeated_creation_gives_everything_but_the_secret(scenario: BoardScenario) -> None:
    first = scenario.owner.client.post(path(scenario), BODY, idempotency_key="one")
    again = scenario.owner.client.post(path(scenario), BODY, idempotency_key="one")
    assert again.headers["Idempotent-Replayed"] == "true"
    assert again.data == {**first.data, "secret": None}
    assert len(scenario.owner.client.all(path(scenario))) == 1


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


def test_a_board_has_at_most_ten_webhooks(scenario: BoardScenario) -> None:
    for _ in range(WEBHOOKS_PER_BOARD):
        assert create(scenario).status == 201
    refused = create(scenario)
    assert (*refused.failure, refused.details["reason"]) == (409, "CONFLICT", "LIMIT_REACHED")
    first = scenario.owner.client.get(path(scenario)).data[0]["id"]
    assert scenario.owner.client.delete(path(scenario, first)).status == 200
    assert create(scenario).status == 201


@pytest.mark.parametrize(("limit", "sizes"), [(1, [1] * 6), (2, [2, 2, 2]), (4, [4, 2]), (6, [6]), (7, [6])])
@pytest.mark.parametrize("order", ["asc", "desc"])
def test_webhooks_are_listed_by_creation_page_by_page(
    scenario: BoardScenario, order: str, limit: int, sizes: list[int]
) -> None:
    ids = [create(scenario, name=f"hook {number}").data["id"] for number in range(6)]
    pages = list(scenario.owner.client.pages(path(scenario), limit=limit, order=order))
    assert [len(page) for page in pages] == sizes
    listed = [entry for page in pages for entry in page]
    assert {entry["id"] for entry in listed} == {*ids}
    stamps = [(entry["createdAt"], entry["id"]) for entry in listed]
    assert stamps == sorted(stamps, reverse=order == "desc")


@pytest.mark.parametrize(("members", "enabled"), [({}, True), ({"enabled": True}, True), ({"enabled": False}, False)])
def test_a_webhook_is_enabled_unless_it_is_created_otherwise(
    scenario: BoardScenario, members: dict[str, bool], enabled: bool
) -> None:
    assert create(scenario, **members).data["enabled"] is enabled


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


@pytest.mark.parametrize(
    ("member", "value"),
    [
        ("url", "http://hooks.example.com/"),
        ("url", "https://user:password@hooks.example.com/"),
        ("url", "https://user@hooks.example.com/"),
        ("url", "https://hooks.example.com/" + "a" * 2048),
        ("url", "https://hooks.example.com/#part"),
        ("url", "https://hooks.example.com:0/"),
        ("url", "https://hooks.example.com:65536/"),
        ("url", "https://hooks.example.com/ /"),
        ("url", "https://hooks.example.com\\@127.0.0.1/"),
        ("url", "https://ho\u00f6ks.example.com/"),
        ("url", "ftp://hooks.example.com/"),
        ("url", "hooks.example.com"),
        ("url", "https://[v1.foo]/"),
        ("url", "https://"),
        ("url", ""),
        ("events", ["*", "meeting.*"]),
        ("events", ["meeting"]),
        ("events", ["meeting.unknown"]),
        ("events", ["meetin*"]),
        ("events", ["nothing.*"]),
        ("name", " "),
        ("name", "two\nlines"),
    ],
)
def test_a_bad_member_is_named(scenario: BoardScenario, member: str, value: Any) -> None:
    refused = create(scenario, **{member: value})
    assert refused.failure == (400, "INVALID_REQUEST_BODY")
    assert any(name.partition(".")[0] == member for name in refused.fields), refused.text
    assert scenario.owner.client.get(path(scenario)).data == []


def test_an_error_says_what_to_change_in_the_words_of_the_api(scenario: BoardScenario) -> None:
    assert create(scenario, events=[]).fields == {"events": "must have at least 1 item"}
    assert create(scenario, events=["meeting.created"] * 51).fields == {"events": "must have at most 50 items"}
    assert create(scenario, colour="red").fields == {"colour": "is not a known field"}


def test_all_errors_of_a_body_are_named_at_once(scenario: BoardScenario) -> None:
    refused = create(scenario, url="https://127.0.0.1/", events=["no.such"], name="")
    assert {name.partition(".")[0] for name in refused.fields} == {"url", "events", "name"}


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
        each for each in scenario.owner.client.all(f"{scenario.path}/events") if each["id"] == tested.data["eventId"]
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


def test_deliveries_are_paged_newest_first(scenario: BoardScenario, clock: Clock) -> None:
    hook = create(scenario).data["id"]
    ids = []
    for second in range(5):
        clock.advance(seconds=second)
        ids.append(scenario.owner.client.post(path(scenario, hook, "test")).data["id"])
    pages = list(scenario.owner.client.pages(path(scenario, hook, "deliveries"), limit=2))
    assert [[entry["id"] for entry in page] for page in pages] == [ids[:2:-1], ids[2:0:-1], ids[:1]]


def test_what_happens_to_a_webhook_is_in_the_feed_without_url_or_secret(scenario: BoardScenario, clock: Clock) -> None:
    created = create(scenario).data
    hook = created["id"]
    client = scenario.owner.client
    rotated = client.post(path(scenario, hook, "rotate-secret")).data["secret"]
    delivery = client.post(path(scenario, hook, "test")).data["id"]
    client.post(path(scenario, hook, "deliveries", delivery, "redeliver"))
    client.patch(path(scenario, hook), {"url": "https://other.example.com/", "name": "New"})
    client.delete(path(scenario, hook))
    clock.advance(minutes=1)
    events = client.all(f"{scenario.path}/events")
    assert {event["type"] for event in events} >= {
        "webhook.created",
        "webhook.secret_rotated",
        "webhook.tested",
        "webhook.redelivered",
        "webhook.updated",
        "webhook.deleted",
    }
    mine = [event for event in events if event["type"].startswith("webhook.")]
    assert all(event["refs"]["webhookId"] == hook for event in mine)
    (updated,) = [event for event in mine if event["type"] == "webhook.updated"]
    assert updated["details"] == {"fields": ["name", "url"]}
    text = json.dumps(events)
    assert all(hidden not in text for hidden in (created["secret"], rotated, "hooks.example.com", "other.example.com"))


def test_a_deleted_webhook_is_gone_with_the_way_to_it(scenario: BoardScenario) -> None:
    hook = create(scenario).data["id"]
    assert webhooks.board_of(hook) == scenario.board_id
    assert scenario.owner.client.delete(path(scenario, hook)).data == {"deleted": True}
    assert scenario.owner.client.get(path(scenario, hook)).status == 404
    assert scenario.owner.client.delete(path(scenario, hook)).status == 404
    assert webhooks.board_of(hook) is None


def test_no_secret_and_no_url_reaches_the_log(scenario: BoardScenario, capsys: pytest.CaptureFixture[str]) -> None:
    telemetry.logger().setLevel("DEBUG")
    created = create(scenario).data
    rotated = scenario.owner.client.post(path(scenario, created["id"], "rotate-secret")).data
    written = "".join(capsys.readouterr())
    assert "webhooks" in written
    assert all(hidden not in written for hidden in (created["secret"], rotated["secret"], "hooks.example.com"))
