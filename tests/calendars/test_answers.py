"""Answers by mail: what the reply of a calendar does, which reply counts, and in which charsets it is read."""

from __future__ import annotations

import base64

import pytest

from governance import instants
from governance.mail.received import Refusal
from governance.models.history.event import Event
from governance.store.calendars import calendar_invitations
from governance.store.transactions import transact
from governance.store.writes import EXISTS, Delete
from tests.calendars.calendar_invitation_mails import settle
from tests.calendars.invited import Invited, Target, notified
from tests.calendars.mails import deliver, mail, moved, reply, stamp
from tests.harness.meeting_scenario import from_now, leave, stored_events
from tests.harness.table_snapshot import TableSnapshot

pytestmark = pytest.mark.usefixtures("bucket")


@pytest.mark.parametrize(
    ("partstat", "status"), [("ACCEPTED", "accepted"), ("TENTATIVE", "tentative"), ("DECLINED", "declined")]
)
def test_a_reply_is_the_members_answer(invited: Invited, partstat: str, status: str) -> None:
    assert invited.answer(partstat, COMMENT="By train\\, late") is None
    assert invited.rsvp == (status, "By train, late")
    (event,) = stored_events(invited.scenario, Event.RSVP_CHANGED)
    assert event.actor_user_id == invited.ben.id
    settle(invited.scenario)
    assert "meeting_rsvp_changed" in notified(invited.scenario.owner)


def test_a_reply_to_a_meeting_whose_slot_was_booked_is_the_members_answer(invited: Invited) -> None:
    invited.meeting.confirm(invited.meeting.slot(from_now(days=8)))
    invited.refresh()
    assert invited.answer("DECLINED") is None
    assert invited.rsvp[0] == "declined"


def test_replies_that_arrive_late_count_in_the_order_in_which_they_were_given(invited: Invited) -> None:
    assert invited.meeting.patch(startTime=from_now(days=9)).status == 200  # no mail has told of it yet
    for minutes, partstat in ((-2, "ACCEPTED"), (-1, "DECLINED")):
        assert invited.answer(partstat, DTSTAMP=stamp(from_now(minutes=minutes))) is None
    assert invited.rsvp[0] == "declined"


def test_a_reply_counts_though_the_row_of_its_mail_has_expired_before_that_of_its_address(invited: Invited) -> None:
    transact([Delete(calendar_invitations.key(invited.ben.id, invited.meeting.path.rpartition("/")[2]), EXISTS)])
    assert invited.answer("ACCEPTED") is None
    assert invited.rsvp[0] == "accepted"


@pytest.mark.parametrize("gone", ["meeting", "board"])
def test_a_reply_about_what_was_deleted_is_set_aside(invited: Invited, gone: str) -> None:
    path = {"meeting": invited.meeting.path, "board": invited.scenario.path}[gone]
    assert invited.scenario.owner.client.delete(path).status == 200
    assert invited.answer("ACCEPTED") == Refusal.UNKNOWN_ADDRESS


def test_an_older_reply_changes_nothing(invited: Invited) -> None:
    now = instants.now()
    assert invited.answer("ACCEPTED", DTSTAMP=stamp(instants.shift(now, minutes=-1))) is None
    assert invited.answer("DECLINED", DTSTAMP=stamp(instants.shift(now, minutes=-2))) == Refusal.OUTDATED
    assert invited.rsvp[0] == "accepted"


def test_a_reply_to_an_earlier_revision_does_not_undo_a_later_answer(invited: Invited) -> None:
    assert invited.meeting.patch(startTime=from_now(days=9)).status == 200
    assert invited.ben.client.put(f"{invited.meeting.path}/rsvp", {"status": "declined"}).status == 200
    later = stamp(from_now(minutes=1))
    assert invited.answer("ACCEPTED", DTSTAMP=later) == Refusal.OUTDATED
    invited.refresh()
    assert invited.answer("ACCEPTED", DTSTAMP=later) is None
    assert invited.rsvp[0] == "accepted"


def test_who_accepted_a_time_that_was_moved_and_mailed_again_has_not_accepted_the_new_one(invited: Invited) -> None:
    earlier = invited.event
    assert invited.meeting.patch(startTime=from_now(days=9)).status == 200
    invited.refresh()
    assert int(str(invited.event["sequence"])) > int(str(earlier["sequence"]))
    calendar = reply(earlier, "ACCEPTED", invited.ben.email, DTSTAMP=stamp(from_now(minutes=1)))
    assert deliver(mail(invited.ben.email, invited.address, calendar)) == [Refusal.OUTDATED]
    assert invited.rsvp[0] == "noAnswer"
    assert invited.answer("ACCEPTED") is None


def test_a_reply_to_the_newest_mail_is_about_the_meeting_as_it_is(invited: Invited) -> None:
    """Neither change is mailed, but both raise the number that an answer on the page counts for."""
    for change in ({"locationType": "hybrid"}, {"status": "in_progress"}):
        assert invited.meeting.patch(**change).status == 200
    invited.refresh()
    assert invited.ben.client.put(f"{invited.meeting.path}/rsvp", {"status": "accepted"}).status == 200
    assert invited.answer("DECLINED", DTSTAMP=stamp(from_now(minutes=1))) is None
    assert invited.rsvp[0] == "declined"


