"""Counts what the templates use of the platform's quotas; `quotas.py` has the limits."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from infra.stack.template import Template

Templates = Mapping[str, Template]
"""The templates of all stacks by name; the service's own is `SERVICE`."""
Counts = Iterator[tuple[str, float]]
"""What uses a quota, and how much."""
Count = Callable[[Templates], Counts]
SERVICE, FUNCTION = "service", "AWS::Serverless::Function"
_REFERENCE_BYTES = 90
"""The length that a value known only when deployed is taken for: most are ARNs, secrets and addresses of queues."""


def feeding_themselves(service: Template) -> set[str]:
    """Returns the functions that a message of their own can invoke again, by way of queues and other functions."""
    functions = service.resources(FUNCTION)
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


def each(kind: str, count: Callable[[Any], float]) -> Count:
    """Returns what counts in each resource of a type."""

    def counted(found: Templates) -> Counts:
        for template in found.values():
            yield from ((name, count(body)) for name, body in template.resources(kind).items())

    return counted


def number(kind: str) -> Count:
    """Returns what counts the resources of a type in all templates together."""
    return lambda found: iter([(kind, sum(len(template.resources(kind)) for template in found.values()))])


def _events(found: Templates, *kinds: str) -> Iterator[tuple[str, dict[str, Any]]]:
    for name, body in found[SERVICE].resources(FUNCTION).items():
        for event in body.get("Events", {}).values():
            if event["Type"] in kinds:
                yield name, event["Properties"]


def filters(found: Templates) -> Counts:
    """Counts the filters of each mapping, by function."""
    for name, event in _events(found, "DynamoDB", "SQS"):
        yield name, len(event.get("FilterCriteria", {}).get("Filters", []))


def lowest_concurrency(found: Templates) -> Counts:
    """Counts queues whose function could be bounded below what SQS takes, 2."""
    parameters = found[SERVICE].document["Parameters"]
    for _, event in _events(found, "SQS"):
        bound = event["ScalingConfig"]["MaximumConcurrency"]
        bound = bound["Fn::If"][2] if isinstance(bound, dict) and "Fn::If" in bound else bound
        least = parameters[bound["Ref"]]["MinValue"] if isinstance(bound, dict) else bound
        yield event["Queue"]["Fn::GetAtt"][0], float(least < 2)


def short_visibility(found: Templates) -> Counts:
    """Counts queues that hide a message for less than six time-outs of their function."""
    queues = found[SERVICE].resources("AWS::SQS::Queue")
    for mapping in found[SERVICE].queue_mappings():
        needed = 6 * found[SERVICE].timeout(mapping.group)
        yield mapping.queue, float(queues[mapping.queue]["VisibilityTimeout"] < needed)


def stopped_loops(found: Templates) -> Counts:
    """Counts functions that feed themselves and do not say so."""
    functions = found[SERVICE].resources(FUNCTION)
    for name in feeding_themselves(found[SERVICE]):
        yield name, float(functions[name].get("RecursiveLoop") != "Allow")


def resources(found: Templates) -> Counts:
    """Counts with what SAM adds: a function's version, alias and deployment group; mappings, rules, permissions."""
    for name, template in found.items():
        functions = template.resources(FUNCTION).values()
        events = [event["Type"] for body in functions for event in body.get("Events", {}).values()]
        invoked = sum("EventInvokeConfig" in body for body in functions)
        added = 3 * len(functions) + len(events) + events.count("Schedule") + invoked + 2
        yield name, len(template.document["Resources"]) + added


def sections(section: str) -> Count:
    """Returns what counts the entries of a section of each template."""
    return lambda found: ((name, len(template.document.get(section, {}))) for name, template in found.items())


def environment_bytes(found: Templates) -> Counts:
    """Counts the names and values of each function's variables."""
    for group in found[SERVICE].functions().values():
        values = found[SERVICE].environment(group)
        yield group, sum(len(name) + _length(value) for name, value in values.items())


def _length(value: Any) -> int:
    return len(str(value)) if not isinstance(value, dict) else _REFERENCE_BYTES * (1 + str(value).count("},{"))


def policy_characters(found: Templates) -> Counts:
    """Counts the characters of each role's own policies, without white space."""
    for template in found.values():
        for name, body in template.resources("AWS::IAM::Role").items():
            policies = [policy["PolicyDocument"] for policy in body.get("Policies", [])]
            yield name, sum(len(json.dumps(deployed(each), separators=(",", ":"))) for each in policies)


def deployed(value: Any) -> Any:
    """Returns a part of a policy with a text of the length of an ARN in place of each reference."""
    if isinstance(value, list):
        return [deployed(each) for each in value]
    if not isinstance(value, dict):
        return value
    if "Fn::If" in value:
        return deployed(max(value["Fn::If"][1:], key=lambda each: len(str(deployed(each)))))
    if {"Ref", "Fn::GetAtt", "Fn::Sub"} & value.keys():
        return "x" * _REFERENCE_BYTES
    return {name: deployed(each) for name, each in value.items()}


def outside_vended_logs(found: Templates) -> Counts:
    """Counts destinations of access logs whose name makes the API write to the log policy of the account."""
    groups = found[SERVICE].resources("AWS::Logs::LogGroup")
    for name, stage in found[SERVICE].resources("AWS::ApiGatewayV2::Stage").items():
        group = groups[stage["AccessLogSettings"]["DestinationArn"]["Fn::GetAtt"][0]]["LogGroupName"]
        yield name, float(not str(group["Fn::Sub"]).startswith("/aws/vendedlogs/"))


def dashboards(found: Templates) -> Counts:
    """Counts the metrics of each widget."""
    for template in found.values():
        for name, body in template.resources("AWS::CloudWatch::Dashboard").items():
            for widget in json.loads(body["DashboardBody"]["Fn::Sub"])["widgets"]:
                yield f"{name}: {widget['properties'].get('title')}", len(widget["properties"].get("metrics", []))


def rules(found: Templates) -> Counts:
    """Counts the rules of EventBridge: schedules, and those of the templates."""
    written = sum(len(template.resources("AWS::Events::Rule")) for template in found.values())
    yield "rules", written + len(found[SERVICE].schedules())


def functions(found: Templates) -> Counts:
    """Counts the functions, each of which a gradual release deploys by itself."""
    yield "functions", len(found[SERVICE].functions())
