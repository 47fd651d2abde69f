"""What all notifications of a type have in common: what they refer to, where they lead, how they are turned off."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from governance.limits import TASK_MAIL_DELAY_SECONDS
from governance.models.calendars.calendar import MailSwitch
from governance.models.notifications.notification import MailTopic, NotificationCategory, NotificationType

_BOARD, _MEMBERS, _MEETING = "/boards/{boardId}", "/boards/{boardId}/members", "{meetingLink}"
_REPORT, _DOCUMENT = "/boards/{boardId}/reports/{reportId}", "/boards/{boardId}/documents/{documentId}"


@dataclass(frozen=True)
class TypeRecord:
    """The record of a type of notifications.

    `refs` are the fields that it has besides the board and `person`, which refers to the actor. It leads to the first
    of `links` whose fields it has, in the app as in the mail; to none if its reader may not see the board.
    Users turn it off by its `category`, or its mails by a calendar setting, its `switch`; with neither it is shown in
    the app and never mailed. A mail waits `mail_delay_seconds` after the notification; whether it is sent is decided
    then.
    """

    refs: tuple[str, ...] = ()
    links: tuple[str, ...] = (_BOARD,)
    category: NotificationCategory | None = None
    switch: MailSwitch | None = None
    person: str = "triggeringUserId"
    mail_delay_seconds: int = 0

    @property
    def topic(self) -> MailTopic | None:
        """What turns the mails of the type off; None for a type that is never mailed."""
        return self.category or self.switch


def _meeting(category: NotificationCategory | None = None, switch: MailSwitch | None = None) -> TypeRecord:
    return TypeRecord(("meetingLink",), (_MEETING,), category, switch)


def _dashboard(category: NotificationCategory) -> TypeRecord:
    return TypeRecord(("reportId", "dashboardId", "dashboardType"), (_REPORT,), category)


def _section(category: NotificationCategory) -> TypeRecord:
    refs = ("reportId", "dashboardId", "dashboardType", "cycleId", "sectionName")
    return TypeRecord(refs, ("/boards/{boardId}/cycles/{cycleId}",), category)


def _resolution() -> TypeRecord:
    links = ("/boards/{boardId}/resolutions/{resolutionId}",)
    return TypeRecord(("resolutionId",), links, switch="voteRequests")


TYPES: Mapping[NotificationType, TypeRecord] = {
    "board_invite": TypeRecord(("inviteId",), (), person="inviterId"),
    "membership_accepted": TypeRecord(("inviteId",), (_MEMBERS,), person="acceptingUserId"),
    "membership_modified": TypeRecord(links=(_MEMBERS,)),
    "membership_removed": TypeRecord(links=()),
    "member_left": TypeRecord(links=(_MEMBERS,)),
    "board_update": TypeRecord(),
    "ownership_transfer": TypeRecord(),
    "merge_recommendation": TypeRecord(links=(_MEMBERS,)),
    "example_board_ready": TypeRecord(),
    "new_comment": TypeRecord(("meetingLink", "documentId", "reportId", "dashboardId"), (_MEETING, _DOCUMENT, _REPORT)),
    "meeting_scheduled": _meeting(),
    "meeting_changed": _meeting(),
    "meeting_cancelled": _meeting(),
    "meeting_updated_from_calendar": _meeting(),
    "meeting_cancelled_from_calendar": _meeting(),
    "meeting_rsvp_changed": TypeRecord(("meetingLink", "unregisteredUserId"), (_MEETING,)),
    "meeting_reminder": _meeting(switch="invitations"),
    "rsvp_reminder": _meeting(switch="invitations"),
    "vote_reminder": _meeting(switch="voteRequests"),
    "slot_proposed": _meeting(switch="voteRequests"),
    "slot_removed": _meeting(switch="voteRequests"),
    "meeting_creation_suggestion": TypeRecord(("meetingLink", "cycleId"), (_MEETING,)),
    "pack_published": TypeRecord(("documentId", "meetingLink"), (_DOCUMENT,), switch="voteRequests"),
    "paper_requested": _meeting(switch="voteRequests"),
    "paper_delivered": TypeRecord(("meetingLink", "unregisteredUserId"), (_MEETING,), switch="voteRequests"),
    "paper_decided": _meeting(switch="voteRequests"),
    "paper_reminder": _meeting(switch="voteRequests"),
    "post_meeting_minutes_distributed": _meeting("post_meeting"),
    "minutes_circulated": _meeting(switch="voteRequests"),
    "minutes_approved": _meeting(switch="voteRequests"),
    "task_assignment": TypeRecord(
        ("meetingLink",), (_MEETING,), "action_item", mail_delay_seconds=TASK_MAIL_DELAY_SECONDS
    ),
    "task_due": _meeting("action_item"),
    "report_published": TypeRecord(("reportId",), (_REPORT,), "package_status"),
    "report_finalized": TypeRecord(("reportId",), (_REPORT,), "package_status"),
    "package_published": TypeRecord(("reportId", "cycleId"), (_REPORT,), "package_status"),
    "dashboard_assigned": _dashboard("section_status"),
    "dashboard_access_granted": _dashboard("section_status"),
    "dashboard_access_removed": _dashboard("section_status"),
    "dashboard_changes_requested": _dashboard("section_status"),
    "dashboard_ready_for_review": _dashboard("section_status"),
    "dashboard_internally_reviewed": _dashboard("section_status"),
    "section_dispatched": _section("section_status"),
    "section_reminder": _section("section_overdue"),
    "validation_flag_raised": _dashboard("validation_flag"),
    "resolution_opened": _resolution(),
    "resolution_reminder": _resolution(),
    "resolution_closed": _resolution(),
    "resolution_recused": _resolution(),
    "resolution_proxy": _resolution(),
    "bet_due_soon": TypeRecord(("betId",), ("/boards/{boardId}/bets",), "bet_reminder"),
}
"""The record of each type that this service produces."""
PAPER_TYPES: frozenset[NotificationType] = frozenset(
    {"paper_requested", "paper_delivered", "paper_decided", "paper_reminder"}
)
"""The types about a paper that somebody is asked for, who may have no account and no part in the meeting."""


def link(kind: str, refs: Mapping[str, str]) -> str | None:
    """Returns the path of the page that a notification leads to; None if it has none, or a newer release's type."""
    known = TYPES.get(kind)  # type: ignore[call-overload]
    paths = (path for path in (known.links if known else ()) if refs.keys() >= set(re.findall(r"{(\w+)}", path)))
    return next((path.format_map(refs) for path in paths), None)
