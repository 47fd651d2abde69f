"""Bugs in what surrounds the functions: secrets, the CDN, `make run`, `make reset`, `make audit` and the pages."""

from __future__ import annotations

from governance import settings
from governance.http import serving
from infra.local import engine_clients, run
from tests.seeded_bugs.bug import Bug

_SECRETS = "tests/contract/test_secrets.py"

BUGS = (
    Bug(
        "any web page reads the data of the local engine",
        engine_clients.WithoutPages._is_of_page,
        'if "origin" in headers:',
        "if False:",
        "tests/local/test_engine_clients.py",
    ),
    Bug(
        "a page whose name points to this machine reads the data of the local engine",
        engine_clients.WithoutPages._is_of_page,
        '.rpartition(":")[0] not in self._hosts',
        '.rpartition(":")[0] == ""',
        "tests/local/test_engine_clients.py",
    ),
    Bug(
        "a key set is fetched by plain http from anywhere",
        settings._key_set_url,
        'if value and url.scheme != "https" and not (url.scheme == "http" and url.hostname in _LOOPBACK):',
        'if value and url.scheme not in ("https", "http"):',
        f"{_SECRETS}::test_a_key_set_that_is_not_fetched_by_https_is_refused",
    ),
    Bug(
        "an empty secret is a key",
        settings.Settings.secret,
        "        self.require([name])\n",
        "",
        f"{_SECRETS}::test_an_empty_secret_is_never_used_as_a_key",
    ),
    Bug(
        "a request that bypasses the CDN is served",
        serving.check_origin,
        "if accepted and not any(",
        "if accepted and any(",
        "tests/http/test_api.py::test_only_the_cdn_is_served",
    ),
    Bug(
        "make run serves other machines with the public secret",
        run.parse_address,
        'given.get("JWT_SECRET", "") in {"", environment.JWT_SECRET}',
        'given.get("JWT_SECRET", environment.JWT_SECRET) == ""',
        "tests/local/test_run.py::test_a_host_that_other_machines_reach_needs_a_secret_of_its_own",
    ),
)
