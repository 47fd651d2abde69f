"""Checks the templates against AWS Control Tower's rules, with cfn-guard. `skipped.txt` lists exceptions with reasons.

The check fails if a rule fails that is not listed, and if a listed rule passes. So the list has no superfluous entries.
"""

from __future__ import annotations

import platform
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / ".local/npm-policy/node_modules/@cdklabs/cdk-validator-cfnguard"
SKIPPED = Path(__file__).with_name("skipped.txt")
TEMPLATES = (
    "template.yaml",
    "infra/cdn/template.yaml",
    "infra/downloads/template.yaml",
    "infra/monitoring/template.yaml",
    "infra/firewall/template.yaml",
    "infra/backup/template.yaml",
    "infra/inbound/template.yaml",
    "infra/user_pool/template.yaml",
)
SERVICES = (
    "apigateway",
    "cloudfront",
    "cloudwatch",
    "dynamodb",
    "identityandaccessmanagement",
    "lambda",
    "s3",
    "sqs",
    "waf",
)
_FAILED = re.compile(r"\.guard/(\w+)\s+FAIL")


def failed_rules(template: str, service: str) -> set[str]:
    """Returns the names of a service's rules that a template fails."""
    machine = {"x86_64": "x86_64", "arm64": "aarch64", "aarch64": "aarch64"}[platform.machine()]
    program = PACKAGE / "bin/ubuntu" / machine / "cfn-guard"
    program.chmod(0o755)
    rules = PACKAGE / "rules/control-tower/cfn-guard" / service
    command: list[str | Path] = [program, "validate", "-d", ROOT / template, "-r", rules, "--show-summary", "fail"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 - our own arguments
    if done.returncode not in (0, 19):
        raise SystemExit(f"cfn-guard could not check {template}: {done.stderr.strip()[:300]}")
    return set(_FAILED.findall(done.stdout))


def skipped_rules() -> set[str]:
    """Returns the names of the rules in `skipped.txt`."""
    lines = SKIPPED.read_text(encoding="utf-8").splitlines()
    return {line.split()[0] for line in lines if line and not line.startswith("#")}


def problems(failed: set[str], listed: set[str]) -> Iterator[str]:
    """Yields one sentence for each rule that fails unlisted or is listed without need."""
    yield from (f"{rule} fails" for rule in sorted(failed - listed))
    yield from (f"{rule} passes: remove it from {SKIPPED.name}" for rule in sorted(listed - failed))


def main() -> int:
    """Prints the problems on standard error and returns the exit code."""
    failed: set[str] = set().union(*(failed_rules(template, service) for template in TEMPLATES for service in SERVICES))
    lines = list(problems(failed, skipped_rules()))
    sys.stderr.writelines(f"{line}\n" for line in lines)
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main())
