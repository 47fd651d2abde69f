"""Counts what the templates use of the platform's quotas; `quotas.py` has the limits."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from infra.deployment import replacements
from infra.stack.template import Template

Templates = Mapping[str, Template]
"""The templates of all stacks by name; the service's own is `SERVICE`."""
Counts = Iterator[tuple[str, float]]
"""What uses a quota, and how much."""
Count = Callable[[Templates], Counts]
SERVICE, FUNCTION = "service", "AWS::Serverless::Function"
NOTHING = {"Ref": "AWS::NoValue"}
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
    statements = [statement for policy in role["Policies"] for statement in policy["PolicyDocument"]["Statement"]]
    sending = [statement["Resource"] for statement in statements if "sqs:SendMessage" in statement["Action"]]
    return set(re.findall(r"'(\w+)', 'Arn'", repr(sending)))


def _reached(name: str, leads: Mapping[str, set[str]]) -> set[str]:
    reached: set[str] = set()
    ahead = set(leads[name])
    while ahead:
        reached |= ahead
        ahead = {following for function in ahead for following in leads[function]} - reached
    return reached


def per_resource(kind: str, count: Callable[[Any], float]) -> Count:
    """Returns what counts in each resource of a type."""

    def counted(templates: Templates) -> Counts:
        for template in templates.values():
            yield from ((name, count(body)) for name, body in template.resources(kind).items())

    return counted


def number(kind: str) -> Count:
    """Returns what counts the resources of a type in all templates together."""
    return lambda templates: iter([(kind, sum(len(template.resources(kind)) for template in templates.values()))])


def _events(templates: Templates, *kinds: str) -> Iterator[tuple[str, dict[str, Any]]]:
    for name, body in templates[SERVICE].resources(FUNCTION).items():
        for event in body.get("Events", {}).values():
            if event["Type"] in kinds:
                yield name, event["Properties"]


def filters(templates: Templates) -> Counts:
    """Counts the filters of each mapping, by function."""
    for name, event in _events(templates, "DynamoDB", "SQS"):
        yield name, len(event.get("FilterCriteria", {}).get("Filters", []))


def lowest_concurrency(templates: Templates) -> Counts:
    """Counts queues whose function could be bounded below what SQS takes, 2."""
    parameters = templates[SERVICE].document["Parameters"]
    for _, event in _events(templates, "SQS"):
        bound = event["ScalingConfig"]["MaximumConcurrency"]
        bound = bound["Fn::If"][2] if isinstance(bound, dict) and "Fn::If" in bound else bound
        least = parameters[bound["Ref"]]["MinValue"] if isinstance(bound, dict) else bound
        yield event["Queue"]["Fn::GetAtt"][0], float(least < 2)


def short_visibility(templates: Templates) -> Counts:
    """Counts queues that hide a message for less than six time-outs of their function and the window of its batches."""
    service = templates[SERVICE]
    groups, queues = service.functions(), service.resources("AWS::SQS::Queue")
    for name, event in _events(templates, "SQS"):
        queue = event["Queue"]["Fn::GetAtt"][0]
        needed = 6 * service.timeout(groups[name]) + event.get("MaximumBatchingWindowInSeconds", 0)
        yield queue, float(queues[queue]["VisibilityTimeout"] < needed)


def short_dead_letters(templates: Templates) -> Counts:
    """Counts queues whose dead letters may be gone at once: their time is counted from when they were first sent."""
    queues = templates[SERVICE].resources("AWS::SQS::Queue")
    for name, queue in queues.items():
        if "RedrivePolicy" in queue:
            dead = queues[queue["RedrivePolicy"]["deadLetterTargetArn"]["Fn::GetAtt"][0]]
            yield name, float(dead["MessageRetentionPeriod"] < 2 * queue["MessageRetentionPeriod"])


