"""`make audit`: reports known vulnerabilities of the packages in all lock files, by pip-audit and `npm audit`.

Packages that the vulnerability service does not know are counted separately, because pip-audit lists them as sound. A
known vulnerability is a failure. So is a lock file that no service could be asked about, unless AUDIT_OFFLINE=allow
accepts that: machines without access to a vulnerability service set it.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
PROGRAM = ROOT / ".venv-audit/bin/pip-audit"
SERVICES = ("pypi", "osv")
_NPM_LOCK = "package-lock.json"


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
    findings = tuple(_finding(package, vulnerability) for package in known for vulnerability in package["vulns"])
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


def parse_npm_report(report: dict[str, Any]) -> AuditResult:
    """Returns the result in a report of `npm audit`; `NO_RESULT` if it is an error of npm.

    npm also names the packages that depend on a vulnerable one; of those, nothing is repeated.
    """
    if "vulnerabilities" not in report:
        return NO_RESULT
    advisories = [
        f"{name} {advisory['range']}: {advisory['title']}, {advisory['url']}"
        for name, package in report["vulnerabilities"].items()
        for advisory in package["via"]
        if isinstance(advisory, dict)
    ]
    return AuditResult(report["metadata"]["dependencies"]["total"], 0, tuple(advisories))


def query_npm(lock: Path) -> AuditResult:
    """Returns npm's result for a lock file, or `NO_RESULT` if npm is absent or its registry does not answer."""
    npm = shutil.which("npm")
    if npm is None:
        return NO_RESULT
    arguments = ["audit", "--json", "--package-lock-only", "--fetch-retries=0", "--fetch-timeout=15000"]
    done = subprocess.run(  # noqa: S603 - our own arguments
        [npm, *arguments, "--prefix", lock.parent], capture_output=True, text=True, check=False
    )
    return parse_npm_report(json.loads(done.stdout)) if done.stdout.startswith("{") else NO_RESULT


def lock_files() -> Iterator[Path]:
    """Yields all lock files: Python's, then npm's."""
    yield from sorted([*ROOT.glob("requirements*.lock"), *ROOT.glob("infra/tools/*/requirements*.lock")])
    for part in ("infra", "tests"):
        yield from sorted(lock for lock in (ROOT / part).rglob(_NPM_LOCK) if "node_modules" not in lock.parts)


def audit_lock_file(lock: Path) -> AuditResult:
    """Returns the result of the first service that knows any of the packages."""
    if lock.name == _NPM_LOCK:
        return query_npm(lock)
    for service in SERVICES:
        result = query_service(service, lock)
        if result.known:
            return result
    return NO_RESULT


def main() -> int:
    """Prints the result of each lock file and returns the exit code: 0 if nothing speaks against the packages."""
    results = {str(lock.relative_to(ROOT)): audit_lock_file(lock) for lock in lock_files()}
    for name, result in results.items():
        print(f"{name}: {_summary(result)}", *result.findings, sep="\n  ")
    is_offline = any(not result.known for result in results.values())
    if is_offline and _may_be_offline():
        print("Not every lock file was audited. AUDIT_OFFLINE=allow accepts that.")
    elif is_offline:
        print("Not every lock file was audited, so the audit failed. AUDIT_OFFLINE=allow would accept that.")
    has_findings = any(result.findings for result in results.values())
    return int(has_findings or (is_offline and not _may_be_offline()))


def _summary(result: AuditResult) -> str:
    if not result.known:
        return "not audited, no vulnerability service is reachable from here"
    return f"{result.known} packages audited, {result.unknown} unknown to the service"


def _may_be_offline() -> bool:
    return os.environ.get("AUDIT_OFFLINE", "") == "allow"


if __name__ == "__main__":
    sys.exit(main())
