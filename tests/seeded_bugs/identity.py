"""Bugs in who a caller is, and in what a credential costs before it has held."""

from __future__ import annotations

from governance.http import credentials, issuer_keys, pipeline, rate_limit, reading, recent_admissions, sessions
from governance.usecases import provisioning
from infra.local import catalog_limit
from tests.seeded_bugs.bug import Bug

_BEFORE = "tests/http/test_before_a_credential_holds.py"
_RATE = "tests/http/test_rate_limit.py"
_ISSUER = "tests/http/test_issuer.py"

BUGS = (
    Bug(
        "a closed address is refused only after its request was read",
        pipeline.RequestPipeline._charge,
        "            charge.lease.check_open()\n",
        "",
        f"{_BEFORE}::test_an_exhausted_address_reads_nothing",
    ),
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
        "an admission is never forgotten",
        recent_admissions.RecentAdmissions.includes,
        "time.monotonic() < self._until.get((fingerprint, board_id), 0.0)",
        "0.0 < self._until.get((fingerprint, board_id), 0.0)",
        f"{_BEFORE}::test_an_admission_is_for_one_credential_and_one_board_and_is_forgotten",
    ),
    Bug(
        "a key set that cannot be fetched is a 401",
        issuer_keys.IssuerKeys.find,
        "raise unavailable()",
        'raise ValueError("keys")',
        f"{_ISSUER}::test_a_key_set_that_cannot_be_fetched_is_a_503",
    ),
    Bug(
        "a withdrawn signing key works as long as the environment is warm",
        issuer_keys,
        "_REFRESH_SECONDS = 240",
        "_REFRESH_SECONDS = 3600",
        f"{_ISSUER}::test_a_withdrawn_signing_key_stops_working_within_five_minutes",
    ),
    Bug(
        "a key set is used for an hour",
        issuer_keys,
        "_LIFE_SECONDS = 300",
        "_LIFE_SECONDS = 3600",
        f"{_ISSUER}::test_one_failed_attempt_leaves_the_known_keys_in_use",
    ),
    Bug(
        "one failed attempt leaves the service without keys",
        issuer_keys,
        "_REFRESH_SECONDS = 240",
        "_REFRESH_SECONDS = 300",
        f"{_ISSUER}::test_one_failed_attempt_leaves_the_known_keys_in_use",
    ),
    Bug(
        "a failing issuer is asked once for each forged token",
        issuer_keys.IssuerKeys._fetch,
        "        self._tried_at = now\n",
        "",
        f"{_ISSUER}::test_forged_tokens_make_a_failing_issuer_be_asked_once",
    ),
    Bug(
        "an issuer may take as long as it likes",
        issuer_keys.IssuerKeys._fetch,
        ".result(deadline.KEY_SET_ATTEMPT_SECONDS)",
        ".result()",
        f"{_ISSUER}::test_an_issuer_that_answers_byte_by_byte_is_not_waited_for",
    ),
    Bug(
        "the issuer is asked after the deadline",
        issuer_keys.IssuerKeys._fetch,
        " or not deadline.has_time(deadline.KEY_SET_ATTEMPT_SECONDS)",
        "",
        f"{_ISSUER}::test_a_fetch_that_could_end_too_late_does_not_begin",
    ),
    Bug(
        "a later session that claims nothing new lets an older one change the address",
        provisioning._changes,
        "else changed",
        "else {}",
        f"{_ISSUER}::test_a_later_session_that_claims_nothing_new_still_keeps_an_older_one_from_changing_the_address",
    ),
    Bug(
        "a new session counts as an update of its user",
        provisioning._changes,
        "if changed.keys() - {_ISSUED}",
        "if changed",
        f"{_ISSUER}::test_a_later_session_that_claims_nothing_new_still_keeps_an_older_one_from_changing_the_address",
    ),
    Bug(
        "an installation cannot require verified addresses",
        credentials._is_verified,
        "return not settings().require_email_verified",
        "return True",
        f"{_ISSUER}::test_an_installation_may_require_that_addresses_are_verified",
    ),
    Bug(
        "a verified address whose claim is text is refused",
        credentials._is_verified,
        'return claim is True or claim == "true"',
        "return claim is True",
        f"{_ISSUER}::test_only_a_verified_address_makes_a_session",
    ),
    Bug(
        "every claim of verification counts",
        credentials._is_verified,
        'return claim is True or claim == "true"',
        "return bool(claim)",
        f"{_ISSUER}::test_only_a_verified_address_makes_a_session",
    ),
    Bug(
        "fractional times are refused",
        sessions.claims,
        "in (int, float) for name in _TIMES",
        "is int for name in _TIMES",
        f"{_ISSUER}::test_fractional_times_hold",
    ),
    Bug(
        "the last request gives back one token too few",
        rate_limit.RateLease._lease_block,
        "-surplus, expiry))",
        "1 - surplus, expiry))",
        f"{_RATE}::test_what_does_not_fit_is_given_back_to_the_last_request",
    ),
    Bug(
        "what an idle environment leased is spent in a later window",
        rate_limit.RateLease._is_expired,
        "return self.leased_slice is not None and _current_slice() - self.leased_slice > _SLICES",
        "return False",
        f"{_RATE}::test_what_an_idle_environment_reserved_is_not_spent_in_a_later_window",
    ),
    Bug(
        "many addresses displace the leases of users",
        rate_limit,
        "_addresses = Leases()",
        "_addresses = _principals",
        f"{_RATE}::test_neither_many_addresses_nor_forged_tokens_displace_the_lease_of_a_user",
    ),
    Bug(
        "forged tokens displace the leases of users",
        rate_limit.Leases.find,
        "or RateLease(subject, limit, credit)",
        "or self.keep(RateLease(subject, limit, credit))",
        f"{_RATE}::test_neither_many_addresses_nor_forged_tokens_displace_the_lease_of_a_user",
    ),
    Bug(
        "the lease that was used last is dropped first",
        rate_limit.Leases.keep,
        "self._kept.popitem(last=False)",
        "self._kept.popitem()",
        f"{_RATE}::test_the_lease_used_longest_ago_is_dropped_first",
    ),
    Bug(
        "calls of many public paths displace admissions",
        reading.admissions_of,
        "public_admissions if parsed.credential is None else recent_admissions",
        "recent_admissions",
        f"{_BEFORE}::test_calls_of_many_public_paths_displace_no_admission",
    ),
    Bug(
        "the local catalog is not limited",
        catalog_limit.CatalogLimit.seconds_to_wait,
        "if len(times) >= self._limit:",
        "if len(times) < 0:",
        "tests/local/test_catalog_limit.py",
    ),
    Bug(
        "an IPv6 address has a window of the catalog to itself",
        catalog_limit._subject,
        "(parsed, 64)",
        "(parsed, 128)",
        "tests/local/test_catalog_limit.py",
    ),
)
