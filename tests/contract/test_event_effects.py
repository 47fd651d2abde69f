"""What follows from each event: the record of an event must not miss anything.

A new event fails here until it has a line. Ask of it, in this order, and declare it in its record (domain/events):

notified     are people told of it?
audited      does it leave an audit entry?
protecting   does it end a right, so that it is recorded where a history is full?
calendars    does it change what calendars show?
invitations  may it change what calendar invitations say?
cleaned      does it leave rows that are to be deleted? (usecases/cleanup.py)

The form of webhooks offers each subject, which is the part before the dot: infra/pages/app/web/views/webhook-form.js.
"""

from __future__ import annotations

from types import MappingProxyType

from governance.domain.events.kind import Effect
from governance.domain.events.registry import KINDS
from governance.models.event import Event

TABLE = """
invite.created                   notified
invite.accepted                  notified audited
member.changed                   notified audited protecting
member.removed                   notified audited protecting cleaned
member.left                      notified audited protecting cleaned
board.ownership_transferred      notified audited protecting
board.changed                    notified calendars
board.deleted                    protecting cleaned
board.example_created            -
board.example_filled             notified
export.requested                 -
token.created                    notified
token.revoked                    protecting
committee.created                -
committee.updated                notified protecting
committee.deleted                protecting
meeting.created                  notified audited calendars invitations
meeting.updated                  notified audited calendars invitations
meeting.status_changed           notified audited calendars invitations
meeting.deleted                  notified audited calendars invitations cleaned
meeting.updated_from_calendar    notified audited calendars invitations
meeting.cancelled_from_calendar  notified audited calendars invitations
meeting.rsvp_changed             notified
poll.set                         -
poll.deleted                     -
reminder.sent                    notified
agenda.updated                   calendars
minutes.updated                  -
minutes.deleted                  -
slot.proposed                    notified calendars
slot.removed                     calendars cleaned
guest_link.opened                -
guest_link.closed                protecting cleaned
guest.slots_viewed               audited
guest.vote_cast                  audited
action_item.created              notified audited
action_item.updated              notified audited
action_item.status_changed       audited
action_item.deleted              audited
due_date.set                     -
due_date.deleted                 -
document.viewed                  audited
document.deleted                 audited cleaned
document.version_added           -
document.version_deleted         audited cleaned
board_pack.requested             -
report.status_changed            notified audited
report.deleted                   cleaned
dashboard.review_status_changed  notified audited
dashboard.access_granted         notified audited
dashboard.access_revoked         notified audited protecting
dashboard.ownership_transferred  notified audited protecting
dashboard.deleted                cleaned
resolution.created               -
resolution.updated               -
resolution.deleted               -
resolution.opened                notified
resolution.ballot_cast           -
resolution.ballot_withdrawn      -
resolution.proxy_changed         -
resolution.recused               -
resolution.closed                notified cleaned
resolution.withdrawn             cleaned
comment.created                  notified
comment.updated                  -
comment.deleted                  -
comment.resolved                 -
comment.reopened                 -
dashboard.figures_changed        -
cycle.created                    -
cycle.updated                    -
cycle.deleted                    -
cycle.dispatched                 notified
cycle.published                  notified
validation_flag.raised           notified
validation_flag.corrected        -
validation_flag.dismissed        -
validation_flag.reopened         -
bet.created                      -
bet.updated                      -
bet.deleted                      -
board.billing_overridden         audited protecting
user.purged                      audited protecting
webhook.created                  notified
webhook.updated                  -
webhook.deleted                  protecting cleaned
webhook.secret_rotated           protecting
webhook.tested                   -
webhook.redelivered              -
webhook.disabled                 notified protecting
"""
OBSERVED = MappingProxyType(
    {
        "notified": {event for event, kind in KINDS.items() if kind.notifications},
        "audited": {event for event, kind in KINDS.items() if kind.audit},
        "protecting": {event for event, kind in KINDS.items() if kind.is_protecting},
        "calendars": {event for event, kind in KINDS.items() if Effect.CHANGES_CALENDAR_FEEDS in kind.effects},
        "invitations": {event for event, kind in KINDS.items() if Effect.CHANGES_CALENDAR_INVITATIONS in kind.effects},
        "cleaned": {event for event, kind in KINDS.items() if kind.leaves},
    }
)


def test_what_follows_from_an_event_is_what_its_line_says() -> None:
    rows = [line.split() for line in TABLE.strip().splitlines()]
    stated = {event: [effect for effect in effects if effect != "-"] for event, *effects in rows}
    observed = {event.value: [effect for effect, events in OBSERVED.items() if event in events] for event in Event}
    assert observed == stated, __doc__
