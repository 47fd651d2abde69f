"""What voters and readers of resolutions are told, by events and by the clock, and the record of a result."""

from __future__ import annotations

import pytest

from governance.ids import membership_id
from tests.harness.meeting_scenario import from_now
from tests.harness.resolution_scenario import ResolutionScenario
from tests.reminders.conftest import World

OPENED = "asks you to vote on the resolution {} “Adopt the budget”."
ENDS = "The vote on the resolution “Adopt the budget” ends soon, and you have not voted."


@pytest.fixture
def votes(world: World) -> ResolutionScenario:
    return ResolutionScenario(world.board)


def test_voters_are_asked_with_the_text_and_a_link(world: World, votes: ResolutionScenario) -> None:
    path = votes.opened(voters=[{"userId": voter.id} for voter in (*votes.voters, votes.manager)])
    (told,) = world.told(votes.ann, "resolution_opened")
    assert told.endswith(OPENED.format(votes.get(path)["number"]))
    assert world.told(votes.manager, "resolution_opened") == world.told(world.board.owner, "resolution_opened") == []
    (mail,) = [mail for mail in world.mails(votes.ann) if "Adopt the budget" in str(mail["Subject"])]
    text = mail.get_body(("plain",)).get_content()  # type: ignore[union-attr]
    assert "The board adopts it." in text
    assert f"/boards/{world.board.board_id}/resolutions/{path.rpartition('/')[2]}" in text


def test_mails_about_votes_are_turned_off_by_the_switch_of_vote_requests(
    world: World, votes: ResolutionScenario
) -> None:
    assert votes.ann.client.put("/api/v1/me/calendar", {"voteRequests": False}).status == 200
    votes.opened()
    assert len(world.told(votes.ann, "resolution_opened")) == 1
    assert world.mails(votes.ann) == []


def test_who_is_recused_by_another_is_told_of_it_and_of_its_end_with_what_became_of_their_ballot(
    world: World, votes: ResolutionScenario
) -> None:
    path = votes.opened()
    number = votes.get(path)["number"]
    votes.vote(path, votes.ann)
    for voter in (votes.ann, votes.ben):
        assert votes.recuse(path, voter, votes.manager).status == 200
    assert votes.recuse(path, votes.cem).status == 200
    assert votes.manager.client.delete(f"{path}/recusals/{votes.ann.id}").status == 200
    told = [world.told(voter, "resolution_recused") for voter in votes.voters]
    of = f"the resolution {number} “Adopt the budget”"
    assert [[text.partition("Tester ")[2] for text in texts] for texts in told] == [
        [
            f"lets you vote again on {of}; a ballot from before you were recused does not count.",
            f"recused you from {of}: your ballot was withdrawn and does not count.",
        ],
        [f"recused you from {of}: you do not vote on it."],
        [],
    ]


@pytest.mark.parametrize("is_committees", [False, True])
def test_who_holds_a_proxy_is_told_of_it_and_of_its_end(
    world: World, votes: ResolutionScenario, *, is_committees: bool
) -> None:
    committee = votes.board.committee(votes.board.owner, votes.manager, *votes.voters) if is_committees else None
    path = votes.opened(committeeId=committee, rule={"proxies": True})
    number = votes.get(path)["number"]
    for holder in (votes.ben, votes.cem):
        assert votes.ann.client.put(f"{path}/proxy", {"userId": holder.id}).status == 200
    assert votes.ann.client.delete(f"{path}/proxy").status == 200
    given = f"gave you a proxy on the resolution {number} “Adopt the budget”: you vote for them, too."
    for holder in (votes.ben, votes.cem):
        ended, begun = [
            text.partition("Tester ")[2] for text in sorted(world.told(holder, "resolution_proxy"), reverse=True)
        ]
        assert begun == given
        assert ended.startswith("no longer has you vote by proxy")
    assert world.told(votes.ann, "resolution_proxy") == []


