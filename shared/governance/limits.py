"""The limits of the API specification, section 8, and of ADR requests.

The API reference quotes one by its name, as `$PAGE_MAX`.

Lengths count code points, unless a name says bytes.
"""

from __future__ import annotations

# -- lists and requests

PAGE_DEFAULT = 25
PAGE_MAX = 100
PAGE_BYTES = 4 * 1024 * 1024
"""Largest sum of what is on a page that ends early, as Lambda sends it; one entry is there unless the list is empty."""
BODY_BYTES = 256 * 1024
JSON_DEPTH = 32
"""Levels of nested arrays and objects."""
NAMED_ERRORS = 100
"""Fields with an error that one error response names; it states the number of the others."""
LAMBDA_ANSWER_BYTES = 6 * 1024 * 1024
"""Largest response that Lambda returns: a JSON message with the body, the status and the headers."""
ANSWER_BYTES = LAMBDA_ANSWER_BYTES - 32 * 1024
"""Largest response body: what Lambda can return, less room for the rest of its message."""
CHUNK_ROWS = 500
"""Rows of a long list that are read together."""
TRANSACTION_WRITES = 100
BATCH_KEYS = 100
"""Keys of one batch read of the store."""
BATCH_BYTES = 1024 * 1024
"""Largest sum of the items of one transaction of a cleanup or a restore: a partition takes 1,000 units a second."""
IDEMPOTENCY_KEY = 255
IDEMPOTENCY_HOURS = 24
RATE_WINDOW_SECONDS = 300
ACCESS_EVALUATIONS = 100
"""Evaluations of access in one request."""

# -- users

EMAIL_LENGTH = 254
EMAIL_LOCAL_LENGTH = 64
PERSON_NAME = 100
AVATAR_URL = 2048
BOARDS_PER_USER = 500

# -- boards, tokens and committees

BOARD_NAME = 120
BOARD_DESCRIPTION = 2000
BOARD_POSITION = 60
BOARD_POSITIONS = 20
MEMBERS_PER_BOARD = 500
TOKEN_NAME = 80
TOKEN_EXPIRY_DAYS = (30, 90, 180, 365)
TOKENS_PER_BOARD = 50
TOKENS_PER_USER = 50
"""Active tokens: neither revoked nor expired."""
COMMITTEE_NAME = 80
COMMITTEES_PER_BOARD = 200
COMMITTEE_MEMBERS = 200
MEMBER_COMMITTEES = 50
"""Committees that one member is in."""
MERGE_RESUMED_MINUTES = 1
"""How long after its start the deliveries continue an incomplete merge: no request lasts that long."""
UNREGISTERED_USERS_PER_BOARD = 500
"""People without an account, those who are archived or merged included."""
MEETING_PEOPLE_BYTES = 32 * 1024
"""Size of the row with the ids of the people who are invited to a meeting."""

# -- invites

INVITE_MESSAGE = 500
PENDING_INVITES_PER_BOARD = 5000
RE_INVITERS = 500
"""Users whose repeated invitations of one address are kept while its invite is pending."""
INVITES_PER_HOUR = 100
INVITE_MAILS_PER_HOUR = 1
RECIPIENT_MAILS_PER_DAY = 5
INVITE_MAILS_PER_SENDER_AND_DAY = 200
"""Invitation mails that one inviter may cause in a day, to all recipients together."""
TEST_MAILS_PER_HOUR = 5

# -- meetings and slots

MEETING_TITLE = 200
MEETING_LOCATION = 255
CANCELLATION_REASON = 500
MEETING_URL = 255
SLOT_MINUTES_MIN = 15
SLOT_MINUTES_MAX = 180
SLOT_MINUTES_DEFAULT = 120
SLOTS_PER_MEETING = 50
SLOT_WINDOW_MINUTES = 10
"""Slots that are proposed on a meeting within this time share a notification."""
SLOT_WINDOWS_KEPT = 100
"""Windows of one meeting that are remembered, so that a late delivery finds its own."""
GUEST_VOTES_PER_SLOT = 500
GUEST_VOTES_PER_MEETING = 1000
VOTE_COMMENT = 500
RSVP_COMMENT = 500
POLL_REMINDER_HOURS = 24
"""How long before the deadline of a poll members without a vote are reminded."""
MEETING_REMINDER_HOURS = 24
"""How long before a meeting its members are reminded."""
MANUAL_REMINDER_HOURS = 24
"""Shortest time between two reminders that members send about the same votes, answers or paper."""
TASK_MAIL_DELAY_SECONDS = 20
"""How long the mail of an assigned task waits, so that it names the due date that is set right after."""
VOTE_REQUEST_DELAY_SECONDS = 60
"""How long a vote request waits for further slots, so that one mail names all of them."""
VOTE_REQUEST_MINUTES = 10
"""Shortest time between two vote requests about one meeting."""

