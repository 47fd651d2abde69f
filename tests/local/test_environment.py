"""The environment of the functions under `make run`."""

import os
from pathlib import Path

import pytest

from governance.settings import REQUEST_SECRETS, settings
from infra.local import environment
from infra.stack.template import Template


def test_every_variable_of_the_template_has_a_local_value() -> None:
    local = environment.functions_environment("http://127.0.0.1:8000", {})
    template = Template()
    assert {name for group in template.functions().values() for name in template.environment(group)} <= set(local)


def test_the_local_environment_is_enough_for_the_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    local = environment.functions_environment("http://127.0.0.1:8000", {})
    monkeypatch.setattr(os, "environ", local)
    assert settings.__wrapped__().root_url == "http://127.0.0.1:8000"


def test_the_secrets_of_a_service_are_random_and_outlive_a_restart(tmp_path: Path) -> None:
    first, other = (environment.kept_secrets(tmp_path / name) for name in ("first", "other"))
    assert environment.kept_secrets(tmp_path / "first") == first
    assert len({*first.values(), *other.values()}) == 2 * len(first)
    assert all(len(secret) >= 43 for secret in first.values())
    assert (tmp_path / "first").stat().st_mode & 0o777 == 0o600


def test_no_secret_but_the_one_of_sessions_is_public(tmp_path: Path) -> None:
    local = environment.functions_environment("http://127.0.0.1:8000", {})
    drawn = environment.kept_secrets(tmp_path / "kept")
    assert local.pop(REQUEST_SECRETS) == "", "functions have their secrets one by one here"
    others = {"LOG_SIGNING_KEY", "SEAL_SIGNING_KEY", "DOWNLOAD_KEY"}
    assert {name for name in local if "SECRET" in name} == {*drawn, "JWT_SECRET"} - others
