"""The SDK's data that ship, cut to what is called: still enough for it."""

import gzip
import json
from pathlib import Path

import botocore
import pytest
from botocore.model import ServiceModel

from infra.build.sdk_data import OPERATIONS, service_model


@pytest.mark.parametrize("service", sorted(OPERATIONS))
def test_a_cut_model_has_all_that_the_sdk_reads_of_it(service: str) -> None:
    (file,) = sorted((Path(botocore.__file__).parent / "data" / service).glob("*/service-2.json.gz"))[-1:]
    model = ServiceModel(service_model(json.loads(gzip.decompress(file.read_bytes())), OPERATIONS[service]), service)
    assert set(model.operation_names) == OPERATIONS[service]
    for name in model.operation_names:
        operation = model.operation_model(name)
        assert operation.input_shape is not None
        assert operation.output_shape is not None
    assert {parameter.name for parameter in model.client_context_parameters} >= (
        {"ForcePathStyle"} if service == "s3" else set()
    )
