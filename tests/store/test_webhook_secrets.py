"""The secrets of webhooks: which webhook may decrypt one, under which key, and a key service that fails."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from botocore.exceptions import ClientError, EndpointConnectionError

from governance import aws
from governance.errors import ApiError, Code
from governance.ids import BoardId
from governance.settings import settings
from governance.store.failures import StoreDefectError
from governance.store.webhooks import webhook_secrets
from tests.harness.fault_injection import hooked
from tests.harness.store_calls import requests_to
from tests.store.stored_items import BOARD, ONE

OTHER_BOARD = BoardId("e" * 24)
ANY_CALL = "before-call.kms.*"


@pytest.mark.usefixtures("store")
@pytest.mark.parametrize(("board_id", "webhook_id"), [(OTHER_BOARD, ONE), (BOARD, "e" * 24)])
def test_a_secret_is_decrypted_only_for_its_board_and_its_webhook(board_id: BoardId, webhook_id: str) -> None:
    encrypted = webhook_secrets.encrypt("whsec", BOARD, ONE)
    assert webhook_secrets.decrypt(encrypted, BOARD, ONE) == "whsec"
    with pytest.raises((ApiError, StoreDefectError)):
        webhook_secrets.decrypt(encrypted, board_id, webhook_id)


@pytest.mark.usefixtures("store")
def test_a_secret_is_encrypted_and_decrypted_under_the_key_of_the_webhooks() -> None:
    with requests_to("kms.*", aws.kms()) as requests:
        webhook_secrets.decrypt(webhook_secrets.encrypt("whsec", BOARD, ONE), BOARD, ONE)
    assert [request.get("KeyId") for request in requests] == [settings().webhook_key_id] * 2


@pytest.mark.usefixtures("store")
@pytest.mark.parametrize("call", [webhook_secrets.encrypt, webhook_secrets.decrypt])
@pytest.mark.parametrize(
    "error",
    [
        EndpointConnectionError(endpoint_url="https://kms.test"),
        ClientError({"Error": {"Code": "ThrottlingException", "Message": "slow down"}}, "Kms"),
    ],
)
def test_a_key_service_that_is_out_of_reach_or_throttles_is_a_503_and_the_log_names_the_call(
    call: Callable[[str, BoardId, str], str], error: Exception, capsys: pytest.CaptureFixture[str]
) -> None:
    encrypted = webhook_secrets.encrypt("whsec", BOARD, ONE)

    def fail(**_: Any) -> None:
        raise error

    with hooked(ANY_CALL, fail, aws.kms()), pytest.raises(ApiError) as raised:
        call(encrypted, BOARD, ONE)
    assert raised.value.code is Code.SERVICE_UNAVAILABLE
    assert re.search(rf'"operation": ?"{call.__name__}"', capsys.readouterr().out)
