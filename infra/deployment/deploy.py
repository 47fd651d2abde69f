"""`make deploy`: checks the prerequisites, says what will be made, and deploys firewall, service and pages.

STACK is the name of the stack, PARAMETERS a file with lines Name=Value; YES=1 asks nothing (infra/RUNBOOK.md).
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import boto3
from botocore.exceptions import BotoCoreError, ClientError, EndpointConnectionError, UnknownRegionError

from infra import publish
from infra.deployment import checks, costs, download_keys, parameters, releases, stacks
from infra.deployment.checks import Installation
from infra.stack.template import ROOT, Template

DEFAULT_STACK = "board-governance"
_SAM = ROOT / ".venv-sam/bin/sam"
_CAPABILITIES = ("CAPABILITY_IAM", "CAPABILITY_NAMED_IAM", "CAPABILITY_AUTO_EXPAND")


class StepFailed(Exception):
    """A step of the deployment failed; the text says why, and what to do next."""


@dataclass(frozen=True)
class Templates:
    """The files that are deployed; the service's is the built one."""

    firewall: Path = ROOT / "infra/firewall/template.yaml"
    service: Path = ROOT / ".aws-sam/build/template.yaml"


def session() -> Any:
    """Returns the SDK's session. Raises `StepFailed` without a region of the partition aws or valid credentials."""
    try:
        sdk = boto3.Session()
        if not sdk.region_name:
            raise StepFailed(
                "No region is set. Run `export AWS_DEFAULT_REGION=<region>`, or set one in the AWS profile."
            )
        if (partition := sdk.get_partition_for_region(sdk.region_name)) != "aws":
            raise StepFailed(
                f"The region {sdk.region_name} is of the partition {partition}, which has no {stacks.FIREWALL_REGION}: "
                "the service's firewall and CDN need that. Choose a region of the partition aws."
            )
        account = sdk.client("sts").get_caller_identity()["Account"]
    except (EndpointConnectionError, UnknownRegionError) as error:
        raise StepFailed(f"AWS does not answer ({error}). Check the name of the region, and the network.") from None
    except (ClientError, BotoCoreError) as error:
        raise StepFailed(
            f"AWS accepts no credentials of this shell ({error}). Run `aws configure`, or `aws sso login`."
        ) from None
    print(f"Account {account}, region {sdk.region_name}.")
    return sdk


def announce(installation: Installation) -> None:
    """Prints what will be made and what the checks found. Raises `StepFailed` if a prerequisite is missing."""
    idle = costs.total(
        costs.idle(Template(), *(Template(ROOT / f"infra/{name}/template.yaml") for name in ("firewall", "monitoring")))
    )
    print(
        f"Deploys two stacks: {installation.firewall} (firewall and alarms of the CDN; us-east-1) and "
        f"{installation.stack} (everything else; {installation.session.region_name}).\n"
        f"Idle, they cost about {idle:.0f} US dollars a month; a million requests 4 to 12 (infra/RUNBOOK.md). "
        "`make undeploy` removes them."
    )
    findings = list(checks.run(installation))
    for finding in findings:
        print(f"{'STOP' if finding.stops else 'Note'}: {finding.text}")
    if any(finding.stops for finding in findings):
        raise StepFailed("Nothing was deployed.")


def deploy(installation: Installation, given: Mapping[str, str], templates: Templates, *, ask: bool) -> None:
    """Deploys the firewall to us-east-1 and the service to the session's region, and protects the data.

    The alarms of the CDN are part of the firewall's stack and need the distribution, so the first time it comes twice.
    Raises `StepFailed` if a step fails or is declined; nothing follows it then.
    """
    service = installation.client("cloudformation")
    before = stacks.outputs(service, installation.stack)
    _deploy_firewall(installation, given, templates, before, ask=ask)
    edge = installation.client("cloudformation", stacks.FIREWALL_REGION)
    acl = _output(edge, installation.firewall, "WebAclArn")
    only_firewall = set(parameters.FIREWALL) - {"Stage", "AlarmEmail"}
    own = {name: value for name, value in given.items() if name not in only_firewall} | {"WebAclArn": acl}
    keys = _download_keys(installation, templates.service)
    own |= keys
    region = installation.session.region_name
    called = releases.called(installation.session, installation.stack)
    newest = releases.published(installation.session, installation.stack)
    released = releases.write(templates.service, installation.parameters, called, newest)
    _sam_deploy(installation, installation.stack, region, released, own, ask=ask)
    created = _output(service, installation.stack, "DistributionId")
    stacks.protect(service, installation.stack, templates.service)
    stacks.protect(edge, installation.firewall, templates.firewall)
    _lift_bounds(installation)
    if keys:
        download_keys.delete_others(installation)
    if created != before.get("DistributionId"):
        _deploy_firewall(installation, given, templates, stacks.outputs(service, installation.stack), ask=ask)


