"""`make audit`: reports known vulnerabilities of the packages in the lock files, by pip-audit.

Packages that the vulnerability service does not know are counted separately, because pip-audit lists them as sound. A
known vulnerability is a failure. So is a lock file that no service could be asked about, unless AUDIT_OFFLINE=allow
accepts that: machines without access to a vulnerability service set it.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
PROGRAM = ROOT / ".venv-audit/bin/pip-audit"
SERVICES = ("pypi", "osv")


@dataclass(frozen=True)
class AuditResult:
    """A service's result for a lock file: how many packages it knows, how many it does not, and what it found."""

    known: int
    unknown: int
    findings: tuple[str, ...]


NO_RESULT = AuditResult(0, 0, ())


def parse_report(report: dict[str, Any]) -> AuditResult:
    """Returns the result in a report of pip-audit."""
    packages = report["dependencies"]
    known = [package for package in packages if "skip_reason" not in package]
    findings = tuple(_finding(package, found) for package in known for found in package["vulns"])
    return AuditResult(len(known), len(packages) - len(known), findings)


def _finding(package: dict[str, Any], vulnerability: dict[str, Any]) -> str:
    fixed = " or ".join(vulnerability["fix_versions"]) or "no version yet"
    return f"{package['name']} {package['version']}: {vulnerability['id']}, fixed in {fixed}"


def query_service(service: str, lock: Path) -> AuditResult:
    """Returns a service's result for a lock file, or `NO_RESULT` if the service is unreachable."""
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
    return parse_report(json.loads(done.stdout)) if done.stdout.startswith("{") else NO_RESULT


def audit_lock_file(lock: Path) -> AuditResult:
    """Returns the result of the first service that knows any of the packages."""
    for service in SERVICES:
        found = query_service(service, lock)
        if found.known:
            return found
    return NO_RESULT


def main() -> int:
    """Prints the result of each lock file and returns the exit code: 0 if nothing speaks against the packages."""
    results = {lock.name: audit_lock_file(lock) for lock in sorted(ROOT.glob("requirements*.lock"))}
    for name, found in results.items():
        print(f"{name}: {_summary(found)}", *found.findings, sep="\n  ")
    is_offline = any(not found.known for found in results.values())
    if is_offline and _may_be_offline():
        print("Not every lock file was audited. AUDIT_OFFLINE=allow accepts that.")
    elif is_offline:
        print("Not every lock file was audited, so the audit failed. AUDIT_OFFLINE=allow would accept that.")
    has_findings = any(found.findings for found in results.values())
    return int(has_findings or (is_offline and not _may_be_offline()))


def _summary(found: AuditResult) -> str:
    if not found.known:
        return "not audited, no vulnerability service is reachable from here"
    return f"{found.known} packages audited, {found.unknown} unknown to the service"


def _may_be_offline() -> bool:
    return os.environ.get("AUDIT_OFFLINE", "") == "allow"


if __name__ == "__main__":
    sys.exit(main())
