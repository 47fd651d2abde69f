"""What a function's role permits, and whether the function used all of it."""

from __future__ import annotations

from tests.contract.simulated_calls import assert_only_named_targets, assert_simulator_agrees
from tests.harness.privileges import Grant, Need, grants

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
    "documents": {Need("s3:PutObject"), Need("dynamodb:BatchGetItem", "RESOLUTIONS")},
    "exports": {Need("s3:GetObject")},
    "deliveries": {
        Need("s3:GetObjectTagging"),
        Need("dynamodb:PutItem", "RESOLUTIONS"),
        Need("dynamodb:PutItem", "GUESTS"),
        Need("dynamodb:UpdateItem", "MEETINGS"),
        Need("lambda:InvokeFunction"),
    },
    "packer": {Need("s3:DeleteObject")},
    "events": {Need("lambda:InvokeFunction")},
    "resolutions": {Need("s3:GetObject")},
    "ringer": {Need("lambda:InvokeFunction")},
}
"""What other tests show: what needs an optional parameter (the scanner, tests/functions/documents/test_scans.py), what
the holder of a signed address or form needs (tests/exports, tests/functions/documents), the deletion of a pack that is
gone when it is made (tests/packs), the result that the clock decides and personal links (tests/reminders), a scrub of
answers (tests/calendar), ends of connections and the parts of a large room (tests/live), proofs, and what a committee
decides (tests/functions/resolutions)."""


def allowed(grant: Grant) -> set[Need]:
    """Returns the needs that a statement permits, one for each kind of partition."""
    return {Need(action, partition) for action in grant.actions for partition in grant.partitions or {""}}


def assert_role_is_used(group: str, needs: list[tuple[str, Need]]) -> None:
    """Asserts that a function needs all that its role permits."""
    used = {Need(need.action, need.partition) for caller, need in needs if caller == group}
    for grant in grants(group):
        assert allowed(grant) - RUNTIME - SHOWN_ELSEWHERE.get(group, set()) <= used
        assert not grant.index or any(need.index for caller, need in needs if caller == group)
    own = [need for caller, need in needs if caller == group]
    assert_simulator_agrees({need for need in own if need not in RUNTIME})
    assert_only_named_targets(group, {(need.action, need.target) for need in own if need.target})
