"""The limits of agendas, papers, minutes, series and what a board plans. All others are in `limits.py`.

The API reference quotes one by its name, as those.
"""

from __future__ import annotations

# -- agendas and minutes

AGENDA_ITEMS = 100
AGENDA_TITLE = 200
AGENDA_ITEM_MINUTES = 600
AGENDA_ITEM_PAPERS = 20
PAPER_WRITES = 60
"""Rows of papers that one change of an agenda puts in camera or opens, of the 100 that a transaction takes."""
AGENDA_ITEM_NOTES = 4000
ITEM_AUDIENCE = 100
"""Members that an item in camera is for."""
AGENDA_BYTES = 320 * 1024
"""Of an agenda to which items are added, or that has items in camera: a row of the store takes no more than 400 KiB."""
AGENDA_SUMMARY = 1000
"""Characters of an agenda that calendars show."""
NAMED_PERSON = 120
"""The name of somebody who presents or attends and is not a member."""
MINUTES_ATTENDANCE = 500
MINUTES_ITEMS = 200
MINUTES_RESTORATION_DAYS = 30
"""How long deleted minutes can be restored."""
MINUTES_TEXT = 20_000
MINUTES_DECISION = 2000
MINUTES_ACTION_ITEMS = 20
MINUTES_VERSIONS = 50
"""Versions of the minutes of one meeting."""
MINUTES_VERSION_BYTES = 384 * 1024
"""Of a row with a version: minutes of 256 KiB as a client sends them, with each member that they leave out."""
MINUTES_SIGNERS = 10
MINUTES_SIGNER_ROLE = 80
MINUTES_SIGNING_MINUTES = 10
"""How long ago a signer may have signed in."""
MINUTES_APPROVALS_BYTES = 256 * 1024
"""Of the row that says how far minutes are, with the approval and the signatures of each version."""
MINUTES_REMARKS = 500
"""Remarks on the minutes of one meeting, on all versions together."""
MINUTES_REMARK_TEXT = 4000
MINUTES_REMARK_QUOTE = 500
MINUTES_REMARK_REPLY = 2000
MINUTE_BOOK_ENTRIES = 1000
"""Entries of the minute book in one response."""

# -- paper requests

PAPER_TITLE = 200
PAPER_INSTRUCTIONS = 2000
PAPER_NOTE = 2000
PAPER_REQUESTS_PER_MEETING = 100
PAPER_REMINDER_DAYS = (3, 1)
"""Days before a paper is due on which who is asked for it is reminded."""

# -- planning: agenda templates, the backlog, the work plan

TEMPLATE_NAME = 80
AGENDA_TEMPLATES_PER_BOARD = 50
BACKLOG_ITEMS_PER_BOARD = 500
WAITING_ITEM_BYTES = 24 * 1024
"""Of a row with an item that waits, or a matter of the work plan."""
PLAN_ITEMS_PER_BOARD = 200
PLAN_TITLE = 200
PLAN_SOURCE = 200
PLAN_NOTES = 4000
PLAN_ITEM_MINUTES = 600

# -- series

SERIES_PER_BOARD = 50
SERIES_COUNT = 120
SERIES_OPENS_DAYS = 30
"""Days before an occurrence at which it is opened, unless its series says otherwise."""
SERIES_OPENS_DAYS_MAX = 180
SERIES_MINUTES = (5, 1440)
"""Shortest and longest duration of the meetings of a series."""
SERIES_NEXT = 12
"""Occurrences that a series shows of what is to come."""
SERIES_YEARS = 50
"""Years within which a series looks for what is to come: a rule such as each leap year's has few occurrences."""
SERIES_LAST_YEAR = 9998
"""The last year of occurrences: in some zones the year after ends later than the calendar."""
OCCURRENCES_DAYS = 366
"""Days that one list of occurrences covers."""
SERIES_CHANGES = 200
"""Occurrences of a series that are to come and were moved, cancelled or opened by hand."""
SERIES_CHANGES_DAYS = 60
"""Days after which a series forgets what was changed; what was opened is kept beside it."""
SERIES_SEGMENTS = 10
"""Earlier rules of a series by which occurrences are still to come."""
RULE_TEXT = 200
RULE_INTERVAL = 12
RULE_LAST_DAY = 28
"""The last day that every month has."""
