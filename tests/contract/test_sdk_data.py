"""The SDK's data that ship, cut to what is called: still enough for it."""

from __future__ import annotations

import ast
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import botocore
import pytest
from botocore import xform_name
from botocore.model import ServiceModel
from botocore.session import Session, get_session

from infra.build.sdk_data import OPERATIONS, service_model, slim
from infra.stack.template import ROOT


def _words(folder: Path) -> Iterator[set[str]]:
    """The names and texts of each module, with the names that it imports."""
    for path in sorted(folder.rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        names = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
        names |= {node.name for node in ast.walk(tree) if isinstance(node, ast.alias)}
        yield names | {str(node.value) for node in ast.walk(tree) if isinstance(node, ast.Constant)}


def test_the_layer_has_the_operations_that_deployed_code_calls_and_no_others() -> None:
    called: dict[str, set[str]] = {service: set() for service in OPERATIONS}
    for words in _words(ROOT / "shared"):
        for service in OPERATIONS:
            if {service, f"{service}_"} & words:  # by the names of the factory, whose client the module takes
                operations = {
                    xform_name(name): name for name in get_session().get_service_model(service).operation_names
                }
                called[service] |= {operations[word] for word in words & set(operations)}
    assert called == OPERATIONS


@pytest.mark.parametrize("service", sorted(OPERATIONS))
def test_a_cut_model_speaks_as_the_whole_one_does(service: str) -> None:
    whole = get_session().get_service_model(service)
    raw: Any = get_session().get_component("data_loader").load_service_model(service, "service-2")
    cut = ServiceModel(service_model(raw, OPERATIONS[service]), service)
    assert set(cut.operation_names) == OPERATIONS[service]
    for name in cut.operation_names:
        mine, theirs = cut.operation_model(name), whole.operation_model(name)
        assert _members(mine.input_shape) == _members(theirs.input_shape)
        assert _members(mine.output_shape) == _members(theirs.output_shape)
        assert mine.http == theirs.http
    if service == "s3":
        assert "ForcePathStyle" in {parameter.name for parameter in cut.client_context_parameters}


def _members(shape: Any, depth: int = 6) -> Any:
    """A shape's type and parts, as deep as ours go."""
    if shape is None or depth == 0:
        return None
    inner = getattr(shape, "members", None) or {}
    return shape.type_name, {name: _members(part, depth - 1) for name, part in inner.items()}


def test_the_cut_data_are_enough_for_clients_and_the_authorities_are_all_there(tmp_path: Path) -> None:
    installed, cut = Path(botocore.__file__).parent, tmp_path / "botocore"
    (cut / "data").mkdir(parents=True)
    for service in OPERATIONS:
        shutil.copytree(installed / "data" / service, cut / "data" / service)
    for file in ("partitions.json", "_retry.json", "sdk-default-configuration.json", "endpoints.json"):
        shutil.copyfile(installed / "data" / file, cut / "data" / file)
    shutil.copyfile(installed / "cacert.pem", cut / "cacert.pem")
    slim(cut)
    assert (cut / "cacert.pem").read_bytes() == (installed / "cacert.pem").read_bytes()
    session = Session()
    session.get_component("data_loader").search_paths[:] = [str(cut / "data")]
    for service in OPERATIONS:
        client: Any = session.create_client(service, "eu-west-1", aws_access_key_id="x", aws_secret_access_key="x")
        assert client.meta.endpoint_url.endswith(".amazonaws.com")
    form: Any = session.create_client("s3", "eu-west-1", aws_access_key_id="x", aws_secret_access_key="x")
    assert form.generate_presigned_post("papers", "key")["fields"]["policy"]


def test_deployed_code_uses_clients_and_not_resources_whose_data_do_not_ship() -> None:
    source = (ROOT / "shared/governance/aws.py").read_text(encoding="utf-8")
    used = {node.attr for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Attribute)}
    assert "client" in used
    assert "resource" not in used
