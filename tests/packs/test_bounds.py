"""How many packs are made: one of a meeting at a time, and so many of a board each UTC day (ADR packs)."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from governance.domain.quota import DailyQuota
from governance.limits import PACKS_PER_DAY, UPLOAD_HOURS
from tests.functions.documents.conftest import pass_time
from tests.harness.clock import Clock
from tests.packs.making import PackScenario, documents, item, new_pack_scenario, of_reportlab, work

pytestmark = pytest.mark.usefixtures("bucket", "in_this_process")
_RUNNING = (409, "PACK_RUNNING")


def refusal(packs: PackScenario) -> tuple[int, object]:
    answer = packs.ask()
    return answer.status, (answer.details or {}).get("reason")


def test_one_pack_of_a_meeting_is_made_at_a_time(packs: PackScenario) -> None:
    packs.begin()
    before = documents(packs)
    assert refusal(packs) == _RUNNING
    assert documents(packs) == before
    assert new_pack_scenario(packs.board).ask().status == 201
    work()
    assert packs.ask().status == 201


def test_a_pack_that_has_failed_or_was_deleted_is_not_running(packs: PackScenario) -> None:
    packs.put_agenda(item("All", packs.paper(b"%PDF-1.7 torn")))
    assert packs.make()["status"] == "failed"
    document = packs.begin()
    path = f"{packs.board.path}/documents/{document['id']}"
    version = f"{path}/versions/{packs.version(document)['id']}"
    assert packs.board.owner.client.delete(version).status == 200
    document = packs.begin()
    assert refusal(packs) == _RUNNING
    assert packs.board.owner.client.delete(f"{packs.board.path}/documents/{document['id']}").status == 200
    assert packs.ask().status == 201


def test_a_pack_that_nobody_makes_runs_for_a_day_and_has_failed_then(packs: PackScenario, clock: Clock) -> None:
    document = packs.begin()
    clock.move(UPLOAD_HOURS * 3600 - 60)
    assert refusal(packs) == _RUNNING
    pass_time(clock, 120)
    version = packs.version(document)
    assert (version["status"], version["reason"]) == ("failed", "The pack could not be made. Make it again.")
    assert packs.ask().status == 201


def test_a_board_makes_twenty_packs_a_day_and_what_is_refused_or_repeated_does_not_count(
    packs: PackScenario, clock: Clock
) -> None:
    tomorrow = datetime.now(UTC).replace(hour=10, minute=0, second=0, microsecond=0) + timedelta(days=1)
    clock.stop(tomorrow)
    for number in range(PACKS_PER_DAY):
        key = f"pack {number}"
        first = packs.ask(Idempotency_Key=key)
        assert first.status == 201, number
        assert refusal(packs) == _RUNNING
        packs.deliver()  # all requests of this test once more
        work(PACKS_PER_DAY + 1)
        assert packs.ask(Idempotency_Key=key).data == first.data
    refused = packs.ask()
    assert refused.failure == (429, "RATE_LIMITED")
    assert refused.headers["Retry-After"] == str(14 * 3600)
    assert new_pack_scenario(packs.board).ask().status == 429
    clock.stop(tomorrow + timedelta(hours=14))
    assert packs.ask().status == 201


def test_what_is_refused_first(packs: PackScenario, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("governance.usecases.packs.board_packs.BOARD_PACKS", DailyQuota("board_packs", 1))
    owner, guest = packs.board.owner, packs.board.member("gus", access_type="guest")
    packs.begin()
    assert packs.ask(guest.client).status == 403
    assert refusal(packs) == _RUNNING
    papers = [packs.paper(of_reportlab("x"), committeeId=packs.board.committee(owner)) for _ in range(2)]
    packs.put_agenda(item("All", *papers))
    assert refusal(packs) == (409, "MIXED_READERS")
    packs.put_agenda()
    assert refusal(packs) == _RUNNING
    work()
    assert packs.ask().status == 429
    assert owner.client.delete(packs.meeting.path).status == 200
    assert packs.ask().status == 404
