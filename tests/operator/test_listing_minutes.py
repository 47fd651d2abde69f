"""`boardctl migrate` lists the minutes that wait for their approval since an earlier release, once."""

from __future__ import annotations

from governance.models.meetings.minutes_versions import StoredMinutesApproval
from governance.store.schema.keys import make_item
from governance.store.schema.minutes import MINUTES_APPROVAL
from governance.store.table import read_one
from governance.store.transactions import transact
from governance.store.writes import Put
from infra.operator.listing_minutes import list_older
from tests.harness.board_scenario import BoardScenario
from tests.harness.client import Client
from tests.harness.minutes import approving_meeting, circulate_minutes


def _forget_lists(scenario: BoardScenario, meeting: str) -> None:
    """Stores an approval as a release that did not list it."""
    key = MINUTES_APPROVAL.key_for(boardId=scenario.board_id, meetingId=meeting)
    transact([Put(make_item(key, StoredMinutesApproval.model_validate(read_one(key)).item()))])


def _added(client: Client, meeting: str) -> int:
    return len(client.post(f"{meeting}/agenda/approvals").data["items"])


def test_minutes_that_an_earlier_release_circulated_are_listed_once(scenario: BoardScenario) -> None:
    client, meetings = scenario.owner.client, f"{scenario.path}/meetings"
    circulate_minutes(client, meetings)
    (earlier,) = client.get(meetings).data
    later = f"{meetings}/{approving_meeting(client, meetings)}"
    _forget_lists(scenario, earlier["id"])
    assert list_older(dry_run=True) == 1
    assert _added(client, later) == 0
    assert list_older(dry_run=False) == 1
    assert list_older(dry_run=False) == 0
    assert _added(client, later) == 1


def test_approved_minutes_are_in_no_list(scenario: BoardScenario) -> None:
    client, meetings = scenario.owner.client, f"{scenario.path}/meetings"
    circulate_minutes(client, meetings)
    (earlier,) = client.get(meetings).data
    path = f"{meetings}/{earlier['id']}"
    assert client.patch(path, {"startTime": "2030-03-05T09:00:00Z"}).status == 200
    body = {"manner": "as_presented", "inMeetingId": approving_meeting(client, meetings)}
    assert client.post(f"{path}/minutes/approval", body).status == 200
    assert list_older(dry_run=False) == 0
