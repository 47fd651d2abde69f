"""A poll closes after the request that sets it."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from governance.models.meetings.poll import PollBody

NOW = "2027-03-01T09:00:00.000Z"


def test_a_poll_closes_after_the_instant_of_its_request_and_not_at_it() -> None:
    body = PollBody.model_validate({"closesAt": "2027-03-01T09:00:00.001Z"}, context={"now": NOW})
    assert body.closes_at == "2027-03-01T09:00:00.001Z"
    with pytest.raises(ValidationError, match="must be in the future"):
        PollBody.model_validate({"closesAt": NOW}, context={"now": NOW})
