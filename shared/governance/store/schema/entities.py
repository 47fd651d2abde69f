"""The kinds of items, and the primary key of each.

A kind is declared with its key and its model. Every key that ids name is an `Entity`; a key that also names an address,
an instant or a digest has a function, and a `Kind` if commands read its rows as a model. Other kinds are in `history`
(events and audit entries), `minutes`, `lookups` (found by an address, a code or a secret), `live`, `usage` and `jobs`.
"""

from __future__ import annotations

from governance.ids import BoardId, PersonId, RecipientId, UserId
from governance.instants import Instant
from governance.store.schema.keys import SEPARATOR, Entity, Key, Kind, position

# -- in a board's partition

BOARD = Entity("BOARD#{boardId}", "BOARD", "boards.board.StoredBoard")
MEMBER = Entity("BOARD#{boardId}", "MEMBER#{userId}", "boards.board.Membership")
BOARD_TOKEN = Entity("BOARD#{boardId}", "TOKEN#{tokenId}", "account.token.StoredToken")
MEMBER_COUNT = Entity("BOARD#{boardId}", "COUNT#MEMBERS", None)
ACTIVE_BOARD_TOKENS = Entity("BOARD#{boardId}", "ACTIVE_TOKENS", None)
"""The ids of a board's active tokens, which are limited."""
COMMITTEE_COUNT = Entity("BOARD#{boardId}", "COUNT#COMMITTEES", None)
PENDING_INVITE_COUNT = Entity("BOARD#{boardId}", "COUNT#PENDING_INVITES", None)
OPEN_ITEM_COUNT = Entity("BOARD#{boardId}", "COUNT#OPEN_ITEMS#{userId}", None)
COMMITTEE = Entity("BOARD#{boardId}", "COMMITTEE#{committeeId}", "committees.committee.StoredCommittee")
DOCUMENT = Entity("BOARD#{boardId}", "DOCUMENT#{documentId}", "documents.document.StoredDocument")
_VERSIONS = "#VERSIONS"
VERSIONS_OF_DOCUMENT = Entity("BOARD#{boardId}", DOCUMENT.sk + _VERSIONS, "documents.document_version.StoredVersions")
"""All versions of a document."""
COMMENTS_PREFIX = "#COMMENT"
_COMMENT, _COMMENTS = f"{COMMENTS_PREFIX}#{{commentId}}", f"{COMMENTS_PREFIX}S"
DOCUMENT_COMMENT = Entity("BOARD#{boardId}", DOCUMENT.sk + _COMMENT, "comments.comment.StoredComment")
DOCUMENT_COMMENT_COUNT = Entity("BOARD#{boardId}", DOCUMENT.sk + _COMMENTS, None)
ACTION_ITEM = Entity("BOARD#{boardId}", "ACTION#{actionItemId}", "action_items.action_item.StoredActionItem")
INVITE = Entity("BOARD#{boardId}", "INVITE#{inviteId}", "invites.invite.StoredInvite")
REPORT = Entity("BOARD#{boardId}", "REPORT#{reportId}", "reports.report.StoredReport")
DASHBOARD_COUNT = Entity("BOARD#{boardId}", "REPORT#{reportId}#DASHBOARDS", None)
DASHBOARD = Entity("BOARD#{boardId}", "REPORT#{reportId}#DASHBOARD#{dashboardId}", "reports.dashboard.StoredDashboard")
CYCLE = Entity("BOARD#{boardId}", "CYCLE#{cycleId}", "reports.cycle.StoredCycle")
CYCLE_OF_REPORT = Entity("BOARD#{boardId}", "CYCLE_OF#{reportId}", None)
"""The cycle that a report is in, until that is published."""
BET = Entity("BOARD#{boardId}", "BET#{betId}", "reports.bet.StoredBet")
BET_COUNT = Entity("BOARD#{boardId}", "COUNT#BETS", None)
FIGURES_KEPT = Entity("BOARD#{boardId}", "FIGURES_KEPT", None)
"""Says that the figures of a board's published reports are kept by KPI: the board has, or had, a bet on one."""
NEWEST_FIGURES = Entity("BOARD#{boardId}", "NEWEST_FIGURES", None)
"""The newest figures of the KPIs that a board has bets on."""
FIGURE = Kind("BOARD#{boardId}", "FIGURE#{position}", "reports.figure.StoredFigure")
"""A figure of a published report."""
_FIGURES, _FLAGS = "#FIGURES", "#FLAGS"
DASHBOARD_FIGURES = Entity("BOARD#{boardId}", DASHBOARD.sk + _FIGURES, "reports.check.StoredFigures")
"""The figures of KPIs on a dashboard."""
DASHBOARD_FLAGS = Entity("BOARD#{boardId}", DASHBOARD.sk + _FLAGS, "reports.check.StoredFlags")
REPORT_CHECKS = Entity("BOARD#{boardId}", "REPORT#{reportId}#CHECKS", "reports.check.StoredChecks")
"""The dashboards of a report that state KPIs, and how many flags each has."""
DASHBOARD_COMMENT = Entity("BOARD#{boardId}", DASHBOARD.sk + _COMMENT, "comments.comment.StoredComment")
DASHBOARD_COMMENT_COUNT = Entity("BOARD#{boardId}", DASHBOARD.sk + _COMMENTS, None)
UNDER_MEETING = Entity("BOARD#{boardId}", "MEETING#{meetingId}", None)
"""The beginning of the keys of a meeting's slots, votes, counters and guest link; there is no such item."""
MEETING_COMMENT = Entity("BOARD#{boardId}", UNDER_MEETING.sk + _COMMENT, "comments.comment.StoredComment")
MEETING_COMMENT_COUNT = Entity("BOARD#{boardId}", UNDER_MEETING.sk + _COMMENTS, None)
AGENDA = Entity("BOARD#{boardId}", "MEETING#{meetingId}#AGENDA", "meetings.agenda.StoredAgenda")
MEETING_PEOPLE = Entity("BOARD#{boardId}", "MEETING#{meetingId}#PEOPLE", "meetings.people.StoredMeetingPeople")
"""Who of the people without an account is invited to a meeting."""
PACK_OF_MEETING = Entity("BOARD#{boardId}", "MEETING#{meetingId}#PACK", "documents.document_version.LastPack")
"""The board pack of a meeting that was requested last."""
AGENDA_TEMPLATE = Entity(
    "BOARD#{boardId}", "AGENDA_TEMPLATE#{templateId}", "planning.agenda_template.StoredAgendaTemplate"
)
BACKLOG_ITEM = Entity("BOARD#{boardId}", "BACKLOG#{backlogItemId}", "planning.backlog_item.StoredBacklogItem")
"""An agenda item that waits; it has the id that it has on an agenda."""
BACKLOG_COUNT = Entity("BOARD#{boardId}", "COUNT#BACKLOG", None)
PLAN_ITEM = Entity("BOARD#{boardId}", "PLAN#{planItemId}", "planning.plan_item.StoredPlanItem")
PLAN_COUNT = Entity("BOARD#{boardId}", "COUNT#PLAN", None)
AGENDA_TEMPLATE_COUNT = Entity("BOARD#{boardId}", "COUNT#AGENDA_TEMPLATES", None)
UNREGISTERED_USER = Entity(
    "BOARD#{boardId}", "UNREGISTERED#{unregisteredUserId}", "members.unregistered_user.StoredUnregisteredUser"
)
UNREGISTERED_USER_COUNT = Entity("BOARD#{boardId}", "COUNT#UNREGISTERED", None)
EXAMPLE_PROGRESS = Entity("BOARD#{boardId}", "EXAMPLE", "boards.example_board.ExampleProgress")
"""The progress of filling an example board."""
GUEST_LINK = Entity("BOARD#{boardId}", "MEETING#{meetingId}#GUEST_LINK", "meetings.slot.StoredGuestLink")
PERSONAL_LINK = Entity(
    "BOARD#{boardId}", "MEETING#{meetingId}#PERSONAL_LINK#{unregisteredUserId}", "meetings.slot.StoredPersonalLink"
)
"""The link to a meeting in the e-mails to a person without an account."""
SLOT_COUNT = Entity("BOARD#{boardId}", "MEETING#{meetingId}#SLOTS", None)
ACTION_ITEM_COUNT = Entity("BOARD#{boardId}", "MEETING#{meetingId}#ACTION_ITEMS", None)
SLOT = Entity("BOARD#{boardId}", "MEETING#{meetingId}#SLOT#{slotId:.12}", "meetings.slot.StoredSlot")
"""Only the instant of the slot's id is in the key, so that a meeting has one slot at an instant. Compare the id."""
MEMBER_VOTE = Entity(
    "BOARD#{boardId}", "MEETING#{meetingId}#SLOT#{slotId:.12}#VOTE#{slotId}#U#{userId}", "meetings.slot.StoredVote"
)
_VOTE = "#VOTE#"
_LINK = "#LINK#"
_SEAT_ROWS = 32
SEATS = Kind("BOARD#{boardId}", "SEATS#{number}", "boards.board.Seats")
"""The committees of some of the members."""