def test_who_has_not_voted_is_reminded_a_day_before_the_end(world: World, votes: ResolutionScenario) -> None:
    path = votes.opened()
    votes.vote(path, votes.ann)
    votes.recuse(path, votes.ben)
    world.pass_time(days=6, seconds=30)
    world.pass_time(seconds=60)
    assert [world.told(voter, "resolution_reminder") for voter in votes.voters] == [[], [], [ENDS]]


def test_the_result_is_recorded_within_two_minutes_and_told_to_the_members(
    world: World, votes: ResolutionScenario
) -> None:
    path = votes.opened(closesAt=from_now(hours=2))
    votes.vote(path, votes.ann)
    votes.vote(path, votes.ben)
    number = votes.get(path)["number"]
    world.pass_time(hours=2)
    world.pass_time(minutes=1)
    world.pass_time(minutes=1)
    carried = f"The resolution {number} “Adopt the budget” is carried."
    readers = (*votes.voters, votes.manager, world.board.owner)
    assert [world.told(reader, "resolution_closed") for reader in readers] == [[carried]] * len(readers)
    assert votes.manager.client.get(f"{path}/certificate").status == 200


def test_the_mail_about_a_result_asks_nobody_to_vote(world: World, votes: ResolutionScenario) -> None:
    path = votes.opened()
    assert len(world.mails(votes.cem)) == 1
    votes.vote(path, votes.ann)
    votes.vote(path, votes.ben)
    assert votes.close(path).status == 200
    texts = [mail.get_body(("plain",)).get_content() for mail in world.mails(votes.cem)]  # type: ignore[union-attr]
    asks = [[line for line in text.splitlines() if line in ("Vote:", "Read the result:")] for text in texts]
    assert asks == [["Vote:"], ["Read the result:"]]


def test_a_committees_result_is_told_to_that_committee_alone(world: World, votes: ResolutionScenario) -> None:
    ids = [membership_id(world.board.board_id, member.id) for member in (votes.manager, votes.ann)]
    committee = {"name": "Audit", "memberIds": ids}
    made = world.board.owner.client.post(f"{world.board.path}/committees", committee).data["id"]
    path = votes.opened(committeeId=made, voters=None)
    for voter in (votes.manager, votes.ann):
        votes.vote(path, voter)
    assert votes.close(path).status == 200
    assert len(world.told(votes.ann, "resolution_closed")) == 1
    others = (votes.ben, world.board.owner)
    assert [world.told(other, "resolution_opened", "resolution_closed") for other in others] == [[], []]


def test_nobody_is_reminded_of_what_was_closed_or_withdrawn(world: World, votes: ResolutionScenario) -> None:
    closed, withdrawn = votes.opened(), votes.opened()
    votes.vote(closed, votes.ann)
    votes.vote(closed, votes.ben)
    assert votes.close(closed).status == votes.withdraw(withdrawn).status == 200
    for offset in ({"days": 6, "seconds": 30}, {"days": 1}, {"minutes": 2}):
        world.pass_time(**offset)
    assert world.told(votes.cem, "resolution_reminder") == []
    assert len(world.told(votes.cem, "resolution_closed")) == 1


def test_events_of_a_draft_are_its_creators_and_those_of_an_open_resolution_the_boards(
    world: World, votes: ResolutionScenario
) -> None:
    path = votes.drafted(by=votes.ann)
    feed, admin = f"{world.board.path}/events", world.board.owner.client
    world.move(seconds=20)
    assert not [event for event in admin.all(feed) if event["type"].startswith("resolution.")]
    assert votes.open(path).status == 200
    votes.vote(path, votes.ann)
    votes.take_back(path, votes.ann)
    votes.recuse(path, votes.ann)
    votes.withdraw(path)
    world.move(seconds=20)
    shown = [event for event in admin.all(feed) if event["type"].startswith("resolution.")]
    kinds = ["opened", "ballot_cast", "ballot_withdrawn", "recused", "withdrawn"]
    assert [event["type"] for event in shown] == [f"resolution.{kind}" for kind in kinds]
    assert all(event["refs"]["resolutionId"] == path.rpartition("/")[2] for event in shown)
    assert "budget" not in str(shown)
