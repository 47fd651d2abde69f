"""The files of the pages, their addresses and headers; and what of them is tested without a browser."""

import json
import os
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from governance.models.event import Event
from infra.local import app_pages
from infra.local.event import HttpRequest, HttpResponse
from infra.local.service import published, service
from infra.local.static_site import local_app_files
from infra.pages.app import site, texts_module
from infra.pages.app.build import build
from infra.stack import env_file
from tests.harness.programs import packages, program

WEB = Path(site.__file__).parent / "web"
MODULES = Path(__file__).with_name("modules")
ROUTE = re.compile(r"page\('([^'*]+)', '")


def test_the_modules_pass_their_own_tests(tmp_path: Path) -> None:
    build(tmp_path)
    packages(Path(__file__).parent)
    tests = [str(path) for path in sorted(MODULES.glob("*.test.mjs"))]
    environment = {**os.environ, "PAGES_WEB": str(tmp_path), "LC_ALL": "en_GB.UTF-8"}
    command = [program("node"), "--test", "--test-reporter", "spec", *tests]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)  # noqa: S603 - ours
    assert done.returncode == 0, done.stdout.rpartition("failing tests:")[2]


def test_every_address_of_the_views_has_the_page() -> None:
    routes = ROUTE.findall((WEB / "routes.js").read_text())
    assert len(routes) > 15
    for route in routes:
        assert site.object_path(re.sub(r":\w+", "299600e93bb8716da00c3619", route)) == site.PAGE, route


@pytest.mark.parametrize(
    "path", ["/boards.json", "/boardsx", "/guest", "/guest/a/b", "/app", "/app/x", "/api/v1/boards"]
)
def test_other_addresses_have_not(path: str) -> None:
    assert site.object_path(path) == path
    assert app_pages.page(HttpRequest("GET", path, [])) is None


def test_whatever_the_page_names_is_there() -> None:
    files = site.app_site()
    named = re.findall(r'(?:href|src)="(/app/[^"]+)"', files[site.PAGE].body.decode())
    assert len(named) > 10
    assert set(named) <= files.keys()


def test_every_module_that_is_imported_is_there() -> None:
    files = site.app_site()
    for path, file in files.items():
        if "/vendor/" in path or not path.endswith(".js"):
            continue
        for name in re.findall(r"""(?:from|import\() ?'(\.[^']+)'""", file.body.decode()):
            target = str((Path(path).parent / name).resolve())
            assert target in files, f"{path} imports {name}"


def test_all_that_a_view_imports_is_asked_for_with_it() -> None:
    found = site.modules()["lib/needs.js"].decode()
    needs = json.loads(found.removeprefix("export const NEEDS = ").rstrip(";\n"))
    assert set(needs) == set(re.findall(r"page\('[^']+', '([\w-]+)'", (WEB / "routes.js").read_text()))
    assert {"views/meeting.js", "views/meeting-grid.js", "views/meeting-form.js", "lib/ranking.js"} <= set(
        needs["meeting"]
    )
    assert "lib/ui.js" not in needs["meeting"]
    assert all(name in site.modules() for names in needs.values() for name in names)


def test_the_page_asks_for_what_its_start_imports_and_for_nothing_of_single_views() -> None:
    page = site.app_site()[site.PAGE].body.decode()
    asked = set(re.findall(r'"modulepreload" href="/app/[0-9a-f]+/([^"]+)"', page))
    started = set(re.findall(r"from '\./([^']+)';$", (WEB / "main.js").read_text(), re.MULTILINE))
    assert started < asked
    assert asked <= site.modules().keys()
    assert not asked & {"lib/minutes-draft.js", "lib/guest-answers.js", "lib/typed-cells.js", "vendor/uplot.js"}


def test_what_a_language_lacks_is_english(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "en.json").write_text('{"a": "One", "b": "Two"}')
    (tmp_path / "de.json").write_text('{"b": "Zwei"}')
    monkeypatch.setattr(texts_module, "FOLDER", tmp_path)
    assert texts_module.texts_modules() == {
        "messages/de.js": b'export default {"a":"One","b":"Zwei"};\n',
        "messages/en.js": b'export default {"a":"One","b":"Two"};\n',
    }


def test_an_address_changes_with_the_contents_and_may_be_kept_for_good() -> None:
    assert site.digest({"a.js": b"1"}) != site.digest({"a.js": b"2"}) != site.digest({"b.js": b"2"})
    lasting = {path for path in site.app_site() if "immutable" in site.cache_control(path)}
    assert site.app_site().keys() - lasting == {site.PAGE, site.SHARED_FONT}
    assert site.cache_control(site.CONFIG) == "no-cache"


def test_no_file_refers_to_a_source_map_that_is_not_there() -> None:
    assert [path for path, file in site.app_site().items() if b"sourceMappingURL" in file.body] == []


def test_demo_users_are_named_by_make_run_alone() -> None:
    assert json.loads(site.config().body) == {"oidc": None, "demo": []}
    oidc = {"issuer": "https://login.example.com", "clientId": "pages"}
    assert json.loads(site.config(oidc).body) == {"oidc": oidc, "demo": []}


def test_only_this_machine_is_told_the_sessions_of_demo_users(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    user = {"name": "Olivia Marsh", "email": "olivia@example.com", "role": "owner", "session": "s", "token": "t"}
    (tmp_path / "demo.json").write_text(json.dumps({"users": [user]}))
    monkeypatch.setattr(env_file, "STATE", tmp_path)

    def demo(address: str) -> Any:
        answer = app_pages.page(HttpRequest("GET", site.CONFIG, [], address=address))
        assert answer is not None
        return json.loads(answer.body)["demo"]

    assert demo("127.0.0.1") == demo("::1") == [{name: value for name, value in user.items() if name != "token"}]
    assert demo("192.0.2.7") == []


def test_without_its_packages_a_page_says_how_to_get_them(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(site, "_PACKAGES", tmp_path)
    site.app_site.cache_clear()
    try:
        answer = service(lambda _: HttpResponse(404, []), published(local_app_files()))(
            HttpRequest("GET", "/boards", [])
        )
    finally:
        monkeypatch.undo()
        site.app_site.cache_clear()
    assert answer.body.decode().strip() == site.HELP


def test_webhooks_can_be_asked_for_every_kind_of_event() -> None:
    form = (WEB / "views/webhook-form.js").read_text()
    subjects = form[form.index("SUBJECTS = ") : form.index("});")]
    offered = re.findall(r"(\w+): t\(", subjects)
    assert set(offered) == {event.partition(".")[0] for event in Event}


@pytest.mark.parametrize("folder", [Path(site.__file__).parent, Path(__file__).parent])
def test_the_lock_names_hashes_and_no_registry(folder: Path) -> None:
    lock = (folder / "package-lock.json").read_text()
    packages = {name: each for name, each in json.loads(lock)["packages"].items() if name}
    assert all(each["integrity"].startswith("sha512-") for each in packages.values())
    assert '"resolved"' not in lock
