"""Every route that writes: who then reads something else of the board was rung, and nobody else.

The acts are the sample requests of the table of routes, so a new route is judged as soon as it has one. They are the
owner's; acts of others, on drafts and in committees are in test_everybody.py.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

import pytest

from tests.harness.board_scenario import BoardScenario, person
from tests.harness.client import Client
from tests.harness.clock import Clock
from tests.harness.live import Channel
from tests.harness.path_resources import OUTSIDER_EMAIL, PARAMETER
from tests.harness.sample_bodies import slot_start
from tests.harness.sample_requests import ROUTE_NAMES, ROUTES_BY_NAME, SampleRequest, sample_request
from tests.harness.stored_versions import TAKES_BACK_A_COPY
from tests.live.reading import Readings

pytestmark = pytest.mark.slow
_OWN = "one's own: no GET of a board shows it"
_NOTHING = "it changes nothing"
_PAPER_REQUEST = "/api/v1/boards/{boardId}/meetings/{meetingId}/paper-requests/{paperRequestId}"
_NOT_ARRIVED = "nobody reads of a file before it has arrived"
_NO_EVENT = "no event of the feed tells of it, nor has the channel a word for it"
UNHEARD: Mapping[str, str] = {
    "POST /api/v1/access/evaluation": _NOTHING,
    "POST /api/v1/access/evaluations": _NOTHING,
    "POST /api/v1/live/tickets": _NOTHING,
    "POST /api/v1/boards": "nobody is in the room of a new board",
    "POST /api/v1/me/example-board": "nobody is in the room of a new board",
    "DELETE /api/v1/boards/{boardId}": "everybody leaves the room instead (test_losing.py)",
    "POST /api/invite/{boardInviteId}/send-email": _NO_EVENT,
    f"POST {_PAPER_REQUEST}/versions": _NOT_ARRIVED,
    "POST /api/v1/boards/{boardId}/meetings/{meetingId}/minutes/signed-file": _NOT_ARRIVED,
    TAKES_BACK_A_COPY: "its sample is taken back by now (test_signed_copies.py)",
    "POST /api/v1/paper/{paperToken}/versions": _NOT_ARRIVED,
    **{
        route: _OWN
        for route in ROUTE_NAMES
        if re.match(r"(POST|PUT|PATCH|DELETE) /api/(v1/(me|unsubscribe)|notification)/?", route)
        and not route.endswith("/me/example-board")
    },
}
"""Routes that ring in no board's room, and why."""
LOGGED = {
    "POST /api/invite/{boardId}/test",
    "POST /api/v1/boards/{boardId}/exports",
    "POST /api/v1/boards/{boardId}/meetings/{meetingId}/guest-link",
    f"POST {_PAPER_REQUEST}/reminder",
    "POST /api/v1/boards/{boardId}/meetings/{meetingId}/reminders",
    "POST /api/v1/boards/{boardId}/webhooks/{webhookId}/deliveries/{deliveryId}/redeliver",
    "POST /api/v1/boards/{boardId}/webhooks/{webhookId}/test",
}
"""Routes whose effect nobody reads but admins, in the logs: at most they are rung."""
HEARD = [route for route in ROUTE_NAMES if not route.startswith("GET ") and route not in UNHEARD]
_LOGS = ("/events", "/audit", "/auditlog/", "/deliveries", "/exports")
"""What tells of events themselves: who may GET what changed is rung, not who reads of it there."""
_ANSWERED_BY_INVITEE = ("accept/{boardInviteId}", "decline/{boardInviteId}", "join/{inviteCode}")


def reads(route: str, sample: SampleRequest, scenario: BoardScenario) -> Iterator[str]:
    """Yields the addresses of all that is to be read of the board, its last meeting and what a request's path names."""
    parts = zip(ROUTES_BY_NAME[route].path.split("/"), sample.path.split("/"), strict=True)
    named = {part[1:-1]: value for part, value in parts if part.startswith("{")} | {"boardId": scenario.board_id}
    for meeting in scenario.owner.client.get(f"{scenario.path}/meetings").data:
        named.setdefault("meetingId", meeting["id"])
    if route.endswith("/pack/publication"):
        (pack,) = scenario.owner.client.get(f"{scenario.path}/documents").data
        named["documentId"] = pack["id"]
    for name in ROUTE_NAMES:
        path = name.removeprefix("GET ")
        known = "{boardId}" in path and set(PARAMETER.findall(path)) <= named.keys()
        if name.startswith("GET ") and known and not any(log in path for log in _LOGS):
            yield PARAMETER.sub(lambda match: named[match[1]], path)


def with_a_vote(sample: SampleRequest, owner: Client) -> SampleRequest:
    """Votes as a guest by a link; returns the request that deletes the link with the votes of guests."""
    slot = {"startTime": slot_start(), "timezone": "UTC"}
    created = owner.post(sample.path.replace("/guest-link", "/slots"), slot)
    token = owner.post(sample.path).data["token"]
    vote = {"email": "guest@example.org", "vote": "ok"}
    assert Client(None).put(f"/api/v1/guest/{token}/slots/{created.data['id']}/vote", vote).status == 200
    return replace(sample, query="votes=discard")


@pytest.mark.parametrize("route", HEARD)
def test_who_reads_something_else_after_a_request_was_rung_and_nobody_else(
    route: str, scenario: BoardScenario, channel: Channel, formulas: object, outbox: object, clock: Clock
) -> None:
    del formulas, outbox
    clock.stop()
    people = {
        "admin": scenario.member("admin", admin_role="admin"),
        "maker": scenario.member("maker"),
        "guest": scenario.member("guest", access_type="guest"),
    }
    caller = person(OUTSIDER_EMAIL.partition("@")[0]) if route.endswith(_ANSWERED_BY_INVITEE) else scenario.owner
    sample = sample_request(route, scenario, caller)
    if route == "DELETE /api/v1/boards/{boardId}/meetings/{meetingId}/guest-link":
        sample = with_a_vote(sample, scenario.owner.client)
    tabs = {name: channel.open(person.client) for name, person in people.items()}
    for tab in tabs.values():
        assert tab.join(scenario.board_id)[0]["type"] == "joined"
        tab.forget()
    clock.move(1)  # so that what is written now has another time
    readings = Readings(people, list(reads(route, sample, scenario)))
    with readings.watched(channel):
        response = sample.by(caller.client)
    assert response.status < 300, response.text
    heard = {who for who, tab in tabs.items() if tab.rings()}
    changed = readings.changed.keys()
    if route in LOGGED:
        assert changed == set()
        assert heard <= {"admin"}
        return
    assert changed, "nobody reads anything else: give its sample an effect, or say why with the other routes"
    assert changed <= heard, f"{sorted(changed - heard)} did not hear of {readings.changed}"
    assert heard <= changed, f"{sorted(heard - changed)} heard of {[tab.rings() for tab in tabs.values()]}"
