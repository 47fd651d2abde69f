"""A dependency is sound only where somebody who knows it says so."""

from __future__ import annotations

from pathlib import Path

import pytest

from infra.policy import audit

KNOWN = {"name": "sound", "version": "1.0", "vulns": []}
WEAK = {"name": "weak", "version": "2.0", "vulns": [{"id": "PYSEC-1", "fix_versions": ["2.1"]}]}
SKIPPED = {"name": "strange", "skip_reason": "Dependency not found on PyPI and could not be audited: strange (3.0)"}


def test_a_package_that_the_service_does_not_know_is_not_judged() -> None:
    assert audit.verdict({"dependencies": [KNOWN, SKIPPED]}) == audit.Verdict(1, 1, ())


def test_a_known_vulnerability_is_named_with_what_mends_it() -> None:
    found = audit.verdict({"dependencies": [KNOWN, WEAK]})
    assert found.findings == ("weak 2.0: PYSEC-1, mended in 2.1",)


def answering(monkeypatch: pytest.MonkeyPatch, **verdicts: audit.Verdict) -> None:
    def asked(service: str, lock: Path) -> audit.Verdict:
        del lock
        return verdicts[service]

    monkeypatch.setattr(audit, "asked", asked)


def test_where_nobody_can_be_asked_that_is_said_and_no_failure(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    answering(monkeypatch, pypi=audit.Verdict(0, 30, ()), osv=audit.UNASKED)
    assert audit.main() == 0
    assert "was not audited" in capsys.readouterr().out


def test_the_second_service_is_asked_where_the_first_knows_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    answering(monkeypatch, pypi=audit.Verdict(0, 30, ()), osv=audit.Verdict(30, 0, ("weak 2.0: PYSEC-1",)))
    assert audit.main() > 0
