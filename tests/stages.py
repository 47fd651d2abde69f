"""The stages of `.ci/run` that seldom find anything: one runs when what it covers has changed, all before a release.

`python -m tests.stages` prints the make targets of those whose paths differ from the base, one a line, then the
variables that leave out tests of them which nothing changed for, and says on standard error why. The base is the commit
`CI_BASE`, else the last one that changed the project's version: before it, `make release-check` ran all of them.
Without such a commit (no git, a shallow clone), all of them run.
"""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

ROOT = Path(__file__).parents[1]
_SERVICE = "shared/governance"
COVERED: Mapping[str, tuple[str, ...]] = {
    "test-versions": (
        "infra/local/find_python.sh",
        "infra/local/setup.sh",
        "requirements-dev.lock",
        f"{_SERVICE}/addresses.py",
        f"{_SERVICE}/calendars",
        f"{_SERVICE}/instants.py",
        f"{_SERVICE}/mail",
        f"{_SERVICE}/webhooks/client.py",
    ),
    "test-clocks": (
        "infra/local/clock.py",
        "tests/harness/clock.py",
        f"{_SERVICE}/deliveries/notifications/reminders.py",
        f"{_SERVICE}/domain/calendars",
        f"{_SERVICE}/domain/quota.py",
        f"{_SERVICE}/http/sessions.py",
        f"{_SERVICE}/ids.py",
        f"{_SERVICE}/instants.py",
    ),
    "test-days": (
        "infra/pages/app/web",
        "tests/pages/app/modules",
        "tests/pages/app/test_clocks.py",
    ),
    "test-engine": (
        "infra/local/dynamodb",
        "infra/local/engine.py",
        "tests/faults",
        f"{_SERVICE}/store/client",
        f"{_SERVICE}/store/dynamodb.py",
        f"{_SERVICE}/store/failures.py",
        f"{_SERVICE}/store/table.py",
        f"{_SERVICE}/store/transactions.py",
    ),
    "test-lambda": (
        "infra/build",
        "infra/local/run_lambda.py",
        "infra/local/runtime.py",
        "requirements.lock",
        f"{_SERVICE}/aws.py",
        f"{_SERVICE}/http/serving.py",
        f"{_SERVICE}/telemetry.py",
    ),
    "test-large": (
        "tests/large",
        f"{_SERVICE}/exports/archive.py",
        f"{_SERVICE}/exports/parts.py",
        f"{_SERVICE}/exports/reader.py",
        f"{_SERVICE}/exports/worker.py",
        f"{_SERVICE}/log",
        f"{_SERVICE}/packs",
        f"{_SERVICE}/sealing",
        f"{_SERVICE}/store/batches.py",
        f"{_SERVICE}/store/paging.py",
        f"{_SERVICE}/store/partitions.py",
    ),
    "test-random": (
        "infra/openapi/schemas.py",
        "tests/fuzz",
        "tests/model",
        f"{_SERVICE}/http/parsing.py",
        f"{_SERVICE}/http/strict_json.py",
        f"{_SERVICE}/http/validation.py",
        f"{_SERVICE}/models/base.py",
    ),
    "rehearse": (
        "infra/backup",
        "infra/cdn/template.yaml",
        "infra/deployment",
        "infra/downloads",
        "infra/firewall",
        "infra/inbound",
        "infra/monitoring",
        "infra/publish.py",
        "infra/tools/rehearsal",
        "infra/stack",
        "infra/user_pool",
        "requirements-emulator.lock",
        "requirements-sam.lock",
        "template.yaml",
    ),
}
"""What a stage covers, by its make target. Files whose mistakes the quick and slow tests find as well are not named."""

NARROWED: Mapping[str, tuple[str, Mapping[str, tuple[str, ...]]]] = {
    "test-versions": (
        "VERSION_TESTS",
        {
            f"{_SERVICE}/calendars": ("calendars", "domain/calendars", "mail"),
            f"{_SERVICE}/mail": ("calendars", "mail"),
            f"{_SERVICE}/webhooks/client.py": ("webhooks",),
        },
    ),
    "test-engine": ("ENGINE_TESTS", {"tests/faults": ("faults",)}),
    "test-large": ("LARGE_TESTS", {f"{_SERVICE}/packs": ("large/test_packs.py",)}),
    "test-clocks": (
        "CLOCK_TESTS",
        {
            f"{_SERVICE}/deliveries/notifications/reminders.py": ("reminders",),
            f"{_SERVICE}/domain/calendars": ("calendars", "domain/calendars", "reminders"),
        },
    ),
}
"""What is enough to test where nothing else that a stage covers has changed: the variable of make, and the tests by
covered path."""


def _git(*arguments: str, root: Path = ROOT) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["git", *arguments], cwd=root, capture_output=True, text=True, check=False)  # noqa: S603, S607


def base_commit(root: Path = ROOT) -> str | None:
    """Returns the commit that changes are counted from, None if the history does not say."""
    if shutil.which("git") is None:
        return None
    if named := os.environ.get("CI_BASE"):
        return _git("rev-parse", "--verify", "--quiet", f"{named}^{{commit}}", root=root).stdout.strip() or None
    if _git("rev-parse", "--is-shallow-repository", root=root).stdout.strip() != "false":
        return None
    return _git("log", "-1", "--format=%H", "-G^version = ", "--", "pyproject.toml", root=root).stdout.strip() or None


def changed_stages(base: str, root: Path = ROOT) -> list[str]:
    """Returns the stages of which a covered file differs from the base, committed or not, in more than its words."""
    return [stage for stage, paths in COVERED.items() if any(_changed(base, paths, root))]


def narrowed(base: str, stages: Iterable[str], root: Path = ROOT) -> Iterator[str]:
    """Yields the variables of make that leave out the tests of these stages that nothing changed for."""
    for stage in stages:
        variable, enough = NARROWED.get(stage, ("", {}))
        changed = [path for path in COVERED[stage] if any(_changed(base, (path,), root))]
        if {*changed} <= {*enough}:
            yield f"{variable}={','.join(sorted({test for path in changed for test in enough[path]}))}"


def _changed(base: str, paths: tuple[str, ...], root: Path) -> Iterator[str]:
    """Yields the covered files that do something else than at the base; all that are no modules of Python."""
    for name in _git("diff", "--name-only", base, "--", *paths, root=root).stdout.splitlines():
        before, now = _git("show", f"{base}:{name}", root=root), root / name
        is_module = name.endswith(".py") and now.exists() and before.returncode == 0
        if not is_module or _code(before.stdout) != _code(now.read_text(encoding="utf-8")):
            yield name


def _code(source: str) -> str:
    """Returns what a module does: its syntax tree without comments and docstrings."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(body := getattr(node, "body", None), list):
            body[:] = [part for part in body if not _is_docstring(part)]
    return ast.dump(tree)


def _is_docstring(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def main() -> None:
    """Prints the targets that are to run."""
    base = base_commit()
    stages = list(COVERED) if base is None else changed_stages(base)
    since = "the history names no base" if base is None else f"since {base[:12]}"
    print(f"Stages ({since}): {', '.join(stages) or 'none; nothing that they cover has changed'}", file=sys.stderr)
    print("\n".join([*stages, *(narrowed(base, stages) if base else ())]))


if __name__ == "__main__":
    main()
