"""Checks that the roles of the functions behind queues, clocks, calendars and connections permit only what they do."""

from __future__ import annotations

from typing import Any

import pytest

from governance import instants
from governance.domain.live.messages import PROTOCOL
from governance.domain.webhooks.webhook_delivery import AttemptResult
from governance.limits import LIVE_CONNECTIONS_PER_USER, LIVE_MESSAGES_PER_MINUTE
from governance.packs import __main__ as child
from governance.packs import book
from governance.store.history import log_key, seal_certificates
from governance.store.schema.history import seal_certificate_key
from governance.store.schema.keys import Range
from governance.store.table import query
from tests.calendars.calendar_invitation_mails import calendar_of, schedule, settle
from tests.calendars.feeds import fetch, subscribe
from tests.calendars.invited import Invited, want_calendar_invitations
from tests.calendars.mails import deliver, mail, moved, reply
from tests.contract.test_privileges import drive
from tests.contract.used_roles import assert_role_is_used
from tests.exports.making import export, make_content
from tests.functions.meetings.test_minutes_approval import SPRING, circulated, resolved
from tests.harness import live, sealing
from tests.harness.board_scenario import BoardScenario, new_board_scenario
from tests.harness.clock import install
from tests.harness.engine import clear_rate_leases, fresh_table
from tests.harness.live import Channel
from tests.harness.meeting_scenario import MeetingScenario, from_now, leave
from tests.harness.outbox import Outbox
from tests.harness.privileges import enforced_privileges
from tests.harness.resolution_scenario import ResolutionScenario
from tests.harness.sample_bodies import LATER
from tests.harness.store_calls import InlinePool
from tests.harness.uploads import PDF
from tests.mail.reports import bounce, report, request_to
from tests.minutes_file.making import signed_elsewhere
from tests.minutes_file.test_book import asked as asked_for_book
from tests.minutes_file.test_signed_copies import returned
from tests.minutes_file.test_worker import asked, content, version
from tests.minutes_file.test_worker import work as work_on_minutes
from tests.packs.making import PackScenario, item, new_pack_scenario, of_fpdf, work
from tests.webhooks.sending import Sender, create, sending

pytestmark = pytest.mark.slow
_BLOCK = 40
"""More requests than the first block of an address's rate window."""
_SCHEDULED = {"title": "Meeting", "status": "scheduled"}


def send_to_webhooks(sender: Sender) -> None:
    """Sends events to a receiver that accepts one, puts one off for an hour, and is gone then."""
    board = new_board_scenario()
    hook = create(board, events=["meeting.created"])
    answers = [AttemptResult(204, None, 1), AttemptResult(503, None, 1, retry_after=3600), AttemptResult(410, None, 1)]
    sender.receivers.answer = lambda _: answers.pop(0)
    board.owner.client.post(f"{board.path}/meetings", _SCHEDULED)
    sender.plan(board)
    sender.run()
    board.owner.client.post(f"{board.path}/webhooks/{hook['id']}/test")
    sender.plan(board)
    sender.run()
    sender.pass_time(2 * 3600, step=900)
    assert answers == []
    send_to_a_slow_receiver(board, hook, sender)


def send_to_a_slow_receiver(board: BoardScenario, hook: Any, sender: Sender) -> None:
    """Sends two events to a receiver that is slow: the second one in the slow lane."""
    board.owner.client.patch(f"{board.path}/webhooks/{hook['id']}", {"enabled": True})
    sender.receivers.answer = lambda _: AttemptResult(204, None, 9000)
    sent = len(sender.receivers.sent)
    for _ in range(2):
        board.owner.client.post(f"{board.path}/meetings", _SCHEDULED)
        sender.plan(board)
        sender.run()
    assert len(sender.receivers.sent) == sent + 2


def test_the_sender_of_webhooks_may_do_only_what_it_does(pool: InlinePool, monkeypatch: pytest.MonkeyPatch) -> None:
    del pool
    with enforced_privileges() as needs, fresh_table(), sending(monkeypatch, install(monkeypatch)) as sender:
        send_to_webhooks(sender)
    assert_role_is_used("webhook_sender", needs)


