"""`sam local` as README.md says: its own library finds each route's function, and resolves every variable.

It runs in the environment of the SAM CLI and needs no Docker. The variables of one function then serve a sample event.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
from functools import cache
from typing import Any

import pytest

from governance.http.request import ORIGIN_SECRET
from infra.stack.template import ROOT, Template

_PYTHON = ROOT / ".venv-sam/bin/python"
_PROGRAM = """
import json, sys
from samcli.lib.providers.api_provider import ApiProvider
from samcli.lib.providers.sam_function_provider import SamFunctionProvider
from samcli.lib.providers.sam_stack_provider import SamLocalStackProvider
from samcli.local.lambdafn.env_vars import EnvironmentVariables

stacks, _ = SamLocalStackProvider.get_stacks("template.yaml")
given = json.load(open("events/env.json"))["Parameters"]
functions = {}
for function in SamFunctionProvider(stacks).get_all():
    if function.stack_path == "":
        variables = function.environment["Variables"]
        functions[function.function_id] = EnvironmentVariables(variables=variables, override_values=given).resolve()
routes = {route.path: route.function_name for route in ApiProvider(stacks).api.routes}
json.dump({"functions": functions, "routes": routes}, sys.stdout)
"""
_UNRESOLVED = re.compile(r"\{\{resolve|\$\{|Fn::|'Ref'")
_IDS = Template().document["Resources"].keys()


def _is_unresolved(value: str | None) -> bool:
    """Returns whether a value still says what only a deployment knows; the token of a session is None without one."""
    return value is not None and (value in _IDS or bool(_UNRESOLVED.search(value)))


@cache
def resolved() -> dict[str, Any]:
    """Returns the variables of each function and the function of each path, as `sam local` has them."""
    environment = os.environ | {"AWS_DEFAULT_REGION": "eu-west-1", "SAM_CLI_TELEMETRY": "0"}
    done = subprocess.run(  # noqa: S603 - ours
        [_PYTHON, "-c", _PROGRAM], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-2000:]
    paths: dict[str, Any] = json.loads(done.stdout)
    return paths


@pytest.mark.slow
def test_every_route_reaches_its_function() -> None:
    template = Template()
    groups = template.functions()
    reached = {path: groups[function] for path, function in resolved()["routes"].items()}
    assert reached == {route.path: route.group for route in template.routes()}


@pytest.mark.slow
def test_every_variable_of_every_function_has_a_value_of_this_machine() -> None:
    functions = resolved()["functions"]
    assert functions.keys() == Template().functions().keys()
    given = json.loads((ROOT / "events/env.json").read_text())["Parameters"]
    for name, variables in functions.items():
        wrong = {key: value for key, value in variables.items() if _is_unresolved(value)}
        assert wrong == {}, name
        assert variables["AWS_ENDPOINT_URL"] == given["AWS_ENDPOINT_URL"], name


def test_every_sample_event_of_a_route_carries_the_secret_that_the_functions_accept() -> None:
    given = json.loads((ROOT / "events/env.json").read_text())["Parameters"]
    accepted, shared = given["ORIGIN_SECRETS"], json.loads(given["REQUEST_SECRETS"])
    assert shared == {name: given[name] for name in shared}
    events = [json.loads(file.read_text()) for file in ROOT.glob("events/*/*.json")]
    of_routes = [event for event in events if "requestContext" in event]
    assert len(of_routes) > 100
    assert all(event["headers"][ORIGIN_SECRET] == accepted for event in of_routes)
