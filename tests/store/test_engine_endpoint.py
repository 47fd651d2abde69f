"""The service's clients use the engine of the test that runs, not that of an earlier test in the same process."""

from __future__ import annotations

import os

import pytest

from governance import aws
from governance.store import dynamodb
from governance.store.client.errors import NoAnswerError
from tests.harness.engine import clear_caches

pytestmark = pytest.mark.usefixtures("store")

CLIENTS = [name for name, value in vars(aws).items() if hasattr(value, "cache_clear") and name != "session"]
CLIENTS.remove("apigatewaymanagementapi")  # it is told its endpoint, whatever the environment says
ELSEWHERE = "http://127.0.0.1:9"


@pytest.mark.parametrize("name", CLIENTS)
def test_a_client_follows_the_endpoint(name: str) -> None:
    here = getattr(aws, name)().meta.endpoint_url
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(os.environ, "AWS_ENDPOINT_URL", ELSEWHERE)
        clear_caches()
        assert getattr(aws, name)().meta.endpoint_url == ELSEWHERE
    clear_caches()
    assert getattr(aws, name)().meta.endpoint_url == here != ELSEWHERE


def test_the_client_of_the_table_does_too() -> None:
    here = dynamodb.client()
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(os.environ, "AWS_ENDPOINT_URL", ELSEWHERE)
        clear_caches()
        with pytest.raises(NoAnswerError, match="ConnectFailed"):
            dynamodb.client().perform("Query", b"{}")
    clear_caches()
    assert dynamodb.client() is not here
