"""The SDK's data, cut to what the functions call: parsing the rest is a sixth of a cold start (ADR build).

Service models keep the operations named here and the shapes these reach, without documentation and uncompressed; the
endpoint table keeps these services.
"""

from __future__ import annotations

import gzip
import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

OPERATIONS: dict[str, frozenset[str]] = {
    "apigatewaymanagementapi": frozenset({"DeleteConnection", "PostToConnection"}),
    "kms": frozenset({"Decrypt", "Encrypt", "GetPublicKey", "Sign"}),
    "lambda": frozenset({"Invoke"}),
    "s3": frozenset(
        {
            *("CompleteMultipartUpload", "CopyObject", "CreateMultipartUpload", "DeleteObject", "DeleteObjects"),
            *("GetObject", "GetObjectTagging", "HeadObject", "ListObjectsV2", "PutObject", "UploadPart"),
        }
    ),
    "sesv2": frozenset({"SendEmail"}),
    "sqs": frozenset({"ChangeMessageVisibility", "SendMessageBatch"}),
}
"""Every operation that deployed code calls by the SDK, which the table is not; a contract test holds it to the code."""
SIGNED_BY: dict[str, frozenset[str]] = {"s3": frozenset({"CreateBucket"})}
"""Operations that the SDK signs by and never calls: forms of uploads."""

_WHOLE = ("partitions.json", "_retry.json", "sdk-default-configuration.json")


def slim(botocore: Path) -> None:
    """Cuts an installed botocore in place."""
    full = botocore / "data"
    kept = botocore / "data.slim"
    for service in OPERATIONS:
        _service(full / service, kept / service)
    for name in _WHOLE:
        shutil.copyfile(full / name, kept / name)
    _write(kept / "endpoints.json", endpoints(_read(full / "endpoints.json")))
    shutil.rmtree(full)
    kept.rename(full)


def _service(full: Path, kept: Path) -> None:
    newest = max(version for version in full.iterdir() if version.is_dir())
    target = kept / newest.name
    target.mkdir(parents=True)
    _write(
        target / "service-2.json", service_model(_read_either(newest / "service-2.json"), kept_operations(full.name))
    )
    _write(target / "endpoint-rule-set-1.json", _read_either(newest / "endpoint-rule-set-1.json"))
    for extra in newest.glob("service-2.sdk-extras.json"):
        shutil.copyfile(extra, target / extra.name)


def kept_operations(service: str) -> frozenset[str]:
    """Returns the operations of a service whose data ship."""
    return OPERATIONS[service] | SIGNED_BY.get(service, frozenset())


def service_model(model: dict[str, Any], operations: frozenset[str]) -> dict[str, Any]:
    """Returns the model with these operations only, and the shapes that they reach."""
    kept = {name: model["operations"][name] for name in sorted(operations)}
    shapes = _reached(kept, model["shapes"])
    # Its endpoint discovery is optional, and asks for an operation that nobody calls.
    kept = {name: {k: v for k, v in body.items() if k != "endpointdiscovery"} for name, body in kept.items()}
    small = {
        **{name: model[name] for name in ("version",) if name in model},
        "metadata": model["metadata"],
        "operations": kept,
        "shapes": {name: model["shapes"][name] for name in sorted(shapes)},
    }
    cut: dict[str, Any] = _without_documentation(small)
    if "clientContextParams" in model:  # of these the SDK reads even the documentation, when it signs an address
        cut["clientContextParams"] = model["clientContextParams"]
    return cut


def _reached(operations: dict[str, Any], shapes: dict[str, Any]) -> set[str]:
    names: set[str] = set()
    waiting = list(_references(operations))
    while waiting:
        name = waiting.pop()
        if name not in names:
            names.add(name)
            waiting += _references(shapes[name])
    return names


def _references(node: Any) -> Iterator[str]:
    """Returns the names of all shapes that a part of a model refers to."""
    if isinstance(node, dict):
        if isinstance(node.get("shape"), str):
            yield node["shape"]
        for part in node.values():
            yield from _references(part)
    elif isinstance(node, list):
        for part in node:
            yield from _references(part)


def _without_documentation(node: Any) -> Any:
    if isinstance(node, dict):
        return {
            name: _without_documentation(part)
            for name, part in node.items()
            if not (name == "documentation" and isinstance(part, str))
        }
    return [_without_documentation(part) for part in node] if isinstance(node, list) else node


def endpoints(table: dict[str, Any]) -> dict[str, Any]:
    """Returns the endpoint table with our services only; regions and partitions stay."""
    prefixes = {"kms", "s3", "email", "sqs"}
    for partition in table["partitions"]:
        partition["services"] = {name: body for name, body in partition["services"].items() if name in prefixes}
    return table


def _read(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def _read_either(path: Path) -> Any:
    """Returns the content of a data file, compressed or not."""
    packed = path.with_name(path.name + ".gz")
    return json.loads(gzip.decompress(packed.read_bytes())) if packed.exists() else _read(path)


def _write(path: Path, content: Any) -> None:
    path.write_text(json.dumps(content, separators=(",", ":")), encoding="utf-8")
