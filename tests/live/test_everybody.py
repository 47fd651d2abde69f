"""Nobody hears of what their GET would not show, and everybody hears of what changed for them.

Each act is one of a member, on a draft, in a committee, or one that changes who sees what; test_every_route.py has
every route by the owner. Before and after it, everybody who listens reads what the API has to read of the board, but
the logs of admins. Who reads something else afterwards must have been rung, and nobody else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from tests.harness.board_scenario import BoardScenario, Person
from tests.harness.live import Channel, Tab
from tests.harness.table_snapshot import TableSnapshot
from tests.live.reading import Readings

_LATER = "2036-01-07T09:00:00Z"


class World:
    """A board with everything in it, and what everybody may read of it."""

    def __init__(self, scenario: BoardScenario, channel: Channel) -> None:
        self.scenario, self.channel = scenario, channel
        owner = scenario.owner
        self.people: dict[str, Person] = {
            "owner": owner,
            "admin": scenario.member("admin", admin_role="admin"),
            "manager": scenario.member("manager", access_type="manager"),
            "maker": scenario.member("maker"),
            "guest": scenario.member("guest", access_type="guest"),
        }
        self.path = scenario.path
        self.committee = scenario.committee(self.people["maker"], self.people["guest"])
        maker, plan = self.people["maker"], {"title": "Plan", "documentType": "policy"}
        self.meeting = self.make("meetings", {"title": "Open", "status": "in_progress"}, maker)
        self.poll = self.make("meetings", {"title": "Poll", "status": "scheduled"}, maker)
        self.draft = self.make("meetings", {"title": "Draft"}, maker)
        slot = {"startTime": _LATER, "durationInMinutes": 60, "timezone": "UTC"}
        for meeting in (self.poll, self.draft):
            maker.client.post(f"{meeting}/slots", slot)
        self.document = self.make("documents", plan, maker)
        self.secret = self.make("documents", {**plan, "committeeId": self.committee}, maker)
        self.report = self.make("reports", {"title": "Q1"}, owner)
        self.tabs: dict[str, Tab] = {}
        for name, person in self.people.items():
            self.tabs[name] = channel.open(person.client)
            self.tabs[name].join(scenario.board_id)

    def make(self, kind: str, body: Any, by: Person) -> str:
        """Returns the path of a new resource of the board."""
        return f"{self.path}/{kind}/{by.client.post(f'{self.path}/{kind}', body).data['id']}"

    def slot(self, meeting: str) -> str:
        """Returns the path of the one proposed time of a meeting."""
        (slot,) = self.people["maker"].client.get(f"{meeting}/slots").data
        return f"{meeting}/slots/{slot['id']}"

    def reads(self) -> Iterator[str]:
        """Yields the addresses of all that the board has to read."""
        parts = ("/members", "/committees", "/meetings", "/documents", "/reports", "/resolutions", "/action-items")
        yield from (self.path + name for name in ("", *parts, "/due-dates"))
        for meeting in (self.meeting, self.poll, self.draft):
            for part in (
                "",
                "/slots",
                "/agenda",
                "/minutes",
                "/poll",
                "/people",
                "/rsvps",
                "/comments",
                "/action-items",
            ):
                yield meeting + part
        for document in (self.document, self.secret):
            yield from (f"{document}/versions", f"{document}/comments")
        yield from (self.report, f"{self.report}/dashboards", f"{self.path}/webhooks", f"{self.path}/exports")


Act = Callable[[World], object]


def _by(name: str, method: str, place: Callable[[World], str], body: Any = None) -> Act:
    def act(world: World) -> object:
        client = world.people[name].client
        response = client.call(method, place(world), body)
        assert response.status < 300, response.text
        return response

    return act


_MINUTES = {"attendance": [], "items": [{"text": "We met."}]}
_AGENDA = {"items": [{"title": "Welcome"}]}
ACTS: Mapping[str, Act] = {
    "a draft is created": _by("maker", "POST", lambda w: f"{w.path}/meetings", {"title": "X"}),
    "a draft is changed": _by("maker", "PATCH", lambda w: w.draft, {"title": "Y"}),
    "a draft is opened": _by("maker", "PATCH", lambda w: w.draft, {"status": "scheduled"}),
    "a meeting becomes a draft": _by("maker", "PATCH", lambda w: w.poll, {"status": "draft"}),
    "a draft is deleted": _by("maker", "DELETE", lambda w: w.draft),
    "a vote on a draft": _by("maker", "PUT", lambda w: f"{w.slot(w.draft)}/vote", {"vote": "cant"}),
    "a draft's agenda is set": _by("maker", "PUT", lambda w: f"{w.draft}/agenda", _AGENDA),
    "a comment on a committee's document": _by("maker", "POST", lambda w: f"{w.secret}/comments", {"text": "Well."}),
    "a comment on a draft": _by("maker", "POST", lambda w: f"{w.draft}/comments", {"text": "Well."}),
    "a committee's document is changed": _by("maker", "PATCH", lambda w: w.secret, {"title": "Y"}),
    "a document goes to a committee": lambda w: _by(
        "maker", "PATCH", lambda w: w.document, {"committeeId": w.committee}
    )(w),
    "a document leaves a committee": _by("maker", "PATCH", lambda w: w.secret, {"committeeId": None}),
    "a committee's document is deleted": _by("maker", "DELETE", lambda w: w.secret),
    "a member is promoted": _by(
        "owner", "PATCH", lambda w: w.scenario.member_path(w.people["guest"]), {"accessType": "manager"}
    ),
    "minutes are written": _by("manager", "PUT", lambda w: f"{w.meeting}/minutes", _MINUTES),
    "a resolution is drafted": _by(
        "maker", "POST", lambda w: f"{w.path}/resolutions", {"title": "Lease", "text": "We sign it."}
    ),
}


def test_who_reads_something_else_was_rung_and_nobody_else(scenario: BoardScenario, channel: Channel) -> None:
    """Each act finds the world as it was before the first one."""
    world = World(scenario, channel)
    readings, before = Readings(world.people, list(world.reads())), TableSnapshot()
    for name, act in ACTS.items():
        for tab in world.tabs.values():
            tab.forget()
        with readings.watched(channel):
            act(world)
        assert {who for who, tab in world.tabs.items() if tab.rings()} == readings.changed.keys() != set(), name
        before.restore()
        readings.changed.clear()
