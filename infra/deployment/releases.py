"""The releases of an installation's functions: the description of each version names its own and the one before it.

Numbers of versions do not say which release was called before: a deployment that failed leaves the versions that it
published, and nobody was to call them.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from infra.deployment import stacks

_ALIAS = "AWS::Lambda::Alias"
_NAMED = re.compile(r"release ([0-9a-f]{12})(?: after ([0-9a-f]{12}))?")
_DIGITS = 12


class Release(NamedTuple):
    """A release by its digest, and the one that was called before it; empty where it is the first or was not noted."""

    digest: str
    before: str


def named(description: str) -> Release | None:
    """Returns the release that a version's description names; None if `make deploy` did not publish the version."""
    match = _NAMED.search(description)
    return Release(match[1], match[2] or "") if match else None


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


def write(template: Path, parameters: Mapping[str, str], called_now: Release | None) -> Path:
    """Writes the template with the digest of itself and the parameters in the functions' descriptions.

    Functions are published where that differs. SAM itself sees no changed value of a parameter, and Lambda refuses to
    publish a function that is as it was. The release that is called now is named as the one before, or stays as it is
    if this is the same. Returns the path of what was written, beside the template.
    """
    text = template.read_text(encoding="utf-8")
    digest = hashlib.sha256(json.dumps([text, sorted(parameters.items())]).encode()).hexdigest()[:_DIGITS]
    before = called_now and (called_now.before if called_now.digest == digest else called_now.digest)
    released = template.with_name(f"released{template.suffix}")
    name = f"release {digest} after {before}" if before else f"release {digest}"
    released.write_text(text.replace("release 0", name), encoding="utf-8")
    return released
