"""Asks a policy simulator what the roles allow of the calls that tests record, and of calls that are like them."""

from __future__ import annotations

from dataclasses import replace

from governance.settings import settings
from infra.policy.simulation import Policies, Request, Simulation, simulate
from infra.stack.template import Template
from tests.harness.privileges import Need, grants

_ARN = "arn:aws:{}:eu-west-1:123456789012"
_MAILS = "arn:aws:s3:::board-governance-dev-mails-123456789012"
_SENDER = "no-reply@example.com"
_QUEUES = {
    "deliveries": "Deliveries",
    "emails": "Emails",
    "cleanups": "Cleanups",
    "webhooks": "WebhookDeliveries",
    "slow_webhooks": "SlowWebhookDeliveries",
    "exports": "Exports",
    "packs": "Packs",
    "leaves": "Leaves",
    "revocations": "Revocations",
}


def assert_only_named_targets(group: str, called: set[tuple[str, str]]) -> None:
    """Asserts that a policy simulator lets a role make its recorded calls of S3, SQS and SES, but not to their like."""
    policies = Policies(Template())
    role, name = policies.roles()[group], policies.role_name(group)
    named = [Simulation(_to_target(policies, group, name, action, target), role) for action, target in sorted(called)]
    others = [replace(simulation, request=_like(simulation.request)) for simulation in named]
    allowed = simulate([*named, *others])
    assert allowed == [True] * len(named) + [False] * len(others), called


def _to_target(policies: Policies, group: str, role: str, action: str, target: str) -> Request:
    """Returns a recorded call with the resource that the deployed function has in place of the one of the tests."""
    service = action.partition(":")[0]
    if service == "ses":
        return Request(role, action, f"{_ARN.format('ses')}:identity/example.com", {"ses:FromAddress": _SENDER})
    if service == "sqs":
        return Request(role, action, policies.arn(_QUEUES[target.rpartition("/")[2]]))
    name, _, key = target.partition("/")
    own = policies.arn("PapersBucket" if name == settings().papers_bucket else "StaticBucket")
    return Request(role, action, f"{_MAILS if group == 'inbound' else own}/{key}")


def _like(request: Request) -> Request:
    """Returns the call from another sender, to another queue, or for another folder of the bucket."""
    if request.context:
        return replace(request, context={"ses:FromAddress": "owner@example.com"})
    if ":sqs:" in request.resource:
        return replace(request, resource=f"{request.resource}Other")
    return replace(
        request, resource=f"{request.resource.partition('/')[0]}/other/{request.resource.rpartition('/')[2]}"
    )


def assert_simulator_agrees(needs: set[Need]) -> None:
    """Asserts that a policy simulator lets just those roles make a group's recorded calls to which we grant them."""
    policies = Policies(Template())
    roles = policies.roles()
    asked = [(role, need) for role in roles for need in needs if need.action.startswith("dynamodb:")]
    table = policies.arn("Table")
    requests = [
        Request(
            policies.role_name(role),
            need.action,
            f"{table}/index/by-L1" if need.index else table,
            {"dynamodb:LeadingKeys": [f"{need.partition}#1"]},
        )
        for role, need in asked
    ]
    verdicts = simulate([Simulation(request, roles[role]) for request, (role, _) in zip(requests, asked, strict=True)])
    for (role, need), is_allowed in zip(asked, verdicts, strict=True):
        assert is_allowed == any(grant.permits(need) for grant in grants(role)), (role, need)
