"""Two regions and two stages of one account: what is the account's, its own installation alone changes and deletes."""

import json
from collections.abc import Callable, Iterator
from typing import Any

import boto3
import pytest

from infra.deployment import checks, deploy, stacks, take_back, undeploy
from infra.deployment.checks import Installation
from infra.deployment.deploy import StepFailed, Templates
from tests.harness.engine import empty_account

HOME, AWAY = "eu-west-1", "eu-central-1"
FIREWALL = {
    "Parameters": {name: {"Type": "String", "Default": ""} for name in ("Stage", "Region", "DistributionId")},
    "Resources": {"Queue": {"Type": "AWS::SQS::Queue"}},
}
SERVICE = {"Parameters": {"Stage": {"Type": "String"}}, "Resources": {"Queue": {"Type": "AWS::SQS::Queue"}}}


def _create(name: str, region: str, template: dict[str, Any], **parameters: str) -> None:
    given: Any = [{"ParameterKey": key, "ParameterValue": value} for key, value in parameters.items()]
    client = boto3.client("cloudformation", region_name=region)
    client.create_stack(StackName=name, TemplateBody=json.dumps(template), Parameters=given)


@pytest.fixture(autouse=True)
def _account() -> Iterator[None]:
    """An account with the installation `boards` of the stage `prod` in one region."""
    with empty_account():
        _create("boards", HOME, SERVICE, Stage="prod")
        _create("boards-firewall", "us-east-1", FIREWALL, Stage="prod", Region=HOME, DistributionId="E1")
        yield


def problems(region: str, stack: str, stage: str) -> list[str]:
    installation = Installation(boto3.Session(region_name=region), stack, {"Stage": stage})
    return [problem.text for check in (checks.place, checks.stage) for problem in check(installation) if problem.stops]


IS_ELSEWHERE = f"The stack boards is in {HOME}: set AWS_DEFAULT_REGION, or STACK."
HAS_THE_STAGE = f"The stack boards in {HOME} has Stage=prod too: choose another Stage."
KEEPS_ITS_STAGE = "The stack boards has Stage=prod: keep that, or set another STACK."


@pytest.mark.parametrize(
    ("region", "stack", "stage", "said"),
    [
        pytest.param(HOME, "boards", "prod", [], id="it is deployed again where it is"),
        pytest.param(AWAY, "boards", "prod", [IS_ELSEWHERE], id="elsewhere it would take the firewall away"),
        pytest.param(AWAY, "other", "prod", [HAS_THE_STAGE], id="names of the CDN are the account's"),
        pytest.param(AWAY, "other", "staging", [], id="another stage is another installation"),
        pytest.param(HOME, "boards", "live", [KEEPS_ITS_STAGE], id="its bucket of files would be an empty one"),
    ],
)
def test_an_installation_keeps_its_region_and_its_stage(region: str, stack: str, stage: str, said: list[str]) -> None:
    assert problems(region, stack, stage) == said


def test_the_firewall_of_an_earlier_release_that_names_no_region_is_nobody_elses_either() -> None:
    _create("old", HOME, SERVICE, Stage="old")
    _create("old-firewall", "us-east-1", FIREWALL, Stage="old", DistributionId="E2")
    assert problems(HOME, "old", "old") == []
    assert problems(AWAY, "old", "old") == ["The stack old is in another region: set AWS_DEFAULT_REGION, or STACK."]


@pytest.mark.parametrize("name", ["boards", "old"])
def test_undeploy_in_another_region_deletes_nothing(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    _create("old-firewall", "us-east-1", FIREWALL, Stage="old", DistributionId="E2")
    monkeypatch.setenv("STACK", name)
    monkeypatch.setenv("AWS_DEFAULT_REGION", AWAY)
    monkeypatch.setattr("builtins.input", lambda _: name)
    with pytest.raises(SystemExit, match=r"set AWS_DEFAULT_REGION\. Nothing was deleted"):
        undeploy.main()
    assert stacks.describe(boto3.client("cloudformation", region_name="us-east-1"), f"{name}-firewall")


@pytest.mark.parametrize("command", [undeploy.main, take_back.main])
def test_an_installation_that_does_not_exist_is_named_with_its_region(
    command: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STACK", "absent")
    monkeypatch.setenv("AWS_DEFAULT_REGION", HOME)
    with pytest.raises(SystemExit, match="There is no installation absent in eu-west-1: set STACK or AWS_DEFAULT"):
        command()


def test_changes_that_are_declined_end_the_deployment_and_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    """`sam deploy` ends with 0 then, and leaves its change set."""
    client = boto3.client("cloudformation", region_name="us-east-1")

    def declined(*_: Any, **__: Any) -> Any:
        client.create_change_set(
            StackName="boards-firewall",
            ChangeSetName="samcli-1",
            TemplateBody=json.dumps(FIREWALL),
            ChangeSetType="UPDATE",
        )
        return type("Done", (), {"returncode": 0})

    monkeypatch.setattr("subprocess.run", declined)
    installation = Installation(boto3.Session(region_name=HOME), "boards", {"Stage": "prod"})
    with pytest.raises(StepFailed, match=r"boards-firewall were declined\. Nothing else was deployed"):
        deploy.deploy(installation, {"Stage": "prod"}, Templates(), ask=True)
    assert stacks.change_sets(client, "boards-firewall") == set()
