"""What a function's role permits, and whether the function used all of it."""

from __future__ import annotations

from dataclasses import replace

from governance.settings import settings
from infra.policy.simulation import Policies, Request, Simulation, simulate
from infra.stack.template import Template
from tests.harness.privileges import Grant, Need, grants
from tests.harness.queue import QUEUES

RUNTIME = {
    Need("logs:CreateLogStream"),
    Need("logs:PutLogEvents"),
    Need("dynamodb:DescribeStream"),
    Need("dynamodb:GetRecords"),
    Need("dynamodb:GetShardIterator"),
    Need("dynamodb:ListStreams"),
    Need("sqs:SendMessage"),
    Need("sqs:DeleteMessage"),
    Need("sqs:GetQueueAttributes"),
    Need("sqs:ReceiveMessage"),
    Need("s3:ListBucket"),  # for an error that says which object is missing
    Need("sqs:ChangeMessageVisibility"),
}
"""What the Lambda runtime itself needs, before and after it runs the code."""
SHOWN_ELSEWHERE = {
    "boards": {
        Need("dynamodb:BatchGetItem", "RESOLUTIONS"),
        Need("dynamodb:DeleteItem", "CALENDAR_REPLY"),
        Need("dynamodb:DeleteItem", "DELIVERED"),
        Need("dynamodb:DeleteItem", "MEETINGS"),
        Need("dynamodb:PutItem", "CALENDAR_REPLY"),
        Need("dynamodb:PutItem", "DELIVERED"),
        Need("dynamodb:PutItem", "MEETINGS"),
    },
    "documents": {Need("s3:PutObject")},
    "deliveries": {
        Need("s3:GetObjectTagging"),
        Need("dynamodb:BatchGetItem", "EVENTS"),
        Need("dynamodb:PutItem", "RESOLUTIONS"),
        Need("dynamodb:PutItem", "GUESTS"),
        Need("dynamodb:UpdateItem", "MEETINGS"),
        Need("lambda:InvokeFunction"),
    },
    "notifications": {
        Need("dynamodb:BatchGetItem", "MEETINGS"),
        Need("dynamodb:BatchGetItem", "DELETED_DRAFT"),
    },
    "minutes_files": {Need("s3:DeleteObject")},
    "packer": {Need("s3:DeleteObject")},
    "events": {
        Need("lambda:InvokeFunction"),
        Need("dynamodb:Query", "BOARDS"),
        Need("dynamodb:Query", "LISTENER"),
        Need("dynamodb:Query", "ROOM"),
        Need("dynamodb:UpdateItem", "RINGS"),
    },
    "resolutions": {Need("s3:GetObject")},
    "inbound": {Need("dynamodb:Query", "BOARD")},
    "paper_requests": {Need("dynamodb:Query", "BOARD")},
    "planning": {Need("dynamodb:ConditionCheckItem", "BOARD")},
    "ringer": {Need("lambda:InvokeFunction"), Need("dynamodb:BatchGetItem", "RINGS")},
}
"""What other tests show: what needs an optional parameter (the scanner, tests/functions/documents/test_scans.py; the
bucket of certificates, tests/operator/test_certified.py), what the holder of a signed address or form needs
(tests/exports, tests/functions/documents), the deletion of a pack or of minutes that are gone when they are made
(tests/packs), the result that the clock decides and personal links (tests/reminders), tasks that are told
(tests/deliveries), a scrub of answers, replies to a booked meeting (tests/calendars), ends of connections, who
listens, the parts of a large room and rings that are folded (tests/live), proofs, what a committee decides
(tests/functions/resolutions), owners of matters (tests/functions/planning), the first file of a board
(tests/functions/paper_requests), and the answers that a merge moves (tests/functions/members)."""


def allowed(grant: Grant) -> set[Need]:
    """Returns the needs that a statement permits, one for each kind of partition."""
    return {Need(action, partition) for action in grant.actions for partition in grant.partitions or {""}}


def assert_role_is_used(group: str, needs: list[tuple[str, Need]]) -> None:
    """Asserts that a function needs all that its role permits."""
    used = {Need(need.action, need.partition) for caller, need in needs if caller == group}
    permitted = {need for grant in grants(group) for need in allowed(grant)}
    unused = permitted - RUNTIME - SHOWN_ELSEWHERE.get(group, set()) - used
    assert not unused, unused
    for grant in grants(group):
        assert not grant.index or any(need.index for caller, need in needs if caller == group)
    own = [need for caller, need in needs if caller == group]
    assert_simulator_agrees({need for need in own if need not in RUNTIME})
    assert_only_named_targets(group, {(need.action, need.target) for need in own if need.target})


_ARN = "arn:aws:{}:eu-west-1:123456789012"
_MAILS = "arn:aws:s3:::board-governance-dev-mails-123456789012"
_SENDER = "no-reply@example.com"


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
        return Request(role, action, policies.arn(QUEUES[target.rpartition("/")[2]]))
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