def stopped_loops(templates: Templates) -> Counts:
    """Counts functions that feed themselves and do not say so."""
    functions = templates[SERVICE].resources(FUNCTION)
    for name in feeding_themselves(templates[SERVICE]):
        yield name, float(functions[name].get("RecursiveLoop") != "Allow")


def resources(templates: Templates) -> Counts:
    """Counts with what SAM adds: a function's version, alias and deployment group; mappings, rules, permissions."""
    for name, template in templates.items():
        functions = template.resources(FUNCTION).values()
        events = [event["Type"] for body in functions for event in body.get("Events", {}).values()]
        invoked = sum("EventInvokeConfig" in body for body in functions)
        added = 3 * len(functions) + len(events) + events.count("Schedule") + invoked + 2
        yield name, len(template.document["Resources"]) + added


def sections(section: str) -> Count:
    """Returns what counts the entries of a section of each template."""
    return lambda templates: ((name, len(template.document.get(section, {}))) for name, template in templates.items())


def environment_bytes(templates: Templates) -> Counts:
    """Counts the names and values of each function's variables; a secret that is made of others has their length."""
    secrets = templates[SERVICE].resources("AWS::SecretsManager::Secret")
    for group in templates[SERVICE].functions().values():
        values = templates[SERVICE].environment(group)
        yield group, sum(len(name) + _length(value, secrets) for name, value in values.items())


def _length(value: Any, secrets: Mapping[str, Any]) -> int:
    if not isinstance(value, dict):
        return len(str(value))
    made = [str(body.get("SecretString")) for name, body in secrets.items() if f"${{{name}}}" in str(value)]
    return _REFERENCE_BYTES * max(1, f"{value}{made}".count("{{resolve:"))


def template_bytes(templates: Templates) -> Counts:
    """Counts the bytes of each template as JSON, without white space."""
    for name, template in templates.items():
        yield name, len(json.dumps(template.document, separators=(",", ":")).encode())


def policy_characters(templates: Templates) -> Counts:
    """Counts the characters of each role's own policies, without white space."""
    for template in templates.values():
        for name, body in template.resources("AWS::IAM::Role").items():
            policies = [policy["PolicyDocument"] for policy in body.get("Policies", [])]
            yield name, sum(len(json.dumps(deployed(policy), separators=(",", ":"))) for policy in policies)


def deployed(value: Any) -> Any:
    """Returns a part of a policy with a text of the length of an ARN in place of each reference."""
    if isinstance(value, list):
        return [deployed(part) for part in value]
    if not isinstance(value, dict):
        return value
    if "Fn::If" in value:
        return deployed(max(value["Fn::If"][1:], key=lambda part: len(str(deployed(part)))))
    if {"Ref", "Fn::GetAtt", "Fn::Sub"} & value.keys():
        return "x" * _REFERENCE_BYTES
    return {name: deployed(part) for name, part in value.items()}


def dynamic_references(templates: Templates) -> Counts:
    """Counts the references to secrets of each template, where sessions have a key set and where they have a secret."""
    for name, template in templates.items():
        for form, holds in (("a key set", True), ("a shared secret", False)):
            yield f"{name} with {form}", str(_where(template.document["Resources"], holds)).count("{{resolve:")


def _where(value: Any, holds: bool) -> Any:
    """Returns a part of a template as it is where sessions have a key set, or have none."""
    if isinstance(value, list):
        return [_where(part, holds) for part in value]
    if not isinstance(value, dict):
        return value
    if value.get("Fn::If", [""])[0] == "HasKeySet":
        return _where(value["Fn::If"][1 if holds else 2], holds)
    return {name: _where(part, holds) for name, part in value.items()}


