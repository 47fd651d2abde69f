"""The SDK's data that ship, cut to what is called: still enough for it."""

import ast
import gzip
import json
import shutil
from pathlib import Path
from typing import Any

import botocore
import pytest
from botocore.model import ServiceModel
from botocore.session import Session

from infra.build.sdk_data import OPERATIONS, service_model, slim
from infra.stack.template import ROOT


def _model(service: str) -> dict[str, Any]:
    (file,) = sorted((Path(botocore.__file__).parent / "data" / service).glob("*/service-2.json.gz"))[-1:]
    whole: dict[str, Any] = json.loads(gzip.decompress(file.read_bytes()))
    return whole


@pytest.mark.parametrize("service", sorted(OPERATIONS))
def test_a_cut_model_has_all_that_the_sdk_reads_of_it(service: str) -> None:
    model = ServiceModel(service_model(_model(service), OPERATIONS[service]), service)
    assert set(model.operation_names) == OPERATIONS[service]
    for name in model.operation_names:
        operation = model.operation_model(name)
        assert operation.input_shape is not None
        assert (operation.output_shape is not None) is ("output" in _model(service)["operations"][name])
    assert {parameter.name for parameter in model.client_context_parameters} >= (
        {"ForcePathStyle"} if service == "s3" else set()
    )


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
