"""What the tests of the file of approved minutes share."""

from __future__ import annotations

import pytest

from governance.minutes_file.pages import contents_of
from governance.minutes_file.seals import seal
from governance.models.meetings.approved_minutes import ApprovedMinutes
from tests.minutes_file.making import CHAIR, KEY, SECRETARY, approved, drawn


@pytest.fixture(scope="session")
def facts() -> ApprovedMinutes:
    """Returns minutes that two have signed."""
    return approved(CHAIR, SECRETARY)


@pytest.fixture(scope="session")
def drawn_file(facts: ApprovedMinutes, tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """Returns their file before it is sealed."""
    return drawn(facts, tmp_path_factory.mktemp("minutes"))


@pytest.fixture(scope="session")
def signed_file(facts: ApprovedMinutes, drawn_file: bytes) -> bytes:
    """Returns their sealed file."""
    return seal(drawn_file, contents_of(facts).acts, KEY)
