"""AWS Control Tower's own rules, run by cfn-guard over our templates; `skipped.txt` says which do not apply, and why.

It fails for a rule that is broken and not listed, and for a listed one that holds: the list is as long as it must be.
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
    "infra/monitoring/template.yaml",
    "infra/firewall/template.yaml",
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


def broken(template: str, service: str) -> set[str]:
    """The rules of a service that a template breaks."""
    machine = {"x86_64": "x86_64", "arm64": "aarch64", "aarch64": "aarch64"}[platform.machine()]
    program = PACKAGE / "bin/ubuntu" / machine / "cfn-guard"
    program.chmod(0o755)
    rules = PACKAGE / "rules/control-tower/cfn-guard" / service
    command: list[str | Path] = [program, "validate", "-d", ROOT / template, "-r", rules, "--show-summary", "fail"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 - our own arguments
    if done.returncode not in (0, 19):
        raise SystemExit(f"cfn-guard did not judge {template}: {done.stderr.strip()[:300]}")
    return set(_FAILED.findall(done.stdout))


def skipped() -> set[str]:
    """The rules that are left aside with a reason."""
    lines = SKIPPED.read_text(encoding="utf-8").splitlines()
    return {line.split()[0] for line in lines if line and not line.startswith("#")}


def faults(found: set[str], listed: set[str]) -> Iterator[str]:
    """What is wrong, a sentence each."""
    yield from (f"{rule} is broken" for rule in sorted(found - listed))
    yield from (f"{rule} holds, but is listed in {SKIPPED.name}" for rule in sorted(listed - found))


def main() -> int:
    """The exit code, with what is wrong on standard error."""
    found: set[str] = set().union(*(broken(template, service) for template in TEMPLATES for service in SERVICES))
    wrong = list(faults(found, skipped()))
    sys.stderr.writelines(f"{line}\n" for line in wrong)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
