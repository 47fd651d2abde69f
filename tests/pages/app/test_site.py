"""The files of the pages, their addresses and headers; and what of them is tested without a browser."""

import json
import re
import shutil
import time
from collections.abc import Callable, Iterable
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

from governance.http import sessions
from governance.models.history.event import Event
from infra.local import app_pages
from infra.local.event import HttpRequest, HttpResponse
from infra.local.service import published, service
from infra.local.static_site import local_app_files
from infra.pages.app import bundle, site, texts_module
from infra.pages.app.bundle import Script, rooms
from infra.stack import env_file
from tests.harness.client import session
from tests.pages.app import node_tests

WEB = Path(site.__file__).parent / "web"
ROUTE = re.compile(r"page\('([^'*]+)', '")


def test_the_modules_pass_their_own_tests(tmp_path: Path) -> None:
    node_tests.run(tmp_path)


def test_every_address_of_the_views_has_the_page() -> None:
    routes = ROUTE.findall((WEB / "routes.js").read_text())
    assert len(routes) > 15
    for route in routes:
        assert site.object_path(re.sub(r":\w+", "299600e93bb8716da00c3619", route)) == site.PAGE, route


@pytest.mark.parametrize(
    "path", ["/boards.json", "/boardsx", "/guest", "/guest/a/b", "/paper/a/b", "/app", "/app/x", "/api/v1/boards"]
)
def test_other_addresses_have_not(path: str) -> None:
    assert site.object_path(path) == path
    assert app_pages.page(HttpRequest("GET", path, [])) is None


@cache
def modules() -> dict[str, bytes]:
    return site.modules()


@cache
def scripts() -> dict[str, Script]:
    return site.bundle_of(modules())


def closure(name: str, imported: Callable[[str], Iterable[str]]) -> set[str]:
    """Returns a name with all that it imports, directly or not."""
    reached, open_ = {name}, [name]
    while open_:
        more = set(imported(open_.pop())) - reached
        reached |= more
        open_ += more
    return reached


def asked_for(room: str) -> list[str]:
    """Returns the scripts that the page asks for before a view of a room is drawn, but the one with the texts."""
    return ["lib/start.js", "main.js", *rooms(scripts())[room]]


def test_whatever_the_page_names_is_there() -> None:
    files = site.app_site()
    page = files[site.PAGE].body.decode()
    named = re.findall(r'(?:href|src)="(/app/[^"]+)"', page)
    (by_room,) = re.findall(r"data-rooms='([^']+)'", page)
    assert {f"/app/{name.rpartition('/')[2]}" for name in named} >= {"/app/start.js", "/app/main.js", "/app/app.css"}
    assert {*named, *chain.from_iterable(json.loads(by_room).values())} <= files.keys()


def test_whatever_a_script_loads_is_there() -> None:
    files = site.app_site()
    loaded = r"""(?:from |import\(|import |new URL\()["'`](\.[^"'`]+)["'`]"""
    count = 0
    for path, file in files.items():
        if path.endswith(".js"):
            for name in re.findall(loaded, file.body.decode()):
                count += 1
                target = str((Path(path).parent / name.replace("${wanted}", "de")).resolve())
                assert target in files, f"{path} loads {name}"
    assert count > 90


def test_every_view_is_in_its_room() -> None:
    routes = re.findall(r"page\('[^']+', '(\w+)', '([\w-]+)'", (WEB / "routes.js").read_text())
    assert len(routes) > 30
    for name, room in routes:
        assert f"export {{ default as {name} }} from '../views/" in (WEB / f"rooms/{room}.js").read_text()
    assert {room for _, room in routes} == rooms(scripts()).keys()


def test_a_first_view_takes_four_scripts_with_its_texts_or_five_with_the_grid_of_votes() -> None:
    assert {room: len([*asked_for(room), "texts"]) for room in rooms(scripts())} == {
        **dict.fromkeys(rooms(scripts()), 4),
        "root": 5,
        "meetings": 5,
    }