def seats_key(board_id: BoardId, user_id: UserId) -> Key:
    """Returns the key of the row that lists the committees of a user and of some other members of the board."""
    return SEATS.key(boardId=board_id, number=f"{int(user_id[-2:], 16) % _SEAT_ROWS:02d}")


def figure_key(board_id: BoardId, rogue_id: str, *position: str) -> Key:
    """Returns the key of a KPI's figure in a dashboard of a published report, by its position among those of the KPI.

    The position is made of the day that the figure refers to, the publication of the report, and the dashboard.
    """
    return FIGURE.key(boardId=board_id, position=SEPARATOR.join((rogue_id, *position)))


def votes_prefix(slot: Key, slot_id: str) -> str:
    """Returns the beginning of the sort keys of the votes on a slot."""
    return f"{slot.sk}{_VOTE}{slot_id}#"


def document_link_key(document: Key, number: int) -> Key:
    """Returns the key of the row for one of a document's meetings; numbered, so that a change writes over them."""
    return Key(document.pk, f"{document.sk}{_LINK}{number:02d}")


def document_of_link(link: Key) -> Key:
    """Returns the key of the document that a row for one of its meetings belongs to."""
    return Key(link.pk, link.sk.partition(_LINK)[0])


def is_vote(key: Key) -> bool:
    """Returns whether a key under a slot is that of a vote, not that of the slot."""
    return _VOTE in key.sk


