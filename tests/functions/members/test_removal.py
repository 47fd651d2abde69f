"""What a removal ends, said before it: the guest links that open meetings because the member made them."""

from __future__ import annotations

from tests.functions.meetings.links import open_link
from tests.harness.board_scenario import BoardScenario, Person
from tests.harness.client import Client, Response
from tests.harness.meeting_scenario import new_meeting_scenario


def preview(scenario: BoardScenario, member: Person, by: Person | None = None) -> Response:
    return (by or scenario.owner).client.get(f"{scenario.member_path(member)}/removal")


def test_the_links_that_a_removal_closes_are_counted_before_it(scenario: BoardScenario) -> None:
    """Neither links that others made instead, nor those of an earlier membership, of a draft or a revoked token."""
    mona = scenario.member("mona")
    earlier, own, replaced, by_token, draft, other = (new_meeting_scenario(scenario, title=str(n)) for n in range(6))
    open_link(earlier, mona.client)
    assert scenario.owner.client.delete(scenario.member_path(mona)).status == 200
    scenario.join(mona)
    body = {"name": "robot", "preset": "full_access", "expiresInDays": None}
    token = mona.client.post("/api/v1/me/tokens", body).data
    for meeting, maker in ((own, mona.client), (replaced, mona.client), (by_token, Client(token["secret"]))):
        open_link(meeting, maker)
    open_link(draft, mona.client)
    open_link(replaced)
    open_link(other)
    assert scenario.owner.client.patch(draft.path, {"status": "draft"}).status == 200
    for reader in (scenario.owner, mona):
        shown = preview(scenario, mona, reader).data
        assert shown == {"object": "member_removal", "memberId": scenario.member_path(mona)[-24:], "guestLinks": 2}
    assert mona.client.delete(f"/api/v1/me/tokens/{token['id']}").status == 200
    assert preview(scenario, mona).data["guestLinks"] == 1


def test_it_is_shown_to_who_may_remove_the_member_alone(scenario: BoardScenario) -> None:
    ben, cleo = scenario.member("ben"), scenario.member("cleo")
    assert preview(scenario, ben, cleo).failure == (403, "FORBIDDEN")
    assert preview(scenario, scenario.owner).failure == (409, "CONFLICT")
    assert scenario.owner.client.delete(scenario.member_path(ben)).status == 200
    assert preview(scenario, ben).status == 404
