"""The audit counts a package as sound only if a vulnerability service knows it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from infra.policy import audit

KNOWN = {"name": "sound", "version": "1.0", "vulns": []}
WEAK = {"name": "weak", "version": "2.0", "vulns": [{"id": "PYSEC-1", "fix_versions": ["2.1"]}]}
SOUND = audit.AuditResult(30, 0, ())
SKIPPED = {"name": "strange", "skip_reason": "Dependency not found on PyPI and could not be audited: strange (3.0)"}


def test_a_package_that_the_service_does_not_know_is_counted_as_unknown() -> None:
    assert audit.parse_report({"dependencies": [KNOWN, SKIPPED]}) == audit.AuditResult(1, 1, ())


def test_a_known_vulnerability_is_named_with_the_version_that_fixes_it() -> None:
    result = audit.parse_report({"dependencies": [KNOWN, WEAK]})
    assert result.findings == ("weak 2.0: PYSEC-1, fixed in 2.1",)


def test_an_error_of_npm_is_no_result() -> None:
    assert audit.parse_npm_report({"message": "405 Method Not Allowed", "statusCode": 405}) == audit.NO_RESULT


def test_every_lock_file_that_make_writes_is_audited() -> None:
    makefile = (audit.ROOT / "Makefile").read_text()
    folders = re.search(r"NPM_FOLDERS := ((?:.*\\\n)*.*)", makefile)
    assert folders is not None
    npm = {f"{folder}/package-lock.json" for folder in folders[1].replace("\\", "").split()}
    python = set(re.findall(r"--output-file (\S+)", makefile))
    assert {str(lock.relative_to(audit.ROOT)) for lock in audit.lock_files()} == npm | python


def set_results(monkeypatch: pytest.MonkeyPatch, npm: audit.AuditResult = SOUND, **results: audit.AuditResult) -> None:
    def query_service(service: str, lock: Path) -> audit.AuditResult:
        del lock
        return results[service]

    monkeypatch.setattr(audit, "query_service", query_service)
    monkeypatch.setattr(audit, "query_npm", lambda _: npm)


UNREACHABLE = {"pypi": audit.AuditResult(0, 30, ()), "osv": audit.NO_RESULT}


@pytest.fixture(autouse=True)
def _no_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("AUDIT_OFFLINE", raising=False)


def test_an_audit_without_a_service_fails_and_says_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    set_results(monkeypatch, **UNREACHABLE)
    assert audit.main() == 1
    told = capsys.readouterr().out
    assert "requirements.lock: not audited" in told
    assert "the audit failed" in told


def test_an_audit_without_a_service_passes_only_under_the_setting_and_says_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    set_results(monkeypatch, **UNREACHABLE)
    monkeypatch.setenv("AUDIT_OFFLINE", "allow")
    assert audit.main() == 0
    assert "AUDIT_OFFLINE=allow accepts that" in capsys.readouterr().out


def test_the_setting_excuses_no_vulnerability(monkeypatch: pytest.MonkeyPatch) -> None:
    set_results(monkeypatch, pypi=audit.NO_RESULT, osv=audit.AuditResult(30, 0, ("weak 2.0: PYSEC-1",)))
    monkeypatch.setenv("AUDIT_OFFLINE", "allow")
    assert audit.main() == 1


def test_an_audit_that_npm_did_not_answer_fails(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    set_results(monkeypatch, npm=audit.NO_RESULT, pypi=SOUND)
    assert audit.main() == 1
    assert "infra/pages/app/package-lock.json: not audited" in capsys.readouterr().out
    monkeypatch.setenv("AUDIT_OFFLINE", "allow")
    assert audit.main() == 0


def test_the_second_service_is_queried_if_the_first_knows_no_package(monkeypatch: pytest.MonkeyPatch) -> None:
    set_results(monkeypatch, pypi=audit.AuditResult(0, 30, ()), osv=audit.AuditResult(30, 0, ("weak 2.0: PYSEC-1",)))
    assert audit.main() > 0


def npm_report(*via: object) -> dict[str, Any]:
    return {"vulnerabilities": {"weak": {"via": list(via)}}, "metadata": {"dependencies": {"total": 7}}}


def test_an_advisory_of_npm_is_named_once() -> None:
    advisory = {"title": "Prototype pollution", "url": "https://example.com/1", "range": "<2.1.0"}
    result = audit.parse_npm_report(npm_report("other", advisory))
    assert result == audit.AuditResult(7, 0, ("weak <2.1.0: Prototype pollution, https://example.com/1",))