PENDING_INVITE = Kind("BOARD#{boardId}", "PENDING_INVITE#{email}", "invites.invite.StoredInvite")


def pending_invite_key(board_id: BoardId, email: str) -> Key:
    """Returns the key of an address's pending invite to a board; each address has one at most."""
    return PENDING_INVITE.key(boardId=board_id, email=email)


# -- large texts of a board, each in a partition of its own, so that they do not fill the board's (ADR table)

DASHBOARD_PAYLOAD = Entity("PAYLOAD#{boardId}#{dashboardId}", "PAYLOAD", None)
ACTION_ITEM_NOTES = Entity("PAYLOAD#{boardId}#{actionItemId}", "NOTES", None)


RESOLUTION_CONTENT = Entity("PAYLOAD#{boardId}#{resolutionId}", "BODY", "resolutions.resolution.StoredContent")
"""The text of a resolution, and what else is large; its voters have keys below."""
VOTER_GROUP = Kind(RESOLUTION_CONTENT.pk, RESOLUTION_CONTENT.sk + "#VOTERS#{number}", "resolutions.ballot.VoterGroup")
SECRET_CHOICE_PREFIX, CERTIFICATE_PREFIX = "CHOICE#", "CERTIFICATE#"


def voter_group_key(content: Key, number: int) -> Key:
    """Returns the key of a group of voters, given the key of their resolution's content."""
    return Key(content.pk, f"{VOTER_GROUP.sk_prefix}{number:02d}")


def secret_choice_key(content: Key, name: str) -> Key:
    """Returns the key of an encrypted choice; `name` is random, so that its place says nothing."""
    return Key(content.pk, SECRET_CHOICE_PREFIX + name)


def certificate_key(content: Key, number: int) -> Key:
    """Returns the key of a part of a resolution's certificate."""
    return Key(content.pk, f"{CERTIFICATE_PREFIX}{number}")


def unkept_certificate_key(content: Key) -> Key:
    """Returns the key of the row that says that a resolution's certificate is not kept outside the table yet."""
    return Key(content.pk, f"{CERTIFICATE_PREFIX}UNKEPT")


def payload_key(dashboard: Key) -> Key:
    """Returns the key of a dashboard's payload."""
    board_id, dashboard_id = (name.rpartition(SEPARATOR)[2] for name in dashboard)
    return DASHBOARD_PAYLOAD.key_for(boardId=board_id, dashboardId=dashboard_id)


