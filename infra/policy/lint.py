"""Lints the text of every policy of the stack with parliament: unknown actions, keys, resources, and errors of form."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from typing import Any

from parliament import analyze_policy_string  # type: ignore[import-untyped]

from infra.policy.simulation import Policies
from infra.stack.template import Template

# Findings that are right as they are, each with its reason. One that parliament no longer reports must not be listed.
ACCEPTED = {
    ("events", "RESOURCE_MISMATCH"): "ListStreams of one table's streams, as AWS's own SAM policy for readers has it",
    ("WebhookKey", "RESOURCE_STAR"): "in the policy of a key, * is the key itself",
}


def documents() -> dict[str, Any]:
    """Returns the policies of the roles, of the bucket and of the key, by name."""
    policies = Policies(Template())
    of_resources = {
        "StaticBucket": policies.document("StaticBucketPolicy", "PolicyDocument"),
        "WebhookKey": policies.document("WebhookKey", "KeyPolicy"),
    }
    return policies.roles() | of_resources


def problems() -> Iterator[str]:
    """Yields one sentence for each finding that is not accepted, and for each accepted one that is not found."""
    findings = {
        (name, finding.issue): str(finding.detail)
        for name, document in documents().items()
        for finding in analyze_policy_string(json.dumps(document)).findings
    }
    yield from (f"{name}: {issue} {findings[name, issue]}" for name, issue in sorted(findings.keys() - ACCEPTED.keys()))
    yield from (f"{name} has no {issue} any more" for name, issue in sorted(ACCEPTED.keys() - findings.keys()))


def main() -> int:
    """Prints the problems on standard error and returns the exit code."""
    lines = list(problems())
    sys.stderr.writelines(f"{line}\n" for line in lines)
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main())
