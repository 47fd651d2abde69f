"""A failed call of the store is counted by its kind."""

from __future__ import annotations

import pytest

from governance.errors import ApiError, Code
from governance.store import failures
from governance.store.client.errors import NoAnswerError, NoCredentialsError, RefusedError
from governance.telemetry import StoreFailure
from tests.harness import engine, logs

DEFECTS = {StoreFailure.DENIED, StoreFailure.INVALID}
CANCELLED = "TransactionCanceledException"
CODES = {
    StoreFailure.DENIED: (
        "AccessDeniedException ExpiredTokenException IncompleteSignatureException InvalidSignatureException "
        "MissingAuthenticationTokenException UnrecognizedClientException"
    ),
    StoreFailure.FULL: "ItemCollectionSizeLimitExceeded ItemCollectionSizeLimitExceededException",
    StoreFailure.THROTTLED: (
        "ProvisionedThroughputExceeded ProvisionedThroughputExceededException RequestLimitExceeded ThrottlingError "
        "ThrottlingException"
    ),
    StoreFailure.CONTENDED: "TransactionConflict TransactionInProgressException",
    StoreFailure.UNREACHABLE: "InternalServerError ServiceUnavailable",
    StoreFailure.INVALID: "ValidationException ResourceNotFoundException AnythingNew",
}
"""What DynamoDB's documentation says of its codes, those of a transaction's reasons too."""


def client_error(code: str, *reasons: str, status: int = 400) -> RefusedError:
    """An error of the store, with a transaction's reasons if there are any."""
    return RefusedError(code, status, [{"Code": one, "Message": "canary"} for one in reasons])


@pytest.mark.usefixtures("_engine")
@pytest.mark.parametrize(
    ("error", "kind"),
    [
        *((client_error(code), kind) for kind, codes in CODES.items() for code in codes.split()),
        (client_error("AnythingNew", status=499), StoreFailure.INVALID),
        (client_error("AnythingNew", status=500), StoreFailure.UNREACHABLE),
        (client_error(CANCELLED, "None", "TransactionConflict"), StoreFailure.CONTENDED),
        (client_error(CANCELLED, "ThrottlingError", "TransactionConflict"), StoreFailure.THROTTLED),
        (NoAnswerError("ConnectTimeout"), StoreFailure.UNREACHABLE),
        (NoCredentialsError(), StoreFailure.DENIED),
    ],
)
def test_the_kind_and_nothing_of_the_message_is_written(
    error: NoAnswerError | RefusedError, kind: StoreFailure, capfd: pytest.CaptureFixture[str]
) -> None:
    with engine.fresh_table(POWERTOOLS_METRICS_DISABLED="false"):
        raised = failures.failed("query", error)
    if kind in DEFECTS:
        assert isinstance(raised, failures.StoreDefectError)
        assert raised.codes
    else:
        assert isinstance(raised, ApiError)
        assert raised.code is (Code.CONFLICT if kind is StoreFailure.FULL else Code.SERVICE_UNAVAILABLE)
    written = capfd.readouterr().out
    (line,), (metric,) = logs.lines(written), logs.metrics(written)
    assert (line["message"], line["kind"], line["operation"]) == ("store failure", kind, "query")
    assert (metric["StoreFailures"], metric["kind"]) == ([1.0], kind)
    assert "canary" not in written


@pytest.mark.usefixtures("_engine")
def test_the_codes_of_a_failed_transaction_are_written_once_each_in_order(capfd: pytest.CaptureFixture[str]) -> None:
    reasons = ("ThrottlingError", "C", "None", "TransactionConflict", "E", "D", "B", "A", "TransactionConflict")
    failures.failed("transact_write_items", client_error(CANCELLED, *reasons))
    (line,) = logs.lines(capfd.readouterr().out)
    assert line["codes"] == ["A", "B", "C", "D", "E", "ThrottlingError", "TransactionConflict"]


def test_a_transaction_is_refused_for_size_if_one_of_its_items_is() -> None:
    assert failures.is_full(client_error(CANCELLED, "None", "ItemCollectionSizeLimitExceeded"))
    assert failures.is_full(client_error(CANCELLED, "TransactionConflict", "ItemCollectionSizeLimitExceeded"))
    assert not failures.is_full(client_error(CANCELLED, "None", "TransactionConflict"))
    assert not failures.is_full(client_error("ValidationException"))


def test_each_write_of_a_transaction_has_its_own_reason() -> None:
    error = client_error(CANCELLED, "None", "TransactionConflict", "None")
    assert failures.codes_of_writes(error) == ["None", "TransactionConflict", "None"]
    assert failures.cancellation_codes(error) == ["TransactionConflict"]
    assert failures.codes_of_writes(client_error("ValidationException")) == []


def test_a_write_whose_reason_has_no_code_was_not_to_blame() -> None:
    error = RefusedError(CANCELLED, reasons=[{"Code": "TransactionConflict"}, {"Message": "x"}])
    assert failures.cancellation_codes(error) == ["TransactionConflict"]
    assert failures.codes_of_writes(error) == ["TransactionConflict", "None"]