# -- of a board, in partitions of their own: public functions write these, and nothing else of a board

MEETING = Entity("MEETINGS#{boardId}", "MEETING#{meetingId}", "meetings.meeting.StoredMeeting")
RSVP = Entity("MEETINGS#{boardId}", "MEETING#{meetingId}#ANSWER#{userId}", "meetings.rsvp.StoredRsvp")
UNREGISTERED_RSVP = Entity(
    "MEETINGS#{boardId}",
    "MEETING#{meetingId}#UNREGISTERED_ANSWER#{unregisteredUserId}",
    "meetings.rsvp.StoredUnregisteredRsvp",
)
SERIES = Entity("MEETINGS#{boardId}", "SERIES#{seriesId}", "series.series.StoredSeries")
SERIES_COUNT = Entity("MEETINGS#{boardId}", "COUNT#SERIES", None)
OPENED_OCCURRENCE = Kind("MEETINGS#{boardId}", SERIES.sk + "#OPENED#{key}", "series.series.OpenedOccurrence")
CALENDAR_STAMP = Entity("CALENDAR#{boardId}", "STAMP", None)
WEBHOOKS = Entity("WEBHOOKS#{boardId}", "WEBHOOKS", "webhooks.webhook.StoredWebhooks")
"""All webhooks of a board."""


_ANSWER_OF_PERSON = UNREGISTERED_RSVP.sk.partition("}")[2].partition("{")[0]


def is_answer_of(key: Key, person_id: PersonId) -> bool:
    """Returns whether a key is that of the answer of this person without an account to a meeting."""
    return key.sk.endswith(_ANSWER_OF_PERSON + person_id)


def opened_occurrence_key(board_id: BoardId, series_id: str, key: str) -> Key:
    """Returns the key of an occurrence that was opened; by their keys, those of a series are in the order of time."""
    return OPENED_OCCURRENCE.key(boardId=board_id, seriesId=series_id, key=key)


def meetings_partition(board_id: BoardId) -> str:
    """Returns the partition of a board's meetings, of the members' answers to them, and of series."""
    return f"MEETINGS#{board_id}"


RESOLUTION = Entity("RESOLUTIONS#{boardId}", "RESOLUTION#{resolutionId}", "resolutions.resolution.StoredResolution")
RESOLUTION_OF_MEETING = Entity("RESOLUTIONS#{boardId}", "OF_MEETING#{meetingId}#{resolutionId}", None)
"""The row by which a meeting, and the lists of its resolutions, find one."""
RESOLUTION_COUNT = Entity("RESOLUTIONS#{boardId}", "COUNT", None)
DEPARTURE = Kind("RESOLUTIONS#{boardId}", "DEPARTURE#{position}", "resolutions.resolution.StoredDeparture")


def resolutions_partition(board_id: BoardId) -> str:
    """Returns the partition of a board's resolutions, without their content."""
    return f"RESOLUTIONS#{board_id}"


def resolution_numbers_key(board_id: BoardId, year: str) -> Key:
    """Returns the key of the last number that a resolution of this board has in a year."""
    return Key(resolutions_partition(board_id), f"NUMBERS#{year}")


def departure_key(board_id: BoardId, at: Instant, cause: str) -> Key:
    """Returns the key of the row that says who left the board, or a committee of it; `cause` tells two apart."""
    return DEPARTURE.key(boardId=board_id, position=position(at, cause))


# -- the paper requests of a board, in a partition of their own: its public function writes these, and nothing else

PAPER_REQUEST = Entity(
    "PAPERS#{boardId}", "REQUEST#{paperRequestId}", "paper_requests.paper_request.StoredPaperRequest"
)
FILE_BYTES_COUNT = Entity("PAPERS#{boardId}", "FILE_BYTES", None)
"""How many bytes of files the board holds; here, because strangers declare files of papers that they are asked for."""
PAPER_REQUEST_COUNT = Entity("PAPERS#{boardId}", "COUNT#{meetingId}", None)
"""How many paper requests a meeting has."""
VERSIONS_OF_PAPER = Entity("PAPERS#{boardId}", VERSIONS_OF_DOCUMENT.sk, "documents.document_version.StoredVersions")
"""The versions of a document that was made for a request, until it is approved: the document has the request's id."""


