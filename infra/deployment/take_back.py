"""`make take-back`: lets callers reach the release before the last one, in every function of a stack, in seconds.

Code and settings of the functions go back, not the stack: routes, tables and pages stay as they are. Deploy the earlier
release afterwards; until something is deployed, the aliases stay where this command has set them.
"""

from __future__ import annotations

import os
import sys
from typing import Any

from botocore.exceptions import BotoCoreError, ClientError

from infra.deployment import releases, stacks
from infra.deployment.deploy import DEFAULT_STACK, StepFailed, session


def take_back(sdk: Any, name: str) -> dict[str, tuple[str, str]]:
    """Sets each alias of a stack to the release that was called before its own; returns both versions by function.

    A function that the last release created has no version before and stays as it is. Raises `StepFailed` if there is
    no such stack, or while a gradual release runs: its aliases still lead to the release before it.
    """
    if stacks.describe(sdk.client("cloudformation"), name) is None:
        raise StepFailed(f"There is no installation {name} in {sdk.region_name}: set STACK or AWS_DEFAULT_REGION.")
    client, changed = sdk.client("lambda"), {}
    aliases = [client.get_alias(FunctionName=function, Name=alias) for function, alias in releases.aliases(sdk, name)]
    if any(alias.get("RoutingConfig", {}).get("AdditionalVersionWeights") for alias in aliases):
        raise StepFailed("A gradual release runs: stop it instead (infra/RUNBOOK.md). Nothing was taken back.")
    for alias in aliases:
        function, current = alias["AliasArn"].rpartition(":")[0], alias["FunctionVersion"]
        before = _before(client, function, int(current))
        if before:
            client.update_alias(FunctionName=function, Name=alias["Name"], FunctionVersion=before)
            changed[function.rpartition(":")[2]] = (current, before)
    return changed


def _before(client: Any, function: str, current: int) -> str | None:
    """Returns the newest version of the release before; of any release if the current version does not name it."""
    versions = releases.versions(client, function)
    release = versions[current]
    wanted = release.before if release else ""
    earlier = [
        version
        for version, named in versions.items()
        if version < current and (not wanted or (named and named.digest == wanted))
    ]
    return str(max(earlier)) if earlier else None


def main() -> None:
    """Takes back the stack that STACK names, and says which versions are called now."""
    name = os.environ.get("STACK", DEFAULT_STACK)
    try:
        changed = take_back(session(), name)
    except (StepFailed, ClientError, BotoCoreError) as error:
        sys.exit(str(error))
    if not changed:
        sys.exit(f"No function of {name} has a release before: nothing was taken back.")
    for function, (after, before) in sorted(changed.items()):
        print(f"{function}: {before} in place of {after}")
    print("Deploy the earlier release next: `make deploy` of its sources.")


if __name__ == "__main__":
    main()
