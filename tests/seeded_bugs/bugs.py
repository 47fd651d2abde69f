"""All seeded bugs. To add one, append it to the module of its area."""

from __future__ import annotations

from tests.seeded_bugs import (
    bounds,
    calendars,
    events,
    failures,
    identity,
    invitations,
    limits,
    mails,
    oversight,
    purge,
    races,
    received_mails,
    requests,
    routes,
    rules,
    surroundings,
    templates,
    webhooks,
    writes,
)

BUGS = (
    *rules.BUGS,
    *oversight.BUGS,
    *requests.BUGS,
    *identity.BUGS,
    *routes.BUGS,
    *events.BUGS,
    *writes.BUGS,
    *races.BUGS,
    *purge.BUGS,
    *failures.BUGS,
    *bounds.BUGS,
    *limits.BUGS,
    *webhooks.BUGS,
    *calendars.BUGS,
    *invitations.BUGS,
    *mails.BUGS,
    *received_mails.BUGS,
    *surroundings.BUGS,
    *templates.BUGS,
)
