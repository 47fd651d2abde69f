"""The platform's quotas and defaults that the templates could exceed: what emulators accept and an account refuses.

A test holds the templates against the table, and `make rehearse` prints it. A new kind of resource needs its rows.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from infra.stack.template import ROOT, Template

STACKS = ("backup", "cdn", "firewall", "inbound", "monitoring", "user_pool")
_DOCS = "docs.aws.amazon.com/"
_REFERENCE_BYTES = 90
"""The length that a value known only when deployed is taken for: most are ARNs, secrets and addresses of queues."""
_FUNCTION, _STACK = "AWS::Serverless::Function", "service"
Counts = Iterator[tuple[str, float]]


@dataclass(frozen=True)
class Quota:
    """A rule of a service: what is counted, the limit, whether AWS raises it on request, and where that is said."""

    service: str
    rule: str
    limit: float
    raised: bool
    source: str
    count: Callable[[Mapping[str, Template]], Counts]

    def used(self, templates: Mapping[str, Template]) -> tuple[str, float]:
        """Returns what uses the most of it, and how much."""
        return max(self.count(templates), key=lambda each: each[1])

    def exceeded(self, templates: Mapping[str, Template]) -> list[str]:
        """Returns what is beyond the limit."""
        return [name for name, number in self.count(templates) if number > self.limit]


def templates() -> dict[str, Template]:
    """Returns the templates of all stacks by name."""
    return {_STACK: Template()} | {name: Template(ROOT / f"infra/{name}/template.yaml") for name in STACKS}


def table(found: Mapping[str, Template]) -> str:
    """Returns a line for each quota: what it limits, the limit, the most that is used, and where."""
    lines = []
    for quota in QUOTAS:
        name, number = quota.used(found)
        raised = ", raised on request" if quota.raised else ""
        lines.append(f"  {quota.service}: {quota.rule}: {number:g} of {quota.limit:g}{raised} ({name}; {quota.source})")
    return "\n".join(lines)


def feeding_themselves(service: Template) -> set[str]:
    """Returns the functions that a message of their own can invoke again, by way of queues and other functions."""
    functions = service.resources(_FUNCTION)
    groups = {group: name for name, group in service.functions().items()}
    invoked = {mapping.queue: groups[mapping.group] for mapping in service.queue_mappings()}
    leads = {
        name: {invoked[queue] for queue in _sends(service, body) if queue in invoked}
        for name, body in functions.items()
    }
    return {name for name in functions if name in _reached(name, leads)}


def _sends(service: Template, function: Mapping[str, Any]) -> set[str]:
    role = service.resources("AWS::IAM::Role")[function["Role"]["Fn::GetAtt"][0]]
    statements = [each for policy in role["Policies"] for each in policy["PolicyDocument"]["Statement"]]
    sending = [each["Resource"] for each in statements if "sqs:SendMessage" in each["Action"]]
    return set(re.findall(r"'(\w+)', 'Arn'", repr(sending)))


def _reached(name: str, leads: Mapping[str, set[str]]) -> set[str]:
    found: set[str] = set()
    ahead = set(leads[name])
    while ahead:
        found |= ahead
        ahead = {following for each in ahead for following in leads[each]} - found
    return found


def _each(kind: str, count: Callable[[Any], float]) -> Callable[[Mapping[str, Template]], Counts]:
    """Returns what counts in each resource of a type."""

    def counted(found: Mapping[str, Template]) -> Counts:
        for template in found.values():
            yield from ((name, count(body)) for name, body in template.resources(kind).items())

    return counted


def _number(kind: str) -> Callable[[Mapping[str, Template]], Counts]:
    """Returns what counts the resources of a type in all templates together."""
    return lambda found: iter([(kind, sum(len(template.resources(kind)) for template in found.values()))])


def _events(found: Mapping[str, Template], *kinds: str) -> Iterator[tuple[str, dict[str, Any]]]:
    for name, body in found[_STACK].resources(_FUNCTION).items():
        for event in body.get("Events", {}).values():
            if event["Type"] in kinds:
                yield name, event["Properties"]


def _filters(found: Mapping[str, Template]) -> Counts:
    for name, event in _events(found, "DynamoDB", "SQS"):
        yield name, len(event.get("FilterCriteria", {}).get("Filters", []))


def _lowest_concurrency(found: Mapping[str, Template]) -> Counts:
    """Counts queues whose function could be bounded below what SQS takes, 2."""
    parameters = found[_STACK].document["Parameters"]
    for _, event in _events(found, "SQS"):
        bound = event["ScalingConfig"]["MaximumConcurrency"]
        bound = bound["Fn::If"][2] if isinstance(bound, dict) and "Fn::If" in bound else bound
        least = parameters[bound["Ref"]]["MinValue"] if isinstance(bound, dict) else bound
        yield event["Queue"]["Fn::GetAtt"][0], float(least < 2)


def _short_visibility(found: Mapping[str, Template]) -> Counts:
    queues = found[_STACK].resources("AWS::SQS::Queue")
    for mapping in found[_STACK].queue_mappings():
        needed = 6 * found[_STACK].timeout(mapping.group)
        yield mapping.queue, float(queues[mapping.queue]["VisibilityTimeout"] < needed)


def _stopped_loops(found: Mapping[str, Template]) -> Counts:
    functions = found[_STACK].resources(_FUNCTION)
    for name in feeding_themselves(found[_STACK]):
        yield name, float(functions[name].get("RecursiveLoop") != "Allow")


def _resources(found: Mapping[str, Template]) -> Counts:
    """Counts with what SAM adds: a function's version, alias and deployment group; mappings, rules, permissions."""
    for name, template in found.items():
        functions = template.resources(_FUNCTION).values()
        events = [event["Type"] for body in functions for event in body.get("Events", {}).values()]
        invoked = sum("EventInvokeConfig" in body for body in functions)
        added = 3 * len(functions) + len(events) + events.count("Schedule") + invoked + 2
        yield name, len(template.document["Resources"]) + added