def follow_calendars(outbox: Outbox) -> None:
    """Subscribes to calendars, polls them, and answers, moves and cancels a meeting by mail."""
    clear_rate_leases()
    board = new_board_scenario()
    admin = board.member("ada", admin_role="admin")
    want_calendar_invitations(admin)
    for body in ({}, {"boardId": board.board_id}):
        url = subscribe(admin, **body)
        tag = fetch(url).headers["etag"]
        assert fetch(url, **{"if-none-match": tag}).status in {200, 304}  # 200 while the board has just changed
        assert admin.client.post("/api/v1/boards", {"name": "Another"}).status == 201
        assert all(fetch(url).status == 200 for _ in range(_BLOCK))
    old = admin.client.post(f"{board.path}/meetings", {**_SCHEDULED, "startTime": "2001-01-01T10:00:00Z"}).data["id"]
    slot = {"startTime": LATER, "timezone": "UTC"}
    assert admin.client.post(f"{board.path}/meetings/{old}/slots", slot).status == 201
    assert fetch(url).status == 200  # which shows the slot of a meeting that no list reaches
    invited = Invited(board, admin, outbox)
    assert invited.answer("ACCEPTED") is None
    assert report(bounce(request_to(invited.ben.email, boardId=board.board_id, userId=invited.ben.id))) == []
    assert deliver(mail("stranger@example.com", invited.address, "no calendar"))[0] is not None
    assert invited.ask("REQUEST", *moved(), SEQUENCE="1") is None
    invited.meeting.confirm(invited.meeting.slot(from_now(days=4)))
    invited.refresh()
    assert invited.ask("CANCEL", SEQUENCE="9") is None
    settle(board)
    assert fetch(_invite_person(board, outbox)).status == 200


def _invite_person(board: BoardScenario, outbox: Outbox) -> str:
    """Invites a person without an account to a meeting, who accepts; returns where their calendar reads it."""
    person = {"firstName": "Greta", "email": "greta@example.org"}
    assert board.owner.client.post(f"{board.path}/unregistered-users", person).status == 201
    schedule(board)
    settle(board)
    *_, mailed = [sent for sent in outbox.mails if sent["To"] == person["email"]]
    (event,) = calendar_of(mailed).walk("VEVENT")
    answer = mail(person["email"], str(mailed["Reply-To"]), reply(event, "ACCEPTED", person["email"]))
    assert deliver(answer)[0] is None
    return f"{event['url']}/meeting.ics"


@pytest.mark.usefixtures("pool", "bucket")
def test_calendars_may_do_only_what_they_do(outbox: Outbox) -> None:
    with enforced_privileges() as needs, fresh_table():
        follow_calendars(outbox)
    assert_role_is_used("calendar", needs)
    assert_role_is_used("inbound", needs)


def make_exports() -> None:
    """Makes an export of a board with some of everything, and one of its owner's own."""
    board = new_board_scenario()
    make_content(board)
    ResolutionScenario(board).opened()
    owner = board.owner.client
    owner.post(f"{board.path}/tokens", {"name": "CI", "expiresInDays": 30})
    owner.post(f"/api/invite/{board.board_id}", {"inviteeEmail": "invited@example.com"})
    for path in (f"{board.path}/exports", "/api/v1/me/exports"):
        export(owner, path)


@pytest.mark.usefixtures("pool", "bucket")
def test_the_maker_of_exports_may_do_only_what_it_does() -> None:
    with enforced_privileges() as needs:
        make_exports()
    assert_role_is_used("exporter", needs)


def make_packs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Makes a pack of a paper and a certificate's PDF, and fails to make a pack of a paper that nobody can read."""
    monkeypatch.setattr(book, "run", child.added)
    packs = new_pack_scenario(new_board_scenario())
    for paper, status in ((PDF, "failed"), (of_fpdf("The plan"), "ready")):
        packs.put_agenda(item("Plans", packs.paper(paper)))
        assert packs.make()["status"] == status
    make_certificate(packs)


def make_certificate(packs: PackScenario) -> None:
    votes = ResolutionScenario(packs.board)
    path = votes.opened()
    for voter in votes.voters:
        votes.vote(path, voter)
    assert votes.close(path).status == 200
    sealing.seal(packs.board.board_id)
    document = votes.manager.client.post(f"{path}/certificate/document").data
    packs.deliver()
    work()
    assert packs.version(document)["status"] == "ready"


@pytest.mark.usefixtures("pool", "bucket", "store")
def test_the_maker_of_packs_may_do_only_what_it_does(monkeypatch: pytest.MonkeyPatch) -> None:
    with enforced_privileges() as needs:
        make_packs(monkeypatch)
    assert_role_is_used("packer", needs)


