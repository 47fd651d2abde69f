"""Known vulnerabilities of all that the lock files name, by pip-audit.

A package that a service does not know was not judged: pip-audit itself counts it among the sound ones. Where no service
can be asked, that is said, and is no failure; a vulnerability that is known is one.
"""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
PROGRAM = ROOT / ".venv-audit/bin/pip-audit"
SERVICES = ("pypi", "osv")


@dataclass(frozen=True)
class Verdict:
    """What a service says of a lock file: the packages that it knows, and what it knows against them."""

    judged: int
    unknown: int
    findings: tuple[str, ...]


UNASKED = Verdict(0, 0, ())


def verdict(report: dict[str, Any]) -> Verdict:
    """The verdict in a report of pip-audit's."""
    packages = report["dependencies"]
    known = [package for package in packages if "skip_reason" not in package]
    findings = tuple(_finding(package, weakness) for package in known for weakness in package["vulns"])
    return Verdict(len(known), len(packages) - len(known), findings)


def _finding(package: dict[str, Any], weakness: dict[str, Any]) -> str:
    mended = " or ".join(weakness["fix_versions"]) or "no version yet"
    return f"{package['name']} {package['version']}: {weakness['id']}, mended in {mended}"


def asked(service: str, lock: Path) -> Verdict:
    """The verdict of a service; of one that cannot be asked, none."""
    arguments = [
        "--disable-pip",
        "--require-hashes",
        "--format",
        "json",
        "--progress-spinner",
        "off",
        "--timeout",
        "15",
    ]
    done = subprocess.run(  # noqa: S603 - our own arguments
        [PROGRAM, *arguments, "--vulnerability-service", service, "--requirement", lock],
        capture_output=True,
        text=True,
        check=False,
    )
    return verdict(json.loads(done.stdout)) if done.stdout.startswith("{") else UNASKED


def audited(lock: Path) -> Verdict:
    """The verdict of the first service that knows any of the packages."""
    for service in SERVICES:
        found = asked(service, lock)
        if found.judged:
            return found
    return UNASKED


def main() -> int:
    """Say what is known of each lock file; the number of known vulnerabilities."""
    known = 0
    for lock in sorted(ROOT.glob("requirements*.lock")):
        found = audited(lock)
        if not found.judged:
            print(f"No service that knows vulnerabilities can be asked from here: {lock.name} was not audited.")
            continue
        known += len(found.findings)
        print(f"{lock.name}: {found.judged} packages judged, {found.unknown} unknown to the service")
        for finding in found.findings:
            print(f"  {finding}")
    return known


if __name__ == "__main__":
    sys.exit(min(main(), 1))