def papers_partition(board_id: BoardId) -> str:
    """Returns the partition of a board's paper requests."""
    return f"PAPERS#{board_id}"


# -- what guests write on a board, in a partition that holds nothing else: the public function writes to no other

GUESTS_OF_MEETING = Entity("GUESTS#{boardId}", "MEETING#{meetingId}", None)
"""The beginning of the keys of everything that guests write about a meeting; there is no such item."""
GUEST_VIEW = Entity("GUESTS#{boardId}", "MEETING#{meetingId}#VIEW", "meetings.slot.StoredGuestView")
"""When a view of a meeting's guest link was last recorded."""
MEETING_GUEST_VOTE_COUNT = Entity("GUESTS#{boardId}", "MEETING#{meetingId}#COUNT", None)
SLOT_GUEST_VOTE_COUNT = Entity("GUESTS#{boardId}", "MEETING#{meetingId}#COUNT#{slotId}", None)
GUEST_VOTES_OF_SLOT = Entity("GUESTS#{boardId}", "MEETING#{meetingId}#VOTE#{slotId}", None)
"""The beginning of the keys of the guests' votes on a slot; there is no such item."""
GUEST_VOTE = Kind(GUEST_VOTES_OF_SLOT.pk, GUEST_VOTES_OF_SLOT.sk + "#{digest}", "meetings.slot.StoredVote")


def guests_partition(board_id: BoardId) -> str:
    """Returns the partition of what guests write on a board."""
    return f"GUESTS#{board_id}"


def partitions_beside(board_id: BoardId) -> list[str]:
    """Returns the partitions of a board besides its own, without those of its history and of deliveries."""
    beside = (WEBHOOKS.key_for(boardId=board_id).pk, CALENDAR_STAMP.key_for(boardId=board_id).pk)
    own = (meetings_partition, guests_partition, resolutions_partition, papers_partition)
    return [*(partition(board_id) for partition in own), *beside]


def guest_vote_key(votes: Key, email_digest: str) -> Key:
    """Returns the key of a guest's vote, given the key of the votes on its slot; each address has one vote."""
    return Key(votes.pk, f"{votes.sk}{SEPARATOR}{email_digest}")


# -- in a user's partition

USER = Entity("USER#{userId}", "USER", "account.user.StoredUser")
USER_TOKEN = Entity("USER#{userId}", "TOKEN#{tokenId}", "account.token.StoredToken")
ACTIVE_USER_TOKENS = Entity("USER#{userId}", "ACTIVE_TOKENS", None)
FORMER_BOARD = Entity("USER#{userId}", "FORMER_BOARD#{boardId}", "invites.invite.FormerBoard")
"""The name of a board that a user left, as they may still know it."""
BOARD_COUNT = Entity("USER#{userId}", "COUNT#BOARDS", None)
ASSIGNED = Entity("USER#{userId}", "ASSIGNED#{actionItemId}", None)
NOTIFICATIONS_READ = Entity("USER#{userId}", "NOTIFICATIONS_READ", "notifications.notification.ReadMark")
PREFERENCES = Entity("USER#{userId}", "PREFERENCES", "notifications.notification.StoredPreferences")
CALENDAR_FEED = Entity("USER#{userId}", "CALENDAR_FEED#{feedId}", "calendars.calendar.StoredFeed")
CALENDAR_FEED_COUNT = Entity("USER#{userId}", "CALENDAR_FEEDS", None)
CALENDAR_SETTINGS = Entity("USER#{userId}", "CALENDAR_SETTINGS", "calendars.calendar.StoredCalendarSettings")
OWN_EXAMPLE_BOARD = Entity("USER#{userId}", "OWN_EXAMPLE", "boards.example_board.OwnExampleBoard")
"""The example board that a user made last."""
PURGE = Entity("USER#{userId}", "PURGE", "account.purge.PurgeProgress")
FORMER_EMAIL_PREFIX = "FORMER_EMAIL#"
SENT_PREFIX = "SENT#"


def former_email_key(user_id: UserId, email: str) -> Key:
    """Returns the key of the row for an e-mail address that a user had before."""
    return Key(f"USER#{user_id}", FORMER_EMAIL_PREFIX + email)


