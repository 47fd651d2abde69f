"""The sample events under `events/`: each is a sound request to its group's function."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from governance.http import validation
from governance.http.request import Request
from tests.harness.client import APIS

FOLDER = Path(__file__).parents[2] / "events"
SAMPLES = sorted(FOLDER.glob("*/*.json"))


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_sample_event_fits_the_route_that_it_is_named_for(sample: Path) -> None:
    request = Request.of(json.loads(sample.read_text()))
    route, _ = APIS[sample.parent.name].match(request.method, request.path)
    assert route.usecase.__name__ == sample.stem
    if route.body is not None:
        validation.body(request, route.body)
    if route.query is not None:
        validation.query(request.parameters(), route.query)
