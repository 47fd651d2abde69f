"""`make deploy`, run twice by the real `sam` against an emulator: where each stack goes, and what is in it."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import boto3
import pytest

from infra.deployment import deploy, stacks
from infra.deployment.checks import Installation
from infra.deployment.deploy import Templates
from infra.local import engine
from infra.stack.template import ROOT, Template

REGION = "eu-west-1"
SERVICE = {
    "Parameters": {name: {"Type": "String"} for name in ("Stage", "OidcOrigins", "WebAclArn")},
    "Resources": {"Queue": {"Type": "AWS::SQS::Queue"}},
    "Outputs": {"DistributionId": {"Value": "EDFDVBD632BHDS5"}},
}
"""A service that the emulator can create, with the parameters that matter here."""
GIVEN = {"Stage": "prod", "OidcOrigins": "https://a.example https://b.example", "RateLimitCatalog": "500"}


@pytest.fixture(scope="module")
def emulator(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    folder, port = tmp_path_factory.mktemp("emulator"), engine.free_port()
    settings = engine.sdk_environment(f"http://127.0.0.1:{port}")
    own = {"GATEWAY_PORT": str(port), "BIND_HOST": "127.0.0.1", "MINISTACK_HOST": "127.0.0.1", "LOG_LEVEL": "WARNING"}
    with (folder / "emulator.log").open("wb") as log:
        command = [str(ROOT / ".venv-emulator/bin/python"), "-m", "ministack"]
        process = subprocess.Popen(command, env=os.environ | settings | own, stdout=log, stderr=log)  # noqa: S603 - ours
    running = engine.Engine(settings, [process])
    try:
        engine.wait_until_ready(f"{settings['AWS_ENDPOINT_URL']}/_ministack/health", running)
        yield settings
    finally:
        running.stop()


class Account:
    """The emulator's account; it notes the policies of stacks, which the emulator does not have."""

    def __init__(self, templates: Templates) -> None:
        self.session = boto3.Session(region_name=REGION)
        self.installation = Installation(self.session, "boards", GIVEN)
        self.templates = templates
        self.policies: dict[str, Any] = {}
        self.protected: dict[str, str] = {}
        self.session.events.register("before-call.cloudformation.SetStackPolicy", self._note)
        self.session.events.register("before-call.cloudformation.UpdateTerminationProtection", self._protect)

    def _note(self, params: dict[str, Any], **_: Any) -> Any:
        body = params["body"]
        self.policies[body["StackName"]] = json.loads(body["StackPolicyBody"])
        return type("Response", (), {"status_code": 200})(), {}

    def _protect(self, params: dict[str, Any], **_: Any) -> Any:
        body = params["body"]
        self.protected[body["StackName"]] = body["EnableTerminationProtection"]
        return type("Response", (), {"status_code": 200})(), {}

    def deploy(self) -> None:
        deploy.deploy(self.installation, GIVEN, self.templates, ask=False)

    def stack(self, name: str, region: str) -> dict[str, Any] | None:
        return stacks.describe(self.session.client("cloudformation", region_name=region), name)


def _paths(templates: Templates) -> tuple[Path, Path]:
    return templates.service, templates.firewall


def parameters_of(stack: dict[str, Any] | None) -> dict[str, str]:
    assert stack
    return {each["ParameterKey"]: each["ParameterValue"] for each in stack["Parameters"]}


@pytest.fixture
def account(emulator: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Account:
    for name, value in (emulator | {"SAM_CLI_TELEMETRY": "0"}).items():
        monkeypatch.setenv(name, value)
    firewall, service = tmp_path / "firewall.json", tmp_path / "service.json"
    document = Template(Templates.firewall).document
    for name in ("EdgeFunctionErrors", "EdgeFunctionInvalid", "EdgeFunctionThrottled"):
        del document["Resources"][name]  # the emulator has no alarms on sums of metrics
    firewall.write_text(json.dumps(document))
    service.write_text(json.dumps(SERVICE))
    return Account(Templates(firewall, service))


@pytest.mark.slow
def test_two_deployments_put_each_stack_into_its_region_with_whole_parameters(account: Account) -> None:
    for _ in range(2):  # the second changes nothing, which is no error
        account.deploy()
        assert account.stack("boards-firewall", REGION) is None
        assert account.stack("boards", "us-east-1") is None
        firewall, service = account.stack("boards-firewall", "us-east-1"), account.stack("boards", REGION)
        assert parameters_of(firewall) | {"RateLimitFlood": ""} == {
            "Stage": "prod",
            "RateLimitCatalog": "500",
            "RateLimitFlood": "",
            "AlarmEmail": "",
            "EdgeLogs": "no",
            "OutsideCheck": "no",
            "Region": REGION,
            "Host": "",
            "DistributionId": "EDFDVBD632BHDS5",
        }
        found = parameters_of(service)
        assert found["OidcOrigins"] == GIVEN["OidcOrigins"]
        assert found["WebAclArn"].startswith("arn:aws:wafv2:us-east-1:")
        service_policy, firewall_policy = (stacks.policy(Template(path)) for path in _paths(account.templates))
        assert account.policies == {"boards": service_policy, "boards-firewall": firewall_policy}
        assert account.protected == {"boards": "true", "boards-firewall": "true"}




def test_no_change_of_the_template_replaces_or_removes_data() -> None:
    allow, deny = stacks.policy(Template())["Statement"]
    assert (allow["Effect"], allow["Resource"]) == ("Allow", "*")
    assert (deny["Effect"], deny["Action"]) == ("Deny", ["Update:Replace", "Update:Delete"])
    kept = {"Table", "StaticBucket", "PapersBucket", "WebhookKey", "LogKey", "BallotSecret"}
    assert set(deny["Resource"]) == {f"LogicalResourceId/{name}" for name in kept}


def test_a_changed_template_or_parameter_publishes_every_function_anew(tmp_path: Path) -> None:
    """SAM hashes references, not values: without this, a changed parameter would reach nobody."""
    built = tmp_path / "template.yaml"
    built.write_text((ROOT / "template.yaml").read_text())

    def described(**parameters: str) -> str:
        written = deploy.release(built, Installation(None, "boards", parameters))
        return str(Template(written).document["Globals"]["Function"]["Description"]["Fn::Sub"])

    first = described(RateLimitFlood="150")
    assert first == described(RateLimitFlood="150")
    assert not first.endswith("release 0")
    assert described(RateLimitFlood="151") != first
    built.write_text(built.read_text() + "# another release\n")
    assert described(RateLimitFlood="150") != first


def run_make_deploy(folder: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """Runs the command of `make deploy` in a shell without any setting of AWS."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("AWS_")}
    environment |= {"HOME": str(folder), "AWS_EC2_METADATA_DISABLED": "true", "PYTHONPATH": f"{ROOT}:{ROOT}/shared"}
    (folder / "deploy.parameters").write_text("MailDomain=mail.example.com\nJwtIssuer=https://login.example.com/\n")
    return subprocess.run(
        [sys.executable, "-m", "infra.deployment.deploy"],
        cwd=folder,
        env=environment | variables,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.slow
def test_without_a_region_nothing_begins(tmp_path: Path) -> None:
    done = run_make_deploy(tmp_path)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("No region is set.")


@pytest.mark.slow
def test_the_region_of_a_profile_counts_and_without_credentials_nothing_begins(tmp_path: Path) -> None:
    config = tmp_path / "config"
    config.write_text("[default]\nregion = eu-central-1\n")
    done = run_make_deploy(tmp_path, AWS_CONFIG_FILE=str(config))
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("AWS accepts no credentials of this shell")