def sent_invite_key(user_id: UserId, created_at: Instant, invite_id: str) -> Key:
    """Returns the key of the row for an invite that a user sent, first or again."""
    return Key(f"USER#{user_id}", SENT_PREFIX + position(created_at, invite_id))


# -- of a user, in partitions of their own: written by deliveries, apart from tokens and settings

USER_BOARD = Entity("BOARDS#{userId}", "BOARD#{boardId}", None)
NOTIFICATION = Entity(
    "DELIVERED#{userId}", "NOTIFICATION#{notificationId}", "notifications.notification.StoredNotification"
)
CALENDAR_INVITATION = Entity(
    "DELIVERED#{userId}", "CALENDAR_INVITATION#{meetingId}", "calendars.calendar.StoredCalendarInvitation"
)


def boards_partition(user_id: UserId) -> str:
    """Returns the partition of the list of a user's boards."""
    return f"BOARDS#{user_id}"


def delivered_partition(recipient_id: RecipientId) -> str:
    """Returns the partition of a recipient's notifications, and of the invitations that were mailed to them."""
    return f"DELIVERED#{recipient_id}"


# -- found by something other than a board or a user

TOKEN_OWNER = Entity("TOKEN#{tokenId}", "OWNER", None)
INVITE_LOCATION = Entity("INVITE#{inviteId}", "BOARD", None)
INVITE_SENT = Entity("INVITE#{inviteId}", "SENT", None)
ACTION_ITEM_LOCATION = Entity("ACTION#{actionItemId}", "PLACE", None)

MIGRATION = Entity("MIGRATION", "PROGRESS", None)
"""The progress of `boardctl migrate`."""
LOG_LOCK = Entity("LOG#LOCK", "LOCK", None)
"""The checkpoint of the log that was decided last."""
WEBHOOK_LOCATION = Entity("WEBHOOK#{webhookId}", "BOARD", None)
FEED_BOARDS = Entity("FEED#{feedId}", "BOARDS", None)
"""The boards that the last read of a calendar feed of all boards found."""
DOCUMENT_VIEW = Entity("VIEWS#{callerId}", "DOCUMENT#{documentId}", None)
"""When a user or a board token last viewed a document."""
VOTE_REQUEST = Entity("VOTE_REQUEST#{meetingId}", "LAST", "meetings.vote_request.StoredVoteRequest")
"""The request for votes on a meeting that was sent last."""
SLOT_WINDOWS = Entity("VOTE_REQUEST#{meetingId}", "TOLD", "meetings.slot_windows.StoredSlotWindows")
"""The windows in which slots proposed on a meeting are told together."""
DELETED_DRAFT = Entity("DELETED_DRAFT#{meetingId}", "CREATOR", None)
"""The creator of a meeting that was deleted as a draft; kept as long as its notifications and audit entries."""


def guard_key(subject_id: str, number: int) -> Key:
    """Returns the key of a guard row of a board; each has a partition of its own, so that their load is spread."""
    return Key(f"GUARD#{subject_id}#{number:02d}", "GUARD")


def token_use_key(token_id: str) -> Key:
    """Returns the key of a token's last use; apart from the token, which a use never changes."""
    return Key(f"USE#{token_id}", "LAST")


_NAMED_BY_IDS = {
    *("BOARD", "USER", "AUDIT", "EVENTS", "IDEMPOTENCY", "DELIVERIES", "DELETED_DRAFT", "GUESTS", "MEETINGS"),
    *("BOARDS", "DELIVERED", "EXPORTS", "PAYLOAD", "RESOLUTIONS", "VIEWS"),
}


def partition_subject(pk: str) -> str:
    """Returns a partition's key for a log; only the kind of a key that names an address or a secret."""
    kind = pk.partition(SEPARATOR)[0]
    return pk if kind in _NAMED_BY_IDS else kind


# -- deliveries to a webhook, in a partition for each, so that they never slow down the board

WEBHOOK_DELIVERY = Entity(
    "DELIVERIES#{boardId}#{webhookId}", "DELIVERY#{deliveryId}", "webhooks.webhook.StoredDelivery"
)
WEBHOOK_STATE = Entity("DELIVERIES#{boardId}#{webhookId}", "STATE", None)
"""The state of a webhook: since when it fails, whether it is slow, and until when it is being probed."""
