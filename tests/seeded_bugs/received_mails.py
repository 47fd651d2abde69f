"""Bugs in what calendars answer by mail: who may, what is read, and which revision counts."""

from __future__ import annotations

from governance.mail import authentication, received
from governance.usecases.calendars import calendar_replies
from tests.seeded_bugs.bug import Bug

_ANSWERS = "tests/calendar/test_answers.py"
_REFUSED = "tests/calendar/test_refused_answers.py"
_HOSTILE = "tests/calendar/test_hostile_mails.py"
_REVISIONS = "tests/calendar/test_revisions.py"
_VERIFIED = "tests/calendar/test_sender_verification.py"

BUGS = (
    # -- the sender
    Bug(
        "any server may vouch for a sender", authentication.is_verified, 'server != "amazonses.com"', "False", _VERIFIED
    ),
    Bug("SPF may pass for another domain", authentication.is_verified, ' and spf["envelope"] == domain', "", _VERIFIED),
    Bug("DKIM may pass for another domain", authentication.is_verified, "domain in {signer", "{signer", _VERIFIED),
    Bug(
        "the sending host's name may hold results",
        authentication.is_verified,
        ' or stated != _statements(f"spf={received_spf}")',
        "",
        _VERIFIED,
    ),
    Bug(
        "an address for replies is anybody's",
        calendar_replies._find,
        ' or user["email"] != mail.sender',
        "",
        f"{_REFUSED}::test_a_mail_that_proves_nothing_changes_nothing_and_stops_no_other",
    ),
    Bug(
        "an address for replies is of any meeting",
        calendar_replies._find,
        "message.uid != uid(meeting_id)",
        "False",
        f"{_REFUSED}::test_a_mail_that_proves_nothing_changes_nothing_and_stops_no_other",
    ),
    Bug(
        "a suspended member answers by mail",
        calendar_replies._find,
        'sender.status != "active" or ',
        "",
        f"{_REFUSED}::test_one_who_left_or_was_suspended_answers_nothing",
    ),
    Bug(
        "a reply by mail is taken on a restricted board",
        calendar_replies._answer,
        "    check_billing(context.board)\n",
        "",
        f"{_REFUSED}::test_a_restricted_board_takes_no_mails",
    ),
    Bug(
        "guests move meetings by mail",
        calendar_replies._check_may_edit,
        " or found.context.tier < Tier.COLLABORATOR",
        "",
        f"{_REVISIONS}::test_only_those_who_may_edit_move_a_meeting",
    ),
    # -- hostile texts
    Bug(
        "a mail may have any number of parts",
        received._parts,
        "seen > MAIL_PARTS or ",
        "",
        f"{_HOSTILE}::test_mails_made_to_break_readers_are_set_aside",
    ),
    # -- revisions
    Bug(
        "an older reply replaces a newer answer",
        calendar_replies._is_older,
        "stamped_at < whole_seconds(rsvp.stamped_at)",
        "False",
        f"{_ANSWERS}::test_an_older_reply_changes_nothing",
    ),
    # -- the bucket
)
