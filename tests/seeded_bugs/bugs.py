"""All seeded bugs. To add one, append it to the module of its area."""

from __future__ import annotations

from tests.seeded_bugs import (
    calendars,
    events,
    identity,
    invitations,
    limits,
    mails,
    oversight,
    papers,
    purge,
    races,
    received_mails,
    requests,
    rules,
    surroundings,
    templates,
    told_in_time,
    webhooks,
    writes,
)

BUGS = (
    *rules.BUGS,
    *oversight.BUGS,
    *requests.BUGS,
    *identity.BUGS,
    *events.BUGS,
    *writes.BUGS,
    *races.BUGS,
    *purge.BUGS,
    *limits.BUGS,
    *webhooks.BUGS,
    *calendars.BUGS,
    *invitations.BUGS,
    *mails.BUGS,
    *received_mails.BUGS,
    *surroundings.BUGS,
    *templates.BUGS,
    *told_in_time.BUGS,
    *papers.BUGS,
)
