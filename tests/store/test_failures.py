"""A failed call of the store is counted by its kind."""

from __future__ import annotations

import pytest
from botocore.exceptions import BotoCoreError, ClientError, EndpointConnectionError, NoCredentialsError

from governance.errors import ApiError, Code
from governance.store import failures
from governance.telemetry import StoreFailure
from tests.harness import engine, logs

DEFECTS = {StoreFailure.DENIED, StoreFailure.INVALID}
CANCELLED = "TransactionCanceledException"


def client_error(code: str, *reasons: str, status: int = 400) -> ClientError:
    """An error of the store, with a transaction's reasons if there are any."""
    response = {
        "Error": {"Code": code, "Message": "canary"},
        "CancellationReasons": [{"Code": one} for one in reasons],
        "ResponseMetadata": {"HTTPStatusCode": status},
    }
    return ClientError(response, "TransactWriteItems")  # type: ignore[arg-type]


@pytest.mark.usefixtures("_engine")
@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (client_error("ThrottlingException"), StoreFailure.THROTTLED),
        (client_error("AccessDeniedException"), StoreFailure.DENIED),
        (client_error("ItemCollectionSizeLimitExceededException"), StoreFailure.FULL),
        (client_error("ValidationException"), StoreFailure.INVALID),
        (client_error("AnythingNew"), StoreFailure.INVALID),
        (client_error("InternalServerError"), StoreFailure.UNREACHABLE),
        (client_error("AnythingNew", status=500), StoreFailure.UNREACHABLE),
        (client_error(CANCELLED, "None", "TransactionConflict"), StoreFailure.CONTENDED),
        (
            client_error(CANCELLED, "ThrottlingError", "TransactionConflict"),
            StoreFailure.THROTTLED,
        ),
        (EndpointConnectionError(endpoint_url="canary"), StoreFailure.UNREACHABLE),
        (NoCredentialsError(), StoreFailure.DENIED),
    ],
)
def test_the_kind_and_nothing_of_the_message_is_written(
    error: BotoCoreError | ClientError, kind: StoreFailure, capfd: pytest.CaptureFixture[str]
) -> None:
    with engine.fresh_table(POWERTOOLS_METRICS_DISABLED="false"):
        raised = failures.failed("query", error)
    if kind in DEFECTS:
        assert isinstance(raised, failures.StoreDefectError)
    else:
        assert isinstance(raised, ApiError)
        assert raised.code is (Code.CONFLICT if kind is StoreFailure.FULL else Code.SERVICE_UNAVAILABLE)
    written = capfd.readouterr().out
    (line,), (metric,) = logs.lines(written), logs.metrics(written)
    assert (line["message"], line["kind"], line["operation"]) == ("store failure", kind, "query")
    assert (metric["StoreFailures"], metric["kind"]) == ([1.0], kind)
    assert "canary" not in written
