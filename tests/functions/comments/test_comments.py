"""Comments on meetings, documents and dashboards: writing, changing, resolving and deleting them, and their limits."""

from __future__ import annotations

import pytest

from infra.operator.purging import purge_users
from tests.functions.comments.conftest import new_dashboard, new_meeting, write
from tests.harness.board_scenario import BoardScenario
from tests.harness.fault_injection import meanwhile
from tests.harness.table_snapshot import TableSnapshot


def test_a_comment_says_who_wrote_what_on_what(scenario: BoardScenario, subject: str) -> None:
    ben = scenario.member("ben")
    parent = write(scenario.owner, subject)
    made = write(ben, subject, "Because.\n\tTruly", mentions=[scenario.owner.id, ben.id], replyToId=parent["id"])
    collection, _, subject_id = subject.rpartition("/")
    assert made == {
        **dict.fromkeys(made),
        "object": "comment",
        "id": made["id"],
        "boardId": scenario.board_id,
        "subject": {"type": collection.rpartition("/")[2].removesuffix("s"), "id": subject_id},
        "authorUserId": ben.id,
        "text": "Because.\n\tTruly",
        "mentions": [scenario.owner.id, ben.id],
        "replyToId": parent["id"],
        "createdAt": made["createdAt"],
        "updatedAt": made["createdAt"],
    }
    assert scenario.member("gus", access_type="guest").client.all(f"{subject}/comments") == [parent, made]


def test_a_comment_on_a_dashboard_may_be_on_one_of_its_figures(scenario: BoardScenario) -> None:
    dashboard = new_dashboard(scenario, scenario.owner)
    assert write(scenario.owner, dashboard, fieldId="arr")["fieldId"] == "arr"
    refused = scenario.owner.client.post(f"{dashboard}/comments", {"text": "T", "fieldId": "mrr"})
    assert list(refused.fields) == ["fieldId"]
    scenario.owner.client.patch(dashboard, {"uniform": {"fields": []}})
    assert scenario.owner.client.all(f"{dashboard}/comments")[0]["fieldId"] == "arr"
    history = new_dashboard(scenario, scenario.owner, dashboardType="historicalFundraising", uniform=None)
    refused = scenario.owner.client.post(f"{history}/comments", {"text": "T", "fieldId": "arr"})
    assert list(refused.fields) == ["fieldId"]


def test_a_reply_is_to_a_comment_on_the_same_thing_and_outlives_it(scenario: BoardScenario, subject: str) -> None:
    elsewhere = write(scenario.owner, new_meeting(scenario, scenario.owner))
    body = {"text": "T", "replyToId": elsewhere["id"]}
    assert list(scenario.owner.client.post(f"{subject}/comments", body).fields) == ["replyToId"]
    parent = write(scenario.owner, subject)
    reply = write(scenario.owner, subject, replyToId=parent["id"])
    assert scenario.owner.client.delete(f"{subject}/comments/{parent['id']}").data == {"deleted": True}
    assert scenario.owner.client.all(f"{subject}/comments") == [reply]


def test_what_is_so_already_changes_nothing_and_is_no_event(scenario: BoardScenario, subject: str) -> None:
    path = f"{subject}/comments/{write(scenario.owner, subject)['id']}"
    for method, route, body in (
        ("PATCH", path, {"text": "How?"}),
        ("PUT", f"{path}/resolution", None),
        ("DELETE", f"{path}/resolution", None),
    ):
        first = scenario.owner.client.call(method, route, body).data
        before = TableSnapshot()
        assert scenario.owner.client.call(method, route, body).data == first
        assert before.changes() == {}


def test_an_author_who_becomes_a_guest_may_neither_change_nor_delete_what_they_wrote(
    scenario: BoardScenario, subject: str
) -> None:
    ben = scenario.member("ben")
    path = f"{subject}/comments/{write(ben, subject)['id']}"
    assert scenario.owner.client.patch(scenario.member_path(ben), {"accessType": "guest"}).status == 200
    assert (ben.client.patch(path, {"text": "How?"}).status, ben.client.delete(path).status) == (403, 403)


@pytest.mark.usefixtures("bucket")
def test_a_purge_deletes_what_its_user_wrote_and_nothing_else(scenario: BoardScenario, subject: str) -> None:
    ben = scenario.member("ben")
    key = {"Idempotency_Key": "k"}
    assert ben.client.post(f"{subject}/comments", {"text": "Planted words"}, **key).status == 201
    kept = write(scenario.owner, subject, replyToId=write(ben, subject)["id"], mentions=[ben.id])
    purge_users([ben.id])
    assert scenario.owner.client.all(f"{subject}/comments") == [kept]
    assert "Planted words" not in str(TableSnapshot().items)


def test_a_comment_on_what_is_deleted_meanwhile_is_a_404(scenario: BoardScenario, subject: str) -> None:
    with meanwhile(lambda: scenario.owner.client.delete(subject)):
        assert scenario.owner.client.post(f"{subject}/comments", {"text": "T"}).status == 404
