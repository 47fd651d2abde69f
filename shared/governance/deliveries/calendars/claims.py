"""Claims the invitation that is due: it is stored, with a use of each quota, before it is mailed.

So no repeat mails it twice.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

from governance.deliveries.calendars.invitees import Invitee, read_invitee
from governance.domain.calendars.calendar_invitation import due_calendar_invitation
from governance.domain.quota import NOTIFICATION_MAILS_DAILY, NOTIFICATION_MAILS_HOURLY, counted_address
from governance.ids import PersonId
from governance.instants import Instant, now
from governance.models.calendars.calendar import InvitationMessage, StoredCalendarInvitation
from governance.store import quotas
from governance.store.calendars import calendar_invitations
from governance.store.quotas import QuotaClaim
from governance.store.transactions import transact
from governance.store.writes import StaleRead

_QUOTAS = (NOTIFICATION_MAILS_HOURLY, NOTIFICATION_MAILS_DAILY)


class OverQuota(Exception):
    """The recipient has reached a quota of e-mails; the invitation waits."""


@dataclass(frozen=True)
class Claimed:
    """An invitation that was claimed and is to be mailed. `claimed_at` orders the mails of one `SEQUENCE`."""

    old: StoredCalendarInvitation | None
    new: StoredCalendarInvitation
    uses: Sequence[QuotaClaim]
    claimed_at: Instant
    invitee: Invitee

    @property
    def is_person(self) -> bool:
        """Whether it is that of a person without an account."""
        return self.invitee.addressee.person is not None

    def give_back(self) -> None:
        """Undoes the claim of an invitation that was certainly not mailed."""
        with suppress(StaleRead):
            undone = calendar_invitations.take_back(self.old, self.new, now(), is_person=self.is_person)
            transact([*undone, *(use.release for use in self.uses)])


def claim(invited: InvitationMessage, now: Instant) -> Claimed | None:
    """Stores the invitation that is due, with its use of the quotas; returns None if none is due.

    The last invitation is read before what it is compared with: what is compared is then no older than the last mail.
    Raises `OverQuota` if a quota has no use left, and `StaleRead`.
    """
    recipient_id = invited.user_id or invited.unregistered_user_id or PersonId("")
    old = calendar_invitations.find(recipient_id, invited.meeting_id)
    invitee = read_invitee(invited, now)
    if invitee is None:
        return None
    addressee, sequence = invitee.addressee, invited.deleted_sequence
    new = due_calendar_invitation(addressee, invitee.board, invitee.meeting, old, sequence, now)
    if new is None:
        return None
    usages = quotas.usages(_QUOTAS, counted_address(addressee.email))
    if any(usage.is_exhausted(now) for usage in usages):
        raise OverQuota
    claimed = Claimed(old, new, [usage.claim(now) for usage in usages], now, invitee)
    stored = calendar_invitations.put(old, new, now, is_person=claimed.is_person)
    transact([*stored, *invitee.writes, *(use.take for use in claimed.uses)])
    return claimed