# -- resolutions

RESOLUTION_TITLE = 200
RESOLUTION_TEXT = 20_000
RESOLUTION_PAPERS = 20
RESOLUTION_VOTERS = 500
RESOLUTION_REASON = 500
"""A recusal's or a withdrawal's reason."""
RESOLUTIONS_PER_BOARD = 5000
VOTER_WEIGHT = 1000
VOTERS_PER_GROUP = 8
"""Voters in one item: a resolution is opened, and closed, in one transaction that writes all of their items."""
BALLOT_COMMENT = 500
SECRET_VOTERS = 3
"""Fewest voters, and ballots, of a secret vote whose tally is shown."""
RESOLUTION_OPEN_SECONDS = 60
"""Shortest time for which a resolution is open by the clock."""
RESOLUTION_OPEN_DAYS = 366
RESOLUTION_SETTLES_SECONDS = 5
"""How long after it closes the outcome is shown: what arrived in time is committed by then, or does not count."""
RESOLUTION_REMINDER_HOURS = 24
"""How long before it closes voters without a ballot are reminded, or at half time if that is later."""
DEPARTURE_DAYS = 400
"""How long departures from a board or a committee are kept: longer than a resolution is open."""
RESOLUTION_CONTENT_BYTES = 128 * 1024
"""Largest item of a resolution's content, roughly."""
RESOLUTION_PART_BYTES = 256 * 1024
"""Largest item of a group of voters, or of a part of a certificate, roughly."""

# -- calendars

CALENDAR_FEEDS = 20
"""Calendar feeds of one user."""
FEED_NAME = 80
FEED_EVENTS = 1000
FEED_DAYS = 90
"""Days before today that a feed shows."""
CALENDAR_INVITATION_DAYS = 30
"""Days after a meeting in which a reply to its calendar invitation is accepted."""
MAIL_BYTES = 1024 * 1024
"""Largest received mail."""
MAIL_PARTS = 50
"""Parts of a received mail, at all levels of nesting together; also the largest number of levels."""
MAIL_HEADER_BYTES = 16 * 1024
"""Largest header of a received mail or of one of its parts."""
MAIL_HEADERS_BYTES = 64 * 1024
"""Largest sum of the headers of a received mail and of its parts."""
CALENDAR_BYTES = 64 * 1024
"""Largest calendar in a received mail."""
CALENDAR_COMPONENTS = 100
FEED_SECONDS = 300
"""Seconds for which a client may use a feed without a new request."""
GUEST_LINK_DAYS = 30
UNSUBSCRIBE_DAYS = 365
"""Days for which the link in an e-mail turns off e-mails like it."""
GUEST_VIEW_HOURS = 1
"""Shortest time between two recorded views of one guest link."""
GUEST_VOTE_HOURS = 1
"""Shortest time between two recorded votes of one guest on one slot."""

# -- action items

ACTION_ITEMS_PER_MEETING = 500
OPEN_ITEMS_PER_ASSIGNEE = 1000
"""Open action items of one assignee on one board."""
ACTION_ITEM_TITLE = 300
TASK_REMINDER_HOUR = 8
"""Hour of the day of a reminder, in the assignee's time zone."""
ACTION_ITEM_NOTES_BYTES = 64 * 1024
ACTION_ITEMS_PAGE_BYTES = 4 * 1024 * 1024
"""Largest sum of the notes on a page, as JSON."""
ASSIGNEE_NAME = 100
ORDER_MAGNITUDE = 10**15
"""Largest magnitude of a sort order: every JSON reader holds numbers up to it exactly."""

# -- documents, reports and dashboards

