"""Failed calls of the store: counted and logged by kind. The client gets a 503, or a 500 for a defect of ours.

A full partition is a 409 `LIMIT_REACHED`: a retry does not help, but deleting does (ADR history).
"""

from __future__ import annotations

from http import HTTPStatus

from governance import telemetry
from governance.errors import ApiError, Reason, conflict, unavailable
from governance.store.client.errors import NoAnswerError, RefusedError
from governance.telemetry import Metric, StoreFailure

_DEFECTS = {StoreFailure.DENIED, StoreFailure.INVALID}
"""Kinds for which a retry does not help: our request is wrong, or our role, table or credentials are."""


class StoreDefectError(Exception):
    """The store refused a call for a reason that lies with this service. The client gets a 500.

    `codes` are what the store called the reason.
    """

    def __init__(self, kind: StoreFailure, *codes: str) -> None:
        super().__init__(kind)
        self.codes = codes


_KINDS = {
    "AccessDeniedException": StoreFailure.DENIED,
    "ExpiredTokenException": StoreFailure.DENIED,
    "IncompleteSignatureException": StoreFailure.DENIED,
    "InvalidSignatureException": StoreFailure.DENIED,
    "MissingAuthenticationTokenException": StoreFailure.DENIED,
    "NoCredentialsError": StoreFailure.DENIED,
    "UnrecognizedClientException": StoreFailure.DENIED,
    "ItemCollectionSizeLimitExceeded": StoreFailure.FULL,
    "ItemCollectionSizeLimitExceededException": StoreFailure.FULL,
    "ProvisionedThroughputExceeded": StoreFailure.THROTTLED,
    "ProvisionedThroughputExceededException": StoreFailure.THROTTLED,
    "RequestLimitExceeded": StoreFailure.THROTTLED,
    "ThrottlingError": StoreFailure.THROTTLED,
    "ThrottlingException": StoreFailure.THROTTLED,
    "TransactionConflict": StoreFailure.CONTENDED,
    "TransactionInProgressException": StoreFailure.CONTENDED,
    "InternalServerError": StoreFailure.UNREACHABLE,
    "ServiceUnavailable": StoreFailure.UNREACHABLE,
}
"""DynamoDB's error codes and cancellation reasons, and why no request was made."""


def failed(operation: str, error: NoAnswerError | RefusedError) -> ApiError | StoreDefectError:
    """Counts and logs a failed call by its gravest reason; returns the error for the caller to raise."""
    codes, unknown = [error.code], StoreFailure.UNREACHABLE
    if isinstance(error, RefusedError):
        codes = cancellation_codes(error) or codes
        if error.status < HTTPStatus.INTERNAL_SERVER_ERROR:
            unknown = StoreFailure.INVALID
    kinds = {_KINDS.get(code, unknown) for code in codes}
    return report(operation, min(kinds, key=list(StoreFailure).index), *sorted(set(codes)))


def report(operation: str, kind: StoreFailure, *codes: str) -> ApiError | StoreDefectError:
    """Counts and logs a failed call of a known kind; returns the error for the caller to raise."""
    telemetry.count(Metric.STORE_FAILURES, kind)
    telemetry.logger().error("store failure", operation=operation, kind=kind, codes=codes)
    if kind is StoreFailure.FULL:
        return conflict(Reason.LIMIT_REACHED)
    return StoreDefectError(kind, *codes) if kind in _DEFECTS else unavailable()


def is_full(error: RefusedError) -> bool:
    """Returns whether the store cancelled a transaction because a partition with its indexes has 10 GB."""
    return any(map(means_full, cancellation_codes(error)))


def means_full(code: str) -> bool:
    """Returns whether a code says that a partition with its indexes has 10 GB."""
    return _KINDS.get(code) is StoreFailure.FULL


def cancellation_codes(error: RefusedError) -> list[str]:
    """Returns why the store cancelled a transaction: the reasons of the items that have one."""
    return [code for code in codes_of_writes(error) if code != "None"]


def codes_of_writes(error: RefusedError) -> list[str]:
    """Returns the reason of each write of a cancelled transaction, in their order; `None` if it did not fail."""
    return [reason.get("Code", "None") for reason in error.reasons]