def _download_keys(installation: Installation, template: Path) -> dict[str, str]:
    """Returns the parameters of the keys of downloads. Raises `StepFailed` if one is gone."""
    if "DownloadKeys" not in Template(template).document["Parameters"]:  # a release from before them
        return {}
    try:
        return download_keys.prepare(installation)
    except download_keys.KeyGone as error:
        raise StepFailed(str(error)) from None


def _lift_bounds(installation: Installation) -> None:
    """Lifts the bounds of a table that is to have none: CloudFormation leaves one that its template no longer names."""
    name = stacks.outputs(installation.client("cloudformation"), installation.stack).get("TableName")
    if name is None or installation.parameters.get("TableMaximumReads"):
        return
    client = installation.client("dynamodb")
    bounds = client.describe_table(TableName=name)["Table"].get("OnDemandThroughput", {})
    if any(bound > 0 for bound in bounds.values()):
        client.update_table(TableName=name, OnDemandThroughput=dict.fromkeys(bounds, -1))


def _output(client: Any, stack: str, name: str) -> str:
    """Returns an output of a stack. Raises `StepFailed` if the stack was declined and does not exist."""
    try:
        return stacks.outputs(client, stack)[name]
    except KeyError:
        raise StepFailed(f"The changes of {stack} were declined. Nothing else was deployed.") from None


def _deploy_firewall(
    installation: Installation, given: Mapping[str, str], templates: Templates, known: Mapping[str, str], *, ask: bool
) -> None:
    """Deploys the firewall with what is known of the service: the outputs of its stack, none the first time."""
    own = {name: given[name] for name in parameters.FIREWALL if name in given}
    own |= {"Region": installation.session.region_name, "DistributionId": known.get("DistributionId", "")}
    own["Host"] = known.get("RootUrl", "").removeprefix("https://")
    declared = Template(templates.firewall).document["Parameters"]
    own = {name: value for name, value in own.items() if name in declared}
    _sam_deploy(installation, installation.firewall, stacks.FIREWALL_REGION, templates.firewall, own, ask=ask)


def _sam_deploy(
    installation: Installation, stack: str, region: str, template: Path, given: Mapping[str, str], *, ask: bool
) -> None:
    """Runs `sam deploy` with every option on the command line: it looks for samconfig.toml beside the template."""
    command: list[str | Path] = [_SAM, "deploy", "--template-file", template, "--stack-name", stack, "--region", region]
    command += ["--resolve-s3", "--s3-prefix", stack, "--capabilities", *_CAPABILITIES, "--no-fail-on-empty-changeset"]
    command += ["--confirm-changeset" if ask else "--no-confirm-changeset", "--no-progressbar"]
    command += ["--tags", "Application=board-governance", f"Stage={installation.parameters['Stage']}"]
    command += ["--parameter-overrides", *parameters.overrides(given)]
    print(f"\n{stack}, {region}", flush=True)
    client = installation.client("cloudformation", region)
    left = stacks.change_sets(client, stack) if ask else set()
    done = subprocess.run(command, cwd=ROOT, check=False)  # noqa: S603 - our own arguments
    if declined := stacks.change_sets(client, stack) - left if ask else set():
        for change_set in declined:
            client.delete_change_set(ChangeSetName=change_set)
        raise StepFailed(f"The changes of {stack} were declined. Nothing else was deployed, and nothing published.")
    if done.returncode:
        why = stacks.failure(client, stack)
        raise StepFailed(
            f"{stack} was not deployed.\n{why}\n"
            "Then run `make deploy` again; it says so if `make undeploy` must come first."
        )


def main() -> None:
    """Deploys, publishes the pages, and prints the address and what is left to do."""
    try:
        given = parameters.read(Path(os.environ.get("PARAMETERS", "deploy.parameters")))
        service, firewall = Template(), Template(Templates.firewall)
        if refused := list(parameters.problems(given, service, firewall)):
            raise StepFailed("\n".join(refused))
        known = parameters.with_defaults(given, service, firewall)
        installation = Installation(session(), os.environ.get("STACK", DEFAULT_STACK), known)
        announce(installation)
        deploy(installation, given, Templates(), ask=os.environ.get("YES") != "1")
        publish.main(installation.stack)
    except (StepFailed, parameters.ParametersError) as error:
        sys.exit(str(error))
    except (ClientError, BotoCoreError) as error:
        sys.exit(f"{error}\nIf the credentials lack this permission, add it; then run `make deploy` again.")
    outputs = stacks.outputs(installation.client("cloudformation"), installation.stack)
    print(f"Next, enter these DNS records:\n  {outputs['MailDkim']}\n  {outputs['MailDmarc']}")
    print(f"Then run `make verify URL={outputs['RootUrl']}`.")


if __name__ == "__main__":
    main()