def _sections(section: str) -> Callable[[Mapping[str, Template]], Counts]:
    return lambda found: ((name, len(template.document.get(section, {}))) for name, template in found.items())


def _environment_bytes(found: Mapping[str, Template]) -> Counts:
    for group in found[_STACK].functions().values():
        values = found[_STACK].environment(group)
        yield group, sum(len(name) + _length(value) for name, value in values.items())


def _length(value: Any) -> int:
    return len(str(value)) if not isinstance(value, dict) else _REFERENCE_BYTES * (1 + str(value).count("},{"))


def _policy_characters(found: Mapping[str, Template]) -> Counts:
    for template in found.values():
        for name, body in template.resources("AWS::IAM::Role").items():
            policies = [policy["PolicyDocument"] for policy in body.get("Policies", [])]
            yield name, sum(len(json.dumps(_deployed(each), separators=(",", ":"))) for each in policies)


def _deployed(value: Any) -> Any:
    """Returns a part of a policy with a text of the length of an ARN in place of each reference."""
    if isinstance(value, list):
        return [_deployed(each) for each in value]
    if not isinstance(value, dict):
        return value
    if "Fn::If" in value:
        return _deployed(max(value["Fn::If"][1:], key=lambda each: len(str(_deployed(each)))))
    if {"Ref", "Fn::GetAtt", "Fn::Sub"} & value.keys():
        return "x" * _REFERENCE_BYTES
    return {name: _deployed(each) for name, each in value.items()}


def _outside_vended_logs(found: Mapping[str, Template]) -> Counts:
    """Counts destinations of access logs whose name makes the API write to the log policy of the account."""
    groups = found[_STACK].resources("AWS::Logs::LogGroup")
    for name, stage in found[_STACK].resources("AWS::ApiGatewayV2::Stage").items():
        group = groups[stage["AccessLogSettings"]["DestinationArn"]["Fn::GetAtt"][0]]["LogGroupName"]
        yield name, float(not str(group["Fn::Sub"]).startswith("/aws/vendedlogs/"))


