"""Asks a policy simulator what the template's policies allow: those of the roles, of the bucket and of the key."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from infra.policy.check import ROOT
from infra.stack.template import Template

ACCOUNT, REGION, STACK = "123456789012", "eu-west-1", "stack"
DISTRIBUTION = f"arn:aws:cloudfront::{ACCOUNT}:distribution/EDISTRIBUTION"
FILES = f"arn:aws:cloudfront::{ACCOUNT}:distribution/EFILES"
_DISTRIBUTIONS = {
    "Cdn.Outputs.DistributionId": DISTRIBUTION.rpartition("/")[2],
    "Downloads.Outputs.DistributionId": FILES.rpartition("/")[2],
}
_PACKAGES = ROOT / ".local/npm-policy/node_modules"
_PROGRAM = Path(__file__).with_name("simulate.mjs")
RESTORED = f"arn:aws:dynamodb:{REGION}:{ACCOUNT}:table/restored"
_PARAMETERS = {
    "AWS::Partition": "aws",
    "AWS::AccountId": ACCOUNT,
    "AWS::Region": REGION,
    "AWS::StackName": STACK,
    "Stage": "dev",
    "MailDomain": "example.com",
    "RevocationsBucket": "revocations",
    "RestoredTable": RESTORED,
}
_ARNS = {
    "AWS::DynamoDB::Table": f"arn:aws:dynamodb:{REGION}:{ACCOUNT}:table/{{}}",
    "AWS::KMS::Key": f"arn:aws:kms:{REGION}:{ACCOUNT}:key/{{}}",
    "AWS::Logs::LogGroup": f"arn:aws:logs:{REGION}:{ACCOUNT}:log-group:{{}}:*",
    "AWS::S3::Bucket": "arn:aws:s3:::{}",
    "AWS::SQS::Queue": f"arn:aws:sqs:{REGION}:{ACCOUNT}:{{}}",
}


@dataclass(frozen=True)
class Request:
    """A call: who makes it, the action, the resource's ARN, and the condition keys of the call."""

    principal: str
    action: str
    resource: str
    context: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Simulation:
    """A request with the policies of its caller's role and of its resource; None for neither."""

    request: Request
    identity: Any = None
    resource: Any = None

    def to_json(self) -> dict[str, Any]:
        """Returns the simulation as the program takes it."""
        request = self.request
        return {
            "request": {
                "principal": request.principal,
                "action": request.action,
                "resource": {"resource": request.resource, "accountId": ACCOUNT},
                "contextVariables": request.context,
            },
            "identityPolicies": [{"name": "own", "policy": self.identity}] if self.identity else [],
            "resourcePolicy": self.resource,
            "serviceControlPolicies": [],
            "resourceControlPolicies": [],
        }


def simulate(simulations: Sequence[Simulation]) -> list[bool]:
    """Returns for each simulation whether the request is allowed. Raises `ValueError` for one that is not sound."""
    node = shutil.which("node")
    if node is None:
        raise ValueError("The simulator needs Node.js.")
    text = json.dumps([simulation.to_json() for simulation in simulations])
    done = subprocess.run([node, _PROGRAM, _PACKAGES], input=text, capture_output=True, text=True, check=False)  # noqa: S603 - ours
    if done.returncode:
        raise ValueError(done.stderr.strip()[-2000:])
    allowed: list[bool] = json.loads(done.stdout)
    return allowed


class Policies:
    """The policies of the stack's template, with ARNs in place of references, where these conditions hold."""

    def __init__(self, template: Template, conditions: Collection[str] = ()) -> None:
        self._template = template
        self._conditions = conditions
        self._resources: dict[str, Any] = template.document["Resources"]

    def roles(self) -> dict[str, Any]:
        """Returns the policy of each function's role, by the group of the function."""
        functions = self._template.resources("AWS::Serverless::Function")
        policies = {}
        for name, group in self._template.functions().items():
            role = self._resources[functions[name]["Role"]["Fn::GetAtt"][0]]["Properties"]
            statements = [
                statement for policy in role["Policies"] for statement in policy["PolicyDocument"]["Statement"]
            ]
            policies[group] = self.resolved({"Version": "2012-10-17", "Statement": statements})
        return policies

    def role_name(self, group: str) -> str:
        """Returns the ARN of a group's role as CloudFormation names it, with a random end."""
        functions = self._template.resources("AWS::Serverless::Function")
        (name,) = [name for name, function_group in self._template.functions().items() if function_group == group]
        role = functions[name]["Role"]["Fn::GetAtt"][0]
        own = self._resources[role]["Properties"].get("RoleName")
        return f"arn:aws:iam::{ACCOUNT}:role/{self.resolved(own) if own else f'{STACK}-{role}-1A2B3C4D5E'}"

    def document(self, name: str, key: str) -> Any:
        """Returns a policy document that a resource has under a property."""
        return self.resolved(self._resources[name]["Properties"][key])

    def arn(self, name: str) -> str:
        """Returns the ARN of a resource by its logical id."""
        return _ARNS[self._resources[name]["Type"]].format(name.lower() if "Bucket" in name else name)

    def resolved(self, value: Any) -> Any:
        """Returns a part of the template with values in place of references."""
        if isinstance(value, list):
            return [self.resolved(part) for part in value]
        if not isinstance(value, dict):
            return value
        if "Ref" in value:
            return self._reference(value["Ref"])
        if "Fn::If" in value:
            condition, given, otherwise = value["Fn::If"]
            return self.resolved(given if condition in self._conditions else otherwise)
        if "Fn::GetAtt" in value:
            return self._reference(".".join(value["Fn::GetAtt"]))
        if "Fn::Sub" in value:
            return re.sub(r"\$\{([^}]+)\}", lambda match: self._reference(match[1]), value["Fn::Sub"])
        return {name: self.resolved(part) for name, part in value.items()}

    def _reference(self, name: str) -> str:
        if name in _PARAMETERS:
            return _PARAMETERS[name]
        resource, _, attribute = name.partition(".")
        if attribute in {"Arn", "StreamArn"}:
            return self.arn(resource) + ("/stream/2026-01-01" if attribute == "StreamArn" else "")
        return _DISTRIBUTIONS.get(name, name)
