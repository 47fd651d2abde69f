"""`boardctl user purge`: what it leaves and when it is refused, and `boardctl board transfer`, which precedes it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner, _NamedTextIOWrapper

from governance.ids import UserId
from governance.models.history.event import Event
from governance.settings import settings
from governance.store.schema import entities, lookups
from governance.store.schema.keys import Range
from governance.store.table import query
from governance.store.transactions import transact
from governance.store.writes import EXISTS, Update
from infra.operator.main import main
from tests.harness.board_scenario import BoardScenario
from tests.harness.bucket import keys
from tests.harness.fault_injection import refused
from tests.harness.stream import deliver, event_records, new_event, process_records
from tests.operator.commands import audited, boardctl

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client


@pytest.mark.usefixtures("bucket")
def test_a_purged_user_leaves_an_id_and_an_audit_trail(scenario: BoardScenario) -> None:
    ben = scenario.member("ben")
    token = scenario.personal_token(ben)
    ben.client.post(f"{scenario.path}/meetings", {"title": "Ben's", "status": "scheduled"})
    before = audited(scenario.board_id)
    assert boardctl("user", "purge", ben.id, "--yes").exit_code == 0
    assert audited(scenario.board_id)[: len(before)] == before
    assert audited(scenario.board_id)[-1]["action"] == "userHardPurge"
    assert audited(scenario.board_id)[-1]["actorUser"] is None
    members = {member["userId"]: member for member in scenario.owner.client.all(f"{scenario.path}/members")}
    assert [members[ben.id][name] for name in ("email", "firstName", "lastName")] == [None, None, None]
    assert ben.client.get("/api/v1/whoami").failure == (403, "ACCOUNT_INACTIVE")
    assert token.get("/api/v1/whoami").failure == (401, "INVALID_API_TOKEN")
    assert "ben@example.com" not in boardctl("user", "show", ben.id).output
    partitions = [entities.USER.key_for(userId=ben.id).pk, lookups.email_user_key(ben.email, UserId("")).pk]
    left = json.dumps([query(Range(partition, "", above=" ")) for partition in partitions])
    assert ben.email not in left
    assert "TOKEN#" not in left


def test_a_purge_removes_the_avatar_and_the_neutral_one_is_shown(scenario: BoardScenario, bucket: S3Client) -> None:
    ben = scenario.member("ben")
    deliver(new_event(scenario.board_id, Event.BOARD_CHANGED, ben.id))
    (entry,) = scenario.owner.client.get("/api/notification/").json
    assert (f"avatars/{ben.id}.svg" in entry["avatar"], "Ben Tester" in entry["message"]) == (True, True)
    assert boardctl("user", "purge", ben.id, "--yes").exit_code == 0
    (entry,) = scenario.owner.client.get("/api/notification/").json
    assert ("avatars/neutral.svg" in entry["avatar"], "Ben" in entry["message"]) == (True, False)
    assert keys(bucket) == ["avatars/neutral.svg"]


def test_a_purge_without_a_bucket_is_refused(scenario: BoardScenario, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BUCKET_NAME", "")
    settings.cache_clear()
    result = boardctl("user", "purge", scenario.owner.id, "--yes")
    assert (result.exit_code, "BUCKET_NAME" in result.output) == (1, True)
    assert scenario.owner.client.get("/api/v1/me").status == 200


@pytest.mark.usefixtures("bucket")
def test_a_purge_may_be_repeated_and_the_account_stays_closed(scenario: BoardScenario) -> None:
    ben = scenario.member("ben")
    for _ in range(2):
        assert boardctl("user", "purge", ben.id, "--yes").exit_code == 0
    assert [entry["action"] for entry in audited(scenario.board_id)].count("userHardPurge") == 1
    assert boardctl("user", "status", ben.id, "active").exit_code == 1
    assert ben.client.get("/api/v1/me").failure == (403, "ACCOUNT_INACTIVE")


def test_a_purge_asks_first_on_a_terminal(scenario: BoardScenario, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_NamedTextIOWrapper, "isatty", lambda _: True)
    result = CliRunner().invoke(main, ["user", "purge", scenario.owner.id], input="n\n")
    assert result.exit_code == 1
    assert scenario.owner.client.get("/api/v1/me").data["email"] == scenario.owner.email


def membership(scenario: BoardScenario, user_id: str) -> str:
    members = scenario.owner.client.all(f"{scenario.path}/members")
    return next(str(member["id"]) for member in members if member["userId"] == user_id)


@pytest.mark.usefixtures("bucket")
def test_a_purge_is_refused_while_the_user_owns_a_board(scenario: BoardScenario) -> None:
    ben = scenario.member("ben")
    refused = boardctl("user", "purge", scenario.owner.id, "--yes")
    assert refused.exit_code == 1
    assert refused.output == (
        f"Error: userId must not own a board, but owns {scenario.board_id}; "
        "transfer each with `boardctl board transfer BOARD_ID MEMBER_ID`\n"
    )
    assert scenario.owner.client.get("/api/v1/me").data["email"] == scenario.owner.email
    assert boardctl("board", "transfer", scenario.board_id, membership(scenario, ben.id)).exit_code == 0
    assert boardctl("user", "purge", scenario.owner.id, "--yes").exit_code == 0


def test_the_operator_gives_the_board_of_a_purged_owner_to_an_active_member(scenario: BoardScenario) -> None:
    ben, cleo = scenario.member("ben"), scenario.member("cleo")
    ids = {who.id: membership(scenario, who.id) for who in (scenario.owner, ben, cleo)}
    transact(
        [
            Update(
                entities.USER.key_for(userId=scenario.owner.id),
                "SET purged = :t, #s = :s",
                {"#s": "status"},
                {":t": True, ":s": "inactive"},
                EXISTS,
            )
        ]
    )  # as purges of the past have left owners
    assert boardctl("user", "status", cleo.id, "suspended").exit_code == 0
    for unfit in (ids[cleo.id], ids[scenario.owner.id], "f" * 24, "x"):
        assert boardctl("board", "transfer", scenario.board_id, unfit).exit_code == 1
    done = boardctl("board", "transfer", scenario.board_id, ids[ben.id])
    page = f"https://governance.example.com/boards/{scenario.board_id}/members"
    assert (done.exit_code, done.output) == (0, f"{scenario.board_id} is owned by {ben.id}. Its members: {page}\n")
    assert ben.client.get(scenario.path).data["myRole"] == "owner"
    roles = {member["userId"]: member["adminRole"] for member in ben.client.all(f"{scenario.path}/members")}
    assert roles == {ben.id: "owner", scenario.owner.id: "admin", cleo.id: "member"}
    (entry,) = [entry for entry in audited(scenario.board_id) if entry["action"] == "ownershipTransfer"]
    assert (entry["actorUser"], entry["details"]["id"]) == (None, ids[ben.id])
    assert process_records(event_records(scenario.board_id)) == []
    assert "ownership_transfer" in [entry["type"] for entry in ben.client.get("/api/notification/").json]


@pytest.mark.parametrize(
    ("code", "sentence"),
    [("ThrottlingException", "The table is unreachable or busy."), ("AccessDeniedException", "AWS refused the table ")],
)
def test_a_failed_search_of_a_purge_is_reported_in_one_sentence_and_goes_on_later(
    scenario: BoardScenario, code: str, sentence: str, bucket: S3Client
) -> None:
    del bucket
    ben = scenario.member("ben")
    with refused("Scan", code):
        result = boardctl("user", "purge", ben.id, "--yes")
    assert result.exit_code == 1
    assert result.output.splitlines()[-1].startswith(f"Error: {sentence}")
    assert boardctl("user", "purge", ben.id, "--yes").exit_code == 0
