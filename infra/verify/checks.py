"""All checks of `make verify`, and their run."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from infra.verify import api, boards, catalog, pages
from infra.verify.site import Failed, Site, Skipped

CHECKS = pages.CHECKS | api.CHECKS | catalog.CHECKS | boards.CHECKS


def verify(site: Site, without: Mapping[str, str] = MappingProxyType({})) -> int:
    """Runs the checks, prints a line for each, and returns the number of those that failed.

    `without` gives the reasons why some checks make no sense, by their sentences.
    """
    counts = {"ok": 0, "skipped": 0, "FAILED": 0}
    for sentence, check in CHECKS.items():
        outcome, reason = "ok", ""
        try:
            if sentence in without:
                raise Skipped(without[sentence])
            check(site)
        except Skipped as skipped:
            outcome, reason = "skipped", f" ({skipped})"
        except Failed as failed:
            outcome, reason = "FAILED", f" ({failed})"
        counts[outcome] += 1
        print(f"{outcome:8}{sentence}{reason}", flush=True)
    print(f"{counts['ok']} checks passed, {counts['skipped']} skipped, {counts['FAILED']} failed.")
    return counts["FAILED"]