def _dashboards(found: Mapping[str, Template]) -> Counts:
    for template in found.values():
        for name, body in template.resources("AWS::CloudWatch::Dashboard").items():
            for widget in json.loads(body["DashboardBody"]["Fn::Sub"])["widgets"]:
                yield f"{name}: {widget['properties'].get('title')}", len(widget["properties"].get("metrics", []))


QUOTAS = (
    Quota(
        "Lambda",
        "filters of an event source mapping",
        5,
        True,
        f"{_DOCS}lambda/latest/dg/invocation-eventfiltering.html",
        _filters,
    ),
    Quota(
        "Lambda",
        "functions that their own messages invoke, stopped after some 16 rounds",
        0,
        False,
        f"{_DOCS}lambda/latest/dg/invocation-recursion.html",
        _stopped_loops,
    ),
    Quota(
        "Lambda",
        "queues with less concurrency than 2",
        0,
        False,
        f"{_DOCS}lambda/latest/dg/services-sqs-scaling.html",
        _lowest_concurrency,
    ),
    Quota(
        "Lambda",
        "queues that hide a message for less than six time-outs",
        0,
        False,
        f"{_DOCS}lambda/latest/dg/services-sqs-configure.html",
        _short_visibility,
    ),
    Quota(
        "Lambda",
        "seconds of a function",
        900,
        False,
        f"{_DOCS}lambda/latest/dg/gettingstarted-limits.html",
        _each(_FUNCTION, lambda body: body.get("Timeout", 0)),
    ),
    Quota(
        "Lambda",
        "bytes of a function's environment",
        4096,
        False,
        f"{_DOCS}lambda/latest/dg/gettingstarted-limits.html",
        _environment_bytes,
    ),
    Quota(
        "Lambda",
        "layers of a function",
        5,
        False,
        f"{_DOCS}lambda/latest/dg/gettingstarted-limits.html",
        _each(_FUNCTION, lambda body: 1 + len(body.get("Layers", []))),
    ),
    Quota(
        "IAM",
        "characters of a role's own policies",
        10240,
        False,
        f"{_DOCS}IAM/latest/UserGuide/reference_iam-quotas.html",
        _policy_characters,
    ),
    Quota(
        "CloudFormation",
        "resources of a stack",
        500,
        False,
        f"{_DOCS}AWSCloudFormation/latest/UserGuide/cloudformation-limits.html",
        _resources,
    ),
    Quota(
        "CloudFormation",
        "parameters of a template",
        200,
        False,
        f"{_DOCS}AWSCloudFormation/latest/UserGuide/cloudformation-limits.html",
        _sections("Parameters"),
    ),
    Quota(
        "CloudFormation",
        "outputs of a template",
        200,
        False,
        f"{_DOCS}AWSCloudFormation/latest/UserGuide/cloudformation-limits.html",
        _sections("Outputs"),
    ),
    Quota(
        "API Gateway",
        "routes of an API",
        300,
        True,
        f"{_DOCS}apigateway/latest/developerguide/http-api-quotas.html",
        _number("AWS::ApiGatewayV2::Route"),
    ),
    Quota(
        "API Gateway",
        "integrations of an API",
        300,
        False,
        f"{_DOCS}apigateway/latest/developerguide/http-api-quotas.html",
        _number("AWS::ApiGatewayV2::Integration"),
    ),
    Quota(
        "API Gateway",
        "milliseconds of an integration",
        30000,
        False,
        f"{_DOCS}apigateway/latest/developerguide/http-api-quotas.html",
        _each("AWS::ApiGatewayV2::Integration", lambda body: body["TimeoutInMillis"]),
    ),
    Quota(
        "API Gateway",
        "access logs outside of /aws/vendedlogs/, in the account's policy of 5,120 characters",
        0,
        False,
        f"{_DOCS}AmazonCloudWatch/latest/logs/AWS-logs-and-resource-policy.html",
        _outside_vended_logs,
    ),
    Quota(
        "SQS",
        "seconds for which a message is kept",
        1209600,
        False,
        f"{_DOCS}AWSSimpleQueueService/latest/SQSDeveloperGuide/quotas-messages.html",
        _each("AWS::SQS::Queue", lambda body: body["MessageRetentionPeriod"]),
    ),
    Quota(
        "SQS",
        "seconds for which a message is hidden",
        43200,
        False,
        f"{_DOCS}AWSSimpleQueueService/latest/SQSDeveloperGuide/quotas-messages.html",
        _each("AWS::SQS::Queue", lambda body: body.get("VisibilityTimeout", 30)),
    ),
    Quota(
        "DynamoDB",
        "local indexes of a table",
        5,
        False,
        f"{_DOCS}amazondynamodb/latest/developerguide/ServiceQuotas.html",
        _each("AWS::DynamoDB::Table", lambda body: len(body["LocalSecondaryIndexes"])),
    ),
    Quota(
        "CloudFront",
        "bytes of an edge function",
        10240,
        False,
        f"{_DOCS}AmazonCloudFront/latest/DeveloperGuide/cloudfront-limits.html",
        _each("AWS::CloudFront::Function", lambda body: len(str(body["FunctionCode"]).encode())),
    ),
    Quota(
        "CloudFront",
        "cache behaviours of a distribution",
        25,
        True,
        f"{_DOCS}AmazonCloudFront/latest/DeveloperGuide/cloudfront-limits.html",
        _each("AWS::CloudFront::Distribution", lambda body: len(body["DistributionConfig"]["CacheBehaviors"])),
    ),
    Quota(
        "CloudFront",
        "cache policies of an account",
        20,
        True,
        f"{_DOCS}AmazonCloudFront/latest/DeveloperGuide/cloudfront-limits.html",
        _number("AWS::CloudFront::CachePolicy"),
    ),
    Quota(
        "CloudFront",
        "response headers policies of an account",
        20,
        True,
        f"{_DOCS}AmazonCloudFront/latest/DeveloperGuide/cloudfront-limits.html",
        _number("AWS::CloudFront::ResponseHeadersPolicy"),
    ),
    Quota(
        "CloudWatch",
        "metrics of an alarm that computes",
        10,
        False,
        f"{_DOCS}AmazonCloudWatch/latest/monitoring/cloudwatch_limits.html",
        _each(
            "AWS::CloudWatch::Alarm",
            lambda body: len([each for each in body.get("Metrics", []) if "MetricStat" in each]),
        ),
    ),
    Quota(
        "CloudWatch",
        "metrics of a widget",
        500,
        False,
        f"{_DOCS}AmazonCloudWatch/latest/monitoring/cloudwatch_limits.html",
        _dashboards,
    ),
    Quota(
        "EventBridge",
        "rules of a bus",
        300,
        True,
        f"{_DOCS}eventbridge/latest/userguide/eb-quota.html",
        lambda found: iter(
            [
                (
                    "schedules",
                    len(found[_STACK].schedules())
                    + sum(len(each.resources("AWS::Events::Rule")) for each in found.values()),
                )
            ]
        ),
    ),
    Quota(
        "KMS",
        "characters of a key's policy",
        32768,
        False,
        f"{_DOCS}kms/latest/developerguide/resource-limits.html",
        _each("AWS::KMS::Key", lambda body: len(json.dumps(_deployed(body["KeyPolicy"])))),
    ),
    Quota(
        "CodeDeploy",
        "deployments at a time, one a function, with GradualRelease",
        100,
        True,
        f"{_DOCS}codedeploy/latest/userguide/limits.html",
        lambda found: iter([("functions", len(found[_STACK].functions()))]),
    ),
)
"""What the account has and not the templates, such as concurrent executions, is counted in `checks.py`."""
