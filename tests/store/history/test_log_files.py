"""The files of the log: what may not be read is never taken for what is not there."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from governance.errors import ApiError, Code
from governance.log.notes import Checkpoint
from governance.store.history import log_files
from tests.harness.fault_injection import access_denied, hooked


@pytest.mark.usefixtures("store")
@pytest.mark.parametrize(
    "ask",
    [log_files.published, log_files.predecessor, lambda: log_files.staged(Checkpoint("log.test", 1, b""))],
)
def test_a_log_that_may_not_be_read_is_not_taken_for_one_that_has_not_begun(ask: Callable[[], object]) -> None:
    with hooked("before-call.s3.*", access_denied, log_files.client()), pytest.raises(ApiError) as refusal:
        ask()
    assert refusal.value.code is Code.SERVICE_UNAVAILABLE
