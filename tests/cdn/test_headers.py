"""The security headers of pages: strict, set by the CDN alone, and the same on every page."""

import re
from pathlib import Path

import pytest

from infra.catalog.page import FOLDER as CATALOG
from infra.cdn.embed import TEMPLATE
from infra.cdn.headers import _behaviours, security_headers
from infra.stack.template import ROOT, Template

PAGES = [
    "/api/ontology/browse/",
    "/docs",
    "/docs/",
    "/docs/docs.js",
    "/invite/1f50599a",
    "/",
    "/boards",
    "/guest/KZYA6Tu4",
]
STRICT = {
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": "'self'",
    "img-src": "'self' data:",
    "connect-src": "'self'",
    "font-src": "'self'",
    "frame-ancestors": "'none'",
    "base-uri": "'none'",
    "form-action": "'self'",
}
POLICIES = Template(TEMPLATE).resources("AWS::CloudFront::ResponseHeadersPolicy")
HTML = sorted({*ROOT.glob("infra/**/*.html"), CATALOG / "index.html"})


@pytest.mark.parametrize("path", PAGES)
def test_a_page_loads_only_its_own_files_and_no_page_may_frame_it(path: str) -> None:
    headers = security_headers(path)
    directives = (directive.strip().partition(" ") for directive in headers["content-security-policy"].split(";"))
    assert {name: value for name, _, value in directives} == STRICT
    assert headers["x-frame-options"] == "DENY"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["x-content-type-options"] == "nosniff"
    assert {"camera=()", "geolocation=()", "microphone=()"} <= set(headers["permissions-policy"].split(", "))


@pytest.mark.parametrize("name", sorted(POLICIES))
def test_every_answer_asks_for_https_and_no_guessed_types_and_no_origin_can_overrule_it(name: str) -> None:
    security = POLICIES[name]["ResponseHeadersPolicyConfig"]["SecurityHeadersConfig"]
    assert security["StrictTransportSecurity"]["AccessControlMaxAgeSec"] >= 31_536_000
    assert "ContentTypeOptions" in security
    assert all(header["Override"] for header in security.values())


def test_only_the_pages_for_members_may_connect_to_the_sign_in_provider(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OIDC_ISSUER", "https://login.example.com")
    _behaviours.cache_clear()
    policies = [security_headers(path)["content-security-policy"] for path in ("/boards", "/invite/1f50599a", "/docs")]
    _behaviours.cache_clear()
    assert ["https://login.example.com" in policy for policy in policies] == [True, False, False]
    assert "connect-src 'self' https://login.example.com;" in policies[0]


def test_an_answer_of_the_api_has_no_policy_of_pages() -> None:
    assert security_headers("/api/v1/whoami") == {"x-content-type-options": "nosniff"}


@pytest.mark.parametrize("file", HTML, ids=lambda file: str(file.relative_to(ROOT)))
def test_no_page_sets_in_its_markup_what_the_headers_set(file: Path) -> None:
    assert not re.search(r"http-equiv|name=.?referrer", file.read_text(), re.IGNORECASE)
