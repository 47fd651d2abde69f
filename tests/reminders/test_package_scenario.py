"""A package from its dispatch to its publication: five owners, one contradiction corrected, one dismissed."""

from __future__ import annotations

from typing import Any

import pytest

from governance.instants import now, shift
from tests.functions.cycles.test_cycles import REVIEWED, Reporting
from tests.functions.dashboards.test_checks import COST, PROFIT, REVENUE, figure
from tests.harness.board_scenario import Person
from tests.reminders.conftest import World

NAMES = ("ann", "ben", "cleo", "dora", "emil")


class Package:
    """The sections of a report, by the names of their owners."""

    def __init__(self, reporting: Reporting) -> None:
        self.reporting, self.board = reporting, reporting.board
        self.report = reporting.report()
        self.owners: dict[str, Person] = {name: self.board.member(name) for name in NAMES}
        self.sections = {name: reporting.section(self.report, f"Of {name}") for name in NAMES}
        for name, owner in self.owners.items():
            path = f"{self.path(name)}/ownership-transfer"
            assert reporting.client.post(path, {"userId": owner.id}).status == 200

    def path(self, name: str) -> str:
        return f"{self.board.path}/reports/{self.report}/dashboards/{self.sections[name]}"

    def states(self, name: str, *figures: dict[str, Any]) -> None:
        """Lets the owner of a section state figures."""
        changed = self.owners[name].client.patch(self.path(name), {"uniform": {"fields": [*figures]}})
        assert changed.status == 200, changed.text

    def flags(self, name: str) -> list[dict[str, Any]]:
        return list(self.reporting.client.get(f"{self.path(name)}/flags").json["data"])


@pytest.fixture
def package(world: World) -> Package:
    return Package(Reporting(world.board))


def open_flags(cycle: Any) -> dict[str, int]:
    return {section["sectionName"]: section["openFlags"] for section in cycle["sections"] if section["openFlags"]}


def subjects(world: World, person: Person) -> list[str]:
    return [str(mail["Subject"]) for mail in world.mails(person)]


def test_a_package_goes_from_its_dispatch_to_its_publication(world: World, package: Package) -> None:
    client, owners = package.reporting.client, package.owners
    cycle = package.reporting.cycle(package.report, dueAt=shift(now(), days=10))
    assert client.post(f"{cycle}/dispatch").status == 200
    for name, owner in owners.items():
        asked = f"Maya Tester asks you for the section “Of {name}” of “Q3”."
        assert world.told(owner, "section_dispatched") == [asked]
        assert sum(f"section “Of {name}” of “Q3”" in subject for subject in subjects(world, owner)) == 1

    package.states("ann", figure(REVENUE, 1000), figure(COST, 400))
    package.states("ben", figure(PROFIT, 500, field_id="profit"))
    package.states("cleo", figure(PROFIT, 550, field_id="profit"))
    assert open_flags(client.get(cycle).data) == {"Of ben": 1, "Of cleo": 1}
    for name in ("ben", "cleo"):
        package.reporting.review(package.report, package.sections[name], *REVIEWED)
    for name in ("ann", "dora"):
        package.reporting.review(package.report, package.sections[name], *REVIEWED)
    world.pass_time(days=7)
    assert len(world.told(owners["emil"], "section_reminder")) == 1
    assert world.told(owners["dora"], "section_reminder") == []
    refused = client.post(f"{cycle}/publish")
    assert refused.details["sections"] == [package.sections[name] for name in ("ben", "cleo", "emil")]

    package.states("ben", figure(PROFIT, 600, field_id="profit"))
    assert [flag["status"] for flag in package.flags("ben")] == ["corrected"]
    (flag,) = package.flags("cleo")
    dismissal = f"{package.path('cleo')}/flags/{flag['id']}/dismissal"
    assert client.put(dismissal, {"reason": "Before the restatement"}).status == 200
    package.reporting.review(package.report, package.sections["emil"], *REVIEWED)
    assert open_flags(client.get(cycle).data) == {}
    published = client.post(f"{cycle}/publish")
    assert (published.status, published.data["status"]) == (200, "published")
    message = "Maya Tester published the package “Third quarter”."
    for owner in owners.values():
        assert world.told(owner, "package_published", "report_published") == [message]
        assert sum(message in subject for subject in subjects(world, owner)) == 1
    world.pass_time(days=4)
    assert len(world.told(owners["emil"], "section_reminder")) == 1
    assert package.reporting.client.get(f"{package.board.path}/reports/{package.report}").data["status"] == "published"
