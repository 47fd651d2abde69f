"""Invites under threads: one pending, one end, one membership, and never a mail too many."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import partial

import pytest

from governance.domain.invite import new_invite
from governance.ids import new_id
from governance.instants import now
from governance.models.invite import InviteCreate, StoredInvite
from governance.store import boards, invites
from governance.store.schema import INVITE, MEMBER
from governance.store.table import read_one, transact
from tests.harness.client import Answer, Client, session
from tests.harness.outbox import Outbox, outbox
from tests.harness.race import Racers
from tests.harness.world import Person, World, new_world, person

__all__ = ["outbox"]
pytestmark = pytest.mark.slow
ROUNDS = 200
BOARD_ROUNDS = 50


def rounds(count: int = ROUNDS) -> Iterator[tuple[int, World]]:
    """The rounds, each with a board; a board and its owner serve only so many, for inviting has its limits."""
    for number in range(count):
        if number % BOARD_ROUNDS == 0:
            world = new_world(f"owner{number}")
        yield number, world


def invite_to(world: World, email: str) -> StoredInvite:
    """A pending invite, written straight into the store."""
    body = InviteCreate.model_validate({"inviteeEmail": email})
    invite = new_invite(body, new_id(), world.board_id, world.owner.id, now())
    transact(invites.create(invite))
    return invite


def ended(invite: StoredInvite) -> str | None:
    """The invite's last state; None while it is pending."""
    item = read_one(INVITE.at(boardId=invite.board_id, inviteId=invite.id))
    open_item = read_one(invites.pending_key(invite.board_id, invite.invitee_email))
    assert (item is None) != (open_item is None)
    return str(item["status"]) if item else None


def is_member(world: World, who: Person) -> bool:
    return read_one(MEMBER.at(boardId=world.board_id, userId=who.id)) is not None


def bearers(number: int) -> tuple[Person, Person]:
    """Two users who bear one address."""
    ann = person(f"ann{number}")
    twin = Client(session(ann.email, f"twin{number}"))
    return ann, Person(twin.get("/api/v1/me").data["id"], ann.email, twin)


def winners(*answers: Answer) -> list[int]:
    """Which of the answers were 200; none may be a failure of ours."""
    assert all(answer.status < 500 for answer in answers), [answer.text for answer in answers]
    return [place for place, answer in enumerate(answers) if answer.status == 200]


def test_eight_inviters_of_one_address_make_one_invite(store: str, racers: Racers) -> None:  # noqa: ARG001
    for number, world in rounds():
        if number % BOARD_ROUNDS == 0:
            people = [world.owner, *(world.member(f"m{number}-{i}") for i in range(3))]
        email = f"p{number}@example.com"
        calls = [
            partial(who.client.post, f"/api/invite/{world.board_id}", {"inviteeEmail": spelling})
            for who in people
            for spelling in (email, email.upper())
        ]
        answers = racers.run(*calls)
        assert len(winners(*answers)) == 8
        assert [answer.json["deduped"] for answer in answers].count(False) == 1
        (invite_id,) = {answer.json["inviteId"] for answer in answers}
        item = read_one(invites.pending_key(world.board_id, email))
        assert item is not None
        assert item["id"] == invite_id
        assert sorted([item["inviterId"], *item["alsoInvitedBy"]]) == sorted(who.id for who in people)


def test_accept_against_decline_against_retract_ends_an_invite_once(store: str, racers: Racers) -> None:  # noqa: ARG001
    seen: Counter[str | None] = Counter()
    ann = person("ann")
    for _, world in rounds():
        invite = invite_to(world, ann.email)
        verbs = ["accept", "decline", "retract"] * 3
        calls = [
            partial((world.owner if verb == "retract" else ann).client.put, f"/api/invite/{verb}/{invite.id}")
            for verb in verbs[:8]
        ]
        (winner,) = winners(*racers.run(*calls))
        assert ended(invite) == {"accept": "accepted", "decline": "declined", "retract": "retracted"}[verbs[winner]]
        assert is_member(world, ann) == (verbs[winner] == "accept")
        seen[verbs[winner]] += 1
        if verbs[winner] == "accept":
            leave(world, ann)
    assert sum(seen.values()) == ROUNDS


def leave(world: World, who: Person) -> None:
    (found,) = [member for member in boards.members(world.board_id) if member.user_id == who.id]
    transact(boards.remove_member(found))


def test_accept_against_join_makes_one_membership(store: str, racers: Racers) -> None:  # noqa: ARG001
    ann, twin = bearers(0)
    for number, world in rounds():
        if number % BOARD_ROUNDS == 0:
            code = world.owner.client.get(f"/api/invite/{world.board_id}/code").json["inviteCode"]
        invite = invite_to(world, ann.email)
        paths = [f"/api/invite/accept/{invite.id}", f"/api/invite/join/{code}"]
        people = [ann, twin] * 4
        answers = racers.run(*[partial(who.client.put, paths[i // 2 % 2]) for i, who in enumerate(people)])
        (winner,) = winners(*answers)
        assert {answer.status for answer in answers} <= {200, 403, 404}
        assert ended(invite) == "accepted"
        assert [is_member(world, who) for who in (ann, twin)] == [people[winner] == who for who in (ann, twin)]
        leave(world, people[winner])


def test_eight_sends_of_one_invite_make_one_mail(store: str, racers: Racers, outbox: Outbox) -> None:  # noqa: ARG001
    for number, world in rounds():
        invite = invite_to(world, f"p{number}@example.com")
        send = partial(world.owner.client.post, f"/api/invite/{invite.id}/send-email")
        answers = racers.run(*[send] * 8)
        assert len(winners(*answers)) == 8
        reasons = [answer.json.get("throttleReason") for answer in answers]
        assert Counter(reasons) == {None: 1, "per-invite": 7}
        assert len(outbox.raw) == number + 1


def test_eight_boards_send_one_recipient_five_mails(store: str, racers: Racers, outbox: Outbox) -> None:  # noqa: ARG001
    worlds = [new_world(f"owner{number}") for number in range(8)]
    for number in range(ROUNDS):
        email = f"p{number}@example.com"
        made = [invite_to(world, email) for world in worlds]
        sends = [
            partial(world.owner.client.post, f"/api/invite/{invite.id}/send-email")
            for world, invite in zip(worlds, made, strict=True)
        ]
        answers = racers.run(*sends)
        assert len(winners(*answers)) == 8
        reasons = [answer.json.get("throttleReason") for answer in answers]
        assert Counter(reasons) == {None: 5, "global-recipient": 3}
        assert len(outbox.raw) == 5 * (number + 1)


def test_refused_mails_give_back_what_they_took_whoever_else_asks(
    store: str,  # noqa: ARG001
    racers: Racers,
    outbox: Outbox,
) -> None:
    for number, world in rounds(BOARD_ROUNDS):
        invite = invite_to(world, f"p{number}@example.com")
        send = partial(world.owner.client.post, f"/api/invite/{invite.id}/send-email")
        outbox.trouble = "MessageRejected"
        answers = racers.run(*[send] * 8)
        assert {answer.status for answer in answers} <= {200, 503}
        assert not any(answer.status == 200 and not answer.json["throttled"] for answer in answers)
        outbox.trouble = None
        assert [send().json["throttled"], send().json["throttled"]] == [False, True]
        assert len(outbox.raw) == number + 1
