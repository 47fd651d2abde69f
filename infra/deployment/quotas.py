"""The platform's quotas and defaults that the templates could exceed: what emulators accept and an account refuses.

A test holds the templates against the table, and `make rehearse` prints it. A new kind of resource needs its rows.
"""

from __future__ import annotations

import json
from dataclasses import dataclass

from infra.deployment import quota_counts as counts
from infra.deployment import regions
from infra.deployment.quota_counts import FUNCTION, SERVICE, Count, Templates, number, per_resource
from infra.stack.template import ROOT, Template

STACKS = ("backup", "cdn", "downloads", "firewall", "inbound", "monitoring", "user_pool")


@dataclass(frozen=True)
class Quota:
    """A rule of a service: what is counted, the limit, its source, and whether AWS raises it on request.

    A rule is documented by its source, or was `seen`: an account refused something that no page of AWS rules out.
    """

    service: str
    rule: str
    limit: float
    count: Count
    source: str
    raised: bool = False
    seen: bool = False

    def used(self, templates: Templates) -> tuple[str, float]:
        """Returns what uses the most of it, and how much."""
        return max(self.count(templates), key=lambda entry: entry[1])

    def exceeded(self, templates: Templates) -> list[str]:
        """Returns what is beyond the limit."""
        return [name for name, used in self.count(templates) if used > self.limit]


def templates() -> dict[str, Template]:
    """Returns the templates of all stacks by name."""
    return {SERVICE: Template()} | {name: Template(ROOT / f"infra/{name}/template.yaml") for name in STACKS}


def table(by_stack: Templates) -> str:
    """Returns a line for each quota: what it limits, the most that is used, the limit, what uses it, and its basis."""
    lines = []
    for quota in QUOTAS:
        name, used = quota.used(by_stack)
        raised = ", raised on request" if quota.raised else ""
        basis = "seen" if quota.seen else "documented"
        what = f"{quota.service}: {quota.rule}: {used:g} of {quota.limit:g}{raised}"
        lines.append(f"  {what} ({name}; {basis}: {quota.source})")
    return "\n".join(lines)


_DOCS = "docs.aws.amazon.com/"
_LAMBDA, _LIMITS = f"{_DOCS}lambda/latest/dg/", "gettingstarted-limits.html"
_STACK = f"{_DOCS}AWSCloudFormation/latest/UserGuide/cloudformation-limits.html"
_API = f"{_DOCS}apigateway/latest/developerguide/http-api-quotas.html"
_SQS = f"{_DOCS}AWSSimpleQueueService/latest/SQSDeveloperGuide/quotas-messages.html"
_CDN = f"{_DOCS}AmazonCloudFront/latest/DeveloperGuide/cloudfront-limits.html"
_WATCH = f"{_DOCS}AmazonCloudWatch/latest/monitoring/cloudwatch_limits.html"
_LOGS = f"{_DOCS}AmazonCloudWatch/latest/logs/AWS-logs-and-resource-policy.html"
_TABLE = f"{_DOCS}amazondynamodb/latest/developerguide/ServiceQuotas.html"
_REFERENCES = f"{_DOCS}AWSCloudFormation/latest/UserGuide/dynamic-references.html"
_REPLACE = f"{_DOCS}AWSCloudFormation/latest/UserGuide/using-cfn-updating-stacks-update-behaviors.html"
_ROLE = f"{_DOCS}apigateway/latest/developerguide/websocket-api-logging.html"
_EVENTS = f"{_DOCS}eventbridge/latest/userguide/eb-troubleshooting.html"
_DEAD = f"{_DOCS}AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-dead-letter-queues.html"
_layers = per_resource(FUNCTION, lambda body: 1 + len(body.get("Layers", [])))
_WEBSOCKETS = f"{_DOCS}apigateway/latest/developerguide/apigateway-execution-service-websocket-limits-table.html"
_live = per_resource(
    "AWS::Serverless::WebSocketApi",
    lambda body: max(route["IntegrationTimeout"] for route in body["Routes"].values()),
)
_seconds = per_resource(FUNCTION, lambda body: body.get("Timeout", 0))
_milliseconds = per_resource("AWS::ApiGatewayV2::Integration", lambda body: body["TimeoutInMillis"])
_kept = per_resource("AWS::SQS::Queue", lambda body: body["MessageRetentionPeriod"])
_hidden = per_resource("AWS::SQS::Queue", lambda body: body.get("VisibilityTimeout", 30))
_indexes = per_resource("AWS::DynamoDB::Table", lambda body: len(body["LocalSecondaryIndexes"]))
_code = per_resource("AWS::CloudFront::Function", lambda body: len(str(body["FunctionCode"]).encode()))
_behaviours = per_resource(
    "AWS::CloudFront::Distribution", lambda body: len(body["DistributionConfig"]["CacheBehaviors"])
)
_alarm = per_resource(
    "AWS::CloudWatch::Alarm", lambda body: sum("MetricStat" in part for part in body.get("Metrics", []))
)
_key = per_resource("AWS::KMS::Key", lambda body: len(json.dumps(counts.deployed(body["KeyPolicy"]))))
_routes, _integrations = number("AWS::ApiGatewayV2::Route"), number("AWS::ApiGatewayV2::Integration")
_caches, _headers = number("AWS::CloudFront::CachePolicy"), number("AWS::CloudFront::ResponseHeadersPolicy")
_requests, _key_groups = number("AWS::CloudFront::OriginRequestPolicy"), number("AWS::CloudFront::KeyGroup")
_public_keys = number("AWS::CloudFront::PublicKey")
_keys_of_a_group = per_resource("AWS::CloudFront::KeyGroup", lambda body: len(body["KeyGroupConfig"]["Items"]))
_destinations = number("AWS::SES::ConfigurationSetEventDestination")
_parameters, _outputs = counts.sections("Parameters"), counts.sections("Outputs")

