"""The limits of the API specification, section 8, and of ADR 0005.

Lengths count code points, unless a name says bytes.
"""

from __future__ import annotations

# -- lists and requests

PAGE_DEFAULT = 25
PAGE_MAX = 100
BODY_BYTES = 256 * 1024
JSON_DEPTH = 32
"""Levels of nested arrays and objects."""
NAMED_OFFENCES = 100
"""In one error response; of more, it tells the number."""
LAMBDA_ANSWER_BYTES = 6 * 1024 * 1024
"""Of a response as Lambda sends it: its JSON message with the body, the status and the headers."""
ANSWER_BYTES = LAMBDA_ANSWER_BYTES - 32 * 1024
"""Of a response body: what Lambda can return, less room for the rest of its message."""
CHUNK_ROWS = 500
"""Rows of a long list that are read at a time."""
ITEM_BYTES = 400 * 1024
"""Of an item of the store."""
TRANSACTION_BYTES = 4 * 1024 * 1024
"""Of all items of a transaction together."""
TRANSACTION_WRITES = 100
IDEMPOTENCY_KEY = 255
IDEMPOTENCY_HOURS = 24
RATE_WINDOW_SECONDS = 300
ACCESS_EVALUATIONS = 100
"""In one request to the evaluation of access."""

# -- users

EMAIL_LENGTH = 254
EMAIL_LOCAL_LENGTH = 64
PERSON_NAME = 100
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
"""Active ones: neither revoked nor expired."""
COMMITTEE_NAME = 80
COMMITTEES_PER_BOARD = 200
COMMITTEE_MEMBERS = 200
MEMBER_COMMITTEES = 50
"""Committees of one member."""

# -- invites

INVITE_MESSAGE = 500
PENDING_INVITES_PER_BOARD = 5000
RE_INVITERS = 500
"""Users who invited an address again while its invite was pending."""
INVITES_PER_HOUR = 100
INVITE_MAILS_PER_HOUR = 1
RECIPIENT_MAILS_PER_DAY = 5
TEST_MAILS_PER_HOUR = 5

# -- meetings and slots

MEETING_TITLE = 200
MEETING_LOCATION = 255
MEETING_URL = 255
SLOT_MINUTES_MIN = 15
SLOT_MINUTES_MAX = 180
SLOT_MINUTES_DEFAULT = 120
SLOTS_PER_MEETING = 50
GUEST_VOTES_PER_SLOT = 500
GUEST_VOTES_PER_MEETING = 1000
VOTE_COMMENT = 500
RSVP_COMMENT = 500

# -- calendars

CALENDAR_FEEDS = 20
"""Of one user."""
FEED_NAME = 80
FEED_EVENTS = 1000
FEED_DAYS = 90
"""How far back a feed goes."""
INVITATION_DAYS = 30
"""For which a reply to an invitation finds its meeting, after the meeting."""
MAIL_BYTES = 1024 * 1024
"""Of a received mail."""
MAIL_PARTS = 50
"""Of a received mail, at all levels together, and its levels."""
MAIL_HEADER_BYTES = 16 * 1024
"""Of one header of a received mail or of one of its parts."""
MAIL_HEADERS_BYTES = 64 * 1024
"""Of all headers of a received mail and of its parts together."""
CALENDAR_BYTES = 64 * 1024
"""Of a received calendar."""
CALENDAR_COMPONENTS = 100
FEED_SECONDS = 300
"""For which a client may use a feed without asking again."""
GUEST_LINK_DAYS = 30
GUEST_VIEW_HOURS = 1
"""Between two recorded views of one guest link."""
GUEST_VOTE_HOURS = 1
"""Between two recorded votes of one guest on one slot."""

# -- action items

ACTION_ITEMS_PER_MEETING = 500
OPEN_ITEMS_PER_ASSIGNEE = 1000
"""Open action items of one assignee on one board."""
ACTION_ITEM_TITLE = 300
ACTION_ITEM_NOTES_BYTES = 64 * 1024
ACTION_ITEMS_PAGE_BYTES = 4 * 1024 * 1024
"""Of the notes on a page, as they are sent."""
ASSIGNEE_NAME = 100
ORDER_MAGNITUDE = 10**15
"""Of a sort order: every JSON reader holds numbers up to it exactly."""

# -- documents, reports and dashboards

DOCUMENT_TITLE = 200
DOCUMENT_TYPE = 64
DOCUMENT_MEETINGS = 50
DOCUMENTS_PAGE_MEETINGS = 200
"""Linked meetings of all documents of a page, each counted once: a page reads every one of them."""
REFERENCE = 255
"""Of an id or a type that another system gave, such as a version or a MIME type."""
REPORT_TITLE = 200
DASHBOARD_TITLE = 200
DASHBOARD_FIELDS = 200
DASHBOARD_BYTES = 350 * 1024
"""Of a payload: an item of the store holds 400 KB."""
DASHBOARDS_PAGE_BYTES = 2800 * 1024
"""Of the payloads on a page, as they are sent."""
SECTION_NAME = 200
FIELD_ID = 100
FIELD_LABEL = 200

# -- audit log, events and notifications

AUDIT_DAYS = 365
EVENT_DAYS = 90
EVENT_SETTLES_SECONDS = 12
"""The feed of events ends so long ago: by then every event with an earlier instant is stored."""
NOTIFICATION_DAYS = 180
DELIVERY_MINUTES = 15
"""A row that a delivery began to write so long ago is written: no function runs longer."""
NOTIFICATIONS_LISTED = 500
NOTIFICATION_MAILS_PER_HOUR = 20
NOTIFICATION_MAILS_PER_DAY = 100
SAME_NOTIFICATION_MAIL_MINUTES = 10
"""In which one mail is sent to a recipient about one object by one type of notification."""

# -- webhooks

WEBHOOKS_PER_BOARD = 10
WEBHOOK_NAME = 80
WEBHOOK_URL = 2048
WEBHOOK_EVENTS = 50
"""Event types that a webhook names."""
WEBHOOK_DELIVERY_DAYS = 30
WEBHOOK_SECRET_OVERLAP_HOURS = 24
"""After a rotation, in which both secrets sign."""
WEBHOOK_FAILING_DAYS = 3
"""Without a successful delivery, after which a webhook is disabled."""
WEBHOOK_ATTEMPT_SECONDS = 10
"""For one attempt from the look-up of the name to the end of the response."""
WEBHOOK_ANSWER_BYTES = 16 * 1024
WEBHOOK_ATTEMPTS_KEPT = 20
"""Of a delivery: the latest ones."""
WEBHOOK_CONCURRENCY = 8
"""Attempts at one webhook at the same time, at most."""
WEBHOOK_BOARD_CONCURRENCY = 16
"""Attempts at all webhooks of a board at the same time; each webhook has an equal share."""