def test_the_page_asks_for_every_script_that_a_view_imports() -> None:
    for room in rooms(scripts()):
        needed = closure(f"rooms/{room}.js", lambda name: scripts()[name].imports)
        assert needed == set(asked_for(room)), room


def test_no_module_is_in_two_scripts_and_none_in_no_script() -> None:
    placed = [module for script in scripts().values() for module in script.modules]
    assert sorted(placed) == sorted(set(placed))
    forwarding = {f"rooms/{room}.js" for room in rooms(scripts())}  # they name views and have no code
    own = {name for name in modules() if name.endswith(".js") and not name.startswith("messages/")}
    assert (own | {"lib/clock.js?worker"}) - forwarding == set(placed) - forwarding


def test_the_worker_of_all_tabs_loads_nothing_that_needs_a_page() -> None:
    assert closure("live-worker.js", lambda name: scripts()[name].imports) == {"live-worker.js", "lib/live-hub.js"}


def test_scripts_import_each_other_in_one_direction() -> None:
    for name, script in scripts().items():
        for imported in script.imports:
            assert name not in closure(imported, lambda name: scripts()[name].imports), (name, imported)


def test_the_same_modules_make_the_same_bytes() -> None:
    own = modules()
    assert site.bundle_of(dict(reversed(own.items()))) == scripts()


def test_the_licenses_of_what_is_served_are_served() -> None:
    (licenses,) = [file.body.decode() for path, file in site.app_site().items() if path.endswith("/licenses.txt")]
    used = {name.split("/")[1].removesuffix(".js") for name in modules() if re.fullmatch(r"vendor/.+\.js", name)}
    assert used == {"lit-html", "oauth4webapi", "uplot"}
    for name in used:
        assert f"{name}\n\n" in licenses
    assert licenses.count("Permission is hereby granted") == 4  # MIT thrice, and the font's
    assert "Redistribution and use" in licenses
    assert "SIL Open Font License" in licenses


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


@pytest.mark.usefixtures("store")
def test_this_machine_alone_is_told_new_sessions_of_demo_users(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    now = int(time.time())
    old = session("olivia@example.com", iat=now - 90, exp=now - 60)
    user = {"name": "Olivia Marsh", "email": "olivia@example.com", "role": "owner", "session": old, "token": "t"}
    (tmp_path / "demo.json").write_text(json.dumps({"users": [user]}))
    monkeypatch.setattr(env_file, "STATE", tmp_path)

    def demo(address: str) -> Any:
        answer = app_pages.page(HttpRequest("GET", site.CONFIG, [], address=address))
        assert answer is not None
        return json.loads(answer.body)["demo"]

    (shown,) = demo("127.0.0.1")
    assert demo("::1")[0].keys() == shown.keys() == user.keys() - {"token"}
    claims = sessions.claims(shown["session"])
    assert (claims["email"], claims["exp"] - claims["iat"]) == (user["email"], 30)
    assert claims["iat"] >= now
    assert demo("192.0.2.7") == []


@pytest.mark.parametrize("lacking", ["the packages", "the bundler", "Node.js"])
def test_without_what_it_is_made_with_a_page_says_how_to_get_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, lacking: str
) -> None:
    match lacking:
        case "the packages":
            monkeypatch.setattr(site, "_PACKAGES", tmp_path)
        case "the bundler":
            monkeypatch.setattr(bundle, "FOLDER", tmp_path)
        case _:
            monkeypatch.setattr(shutil, "which", lambda _: None)
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
    form = (WEB / "views/webhooks/webhook-form.js").read_text()
    subjects = form[form.index("SUBJECTS = ") : form.index("});")]
    offered = re.findall(r"(\w+): t\(", subjects)
    assert set(offered) == {event.partition(".")[0] for event in Event}


@pytest.mark.parametrize("folder", [Path(site.__file__).parent, Path(__file__).parent])
def test_the_lock_names_hashes_and_no_registry(folder: Path) -> None:
    lock = (folder / "package-lock.json").read_text()
    packages = {name: package for name, package in json.loads(lock)["packages"].items() if name}
    assert all(package["integrity"].startswith("sha512-") for package in packages.values())
    assert '"resolved"' not in lock
