"""The CloudFormation stacks of an installation: their state, outputs and resources, and why one failed."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from botocore.exceptions import ClientError

from infra.stack.template import Template

FIREWALL_REGION = "us-east-1"
"""The only region from which CloudFront takes firewalls and certificates; its metrics are there too."""
_NESTED = "AWS::CloudFormation::Stack"

_NEXT_STEPS = (
    (
        "must be verified",
        "AWS has not verified this account for CloudFront. Open a support case (Account and billing).",
    ),
    (
        "version for this Lambda function exists",
        "Lambda has published this before, and nothing twice. Run `make deploy` again, which gives it another name.",
    ),
    (
        "CloudWatch Logs role",
        "The account lets API Gateway write no logs. Leave LiveAccessLog out, or set the role (infra/RUNBOOK.md).",
    ),
    ("already exists|AlreadyExists", "Something has this name already. Delete it, or choose another Stage."),
    ("CNAME", "Another distribution has this domain name. Remove the name there, or choose another DomainName."),
    ("[Cc]ertificate", "Check CertificateArn: in us-east-1, issued, and for DomainName."),
    (
        "not authorized|AccessDenied|Access Denied",
        "The credentials lack this permission. Add it, or use an administrator's.",
    ),
    ("[Ll]imit ?Exceeded|[Qq]uota|exceeded the", "Ask for more under Service Quotas, or lower the parameter."),
)
"""What to do about a reason that CloudFormation gives."""


@dataclass(frozen=True)
class Resource:
    """A resource of a stack, by its logical id."""

    name: str
    kind: str
    physical_id: str


def describe(client: Any, name: str) -> dict[str, Any] | None:
    """Returns a stack, or None if there is none of this name."""
    try:
        (description,) = client.describe_stacks(StackName=name)["Stacks"]
    except ClientError as error:
        if "does not exist" in str(error):
            return None
        raise
    stack: dict[str, Any] = description
    return stack


def outputs(client: Any, name: str) -> dict[str, str]:
    """Returns the outputs of a stack; none if there is no such stack."""
    stack = describe(client, name) or {}
    return {output["OutputKey"]: output["OutputValue"] for output in stack.get("Outputs", [])}


def every(client: Any) -> Iterator[dict[str, Any]]:
    """Yields the stacks of the client's region."""
    for page in client.get_paginator("describe_stacks").paginate():
        yield from page["Stacks"]


def parameters(stack: Mapping[str, Any] | None) -> dict[str, str]:
    """Returns the parameters that a stack was deployed with; none if there is no such stack."""
    return {parameter["ParameterKey"]: parameter["ParameterValue"] for parameter in (stack or {}).get("Parameters", [])}


def policy(template: Template) -> dict[str, list[dict[str, Any]]]:
    """Returns the policy of a template's stack: no change replaces or removes what it is to retain."""
    resources = template.document["Resources"].items()
    kept = [f"LogicalResourceId/{name}" for name, body in resources if body.get("UpdateReplacePolicy") == "Retain"]
    allow = {"Effect": "Allow", "Action": "Update:*", "Principal": "*", "Resource": "*"}
    deny = {"Effect": "Deny", "Action": ["Update:Replace", "Update:Delete"], "Principal": "*", "Resource": kept}
    return {"Statement": [allow, *([deny] if kept else [])]}


def protect(client: Any, name: str, path: Path) -> None:
    """Protects a stack from deletion, and its data and those of its nested stacks from changes of a template."""
    set_termination_protection(client, name, enabled=True)
    template = Template(path)
    client.set_stack_policy(StackName=name, StackPolicyBody=json.dumps(policy(template)))
    for page in client.get_paginator("list_stack_resources").paginate(StackName=name):
        for entry in page["StackResourceSummaries"]:
            if entry["ResourceType"] == _NESTED:
                nested = Template(path.parent / template.resources(_NESTED)[entry["LogicalResourceId"]]["TemplateURL"])
                _protect_nested(client, entry["PhysicalResourceId"], policy(nested))


