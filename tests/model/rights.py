"""Who may do what, at any time: after each step of a random history, for every credential that was ever issued.

People join a board, leave it, are promoted, demoted, suspended and purged, hand the board over and delete it, and make
invites, tokens, feeds, guest links and webhooks on the way, and let others edit a dashboard; the table is
restored to an earlier moment, and what ended since ends again (ADR restore). What each credential may do then is what
the rules say of its maker's present rights, by a few plain lines.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

from governance.ids import membership_id
from governance.limits import WEBHOOKS_PER_BOARD
from governance.models.boards.board import AdminRole
from governance.scopes import ACCESS_TIERS, Tier
from governance.usecases.operator import operator
from infra.operator.purging import purge_users
from infra.operator.replay import replay
from tests.calendars.feeds import fetch
from tests.harness.board_scenario import BoardScenario, Person, new_board_scenario, person
from tests.harness.client import Client
from tests.harness.engine import clear_caches
from tests.model.dashboard_rights import DashboardRights
from tests.model.invite_rights import InviteRights
from tests.model.issued import Backup, Invite, Issued, Member

NAMES = ("olivia", "ann", "ben", "cleo", "dan")
_RARE = 0.04
"""How often a step is one after which less can happen: a purge, or the deletion of the board."""


@dataclass
class History:
    """A board, what should be true of it, and the steps that change both."""

    chance: Random
    scenario: BoardScenario = field(default_factory=lambda: new_board_scenario("olivia"))
    checked: int = 0

    def __post_init__(self) -> None:
        others = {name: person(name) for name in NAMES[1:]}
        self.people: dict[str, Person] = {"olivia": self.scenario.owner, **others}
        self.owner_name = "olivia"
        self.deleted = False
        self.members = {"olivia": Member("owner", "manager")}
        roles: tuple[tuple[str, AdminRole], ...] = (("ann", "admin"), ("ben", "member"))
        for name, role in roles:
            self.scenario.join(self.people[name], admin_role=role)
            self.members[name] = Member(role, "collaborator")
        self.suspended: set[str] = set()
        self.purged: set[str] = set()
        self.left: dict[str, str] = {}
        self.name = "Board"
        self.invites: list[Invite] = []
        self.invited = InviteRights(self)
        self.tokens: list[Issued] = []
        self.personal: list[Issued] = []
        self.feeds: list[Issued] = []
        self.links: list[Issued] = []
        self.hooks: list[str] = []
        body = {"title": "Spring", "status": "scheduled", "startTime": "2099-01-01T10:00:00Z"}
        self.meeting = self.owner.post(f"{self.scenario.path}/meetings", body).data["id"]
        self.editors: set[str] = set()
        self.owners = ["ann", "olivia"]
        self.dashboard = DashboardRights(self)
        self.backup: Backup | None = None

    @property
    def owner(self) -> Client:
        return self.people[self.owner_name].client

    def step(self) -> None:
        """Does one thing that somebody may do, and checks every credential."""
        invited = self.invited
        steps: list[Callable[[str], None]] = [
            *(invited.invite, invited.invite, invited.invite, invited.accept, invited.join, invited.decline),
            *(self.leave, self.leave, self.change, self.change),
            *(self.mint, self.mint_own, self.revoke, self.subscribe, self.open_link, self.suspend, self.rename),
            *(self.hand_over, self.hook, self.back_up, self.restore),
            *(self.dashboard.let_edit, self.dashboard.stop_editing, self.dashboard.hand_over),
        ]
        if self.deleted:
            steps = [invited.accept, self.mint_own, self.subscribe, self.suspend]
        elif self.chance.random() < _RARE:
            steps = [self.purge, self.delete_board]
        self.chance.choice(steps)(self.chance.choice(NAMES))
        if self.backup:
            self.backup.record(self)
        self.check()

    # -- what people do

    def _tier(self, name: str) -> Tier | None:
        member = self.members.get(name)
        return member.tier if member and name not in self.suspended else None

    def may(self, name: str, least: Tier) -> bool:
        """Whether a user is of this tier now, and not suspended."""
        tier = self._tier(name)
        return tier is not None and tier >= least

    def leave(self, name: str) -> None:
        if name not in self.members or name == self.owner_name:
            return
        by = name if name not in self.suspended and self.chance.random() < 0.5 else self.owner_name
        assert self.people[by].client.delete(self._path(name)).status == 200
        del self.members[name]
        self._end_links_of(name)
        self.left[name] = self.name
        self.dashboard.lose(name)
        self.invited.end(name)
        self.rename(name)  # which one who left is not to learn

    def change(self, name: str) -> None:
        if name not in self.members or name == self.owner_name:
            return
        new = Member(self.chance.choice(["admin", "member", "member"]), self.chance.choice([*ACCESS_TIERS]))
        body = {"adminRole": new.role, "accessType": new.access}
        assert self.owner.patch(self._path(name), body).status == 200
        self.members[name] = new
        self.invited.end(name)

    def _path(self, name: str) -> str:
        return self.scenario.member_path(self.people[name])

    def mint(self, name: str) -> None:
        maker = name if self.may(name, Tier.ADMIN) else self.owner_name
        body = {"name": "robot", "preset": "read_write", "expiresInDays": None}
        made = self.people[maker].client.post(f"{self.scenario.path}/tokens", body).data
        self.tokens.append(Issued(maker, made["secret"], made["id"]))

    def mint_own(self, name: str) -> None:
        if name not in self.suspended:
            body = {"name": "own", "preset": "full_access", "expiresInDays": None}
            made = self.people[name].client.post("/api/v1/me/tokens", body).data
            self.personal.append(Issued(name, made["secret"], made["id"]))

    def subscribe(self, name: str) -> None:
        if name not in self.suspended and sum(feed.maker == name for feed in self.feeds) < 15:
            made = self.people[name].client.post("/api/v1/me/calendar-feeds", {}).data
            self.feeds.append(Issued(name, made["url"], made["id"]))

    def open_link(self, name: str) -> None:
        live = [token for token in self.tokens if not token.ended]
        token = self.chance.choice([None, *live])
        maker = name if self.may(name, Tier.COLLABORATOR) else self.owner_name
        path = f"{self.scenario.path}/meetings/{self.meeting}/guest-link"
        made = (Client(token.secret) if token else self.people[maker].client).post(path).data
        for link in self.links:
            link.ended = True
        self.links.append(Issued(maker, made["token"], token=token))

    def _end_links_of(self, name: str) -> None:
        for link in self.links:
            link.ended |= link.maker == name and link.token is None

    def revoke(self, name: str) -> None:
        for kind, path, by in (
            (self.tokens, f"{self.scenario.path}/tokens", None),
            (self.personal, "/api/v1/me/tokens", name),
            (self.feeds, "/api/v1/me/calendar-feeds", name),
        ):
            live = [one for one in kind if not one.ended and by in {None, one.maker}]
            if live and by not in self.suspended:
                one = self.chance.choice(live)
                assert self.people[by or self.owner_name].client.delete(f"{path}/{one.id}").status == 200
                one.ended = True

    def hand_over(self, name: str) -> None:
        """The owner becomes an admin, and another member the owner."""
        if name == self.owner_name or not self.may(name, Tier.GUEST):
            return
        body = {"memberId": membership_id(self.scenario.board_id, self.people[name].id)}
        assert self.owner.post(f"{self.scenario.path}/ownership-transfer", body).status == 200
        self.members[self.owner_name].role, self.members[name].role = "admin", "owner"
        self.owner_name = name
        self.invited.end(name)

    def hook(self, name: str) -> None:
        """A webhook belongs to the board: it stays when its maker leaves."""
        if len(self.hooks) < WEBHOOKS_PER_BOARD:
            client = self.people[name].client if self.may(name, Tier.ADMIN) else self.owner
            body = {"url": "https://hooks.example.com/governance", "events": ["meeting.created"]}
            self.hooks.append(client.post(f"{self.scenario.path}/webhooks", body).data["id"])

    def purge(self, name: str) -> None:
        """Of a purged user nothing opens anything any more, and no invite is for them."""
        if name in {self.owner_name, *self.purged}:
            return
        purge_users([self.people[name].id])
        self.purged.add(name)
        self.suspended.add(name)
        self.invites = [one for one in self.invites if one.invitee != name]
        for one in (*self.personal, *self.feeds):
            one.ended |= one.maker == name

    def delete_board(self, _: str) -> None:
        assert self.owner.delete(self.scenario.path).status == 200
        self.deleted = True

    def suspend(self, name: str) -> None:
        if name == self.owner_name or name in self.purged:
            return
        operator.set_user_status(self.people[name].id, "active" if name in self.suspended else "suspended")
        self.suspended ^= {name}

    def rename(self, _: str) -> None:
        self.name = f"Board {self.chance.randrange(10**6)}"
        assert self.owner.patch(self.scenario.path, {"name": self.name, "description": self.name}).status == 200

    # -- what an operator does after a disaster

    def back_up(self, _: str) -> None:
        """From this moment on the record tells what ends."""
        if self.backup is None:
            self.backup = Backup(self)

    def restore(self, _: str) -> None:
        """Goes back to the moment of the backup, and ends again what ended since."""
        backup, self.backup = self.backup, None
        if backup is None or self.deleted or backup.owner_name in backup.removed | self.purged:
            return
        backup.snapshot.restore()
        assert replay()[1] == []
        clear_caches()
        backup.apply(self)
        self.invited.end(*NAMES)

    # -- what is true after it

    def check(self) -> None:
        for name, someone in self.people.items():
            self._check_user(name, someone.client)
            self._check_sent(name, someone.client)
        for one in self.personal:
            self._check_user(one.maker, Client(one.secret), ended=one.ended)
        for one in self.tokens:
            ended = one.ended or self.deleted
            self._is(Client(one.secret).get(self.scenario.path).status, 401 if ended else 200)
        for one in self.links:
            closed = self.deleted or one.ended or (one.token is not None and one.token.ended)
            self._is(Client().get(f"/api/v1/guest/{one.secret}").status, 404 if closed else 200)
        for one in self.feeds:
            reply = fetch(one.secret)
            self._is(reply.status, 404 if one.ended or one.maker in self.suspended else 200)
            if reply.status == 200:
                self._is(self.meeting.encode() in reply.body, one.maker in self.members and not self.deleted)
        if self.deleted:
            return
        self._is({one["id"] for one in self.owner.all(f"{self.scenario.path}/webhooks")}, set(self.hooks))
        self._is(self.dashboard.shown(), self.dashboard.expected())
        self._is(self.invited.shown(), {one.id: one.status for one in self.invites})

    def _check_user(self, name: str, client: Client, *, ended: bool = False) -> None:
        """Compares the most that a user's credential may do, and the least that it may not: each act takes more.

        An empty body is a 400 for who may.
        """
        if ended or name in self.suspended or self.deleted:
            self._is(client.get(self.scenario.path).status, 401 if ended else 403 if name in self.suspended else 404)
            return
        acts = (
            ("GET", self.scenario.path, Tier.GUEST),
            ("POST", f"{self.scenario.path}/meetings", Tier.COLLABORATOR),
            ("POST", f"{self.scenario.path}/reports", Tier.MANAGER),
            ("PATCH", self.scenario.path, Tier.ADMIN),
        )
        may = sum(self.may(name, least) for *_, least in acts)
        for number, (method, path, _) in enumerate(acts[max(may - 1, 0) : may + 1], max(may - 1, 0)):
            allowed = 200 if method == "GET" else 400
            status = client.call(method, path, None if method == "GET" else {}).status
            self._is(status, allowed if number < may else 403)
        edited = client.patch(self.dashboard.path, {"title": "Money"}).status
        self._is(edited, 200 if self.dashboard.may_edit(name) else 403)

    def _check_sent(self, name: str, client: Client) -> None:
        if name in self.suspended or self.deleted:
            return
        known = (self.name, None) if name in self.members else (self.left.get(name, ""), None)
        for entry in client.get("/api/invite/sent").json:
            self._is(entry["boardName"], known[0])
            self._is(name in self.members or entry["boardDescription"] is None, True)

    def _is(self, actual: object, expected: object) -> None:
        self.checked += 1
        assert actual == expected, (actual, expected)
