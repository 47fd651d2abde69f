"""The evaluation of access: what the caller, or a member of the caller's board, may do."""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from governance.http.access.evaluation import AccessEvaluator, Operation
from governance.http.api import Api
from governance.http.route import Access

OPERATIONS = Path(__file__).with_name("operations.json")


@cache
def _operations() -> Mapping[str, Operation]:
    """Reads the index of the operations, which `make openapi` generates."""
    index = json.loads(OPERATIONS.read_text(encoding="utf-8"))
    return {name: Operation(*place) for name, place in index.items()}


_evaluator = AccessEvaluator(_operations)

api = Api()
evaluations = api.group(scope=Access.AUTHENTICATED, status=200, idempotent=False, shape="bare", extension=True)
evaluations.post("/api/v1/access/evaluation", _evaluator.evaluate_access)
evaluations.post("/api/v1/access/evaluations", _evaluator.evaluate_access_batch)

lambda_handler = api