@pytest.mark.usefixtures("pool", "bucket", "store")
def test_the_maker_of_files_of_minutes_may_do_only_what_it_does(scenario: BoardScenario) -> None:
    meeting = approved_meeting(scenario)
    with enforced_privileges() as needs:
        made = asked(meeting)
        work_on_minutes()
        assert version(meeting, made)["status"] == "ready"
        for year in (SPRING[:4], instants.now()[:4]):  # that of the minutes, and that of the resolution
            book = asked_for_book(scenario, year)
            work_on_minutes()
            assert version(meeting, book)["status"] == "ready"
    assert_role_is_used("minutes_files", needs)


@pytest.mark.usefixtures("pool", "bucket", "store", "outbox")
def test_the_taker_of_signed_copies_may_do_only_what_it_does(scenario: BoardScenario) -> None:
    meeting = approved_meeting(scenario)
    made = asked(meeting)
    work_on_minutes()
    signed = signed_elsewhere(content(version(meeting, made), meeting))
    with enforced_privileges() as needs:
        assert returned(meeting, signed).status == 200
        drive("signed_minutes")
    assert_role_is_used("signed_minutes", needs)


def approved_meeting(scenario: BoardScenario) -> MeetingScenario:
    """Returns a meeting whose minutes are approved, as the log knows."""
    meeting = circulated(scenario)
    body = {"manner": "as_presented", "resolutionId": resolved(scenario)}
    assert scenario.owner.client.post(f"{meeting.path}/minutes/approval", body).status == 200
    sealing.seal(scenario.board_id)
    return meeting


@pytest.mark.usefixtures("pool", "bucket")
def test_the_sealer_may_do_only_what_it_does(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log_key, "_public_key", log_key._public_key.__wrapped__)
    with enforced_privileges() as needs, fresh_table():
        board = new_board_scenario()
        for _ in range(2):
            board.owner.client.post(f"{board.path}/meetings", _SCHEDULED)
            sealing.seal(board.board_id)
        ResolutionScenario(board).opened()  # whose events are leaves too
        sealing.seal(board.board_id)
        seal_certificates.log("5" * 64, instants.now())
        certificates = query(Range(seal_certificate_key(instants.now(), "").pk))
        assert sealing.invoke({"Records": sealing.queue_items(certificates)}) == {"batchItemFailures": []}
    assert_role_is_used("sealer", needs)


def listen(channel: Channel) -> None:
    """Opens, fills, overfills and leaves rooms, and rings for changes until a member and their credential are gone."""
    board = new_board_scenario()
    ben = board.member("ben")
    assert channel.handshake(PROTOCOL, "ticket.bad").status == 401
    tab = channel.open(board.owner.client)
    for act in (tab.join, tab.leave, tab.join):
        act(board.board_id)
    tab.join("0" * 24)
    tabs = [channel.open(ben.client) for _ in range(LIVE_CONNECTIONS_PER_USER + 1)]
    assert tabs[0].is_closed
    by_token, silent = channel.open(board.personal_token(ben)), channel.open(board.member("cem").client)
    for joined in (tabs[-1], by_token, silent):
        joined.join(board.board_id)
    with channel.watched():
        meeting = board.owner.client.post(f"{board.path}/meetings", _SCHEDULED).data["id"]
    slot = {"startTime": LATER, "timezone": "UTC"}
    silent.is_open = False  # its end goes unsaid
    with channel.watched():
        assert board.owner.client.post(f"{board.path}/meetings/{meeting}/slots", slot).status == 201
    (token,) = ben.client.get("/api/v1/me/tokens").data
    with channel.watched():
        assert ben.client.delete(f"/api/v1/me/tokens/{token['id']}").status == 200
    with channel.watched():
        leave(board, ben)
    for _ in range(LIVE_MESSAGES_PER_MINUTE + 1):
        tab.say({"action": "ping"})
    channel.end(tab)


@pytest.mark.usefixtures("pool", "outbox")
def test_the_live_channel_may_do_only_what_it_does(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("governance.live.protocol.LIVE_OPENING_SECONDS", 0)  # connections are as old as they have to be
    with enforced_privileges() as needs, fresh_table(), live.running() as channel:
        listen(channel)
    assert_role_is_used("live", needs)
    assert_role_is_used("ringer", needs)
