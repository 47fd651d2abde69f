"""`boardctl`: the effect of each command, from the next request on."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from governance.domain.access.access import ALLOWING_BILLING_STATES, BILLING_STATES
from governance.settings import settings
from infra.operator import environment
from tests.harness.board_scenario import BoardScenario
from tests.harness.client import Client
from tests.harness.fault_injection import refused
from tests.harness.stream import event_records, process_records
from tests.operator.commands import audited, boardctl


@pytest.mark.parametrize(("status", "code"), [("suspended", "ACCOUNT_SUSPENDED"), ("inactive", "ACCOUNT_INACTIVE")])
def test_a_closed_account_is_403_everywhere_and_open_again_is_as_before(
    scenario: BoardScenario, status: str, code: str
) -> None:
    ben = scenario.member("ben")
    token = scenario.personal_token(ben)
    assert boardctl("user", "status", ben.id, status).exit_code == 0
    for caller in (ben.client, token):
        for path in ("/api/v1/whoami", "/api/v1/me", "/api/v1/boards", scenario.path, f"{scenario.path}/meetings"):
            assert caller.get(path).failure == (403, code)
    assert boardctl("user", "status", ben.id, "active").exit_code == 0
    assert ben.client.get(scenario.path).status == token.get(scenario.path).status == 200


def test_show_prints_the_user_and_the_boards(scenario: BoardScenario) -> None:
    shown = json.loads(boardctl("user", "show", scenario.owner.id).output)
    assert shown["email"] == scenario.owner.email
    assert shown["status"] == "active"
    assert [(board["id"], board["adminRole"]) for board in shown["boards"]] == [(scenario.board_id, "owner")]
    assert shown["boards"][0]["url"] == f"https://governance.example.com/boards/{scenario.board_id}"


@pytest.mark.parametrize("state", BILLING_STATES)
def test_the_billing_state_restricts_writes_and_never_reads(scenario: BoardScenario, state: str) -> None:
    assert boardctl("billing", "set", scenario.board_id, state).exit_code == 0
    assert scenario.owner.client.get(scenario.path).data["billingState"] == state
    answer = scenario.owner.client.post(f"{scenario.path}/meetings", {"title": "Meeting"})
    assert (answer.status == 201) is (state in ALLOWING_BILLING_STATES)
    override = audited(scenario.board_id)[0]
    assert (override["action"], override["details"]) == ("billingPlanOverride", {"from": "TRIAL_ACTIVE", "to": state})


def test_a_revoked_token_is_401_on_the_next_call(scenario: BoardScenario) -> None:
    for caller, path in (
        (scenario.token(), f"{scenario.path}/tokens"),
        (scenario.personal_token(scenario.owner), "/api/v1/me/tokens"),
    ):
        token_id = scenario.owner.client.get(path).data[0]["id"]
        assert boardctl("token", "revoke", token_id).exit_code == 0
        assert caller.get("/api/v1/whoami").failure == (401, "INVALID_API_TOKEN")
        assert scenario.owner.client.get(path).data[0]["status"] == "revoked"


@pytest.mark.usefixtures("store")
def test_a_session_is_the_same_user_every_time_however_the_address_is_written() -> None:
    for address in ("ada.lovelace@example.com", " Ada.Lovelace@Example.com"):
        answer = boardctl("session", address)
        user = Client(answer.stdout.strip()).get("/api/v1/me").data
        assert (user["firstName"].lower(), user["lastName"].lower()) == ("ada", "lovelace")
        assert answer.stderr.split()[1].rstrip(",") == user["id"]
        assert "https://governance.example.com/app/sign-in" in answer.stderr
    assert boardctl("session", "ada.lovelace@example.com").stderr.split()[1].rstrip(",") == user["id"]


@pytest.mark.usefixtures("store")
def test_a_session_is_refused_for_what_is_no_address_and_without_a_secret_to_sign_with(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    result = boardctl("session", "ada")
    assert (result.exit_code, "must be an e-mail address such as" in result.output) == (2, True)
    monkeypatch.setenv("JWT_SECRET", "")
    settings.cache_clear()
    result = boardctl("session", "ada@example.com")
    assert (result.exit_code, "identity provider" in result.output) == (1, True)


@pytest.mark.parametrize(
    "words",
    [
        ("user", "show", "f" * 24),
        ("user", "show", "no-id"),
        ("user", "status", "f" * 24, "active"),
        ("user", "purge", "f" * 24, "--yes"),
        ("billing", "set", "f" * 24, "CANCELLED"),
        ("board", "transfer", "f" * 24, "f" * 24),
        ("board", "transfer", "no-id", "f" * 24),
        ("token", "revoke", "f" * 24),
        ("token", "revoke", "#"),
        ("webhooks", "list", "0" * 24),
        ("webhooks", "disable", "0" * 24),
        ("webhooks", "disable", "nonsense"),
    ],
)
def test_an_absent_resource_is_reported_in_one_sentence(store: str, words: tuple[str, ...]) -> None:
    del store
    result = boardctl(*words)
    assert result.exit_code == 1
    assert result.output == "Error: There is no resource with this id.\n"


@pytest.mark.parametrize("code", ["NoCredentialsError", "ExpiredTokenException", "ResourceNotFoundException"])
def test_what_the_table_refuses_is_named_by_the_code_of_aws(store: str, code: str) -> None:
    """At night the code tells whether the session has expired, the region is wrong or the name."""
    del store
    with refused("BatchGetItem", code):
        result = boardctl("user", "show", "f" * 24)
    assert result.exit_code == 1
    sentence = result.output.splitlines()[-1]
    assert sentence.startswith(f"Error: AWS refused the table {settings().table_name} ({code}). Check your credentials")


def test_a_profile_that_is_absent_is_no_fault_of_the_network(store: str, monkeypatch: pytest.MonkeyPatch) -> None:
    del store
    monkeypatch.setenv("AWS_PROFILE", "absent")
    monkeypatch.setattr("boto3.DEFAULT_SESSION", None)
    result = boardctl("mails", "--bucket", "some")
    assert result.exit_code == 1
    assert result.output.startswith("Error: AWS was not reached: The config profile (absent) could not be found. Check")


def test_commands_act_on_the_last_service_of_this_machine_unless_the_shell_names_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "env"
    file.write_text("TABLE_NAME=local-table\nJWT_ISSUER='an issuer'\n")
    monkeypatch.setattr(os, "environ", {"HOME": "/"})
    environment.prepare(file)
    assert (os.environ["TABLE_NAME"], os.environ["JWT_ISSUER"]) == ("local-table", "an issuer")
    monkeypatch.setattr(os, "environ", {"TABLE_NAME": "in-the-cloud"})
    environment.prepare(file)
    assert os.environ["TABLE_NAME"] == "in-the-cloud"
    assert os.environ["JWT_ISSUER"] == ""


def test_a_missing_installation_is_reported_in_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "environ", {})
    with pytest.raises(Exception, match="make run"):
        environment.prepare(tmp_path / "env")


@pytest.mark.parametrize(
    "words",
    [
        *((), ("user",), ("user", "status"), ("user", "purge"), ("board", "transfer"), ("billing", "set")),
        *(("token",), ("session",), ("deliveries",), ("deliveries", "redrive")),
    ],
)
def test_help_explains_every_command_without_an_installation(
    words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "environ", {})
    result = boardctl(*words, "--help")
    assert result.exit_code == 0
    assert len(result.output.splitlines()) > 4


def test_webhooks_are_shown_without_secrets_and_can_be_disabled(scenario: BoardScenario) -> None:
    body = {"url": "https://hooks.example.com/", "events": ["*"], "name": "CRM"}
    created = scenario.owner.client.post(f"{scenario.path}/webhooks", body).data
    shown = json.loads(boardctl("webhooks", "list", scenario.board_id).output)
    assert [(entry["id"], entry["url"], entry["enabled"]) for entry in shown] == [(created["id"], body["url"], True)]
    assert not any("ecret" in name for name in shown[0])
    assert boardctl("webhooks", "disable", created["id"]).exit_code == 0
    assert boardctl("webhooks", "disable", created["id"]).exit_code == 0
    after = scenario.owner.client.get(f"{scenario.path}/webhooks/{created['id']}").data
    assert (after["enabled"], after["disabledReason"]) == (False, "operator")
    assert process_records(event_records(scenario.board_id)) == []
    told = [entry["message"] for entry in scenario.owner.client.get("/api/notification/").json]
    assert told == ["A webhook of the board “Board” was disabled: an operator has disabled “CRM”."]