def _protect_nested(client: Any, stack: str, body: dict[str, list[dict[str, Any]]]) -> None:
    """Sets the policy of a nested stack; a refusal ends no deployment, as its data are retained anyway."""
    try:
        client.set_stack_policy(StackName=stack, StackPolicyBody=json.dumps(body))
    except ClientError as error:
        print(f"Note: {stack} has no policy of its own: {error}")


def set_termination_protection(client: Any, name: str, *, enabled: bool) -> None:
    """Lets a stack be deleted, or not: the console and `sam delete` refuse it then."""
    client.update_termination_protection(StackName=name, EnableTerminationProtection=enabled)


def change_sets(client: Any, name: str) -> set[str]:
    """Returns the change sets of a stack that could be executed and were not."""
    if describe(client, name) is None:
        return set()
    summaries = client.list_change_sets(StackName=name)["Summaries"]
    return {summary["ChangeSetId"] for summary in summaries if summary["ExecutionStatus"] == "AVAILABLE"}


def resources(client: Any, name: str) -> Iterator[Resource]:
    """Yields the resources of a stack and of the stacks nested in it; also those that an earlier deletion left."""
    for page in client.get_paginator("list_stack_resources").paginate(StackName=name):
        for entry in page["StackResourceSummaries"]:
            physical_id = entry.get("PhysicalResourceId", "")
            if physical_id and entry["ResourceType"] == _NESTED:
                yield from resources(client, physical_id)
            elif physical_id and entry["ResourceStatus"] != "DELETE_COMPLETE":
                yield Resource(entry["LogicalResourceId"], entry["ResourceType"], physical_id)


def deleted(client: Any, name: str) -> list[str]:
    """Returns the ids of stacks of this name that were deleted in the last 90 days."""
    pages = client.get_paginator("list_stacks").paginate(StackStatusFilter=["DELETE_COMPLETE"])
    return [summary["StackId"] for page in pages for summary in page["StackSummaries"] if summary["StackName"] == name]


def failure(client: Any, name: str) -> str:
    """Returns why the last deployment of a stack failed, with the resource that failed first, and the next step."""
    first = _first_failure(client, name) if describe(client, name) else None
    if first is None:
        return "CloudFormation recorded no failure: read what sam printed above."
    reason = first.get("ResourceStatusReason", "no reason given")
    steps = [step for pattern, step in _NEXT_STEPS if re.search(pattern, reason)]
    return f"{first['LogicalResourceId']} ({first['ResourceType']}): {reason}\n{' '.join(steps[:1])}".rstrip()


def _first_failure(client: Any, name: str) -> dict[str, Any] | None:
    """Returns the event of the resource that failed first since the last deployment began, also in a nested stack."""
    first_failure: dict[str, Any] | None = None
    for page in client.get_paginator("describe_stack_events").paginate(StackName=name):
        for event in page["StackEvents"]:
            if _is_failure(event):
                first_failure = event
            if _begins_deployment(event):
                return _nested(client, first_failure)
    return _nested(client, first_failure)


def _is_failure(event: dict[str, Any]) -> bool:
    reason = event.get("ResourceStatusReason", "")
    return event["ResourceStatus"] in {"CREATE_FAILED", "UPDATE_FAILED"} and "cancelled" not in reason


def _begins_deployment(event: dict[str, Any]) -> bool:
    is_stack = event["PhysicalResourceId"] == event["StackId"]
    return is_stack and event.get("ResourceStatusReason") == "User Initiated"


def _nested(client: Any, event: dict[str, Any] | None) -> dict[str, Any] | None:
    if event is None or event["ResourceType"] != _NESTED:
        return event
    if event["PhysicalResourceId"] in {"", event["StackId"]}:
        return event
    return _first_failure(client, event["PhysicalResourceId"]) or event