DOCUMENT_TITLE = 200
DOCUMENT_TYPE = 64
DOCUMENT_MEETINGS = 50
DOCUMENT_VIEW_HOURS = 1
"""Shortest time between two recorded views of one document by one caller."""
DOCUMENTS_PAGE_MEETINGS = 200
"""Different meetings that the documents of a page are linked to: a page reads all of them."""
DOCUMENT_VERSIONS = 50
"""Files of one document, including those that are still being uploaded."""
DOCUMENT_VERSIONS_BYTES = 64 * 1024
"""Largest item of a document's versions, roughly: each has a name of up to 800 bytes."""
FILE_NAME = 200
FILE_BYTES = 100 * 1024 * 1024
BOARD_FILE_BYTES = 50 * 1024**3
"""Files of one board, declared and ready, board packs too; judged when a file is declared."""
UPLOAD_SECONDS = 3600
"""How long the form of an upload works."""
UPLOAD_HOURS = 24
"""How long an upload may stay incomplete; then it is deleted with what was sent of it."""
SCAN_HOURS = 24
"""How long a scan may take; then the file is rejected."""
SCAN_FIRST_SECONDS = 20
"""How long after its upload the result of a file's scan is first asked for."""
SCAN_LONGEST_SECONDS = 900
"""Longest time between two questions for the result of a scan; the first ones follow sooner."""
DOWNLOAD_SECONDS = 120
"""How long the address of a file works."""
PACK_BYTES = 500 * 1024 * 1024
"""Largest sum of the papers of one board pack."""
PACK_MORE_BYTES = 50_000_000
"""Bytes by which a board pack may be larger than its papers."""
MINUTES_FILE_BYTES = 50_000_000
"""Largest file of approved minutes."""
MINUTES_COPY_SECONDS = 8
"""The longest judging of a signed copy: its route answers within the gateway's time."""
PACK_PAPER_PAGES = 2000
PACK_PAPER_OBJECTS = 200_000
"""Objects of a PDF that are copied for one paper."""
PACK_PAPER_SECONDS = 60
"""Longest processor time for which one paper is read."""
PACK_PAPER_MEMORY = 640 * 1024 * 1024
"""Largest memory of the process that reads one paper, with its libraries."""
PACK_ATTEMPTS = 3
"""How often a board pack is attempted; then it has failed."""
PACK_ATTEMPT_SECONDS = 300
"""Longest attempt at a board pack: the time-out of its function. The next attempt begins after it."""
PACKS_PER_DAY = 20
"""Board packs of one board, each UTC day."""
PACK_REASON = 400
REFERENCE = 255
"""Length of an id or a type from another system, such as a version or a MIME type."""
REPORT_TITLE = 200
DASHBOARDS_PER_REPORT = 100
DASHBOARD_TITLE = 200
DASHBOARD_EDITORS = 20
"""Members besides the owner and the managers who may edit a dashboard."""
DASHBOARD_FIELDS = 200
FIGURES_TEXT = 64 * 1024
"""Characters of a text from a spreadsheet that fills a dashboard."""
DASHBOARD_BYTES = 350 * 1024
"""Largest payload of a dashboard: an item of the store holds 400 KB."""
DASHBOARDS_PAGE_BYTES = 2800 * 1024
"""Largest sum of the payloads on a page, as JSON."""
SECTION_NAME = 200
FIELD_ID = 100
FIELD_LABEL = 200
CHECKED_DASHBOARDS = 40
"""Dashboards of a report whose figures of KPIs are checked against each other; their flags are one transaction."""
FORMULA_INPUTS = 6
"""Inputs of a formula of the catalog."""
CHECKED_NUMBER = 32
"""Characters of a number that is checked, as it is written."""
FLAGS_KEPT = 100
"""Closed flags that a dashboard keeps; older ones are deleted."""
FIGURES_BYTES = 128 * 1024
"""Largest item of what a dashboard states of KPIs, roughly."""
NEWEST_FIGURES_BYTES = 250 * 1024
"""Largest item of the newest figures of a board, roughly."""
FLAGS_BYTES = 350 * 1024
"""Largest item of a dashboard's flags, roughly."""
FLAGS_TOGETHER_BYTES = 3 * 1024 * 1024
"""Largest sum of the flags that one change of a report writes, so that they fit into its transaction."""
DISMISSAL_REASON = 500
DISMISSAL_REASONS_BYTES = 100 * 1024
"""Largest sum of the texts with which the flags of a dashboard are dismissed."""

# -- cycles and bets

CYCLE_NAME = 80
CYCLE_REMINDERS = 3
CYCLE_REMINDER_DAYS = 30
"""The earliest reminder of a cycle, in days before it is due."""
CYCLES_PAGE_SECTIONS = 200
"""Sections of all cycles on a page: a page reads all of them."""

