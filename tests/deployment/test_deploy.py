"""`make deploy`: what it protects, publishes anew and needs; the rehearsal runs it by the real `sam`."""

import json
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from infra.deployment import stacks
from infra.stack.template import ROOT, Template


class Stacks:
    """CloudFormation with one stack, which has a nested one; it notes how its stacks are protected."""

    def __init__(self) -> None:
        self.policies: dict[str, Any] = {}
        self.protected: dict[str, bool] = {}

    def update_termination_protection(self, **asked: Any) -> None:
        self.protected[asked["StackName"]] = asked["EnableTerminationProtection"]

    def set_stack_policy(self, **asked: Any) -> None:
        self.policies[asked["StackName"]] = json.loads(asked["StackPolicyBody"])

    def get_paginator(self, _: str) -> Any:
        entry = {"LogicalResourceId": "UserPoolStack", "ResourceType": "AWS::CloudFormation::Stack"}
        page = {"StackResourceSummaries": [entry | {"PhysicalResourceId": "nested"}]}
        return SimpleNamespace(paginate=lambda **_: [page])


def test_a_deployed_stack_is_protected_and_its_data_and_those_of_its_nested_stacks() -> None:
    client = Stacks()
    stacks.protect(client, "boards", ROOT / "template.yaml")
    assert client.protected == {"boards": True}
    nested = stacks.policy(Template(ROOT / "infra/user_pool/template.yaml"))
    assert client.policies == {"boards": stacks.policy(Template()), "nested": nested}


def test_no_change_of_the_template_replaces_or_removes_data() -> None:
    allow, deny = stacks.policy(Template())["Statement"]
    assert (allow["Effect"], allow["Resource"]) == ("Allow", "*")
    assert (deny["Effect"], deny["Action"]) == ("Deny", ["Update:Replace", "Update:Delete"])
    buckets, keys = ("StaticBucket", "PapersBucket"), ("WebhookKey", "LogKey", "LogKeyB", "SealKey", "SealKeyB")
    kept = {"Table", *buckets, *keys, "BallotSecret"}
    assert set(deny["Resource"]) == {f"LogicalResourceId/{name}" for name in kept}


def run_make_deploy(folder: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """Runs the command of `make deploy` in a shell without any setting of AWS."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("AWS_")}
    environment |= {"HOME": str(folder), "AWS_EC2_METADATA_DISABLED": "true", "PYTHONPATH": f"{ROOT}:{ROOT}/shared"}
    (folder / "deploy.parameters").write_text(
        "MailDomain=mail.example.com\nJwtIssuer=https://a.example/\nJwksUrl=https://a.example/keys\n"
    )
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


@pytest.mark.slow
@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"AWS_DEFAULT_REGION": "cn-north-1"}, "The region cn-north-1 is of the partition aws-cn"),
        ({"AWS_DEFAULT_REGION": "nowhere"}, "AWS does not answer (Unknown region: 'nowhere'"),
        ({"AWS_DEFAULT_REGION": "eu-west-1", "AWS_PROFILE": "absent"}, "AWS accepts no credentials of this shell"),
        (
            {
                "AWS_DEFAULT_REGION": "eu-west-1",
                "AWS_ACCESS_KEY_ID": "a",
                "AWS_SECRET_ACCESS_KEY": "b",
                "AWS_ENDPOINT_URL": "http://127.0.0.1:1",
            },
            "AWS does not answer (Could not connect",
        ),
    ],
)
def test_a_region_that_cannot_be_used_is_no_matter_of_credentials(
    tmp_path: Path, settings: dict[str, str], said: str
) -> None:
    done = run_make_deploy(tmp_path, **settings)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith(said)
