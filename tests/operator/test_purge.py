"""A purge leaves neither an address nor a name in the table, keeps what others have, and closes the account."""

from __future__ import annotations

import json

import pytest

from governance.errors import ApiError
from governance.ids import UserId, new_id
from governance.store import recorded_answers
from governance.store.action_items import action_items
from governance.store.boards import board_lists
from governance.store.invites import invites
from governance.store.recorded_answers import to_members
from governance.store.schema import usage
from governance.store.schema.keys import Range, make_item
from governance.store.table import query, read_one
from governance.store.transactions import transact
from governance.store.writes import Put
from governance.usecases.operator import purge
from governance.usecases.operator.operator import set_user_status
from infra.operator import address_removal
from infra.operator.address_removal import Wanted
from infra.operator.purging import purge_users
from tests.harness.board_scenario import BoardScenario, person
from tests.harness.client import Client, session
from tests.harness.fault_injection import meanwhile
from tests.harness.history import audit_items
from tests.harness.resolution_scenario import ResolutionScenario
from tests.harness.table_snapshot import TableSnapshot
from tests.operator.purge_scenario import (
    NAME,
    NEW,
    OLD,
    fill,
    new_scenarios,
    person_with_a_former_address,
    recorded,
    rows_with,
)
from tests.store.stored_items import INVITE

pytestmark = pytest.mark.usefixtures("bucket", "outbox")


def invite_links() -> list[tuple[str, str]]:
    """Returns the keys of the rows that lead from a link to its pending invite, which name nobody."""
    return [(pk, sk) for pk, sk in rows_with("") if pk.startswith("CODE#") and sk.startswith("INVITE#")]


def test_nothing_in_the_table_names_a_purged_user(store: str) -> None:
    del store
    scenario, other = new_scenarios()
    bart = fill(scenario, other)
    kinds = {(pk.partition("#")[0], sk.partition("#")[0]) for pk, sk in rows_with(NAME)}
    partitions = "ALLOWANCE BOARD EMAIL EVENTS GUESTS IDEMPOTENCY INVITE MEETINGS USER"
    assert {pk for pk, _ in kinds} == set(partitions.split())
    assert {("BOARD", "ACTION"), ("BOARD", "INVITE"), ("MEETINGS", "MEETING"), ("BOARD", "PENDING_INVITE")} <= kinds
    assert ("USER", "SENT") in kinds
    trail = recorded(scenario.board_id)
    assert len(invite_links()) == 1
    purge_users([bart.id])
    assert rows_with(NAME) == []
    assert invite_links() == []
    assert recorded(scenario.board_id) == [*trail, "userHardPurge"]
    assert NEW in json.dumps(audit_items(scenario.board_id))
    assert [row for part in usage.idempotency_partitions(bart.id) for row in query(Range(part))] == []
    own = [(pk.partition("#")[0], sk) for pk, sk in rows_with("") if pk.endswith(f"#{bart.id}")]
    assert [row for row in own if row[0] in {"BOARDS", "DELIVERED", "USER"}] == [
        ("BOARDS", f"BOARD#{scenario.board_id}"),
        ("USER", "COUNT#BOARDS"),
        ("USER", "USER"),
    ]


def test_a_compressed_answer_that_holds_an_address_is_deleted(store: str) -> None:
    del store
    kept, named = (usage.idempotency_record_key(new_id(), digest) for digest in ("kept", "named"))
    for key, address in ((kept, "other@example.com"), (named, OLD)):
        answer = json.dumps({"email": address, "text": "x" * 5000})
        members = to_members(answer)
        assert recorded_answers.COMPRESSED in members
        transact([Put(make_item(key, members))])
        address_removal._remove(key, Wanted(frozenset([OLD]), frozenset()))
    assert (read_one(kept) is None, read_one(named) is None) == (False, True)


def test_what_others_have_stays(store: str) -> None:
    del store
    scenario, other = new_scenarios()
    bart = fill(scenario, other)
    purge_users([bart.id])
    listed = scenario.owner.client.get(f"/api/invite/{scenario.board_id}/invites").json
    assert sorted((invite["inviteeEmail"], invite["inviteMessage"]) for invite in listed) == [
        ("closed@example.com", None),
        ("next@example.com", None),
    ]
    assert {invite["inviterId"] for invite in listed} == {bart.id}
    (item,) = scenario.owner.client.get(f"/api/board/{scenario.board_id}/action-items").json["actionItems"]
    stored = action_items.find(scenario.board_id, item["_id"])
    assert stored is not None
    assert (stored.title, stored.assignee_user_id, stored.assignee_name) == ("Sign", bart.id, None)
    assert len(rows_with("guest@example.org")) == 1
    counts = [row["count"] for (_, sk), row in TableSnapshot().items.items() if "#COUNT" in sk and "MEETING#" in sk]
    assert counts == [1, 1], "of the guests' votes on the meeting and on its slot"


