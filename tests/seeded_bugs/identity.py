"""Bugs in who a caller is, and in what a credential costs before it has held."""

from __future__ import annotations

from governance.http import credentials, issuer_keys, pipeline, rate_limit, recent_admissions
from governance.usecases.account import provisioning
from tests.seeded_bugs.bug import Bug

_BEFORE = "tests/http/test_before_a_credential_holds.py"
_LEASES = "tests/http/test_rate_leases.py"
_ISSUER = "tests/http/test_issuer.py"

BUGS = (
    Bug(
        "a forged token takes from the window of the user that it names",
        pipeline.RequestPipeline._charge,
        "if was_admitted(parsed, None):",
        "if parsed.principal_id:",
        f"{_BEFORE}::test_forged_tokens_take_nothing_from_the_victims_window",
    ),
    Bug(
        "an admission to one board starts early reads on every board",
        recent_admissions.RecentAdmissions.includes,
        "self._until.get((fingerprint, board_id), 0.0)",
        'self._until.get((fingerprint, ""), self._until.get((fingerprint, board_id), 0.0))',
        f"{_BEFORE}::test_only_a_credential_that_was_admitted_lately_starts_its_reads_early",
    ),
    Bug(
        "a withdrawn signing key works as long as the environment is warm",
        issuer_keys,
        "_REFRESH_SECONDS = 240",
        "_REFRESH_SECONDS = 3600",
        f"{_ISSUER}::test_a_withdrawn_signing_key_stops_working_within_five_minutes",
    ),
    Bug(
        "a later session that claims nothing new lets an older one change the address",
        provisioning._changes,
        "else changed",
        "else {}",
        f"{_ISSUER}::test_a_later_session_that_claims_nothing_new_still_keeps_an_older_one_from_changing_the_address",
    ),
    Bug(
        "every claim of verification counts",
        credentials._is_verified,
        'return claim is True or claim == "true"',
        "return bool(claim)",
        f"{_ISSUER}::test_only_a_verified_address_makes_a_session",
    ),
    Bug(
        "what an idle environment leased is spent in a later window",
        rate_limit.RateLease._is_expired,
        "return self.leased_slice is not None and _current_slice() - self.leased_slice > _SLICES",
        "return False",
        f"{_LEASES}::test_what_an_idle_environment_reserved_is_not_spent_in_a_later_window",
    ),
    Bug(
        "forged tokens displace the leases of users",
        rate_limit.Leases.find,
        "or RateLease(subject, limit, credit)",
        "or self.keep(RateLease(subject, limit, credit))",
        f"{_LEASES}::test_neither_many_addresses_nor_forged_tokens_displace_the_lease_of_a_user",
    ),
)