def logs_by_the_role_of_the_account(templates: Templates) -> Counts:
    """Counts stages of WebSocket APIs that log unless a parameter says no, and stacks that set the account's role."""
    yield (
        "AWS::ApiGateway::Account",
        sum(len(body.resources("AWS::ApiGateway::Account")) for body in templates.values()),
    )
    for name, channel in templates[SERVICE].resources("AWS::Serverless::WebSocketApi").items():
        condition = channel.get("AccessLogSettings", {"Fn::If": ["", {}, NOTHING]}).get("Fn::If", ["", {}, {}])
        traced = {"LoggingLevel", "DataTraceEnabled"} & channel.get("DefaultRouteSettings", {}).keys()
        yield name, float(condition[2] != NOTHING or bool(traced))


def fixed_names(templates: Templates) -> Counts:
    """Counts resources whose fixed name a change of a parameter would need twice; the stage is checked first."""
    by_stack = {SERVICE: templates[SERVICE]} | {name: templates[folder] for name, folder in replacements.NESTED.items()}
    for change in replacements.listed(by_stack):
        refused = change.effect is replacements.Effect.REFUSED and change.kind not in replacements.SINGLE
        yield f"{change.resource}.{change.path}", float(refused and bool(change.parameters - {"Stage"}))


def equal_versions(templates: Templates) -> Counts:
    """Counts functions whose description `make deploy` cannot change: a release could equal the last version."""
    shared = templates[SERVICE].document["Globals"]["Function"].get("Description", "")
    for name, body in templates[SERVICE].resources(FUNCTION).items():
        yield name, float("release 0" not in str(body.get("Description", shared)))


def conditions_for_events(templates: Templates) -> Counts:
    """Counts statements of topics' policies that let EventBridge publish under a condition, which it never meets."""
    for template in templates.values():
        for name, body in template.resources("AWS::SNS::TopicPolicy").items():
            for statement in body["PolicyDocument"]["Statement"]:
                yield name, float("events.amazonaws.com" in str(statement["Principal"]) and "Condition" in statement)


def alarms_of_a_release(templates: Templates) -> Counts:
    """Counts the alarms of each function's group of deployments."""
    for name, body in templates[SERVICE].resources(FUNCTION).items():
        yield name, len(body.get("DeploymentPreference", {}).get("Alarms", {"Fn::If": ["", []]})["Fn::If"][1])


def requests_per_second(templates: Templates) -> Counts:
    """Counts the requests a second that the API and the live channel take by default, each as many."""
    stages = len(templates[SERVICE].resources("AWS::ApiGatewayV2::Stage")) + len(
        templates[SERVICE].resources("AWS::Serverless::WebSocketApi")
    )
    yield "RequestsPerSecond", stages * templates[SERVICE].document["Parameters"]["RequestsPerSecond"]["Default"]


def outside_vended_logs(templates: Templates) -> Counts:
    """Counts destinations of access logs whose name makes the API write to the log policy of the account."""
    groups = templates[SERVICE].resources("AWS::Logs::LogGroup")
    for name, stage in templates[SERVICE].resources("AWS::ApiGatewayV2::Stage").items():
        group = groups[stage["AccessLogSettings"]["DestinationArn"]["Fn::GetAtt"][0]]["LogGroupName"]
        yield name, float(not str(group["Fn::Sub"]).startswith("/aws/vendedlogs/"))


def dashboards(templates: Templates) -> Counts:
    """Counts the metrics of each widget."""
    for template in templates.values():
        for name, body in template.resources("AWS::CloudWatch::Dashboard").items():
            for widget in json.loads(body["DashboardBody"]["Fn::Sub"])["widgets"]:
                yield f"{name}: {widget['properties'].get('title')}", len(widget["properties"].get("metrics", []))


def rules(templates: Templates) -> Counts:
    """Counts the rules of EventBridge: schedules, and those of the templates."""
    written = sum(len(template.resources("AWS::Events::Rule")) for template in templates.values())
    yield "rules", written + len(templates[SERVICE].schedules())


def functions(templates: Templates) -> Counts:
    """Counts the functions, each of which a gradual release deploys by itself."""
    yield "functions", len(templates[SERVICE].functions())