def test_one_who_joined_again_answers_and_moves_in_the_numbers_of_their_mails(invited: Invited) -> None:
    leave(invited.scenario, invited.ben)
    settle(invited.scenario)
    invited.scenario.join(invited.ben)
    invited.meeting.patch(title="Summer")
    invited.refresh()
    assert invited.answer("ACCEPTED") is None
    mailed = int(str(invited.event["sequence"]))
    invited.meeting.patch(startTime=from_now(days=9))
    assert invited.ask("REQUEST", *moved(), SEQUENCE=str(mailed + 1)) == Refusal.OUTDATED
    invited.refresh()
    assert invited.ask("REQUEST", *moved(), SEQUENCE=str(mailed + 2)) is None
    invited.refresh()
    assert int(str(invited.event["sequence"])) == mailed + 2


@pytest.mark.parametrize("end", ["taken back", "left and joined again"])
def test_an_answer_that_was_taken_back_or_given_before_one_joined_again_is_not_revived(
    invited: Invited, end: str
) -> None:
    old = stamp(instants.shift(instants.now(), minutes=-1))
    assert invited.answer("ACCEPTED", DTSTAMP=old) is None
    if end == "taken back":
        assert invited.ben.client.delete(f"{invited.meeting.path}/rsvp").status == 200
    else:
        leave(invited.scenario, invited.ben)
        invited.scenario.join(invited.ben)
    assert invited.answer("ACCEPTED", DTSTAMP=old) == Refusal.OUTDATED
    assert invited.rsvp == ("noAnswer", None)
    assert invited.answer("ACCEPTED") is None


def test_the_rows_of_an_invitation_are_kept_until_a_month_after_the_meeting(invited: Invited) -> None:
    assert invited.meeting.patch(startTime=from_now(days=200)).status == 200
    invited.refresh()
    items = TableSnapshot().items.values()
    kept = [
        item["ttl"]
        for item in items
        if {invited.ben.id} & {item.get("userId"), item["PK"].partition("#")[2]}
        and "INVITATION" in f"{item['PK']}{item['SK']}"
    ]
    assert len(kept) == 2
    assert all(abs(ttl - instants.epoch(from_now(days=230))) < 86_400 for ttl in kept)


def test_an_address_for_replies_is_found_however_a_program_writes_it(target: Target) -> None:
    invited = target.invited
    calendar = reply(invited.event, "ACCEPTED", invited.ben.email)
    for to, cc in (
        ("{0} <{0}>", ""),
        ("'{0}' <{0}>", ""),
        ("[Finance] Board; Paris <{0}>", ""),
        ('"Board <{0}>', ""),
        ("undisclosed-recipients:;", "a@b <c@d>, {0}"),
        ("{0}, ", "Smith, J. (was: x@y <x@y>"),
    ):
        headers = {"Cc": cc.format(invited.address)}
        assert target.send(mail(invited.ben.email, to.format(invited.address.upper()), calendar, **headers)) is None, to


def test_a_calendar_is_read_in_the_charset_that_its_part_names(target: Target) -> None:
    for declared, codec, remark in (
        ("utf-8", "utf-8-sig", "Grüße"),
        ("us-ascii", "utf-8", "Grüße"),
        ("iso-8859-1", "iso-8859-1", "Grüße"),
        ("ISO-8859-15", "iso-8859-15", "Grüße"),
        ("windows-1252", "windows-1252", "Grüße"),
        ("utf-16", "utf-16", "Grüße"),
        ("windows-1250", "windows-1250", "Grüße"),
        ("ISO-8859-2", "iso-8859-2", "Grüße"),
        ("unheard-of", "utf-8", "Grüße"),
        ("gb2312", "gb2312", "会议"),
        ("koi8-r", "koi8-r", "Поезд"),
        ("iso-2022-jp", "iso-2022-jp", "会議"),
        ("windows-1251", "windows-1251", "Поезд"),
        ("big5", "big5", "會議"),
        ("utf-16le", "utf-16le", "Grüße"),
        ("iso-8859-1", "windows-1252", "„Grüße“ 5 €"),
        ("iso-8859-8-i", "iso-8859-8", "שלום"),
        ("windows-874", "cp874", "ประชุม"),
        ("ks_c_5601-1987", "cp949", "회의 똠"),
        ("shift_jis", "cp932", "会議①"),
        ("gb2312", "gbk", "會議"),
    ):
        written = _encoded(target.invited, declared, codec, COMMENT=remark)
        assert target.answer_in(written) == ("accepted", remark), declared


def _encoded(invited: Invited, declared: str, codec: str, **properties: str) -> bytes:
    """Writes a mail with Ben's reply in a codec, whose part names a charset."""
    head = mail(invited.ben.email, invited.address, None).partition(b"Content-Type")[0]
    kind = f"Content-Type: text/calendar; charset={declared}\r\nContent-Transfer-Encoding: base64\r\n\r\n".encode()
    content = reply(invited.event, "ACCEPTED", invited.ben.email, **properties).encode(codec)
    return head + kind + base64.encodebytes(content)


def test_a_reply_counts_though_not_all_of_its_text_can_be_read(invited: Invited) -> None:
    assert deliver(_encoded(invited, "utf-8", "iso-8859-1", SUMMARY="Zusage: Jänner")) == [None]
    assert invited.rsvp[0] == "accepted"