BET_TITLE = 200
BET_HYPOTHESIS = 2000
BETS_PER_BOARD = 500
BET_REMINDER_DAYS = (7, 1)
"""Days before an open bet is due on which its owner is reminded."""

# -- comments

COMMENT_TEXT = 4000
COMMENT_MENTIONS = 20
COMMENTS_PER_SUBJECT = 2000
"""Comments on one meeting, document or dashboard."""

# -- audit log, events and notifications

AUDIT_DAYS = 365
EVENT_DAYS = 90
EVENT_COMMIT_SECONDS = 10
"""Longest time from the instant of an event to the end of its transaction, also outside requests."""
EVENT_SETTLES_SECONDS = 12
"""Age of the newest event in the feed. By then, every event with an earlier instant is stored (ADR history)."""
NOTIFICATION_DAYS = 180
DELIVERY_MINUTES = 15
"""Longest run of a function: a delivery that began earlier than this writes nothing any more."""
NOTIFICATIONS_LISTED = 500
NOTIFICATION_MAILS_PER_HOUR = 20
NOTIFICATION_MAILS_PER_DAY = 100
SAME_NOTIFICATION_MAIL_MINUTES = 10
"""Minutes in which a recipient gets one mail at most about the same object by the same type of notification."""

# -- exports

EXPORT_DAYS = 7
"""How long an export is kept."""
EXPORT_HOURS = 24
"""How long an export may take; then it has failed."""
EXPORTS_PER_DAY = 10
"""Exports of one board, and of one user's own data, each UTC day."""
EXPORT_LINK_SECONDS = 300
"""How long the address of an export's file works."""

# -- queues, and what is due

QUEUE_BATCH = 10
"""Messages that a queue takes, or gives, in one call."""
QUEUE_DELAY_SECONDS = 900
"""Longest time for which a queue delays a message."""
DUE_DAYS = 1
"""How late a reminder may be; then it is not sent any more."""
DUE_ROW_DAYS = 7
"""How long a row of what is due is kept if no sweep finds it."""
DUE_AHEAD_SECONDS = 90
"""How far ahead a sweep looks: the queue keeps what it found until it is due."""

# -- webhooks

WEBHOOKS_PER_BOARD = 10
WEBHOOK_NAME = 80
WEBHOOK_URL = 2048
WEBHOOK_EVENTS = 50
"""Event types in the list of one webhook."""
WEBHOOK_DELIVERY_DAYS = 30
WEBHOOK_SECRET_OVERLAP_HOURS = 24
"""Hours after a rotation in which both secrets sign."""
WEBHOOK_FAILING_DAYS = 3
"""Days without a successful delivery after which a webhook is disabled."""
WEBHOOK_ATTEMPT_SECONDS = 10
"""Longest attempt, from the look-up of the name to the end of the response."""
WEBHOOK_ANSWER_BYTES = 16 * 1024
WEBHOOK_ATTEMPTS_KEPT = 20
"""Attempts that a delivery keeps: the latest ones."""
WEBHOOK_CONNECT_SECONDS = 3
WEBHOOK_SLOW_SECONDS = 3
"""A receiver whose latest answer took longer is slow."""
WEBHOOK_OWNER_CONCURRENCY = 8
"""Attempts in one lane at the same time, at the webhooks of all boards that one account owns."""

# -- the live channel

LIVE_TICKET_SECONDS = 60
LIVE_MESSAGES_PER_MINUTE = 60
"""Messages of one connection in any minute, whatever they are."""
LIVE_ROOMS = 20
"""Rooms that one connection is in."""
LIVE_CONNECTIONS_PER_USER = 10
LIVE_MESSAGE_BYTES = 32 * 1024
LIVE_CONNECTION_MINUTES = 120
"""How long the platform keeps a connection."""
LIVE_OPENING_SECONDS = 15
"""Age from which a connection is open for certain: its function answers the handshake within 12 seconds (ADR live)."""
LIVE_AUDIT_HOURS = 1
"""Hours in which the channel records the same of the same user and board once."""
RINGS_AT_ONCE = 200
"""Connections of a room that one message of the queue of rings is for."""
RINGS_PER_SECOND = 10
"""Rings of a second in a board's room; those beyond are folded into one."""
RING_SECONDS = 120
"""Age from which a change rings nobody."""
