"""Each function is given the secrets that its routes use, and no others; one that it lacks keeps it from starting."""

import json
import re
from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

import pytest

from governance.http.api import Api
from governance.http.route import Access
from governance.models.page import CursorQuery
from governance.settings import REQUEST_SECRETS, MissingSecretError, Secret, Settings, settings
from governance.store import dynamodb
from governance.usecases.boards import boards
from governance.usecases.invites import invite_emails
from governance.usecases.meetings import guests
from infra.stack.template import ROOT, Template
from tests.harness.client import APIS, HANDLERS

TEMPLATE = Template()


def given(group: str) -> set[str]:
    """Returns the secrets in the environment of a group's function."""
    return TEMPLATE.secrets(group) & set(Secret)


@pytest.mark.parametrize("group", sorted(HANDLERS))
def test_a_function_has_the_secrets_of_its_routes_and_no_others(group: str) -> None:
    served = APIS.values() if group == "mcp" else [APIS[group]]  # agents call the routes of every group
    assert given(group) == {Secret.ORIGIN}.union(*(route.secrets for api in served for route in api.routes))


@pytest.mark.parametrize(
    ("group", "secrets"),
    [
        *((group, set()) for group in ("events", "inbound", "webhook_sender", "ringer")),
        *((group, {Secret.ORIGIN}) for group in ("guests", "calendar", "fallback", "live")),  # strangers reach them
        ("exporter", {Secret.BALLOT}),
        ("deliveries", {Secret.INVITE_LINK, Secret.BALLOT}),  # it signs the links of mails, and counts secret ballots
    ],
)
def test_a_function_that_serves_nobody_or_everybody_has_the_secrets_of_its_work(group: str, secrets: set[str]) -> None:
    assert given(group) == secrets


def test_a_route_declares_the_secrets_that_serving_it_takes() -> None:
    for api in APIS.values():
        for route in api.routes:
            assert (Secret.SESSION in route.secrets) == (route.admission.scope is not Access.PUBLIC)
            assert (Secret.CURSOR in route.secrets) == (
                route.query is not None and issubclass(route.query, CursorQuery)
            )
            assert (Secret.INVITE_LINK in route.secrets) == (
                route.usecase is invite_emails.send_invite or "/unsubscribe/" in route.path
            )


def test_code_reads_a_secret_only_where_the_routes_account_for_it() -> None:
    library = ROOT / "shared/governance"
    readers = {
        (name, path.relative_to(library).as_posix())
        for path in library.rglob("*.py")
        for name in re.findall(r"settings\(\)\.secret\(Secret\.(\w+)\)", path.read_text())
    }
    assert readers == {
        ("CURSOR", "http/cursors.py"),
        ("DOWNLOAD", "store/downloads.py"),
        ("BALLOT", "store/resolutions/secret_choices.py"),
        ("INVITE_LINK", "usecases/invites/invite_emails.py"),
        ("INVITE_LINK", "usecases/notifications/unsubscribing.py"),
        ("INVITE_LINK", "mail/unsubscribing.py"),
        ("INVITE_LINK", "deliveries/meetings/personal_links.py"),
    }
    assert not any(
        re.search(r"\.(cursor|invite_link|ballot)_secret", path.read_text())
        for path in library.rglob("*.py")
        if path.name != "settings.py"
    )


def test_the_session_secret_is_not_resolved_where_a_key_set_is_configured() -> None:
    shared = TEMPLATE.resources("AWS::SecretsManager::Secret")["RequestSecrets"]["SecretString"]["Fn::Sub"][1]
    own = [TEMPLATE.environment(group).get("JWT_SECRET") for group in TEMPLATE.functions().values()]
    for value in [shared["Session"], *filter(None, own)]:
        assert value["Fn::If"][:2] == ["HasKeySet", ""]
    named = {"Fn::Not": [{"Fn::Equals": [{"Ref": "JwksUrl"}, ""]}]}
    assert TEMPLATE.document["Conditions"]["HasKeySet"] == {"Fn::Or": [{"Condition": "HasUserPool"}, named]}


def environment(monkeypatch: pytest.MonkeyPatch, **variables: str) -> Settings:
    """Returns the settings of a function in Lambda with these secrets and no others."""
    base = {"TABLE_NAME": "table", "ROOT_URL": "https://x", "JWT_ISSUER": "issuer", "JWT_AUDIENCE": "audience"}
    for name in {*Secret, REQUEST_SECRETS, "JWKS_URL"}:
        monkeypatch.delenv(name, raising=False)
    for name, value in (base | variables).items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("AWS_LAMBDA_INITIALIZATION_TYPE", "on-demand")
    monkeypatch.setattr(dynamodb, "client", lambda: None)
    settings.cache_clear()
    return settings()


