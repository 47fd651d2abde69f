"""Fixtures for the tests of calendars."""

from __future__ import annotations

import pytest

from tests.calendars.invited import Invited, Target, want_calendar_invitations
from tests.harness.board_scenario import BoardScenario, Person
from tests.harness.outbox import Outbox


@pytest.fixture
def scenario(scenario: BoardScenario) -> BoardScenario:
    """A board whose owner gets no invitations, so that those of others stand alone."""
    want_calendar_invitations(scenario.owner, wanted=False)
    return scenario


@pytest.fixture
def ben(scenario: BoardScenario) -> Person:
    """A collaborator who wants invitations."""
    user = scenario.member("ben")
    want_calendar_invitations(user)
    return user


@pytest.fixture
def invited(scenario: BoardScenario, ben: Person, outbox: Outbox) -> Invited:
    """A meeting that Ben was invited to by mail."""
    return Invited(scenario, ben, outbox)


@pytest.fixture
def target(invited: Invited) -> Target:
    """The same meeting, for many mails one after the other."""
    return Target(invited)
