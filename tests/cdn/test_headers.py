"""The security headers of pages: strict, set by the CDN alone, and the same on every page."""

import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from infra.catalog.page import FOLDER as CATALOG
from infra.cdn import distribution
from infra.cdn.embed import TEMPLATE
from infra.stack.template import ROOT, Template

PAGES = [
    *("/api/ontology/browse/", "/docs", "/docs/", "/docs/docs.js", "/invite/1f50599a", "/unsubscribe/KZYA6Tu4"),
    *("/", "/boards", "/guest/KZYA6Tu4", "/paper/KZYA6Tu4"),
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
PAPERS, DOWNLOADS = "https://papers.example.com", "https://files.example.com"
OF_MEMBERS = {**STRICT, "connect-src": f"'self' {PAPERS}", "frame-src": DOWNLOADS}
"""Pages for members send documents' files to their bucket, and show them in frames from the origin of files."""
POLICIES = Template(TEMPLATE).resources("AWS::CloudFront::ResponseHeadersPolicy")
HTML = sorted({*ROOT.glob("infra/**/*.html"), CATALOG / "index.html"})


def security_headers(path: str, origins: str = "") -> Mapping[str, str]:
    """Returns the headers that the CDN sets on answers to a path."""
    given = {"OidcOrigins": origins, "PapersOrigin": PAPERS, "DownloadsOrigin": DOWNLOADS}
    return distribution.read(given).behaviour(path).headers.always


@pytest.mark.parametrize("path", PAGES)
def test_a_page_loads_only_its_own_files_and_no_page_may_frame_it(path: str) -> None:
    headers = security_headers(path)
    directives = (directive.strip().partition(" ") for directive in headers["content-security-policy"].split(";"))
    of_members = path.startswith(("/boards", "/invite", "/unsubscribe", "/guest", "/paper")) or path == "/"
    policy = {name: value.strip() for name, _, value in directives}
    assert policy == (OF_MEMBERS if PAPERS in headers["content-security-policy"] else STRICT)
    assert of_members or policy == STRICT
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


def test_only_the_pages_for_members_may_connect_to_the_sign_in_provider() -> None:
    provider = "https://login.example.com"
    paths = ("/boards", "/invite/1f50599a", "/docs")
    policies = [security_headers(path, provider)["content-security-policy"] for path in paths]
    assert [provider in policy for policy in policies] == [True, True, False]
    assert f"connect-src 'self' {PAPERS} {provider};" in policies[0]


def test_an_answer_of_the_api_has_no_policy_of_pages() -> None:
    assert security_headers("/api/v1/whoami").keys() == {"strict-transport-security", "x-content-type-options"}


@pytest.mark.parametrize("file", HTML, ids=lambda file: str(file.relative_to(ROOT)))
def test_no_page_sets_in_its_markup_what_the_headers_set(file: Path) -> None:
    assert not re.search(r"http-equiv|name=.?referrer", file.read_text(), re.IGNORECASE)
