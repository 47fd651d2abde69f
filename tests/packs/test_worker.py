"""What happens while a board pack is made: rights that end, workers that die, packs that are deleted (ADR packs)."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from governance.errors import unavailable
from governance.ids import membership_id
from governance.limits import PACK_ATTEMPT_SECONDS, PACK_ATTEMPTS
from governance.packs import attempts, worker
from governance.packs.book import Book
from governance.store.documents import papers
from governance.usecases.operator import operator
from tests.harness import queue
from tests.harness.clock import Clock
from tests.harness.crash_injection import ProcessKilled
from tests.harness.meeting_scenario import stored_events
from tests.packs.making import PackScenario, item, keys_of_papers, of_reportlab, texts, work

pytestmark = pytest.mark.usefixtures("bucket", "in_this_process")


def test_who_left_the_committee_meanwhile_gets_no_paper_of_it(packs: PackScenario) -> None:
    mia = packs.board.member("mia")
    finance = packs.board.committee(packs.board.owner, mia)
    secret = packs.paper(of_reportlab("Secret"), committeeId=finance, title="Secret")
    packs.put_agenda(item("All", secret))
    document = packs.begin(mia.client)
    seats = [membership_id(packs.board.board_id, packs.board.owner.id)]
    changed = packs.board.owner.client.call("PATCH", f"{packs.board.path}/committees/{finance}", {"memberIds": seats})
    assert changed.status == 200, changed.text
    work()
    version = packs.version(document)
    assert not any("Secret" in page for page in texts(packs.read(version)))


@pytest.mark.parametrize("end", ["leaves", "becomes a guest", "is suspended", "meeting is deleted"])
def test_who_may_not_make_packs_any_more_gets_none(packs: PackScenario, end: str) -> None:
    mia = packs.board.member("mia")
    document = packs.begin(mia.client)
    owner = packs.board.owner.client
    member = packs.board.member_path(mia)
    if end == "leaves":
        assert owner.call("DELETE", member).status == 200
    elif end == "becomes a guest":
        assert owner.call("PATCH", member, {"accessType": "guest"}).status == 200
    elif end == "is suspended":
        operator.set_user_status(mia.id, "suspended")
    else:
        assert owner.call("DELETE", packs.meeting.path).status == 200
    work()
    version = packs.version(document)
    assert (version["status"], version["reason"]) == (
        "failed",
        "The person who made the pack may no longer read this meeting.",
    )
    assert keys_of_papers() == []


def test_a_paper_that_moved_to_a_committee_meanwhile_makes_the_pack_fail(packs: PackScenario) -> None:
    paper = packs.paper(of_reportlab("Soon secret"))
    packs.put_agenda(item("All", paper))
    document = packs.begin()
    finance = packs.board.committee(packs.board.owner)
    moved = packs.board.owner.client.call("PATCH", paper.path, {"committeeId": finance})
    assert moved.status == 200, moved.text
    work()
    version = packs.version(document)
    assert version["status"] == "failed"
    assert "belong to a committee" in version["reason"]


def test_a_message_that_arrives_twice_makes_one_version(packs: PackScenario) -> None:
    document = packs.begin()
    packs.deliver()
    assert work() >= 2
    version = packs.version(document)
    assert version["status"] == "ready"
    assert len(stored_events(packs.board, "document.version_added")) == 1


def test_while_one_worker_runs_another_waits(packs: PackScenario, monkeypatch: pytest.MonkeyPatch) -> None:
    document = packs.begin()
    packs.deliver()
    calls: list[int] = []

    def making(made: Book, lines: Any) -> int:
        if not calls:
            calls.append(work(1))
            assert packs.version(document)["status"] == "uploading"
        return counted(made, lines)

    counted = Book.count_pages
    monkeypatch.setattr(Book, "count_pages", making)
    work(1)
    assert calls == [1]
    assert packs.version(document)["status"] == "ready"
    (waiting,) = [message for message in queue.current.messages if message.function == "packer"]
    assert PACK_ATTEMPT_SECONDS - 60 < waiting.visible_at - queue.current.now <= PACK_ATTEMPT_SECONDS


def test_a_pack_whose_worker_died_is_made_by_the_next_attempt(
    packs: PackScenario, monkeypatch: pytest.MonkeyPatch, clock: Clock
) -> None:
    document = packs.begin()
    with monkeypatch.context() as patched:
        patched.setattr(attempts, "_make", die)
        with pytest.raises(ProcessKilled):
            work()
    assert packs.version(document)["status"] == "uploading"
    pass_time(clock)
    assert packs.version(document)["status"] == "ready"


def test_a_pack_whose_workers_always_die_has_failed(
    packs: PackScenario, monkeypatch: pytest.MonkeyPatch, clock: Clock
) -> None:
    document = packs.begin()
    monkeypatch.setattr(attempts, "_make", die)
    for _ in range(PACK_ATTEMPTS):
        with pytest.raises(ProcessKilled):
            pass_time(clock)
    pass_time(clock)
    version = packs.version(document)
    assert (version["status"], version["reason"]) == ("failed", "The pack could not be made. Make it again.")


def test_a_pack_that_was_deleted_meanwhile_leaves_nothing(packs: PackScenario, monkeypatch: pytest.MonkeyPatch) -> None:
    document = packs.begin()
    path = f"{packs.board.path}/documents/{document['id']}"
    put = papers.put

    def deleting(key: str, file: Path, mime_type: str) -> tuple[int, str]:
        written = put(key, file, mime_type)
        assert packs.board.owner.client.call("DELETE", path).status == 200
        return written

    monkeypatch.setattr(papers, "put", deleting)
    work()
    assert keys_of_papers() == []
    assert stored_events(packs.board, "document.version_added") == []


@pytest.mark.parametrize("call", ["visible_meeting", "papers_of"])
def test_a_read_of_the_store_that_fails_makes_no_pack_fail(
    packs: PackScenario, monkeypatch: pytest.MonkeyPatch, clock: Clock, call: str
) -> None:
    def failing(*_: Any) -> Any:
        raise unavailable()

    document = packs.begin()
    with monkeypatch.context() as patched:
        patched.setattr(f"governance.usecases.packs.pack_making.{call}", failing)
        work(1)
    assert packs.version(document)["status"] == "uploading"
    pass_time(clock)
    assert packs.version(document)["status"] == "ready"


def test_what_a_killed_worker_put_is_not_kept_for_a_pack_that_has_failed(
    packs: PackScenario, monkeypatch: pytest.MonkeyPatch, clock: Clock
) -> None:
    document = packs.begin()
    monkeypatch.setattr("governance.usecases.packs.pack_making.end_pack", die)
    for _ in range(PACK_ATTEMPTS):
        with pytest.raises(ProcessKilled):
            pass_time(clock)
    assert len(keys_of_papers()) == 1
    pass_time(clock)
    assert packs.version(document)["status"] == "failed"
    assert keys_of_papers() == []


def test_papers_larger_than_a_pack_may_be_make_it_fail(packs: PackScenario, monkeypatch: pytest.MonkeyPatch) -> None:
    content = of_reportlab("x")
    packs.put_agenda(item("All", *(packs.paper(content, title=title) for title in "AB")))
    monkeypatch.setattr(worker, "PACK_BYTES", 2 * len(content) - 1)
    assert packs.make()["reason"].startswith("The papers are larger than 500 MB together.")
    monkeypatch.setattr(worker, "PACK_BYTES", 2 * len(content))
    assert packs.make()["status"] == "ready"


def test_papers_that_take_longer_than_the_worker_runs_make_it_fail(packs: PackScenario) -> None:
    packs.put_agenda(item("All", packs.paper(of_reportlab("x"))))
    document = packs.begin()
    message = queue.current.receive("packer")
    assert message is not None
    context = SimpleNamespace(get_remaining_time_in_millis=lambda: 30_000, function_name="packer", memory_limit_in_mb=1)
    assert queue.invoke_deliveries(message, context) == []
    assert "take too long to read" in packs.version(document)["reason"]


def pass_time(clock: Clock) -> None:
    """Lets an attempt's time and the queue's time-outs pass, and the worker handle what is visible."""
    clock.move(PACK_ATTEMPT_SECONDS + 1)
    queue.current.now += queue.LONG_ENOUGH + queue.VISIBILITY_SECONDS
    work()


def die(*_: Any) -> None:
    raise ProcessKilled
