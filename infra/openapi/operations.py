"""The index of the operations that the evaluation of access starts from: where each operation of the document is."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from governance.http.api import Api
from infra.openapi.links import operation_id

FILE = Path(__file__).resolve().parents[2] / "functions/access/operations.json"


def text(apis: Mapping[str, Api]) -> str:
    """Returns the index as it is committed: group, method and path by operation id."""
    index = {
        operation_id(route): [group, route.method, route.path] for group, api in apis.items() for route in api.routes
    }
    lines = [f"  {json.dumps(name)}: {json.dumps(place)}" for name, place in sorted(index.items())]
    return "{\n" + ",\n".join(lines) + "\n}\n"