@pytest.fixture(autouse=True)
def _fresh_settings() -> Any:
    yield
    settings.cache_clear()


def public_route() -> None:
    Api().get("/api/v1/guest/{token}", guests.get_guest_meeting, scope=Access.PUBLIC, response_model=object)


def list_route() -> None:
    """Declares a route that takes a session, and makes cursors."""
    Api().get("/x", boards.list_boards, scope=Access.AUTHENTICATED, query=CursorQuery, response_model=object)


def shared(**secrets: str) -> dict[str, str]:
    """Returns the variable with the secrets that most functions share."""
    return {REQUEST_SECRETS: json.dumps({"revision": "1"} | secrets)}


@pytest.mark.parametrize(
    ("declare", "variables", "starts"),
    [
        (public_route, {"ORIGIN_SECRETS": "a,b"}, True),
        (list_route, {"ORIGIN_SECRETS": "a", "CURSOR_SECRET": "c", "JWT_SECRET": "s"}, True),
        (list_route, {"ORIGIN_SECRETS": "a", "CURSOR_SECRET": "c", "JWKS_URL": "https://example.com/keys"}, True),
        (list_route, {"ORIGIN_SECRETS": "a", "CURSOR_SECRET": "c"}, False),
        (list_route, {"ORIGIN_SECRETS": "a", "JWT_SECRET": "s"}, False),
        (list_route, {"ORIGIN_SECRETS": "a", "JWT_SECRET": "", "JWKS_URL": "", "CURSOR_SECRET": "c"}, False),
        (list_route, {"JWT_SECRET": "s", "CURSOR_SECRET": "c"}, False),
        (list_route, shared(ORIGIN_SECRETS="a,b", CURSOR_SECRET="c", JWT_SECRET="s"), True),
        (list_route, shared(ORIGIN_SECRETS="a,b", CURSOR_SECRET="", JWT_SECRET="s"), False),
    ],
)
def test_a_function_starts_with_the_secrets_that_it_needs_and_not_without_one(
    monkeypatch: pytest.MonkeyPatch, declare: Callable[[], None], variables: dict[str, str], *, starts: bool
) -> None:
    environment(monkeypatch, **variables)
    with nullcontext() if starts else pytest.raises(MissingSecretError):
        declare()


def test_an_empty_secret_is_never_used_as_a_key(monkeypatch: pytest.MonkeyPatch) -> None:
    values = environment(monkeypatch, ORIGIN_SECRETS="a")
    for name in (Secret.CURSOR, Secret.INVITE_LINK):
        with pytest.raises(MissingSecretError, match=name):
            values.secret(name)


@pytest.mark.parametrize(
    ("url", "accepted"),
    [
        *((url, False) for url in ("http://example.com/keys", "ftp://example.com/", "file:///keys", "keys")),
        *((url, True) for url in ("", "https://example.com/keys")),
    ],
)
def test_a_key_set_is_fetched_by_https_alone(monkeypatch: pytest.MonkeyPatch, url: str, *, accepted: bool) -> None:
    expected = nullcontext() if accepted else pytest.raises(ValueError, match="JWKS_URL must be an https URL")
    with expected:
        assert environment(monkeypatch, JWKS_URL=url).jwks_url == url
    assert bool(re.fullmatch(TEMPLATE.document["Parameters"]["JwksUrl"]["AllowedPattern"], url)) is accepted


@pytest.mark.parametrize("host", ["127.0.0.1:8080", "localhost", "[::1]:8080"])
def test_this_machine_may_serve_a_key_set_over_http(monkeypatch: pytest.MonkeyPatch, host: str) -> None:
    assert environment(monkeypatch, JWKS_URL=f"http://{host}/keys").jwks_url


def test_the_stack_requires_verified_addresses_unless_its_operator_waives_them() -> None:
    assert TEMPLATE.environment()["REQUIRE_EMAIL_VERIFIED"] == {"Ref": "RequireEmailVerified"}
    parameter = TEMPLATE.document["Parameters"]["RequireEmailVerified"]
    assert (parameter["Default"], parameter["AllowedValues"]) == ("true", ["true", "false"])