def test_an_address_that_another_user_has_stays(scenario: BoardScenario) -> None:
    bart = person_with_a_former_address()
    twin = Client(session(OLD, "twin"))
    assert twin.get("/api/v1/me").data["email"] == OLD
    for address in (OLD, NEW):
        body = {"inviteeEmail": address}
        invite = scenario.owner.client.post(f"/api/invite/{scenario.board_id}", body).json["inviteId"]
        if address == OLD:
            kept = invite
    purge_users([bart.id])
    assert rows_with(NEW) == []
    assert twin.put(f"/api/invite/accept/{kept}").status == 200


@pytest.mark.parametrize("status", ["pending", "declined"])
def test_a_purge_forgets_an_address_that_two_hundred_people_invited(scenario: BoardScenario, status: str) -> None:
    bart = person_with_a_former_address()
    inviter, *others = (UserId(new_id()) for _ in range(200))
    named = {
        "board_id": scenario.board_id,
        "invitee_email": NEW,
        "inviter_id": inviter,
        "also_invited_by": tuple(others),
    }
    invite = INVITE.model_copy(update=named)
    transact(invites.create(invite))
    for start in range(0, len(others), 50):
        transact([invites.add_to_sent_list(invite, sender) for sender in others[start : start + 50]])
    if status != "pending":
        transact(invites.close(invite, invite.model_copy(update={"status": status}), None))
    assert len(rows_with(NEW)) > 200
    purge_users([bart.id])
    assert rows_with(NAME) == []


def test_an_account_that_is_closed_before_the_commit_gets_no_board(store: str) -> None:
    """A request that was admitted before the account was closed commits nothing after it."""
    del store
    ben = person("ben")
    with meanwhile(lambda: set_user_status(ben.id, "inactive")):
        assert ben.client.post("/api/v1/boards", {"name": "Late"}).status == 403
    assert board_lists.board_ids_of(ben.id) == []


def test_a_session_brings_no_address_back_while_a_purge_is_interrupted(scenario: BoardScenario) -> None:
    ben = scenario.member("ben")
    assert purge.begin(ben.id) is not None
    fresh = Client(session("ben.newest@example.com", "ben@example.com"))
    assert fresh.get("/api/v1/me").failure == (403, "ACCOUNT_INACTIVE")
    purge_users([ben.id])
    assert rows_with("ben.newest") == rows_with("ben@example.com") == []


def test_an_owner_among_them_keeps_all_from_being_purged(scenario: BoardScenario) -> None:
    ben = scenario.member("ben")
    with pytest.raises(ApiError, match="INVALID_REQUEST_BODY"):
        purge_users([ben.id, scenario.owner.id])
    assert ben.client.get("/api/v1/me").data["email"] == ben.email


def test_the_comments_of_a_purged_user_go_and_the_ballots_stay(scenario: BoardScenario) -> None:
    votes = ResolutionScenario(scenario)
    open_, closed = votes.opened(rule={"proxies": True}), votes.opened(rule={"proxies": True})
    for path in (open_, closed):
        assert votes.give(path, votes.ben, votes.ann).status == 200
        assert votes.vote(path, votes.ann, comment="Mine").status == 200
        assert votes.vote(path, votes.ann, comment="For Ben", forUserId=votes.ben.id).status == 200
        assert votes.vote(path, votes.cem, comment="Theirs").status == 200
    assert votes.close(closed).status == 200
    before = {path: votes.ballots(path) for path in (open_, closed)}
    certificate = votes.manager.client.get(f"{closed}/certificate").data
    purge_users([votes.ann.id])
    for path in (open_, closed):
        assert len(before[path]) == 3
        assert votes.ballots(path) == [
            {**ballot, "comment": "Theirs" if ballot["userId"] == votes.cem.id else None} for ballot in before[path]
        ]
    assert votes.manager.client.get(f"{closed}/certificate").data == certificate
    assert votes.vote(open_, votes.cem, "against").status == 200
    purge_users([votes.ann.id])