QUOTAS = (
    Quota("Lambda", "filters of a mapping", 5, counts.filters, f"{_LAMBDA}invocation-eventfiltering.html", raised=True),
    Quota("Lambda", "loops that are stopped", 0, counts.stopped_loops, f"{_LAMBDA}invocation-recursion.html"),
    Quota("Lambda", "queues bounded below 2", 0, counts.lowest_concurrency, f"{_LAMBDA}services-sqs-scaling.html"),
    Quota("Lambda", "queues hiding too briefly", 0, counts.short_visibility, f"{_LAMBDA}services-sqs-configure.html"),
    Quota(
        "Lambda", "versions that could equal the last", 0, counts.equal_versions, f"{_LAMBDA}API_PublishVersion.html"
    ),
    Quota("Lambda", "seconds of a function", 900, _seconds, f"{_LAMBDA}{_LIMITS}"),
    Quota("Lambda", "bytes of an environment", 4096, counts.environment_bytes, f"{_LAMBDA}{_LIMITS}"),
    Quota("Lambda", "layers of a function", 5, _layers, f"{_LAMBDA}{_LIMITS}"),
    Quota("IAM", "characters of a role's policies", 10_240, counts.policy_characters, f"{_DOCS}IAM/latest/UserGuide/"),
    Quota("CloudFormation", "resources of a stack", 500, counts.resources, _STACK),
    Quota("CloudFormation", "dynamic references of a template", 60, counts.dynamic_references, _REFERENCES),
    Quota("CloudFormation", "fixed names that a parameter needs twice", 0, counts.fixed_names, _REPLACE),
    Quota("CloudFormation", "bytes of a template", 1_000_000, counts.template_bytes, _STACK),
    Quota("CloudFormation", "parameters of a template", 200, _parameters, _STACK),
    Quota("CloudFormation", "outputs of a template", 200, _outputs, _STACK),
    Quota("API Gateway", "routes of an API", 300, _routes, _API, raised=True),
    Quota("API Gateway", "integrations of an API", 300, _integrations, _API),
    Quota("API Gateway", "milliseconds of an integration", 30_000, _milliseconds, _API),
    Quota("API Gateway", "milliseconds of a route of the live channel", 29_000, _live, _WEBSOCKETS),
    Quota("API Gateway", "access logs outside of /aws/vendedlogs/", 0, counts.outside_vended_logs, _LOGS),
    Quota(
        "API Gateway",
        "logs by a role that the account has once",
        0,
        counts.logs_by_the_role_of_the_account,
        _ROLE,
        seen=True,
    ),
    Quota(
        "API Gateway",
        "requests a second of all APIs of an account, in the smallest regions; posts to connections are on top",
        regions.SMALLEST,
        counts.requests_per_second,
        f"{_DOCS}apigateway/latest/developerguide/limits.html",
        raised=True,
    ),
    Quota("SNS", "conditions on what EventBridge publishes", 0, counts.conditions_for_events, _EVENTS),
    Quota("SQS", "dead letters kept no longer than their source", 0, counts.short_dead_letters, _DEAD),
    Quota(
        "CodeDeploy",
        "alarms of a group of deployments",
        10,
        counts.alarms_of_a_release,
        f"{_DOCS}codedeploy/latest/APIReference/API_AlarmConfiguration.html",
    ),
    Quota("SQS", "seconds that a message is kept", 1_209_600, _kept, _SQS),
    Quota("SQS", "seconds that a message is hidden", 43_200, _hidden, _SQS),
    Quota("SES", "event destinations of a configuration set", 10, _destinations, f"{_DOCS}ses/latest/dg/quotas.html"),
    Quota("DynamoDB", "local indexes of a table", 5, _indexes, _TABLE),
    Quota("CloudFront", "bytes of an edge function", 10_240, _code, _CDN),
    Quota("CloudFront", "cache behaviours of a distribution", 75, _behaviours, _CDN, raised=True),
    Quota("CloudFront", "cache policies of an account", 20, _caches, _CDN, raised=True),
    Quota("CloudFront", "response headers policies of an account", 20, _headers, _CDN, raised=True),
    Quota("CloudFront", "origin request policies of an account", 20, _requests, _CDN, raised=True),
    Quota("CloudFront", "public keys of an account", 10, _public_keys, _CDN, raised=True),
    Quota("CloudFront", "public keys of a key group", 5, _keys_of_a_group, _CDN, raised=True),
    Quota("CloudFront", "key groups of an account", 10, _key_groups, _CDN, raised=True),
    Quota("CloudWatch", "metrics of an alarm that computes", 10, _alarm, _WATCH),
    Quota("CloudWatch", "metrics of a widget", 500, counts.dashboards, _WATCH),
    Quota("EventBridge", "rules of a bus", 300, counts.rules, f"{_DOCS}eventbridge/latest/userguide/", raised=True),
    Quota(
        "KMS", "characters of a key's policy", 32_768, _key, f"{_DOCS}kms/latest/developerguide/resource-limits.html"
    ),
    Quota(
        "CodeDeploy",
        "deployments at a time",
        100,
        counts.functions,
        f"{_DOCS}codedeploy/latest/userguide/",
        raised=True,
    ),
)
"""What the account has and not the templates, such as concurrent executions, is counted in `checks.py`.

A loop is stopped after some 16 rounds, unless the function says `RecursiveLoop: Allow`. A queue hides a message too
briefly if that is less than six time-outs of its function. Elsewhere than under its prefix, an access log fills a
policy of 5,120 characters that an account has once. A gradual release deploys each function by itself.
"""
