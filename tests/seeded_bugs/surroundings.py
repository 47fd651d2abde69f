"""Bugs in what surrounds the functions: secrets, the CDN, `make run`, `make reset`, `make audit` and the pages."""

from __future__ import annotations

from governance import settings
from governance.http import api
from infra.local import engine_clients, environment, hosts, mail, reset, run
from infra.policy import audit
from infra.stack import env_file
from tests.seeded_bugs.bug import ROOT, Bug

_SECRETS = "tests/contract/test_secrets.py"
_PAGES = ROOT / "infra/pages/app/web"
_OF_PAGES = "tests/pages/app/test_site.py::test_the_modules_pass_their_own_tests"

BUGS = (
    Bug(
        "any web page reads the data of the local engine",
        engine_clients.WithoutPages._is_of_page,
        '"origin" in headers or headers.get("host", "")',
        'headers.get("host", "")',
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
        "the second save on a page overwrites what it has not shown",
        _PAGES / "lib/api.js",
        "else if (tag) this.#tags.set(path, tag);",
        "else if (tag) this.#tags.delete(path);",
        _OF_PAGES,
    ),
    Bug(
        "a page keeps the tag of an answer that it does not show",
        _PAGES / "lib/api.js",
        "if (tag && turn === this.#turns.get(path))",
        "if (tag)",
        _OF_PAGES,
    ),
    Bug(
        "a page keeps showing the answer to a change that has no tag",
        _PAGES / "lib/api.js",
        "else return this.#send('GET', address).catch(() => answer);",
        "else this.#tags.delete(path);",
        _OF_PAGES,
    ),
    Bug(
        "a list of a page has a gap where it was loaded anew",
        _PAGES / "lib/state.js",
        "if (this.data.next === next) this.set",
        "this.set",
        _OF_PAGES,
    ),
    Bug(
        "a page without session storage does not start",
        _PAGES / "lib/storage.js",
        "return new MemoryStorage();",
        "return view.sessionStorage;",
        _OF_PAGES,
    ),
    Bug(
        "a key set is fetched by plain http from anywhere",
        settings._key_set_url,
        'if value and url.scheme != "https" and not (url.scheme == "http" and url.hostname in _LOOPBACK):',
        'if value and url.scheme not in ("https", "http"):',
        f"{_SECRETS}::test_a_key_set_that_is_not_fetched_by_https_is_refused",
    ),
    Bug(
        "a function starts without a secret that its routes use",
        api.Api.route,
        "            settings().require(added.secrets)\n",
        "            pass\n",
        f"{_SECRETS}::test_a_function_does_not_start_without_a_secret_that_it_needs",
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
        api.check_origin,
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
    Bug(
        "a restart of make run draws new secrets",
        environment.kept_secrets,
        "_drawn_secrets() | env_file.read(file)",
        "env_file.read(file) | _drawn_secrets()",
        "tests/local/test_environment.py::test_the_secrets_of_a_service_are_random_and_outlive_a_restart",
    ),
    Bug(
        "the links of make run are signed with a public constant",
        environment._drawn_secrets,
        "name: secrets.token_urlsafe(32)",
        'name: f"local-{name}"',
        "tests/local/test_environment.py::test_the_secrets_of_a_service_are_random_and_outlive_a_restart",
    ),
    Bug(
        "make run answers to any host name",
        hosts._is_served,
        "    if asked is None or served is None:\n        return False\n",
        "    if asked is None or served is None:\n        return True\n",
        "tests/local/test_hosts.py",
    ),
    Bug(
        "a page of the web sends e-mails by a path that it knows",
        mail.Outbox.__init__,
        'f"{_SERVICE_PATH}/{secrets.token_urlsafe(24)}"',
        "_SERVICE_PATH",
        "tests/local/test_mail.py::test_only_who_knows_the_path_of_this_run_can_send",
    ),
    Bug(
        "a call without an e-mail crashes the mail service",
        mail._raw_email,
        "except (ValueError, KeyError, TypeError):",
        "except ValueError:",
        "tests/local/test_mail.py",
    ),
    Bug(
        "other machines read the e-mails",
        mail.Outbox.page,
        "        if not is_loopback(request.address):\n            return None\n",
        "",
        "tests/local/test_mail.py",
    ),
    Bug(
        "make reset deletes the data of another service",
        env_file,
        'STATE = Path(os.environ.get("LOCAL_STATE", ROOT / ".local"))',
        'STATE = ROOT / ".local"',
        "tests/local/test_reset.py::test_the_folder_is_the_one_of_the_setting",
    ),
    Bug(
        "make reset deletes the folders of another project",
        reset.reset,
        "if not (state / LOCK).is_file() and",
        "if (state / LOCK).is_file() and not",
        "tests/local/test_reset.py::test_a_folder_of_another_project_is_left_alone",
    ),
    Bug(
        "make reset deletes the data of a service that runs",
        reset.reset,
        "    with exclusive_lock(state):\n",
        "    if state.exists():\n",
        "tests/local/test_reset.py::test_a_folder_in_use_is_left_alone",
    ),
    Bug(
        "an audit that asked nobody passes",
        audit.main,
        "return int(has_findings or (is_offline and not _may_be_offline()))",
        "return int(has_findings)",
        "tests/policy/test_audit.py::test_an_audit_without_a_service_fails_and_says_so",
    ),
    Bug(
        "packages of npm are not audited",
        audit.lock_files,
        'for part in ("infra", "tests"):',
        "for part in ():",
        "tests/policy/test_audit.py::test_every_lock_file_that_make_writes_is_audited",
    ),
    Bug(
        "the setting for machines without access excuses vulnerabilities",
        audit.main,
        "return int(has_findings or (is_offline and not _may_be_offline()))",
        "return int((has_findings or is_offline) and not _may_be_offline())",
        "tests/policy/test_audit.py::test_the_setting_excuses_no_vulnerability",
    ),
)
