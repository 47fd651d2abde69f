"""The releases of an installation's functions: the description of each version names its own and the one before it.

Numbers of versions do not say which release was called before: a deployment that failed leaves the versions that it
published, and nobody was to call them.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from infra.deployment import stacks

_ALIAS = "AWS::Lambda::Alias"
_VERSION = "AWS::Lambda::Version"
_NAMED = re.compile(r"release ([0-9a-f]{12})(?: try (\d+))?(?: after ([0-9a-f]{12}))?")
_DIGITS = 12


class Release(NamedTuple):
    """A release by its digest, the one that was called before it (empty for none or not noted), and how often tried.

    Lambda publishes no version that equals the last one, and a deployment that is rolled back leaves its versions: the
    same release is published again only under another description.
    """

    digest: str
    before: str
    tries: int = 1

    def __str__(self) -> str:
        again = f" try {self.tries}" if self.tries > 1 else ""
        return f"release {self.digest}{again}" + (f" after {self.before}" if self.before else "")


def named(description: str) -> Release | None:
    """Returns the release that a version's description names; None if `make deploy` did not publish the version."""
    match = _NAMED.search(description)
    return Release(match[1], match[3] or "", int(match[2] or 1)) if match else None


def aliases(sdk: Any, stack: str) -> Iterator[tuple[str, str]]:
    """Yields the function and the name of each alias of a stack."""
    for resource in stacks.resources(sdk.client("cloudformation"), stack):
        if resource.kind == _ALIAS:
            function, _, alias = resource.physical_id.rpartition(":")
            yield function, alias


def called(sdk: Any, stack: str) -> Release | None:
    """Returns the release that most aliases of a stack lead to; None before the first deployment."""
    if stacks.describe(sdk.client("cloudformation"), stack) is None:
        return None
    client = sdk.client("lambda")
    descriptions = [
        client.get_function_configuration(FunctionName=function, Qualifier=alias).get("Description", "")
        for function, alias in aliases(sdk, stack)
    ]
    commonest = Counter(filter(None, map(named, descriptions))).most_common(1)
    return commonest[0][0] if commonest else None


def versions(client: Any, function: str) -> dict[int, Release | None]:
    """Returns the published versions of a function, each with the release that its description names."""
    pages = client.get_paginator("list_versions_by_function").paginate(FunctionName=function)
    return {
        int(version["Version"]): named(version.get("Description", ""))
        for page in pages
        for version in page["Versions"]
        if version["Version"].isdigit()
    }


def published(sdk: Any, stack: str) -> set[Release]:
    """Returns the releases that the newest versions of a stack's functions name, whether they are called or not."""
    if stacks.describe(sdk.client("cloudformation"), stack) is None:
        return set()
    client = sdk.client("lambda")
    of_functions = [versions(client, function) for function, _ in aliases(sdk, stack)]
    newest = [known[max(known)] for known in of_functions if known]
    return {release for release in newest if release}


def taken_back(sdk: Any, stack: str) -> list[str]:
    """Returns the functions whose alias does not lead to the version that the stack has: `make take-back` set it."""
    resources = list(stacks.resources(sdk.client("cloudformation"), stack))
    deployed = {resource.physical_id for resource in resources if resource.kind == _VERSION}
    client, functions = sdk.client("lambda"), {version.rpartition(":")[0] for version in deployed}
    called_now = {
        function: client.get_alias(FunctionName=function, Name=alias)["FunctionVersion"]
        for function, alias in aliases(sdk, stack)
        if function in functions
    }
    return sorted(function for function, version in called_now.items() if f"{function}:{version}" not in deployed)


def write(
    template: Path, parameters: Mapping[str, str], called_now: Release | None, newest: Collection[Release] = ()
) -> Path:
    """Writes the template with the digest of itself and the parameters in the functions' descriptions.

    Functions are published where that differs. SAM itself sees no changed value of a parameter, and Lambda refuses to
    publish a function that is as it was. The release that is called now is named as the one before, or stays as it is
    if this is the same. One that the `newest` versions name already, without being called, was rolled back: it gets
    another try. Returns the path of what was written, beside the template.
    """
    text = template.read_text(encoding="utf-8")
    digest = hashlib.sha256(json.dumps([text, sorted(parameters.items())]).encode()).hexdigest()[:_DIGITS]
    release = called_now
    if release is None or release.digest != digest:
        tries = max((failed.tries for failed in newest if failed.digest == digest), default=0)
        release = Release(digest, called_now.digest if called_now else "", tries + 1)
    released = template.with_name(f"released{template.suffix}")
    released.write_text(text.replace("release 0", str(release)), encoding="utf-8")
    return released
