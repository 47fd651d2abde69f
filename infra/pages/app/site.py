"""The files of the pages for members and guests, by their path in the bucket."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from infra.frame.frame import framed, with_base
from infra.openapi.site import File
from infra.pages.app import api_module, formulas_module, icons_module, needs_module, service_module, texts_module

ROOT = "/app"
CONFIG = f"{ROOT}/config.json"
PAGE = f"{ROOT}/index.html"
_FOLDER = Path(__file__).parent
_WEB = _FOLDER / "web"
_PACKAGES = _FOLDER / "node_modules"
FONT = "figtree.woff2"
SHARED_FONT = f"{ROOT}/{FONT}"
"""Where the documentation and the catalog find the font; their styles do not change with the pages."""
# What the pages load of each package, under `vendor/`.
_VENDOR = {
    "lit-html/lit-html.js": "lit-html/lit-html.js",
    "lit-html/directive.js": "lit-html/directive.js",
    "lit-html/directive-helpers.js": "lit-html/directive-helpers.js",
    "lit-html/directives/keyed.js": "lit-html/directives/keyed.js",
    "lit-html/directives/live.js": "lit-html/directives/live.js",
    "lit-html/directives/repeat.js": "lit-html/directives/repeat.js",
    "oauth4webapi.js": "oauth4webapi/build/index.js",
    "uplot.js": "uplot/dist/uPlot.esm.js",
    "uplot.css": "uplot/dist/uPlot.min.css",
    FONT: "@fontsource-variable/figtree/files/figtree-latin-wght-normal.woff2",
}
_ICONS = "heroicons/24/outline"
_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".woff2": "font/woff2",
}
_COMMENT_LINES = re.compile(rb"^[ \t]*(?://[^\n]*|/\*\*.*?\*/)\n", re.MULTILINE | re.DOTALL)
_OWN = {".css", ".js", ".png", ".svg"}
_SOURCE_MAP = re.compile(rb"^//# sourceMappingURL=.*$", re.MULTILINE)
# What the template library imports of itself, in files of a form of their own.
_TEMPLATES = (
    "vendor/lit-html/lit-html.js",
    "vendor/lit-html/directive.js",
    "vendor/lit-html/directive-helpers.js",
    "vendor/lit-html/directives/keyed.js",
    "vendor/lit-html/directives/live.js",
    "vendor/lit-html/directives/repeat.js",
)
# The addresses of the views, as `web/routes.js` has them.
_VIEW = re.compile(
    r"/|/app/(sign-in|callback|for-you|notifications|action-items|account)|/boards(/[^.]*)?|/(guest|invite|unsubscribe)/[^/.]+"
)
_ASSET = re.compile(rf"{ROOT}/[0-9a-f]{{16}}/.+")


HELP = "The pages need packages that are not installed. Install Node.js with npm, then run `make pages`."


class MissingPackagesError(Exception):
    """The packages of the pages are not installed. The message says how to install them."""


@cache
def app_site() -> dict[str, File]:
    """Returns every file of the pages by its path; all but the page lie under a name that is made of their contents.

    Raises `MissingPackagesError`.
    """
    served = modules()
    base = f"{ROOT}/{digest(served)}"
    files = {f"{base}/{name}": File(body, _TYPES[Path(name).suffix]) for name, body in served.items()}
    font = File(served[f"vendor/{FONT}"], _TYPES[".woff2"])
    return {**files, SHARED_FONT: font, PAGE: File(_index(base, served), _TYPES[".html"])}


def digest(modules: Mapping[str, bytes]) -> str:
    """Returns a name for these contents that changes with any byte of them."""
    summed = hashlib.sha256()
    for name, body in sorted(modules.items()):
        summed.update(f"{name}\n{len(body)}\n".encode() + body)
    return summed.hexdigest()[:16]


def object_path(path: str) -> str:
    """Returns the path of the object that answers `path`; every view gets the same page.

    `infra/cdn/app.js` has the same rule.
    """
    return PAGE if _VIEW.fullmatch(path) else path


def cache_control(path: str) -> str:
    """Returns how long an object may be cached: for good where its path is made of its contents, else not unasked."""
    return "public, max-age=31536000, immutable" if _ASSET.fullmatch(path) else "no-cache"


def config(oidc: Mapping[str, str] | None = None, demo: Iterable[Mapping[str, str]] = ()) -> File:
    """Returns what an installation says about itself: its OpenID Connect client and, locally, its demo users."""
    content: dict[str, Any] = {"oidc": oidc, "demo": list(demo)}
    return File(json.dumps(content).encode(), "application/json")


def modules() -> dict[str, bytes]:
    """Returns the styles, the scripts, the icons and what they load of the packages, by name; without the page itself.

    Raises `MissingPackagesError`.
    """
    own = {str(path.relative_to(_WEB)): _without_comments(path) for path in _WEB.rglob("*") if path.suffix in _OWN}
    own["app.css"] = with_base(own["app.css"])
    scripts = {name: body.decode() for name, body in own.items() if name.endswith(".js")}
    own[api_module.NAME] = api_module.api_module(scripts.values())
    own[service_module.NAME] = service_module.service_module()
    own[formulas_module.NAME] = formulas_module.formulas_module()
    own[icons_module.NAME] = _icons(scripts.values())
    own[needs_module.NAME] = needs_module.needs_module(scripts["routes.js"], scripts, set(_first(scripts)))
    own |= texts_module.texts_modules()
    return own | {f"vendor/{name}": _packaged(source) for name, source in _VENDOR.items()}


def _without_comments(path: Path) -> bytes:
    """Returns a module without its lines of comments: they are for those who change it, and weigh on a first view."""
    return _COMMENT_LINES.sub(b"", path.read_bytes()) if path.suffix == ".js" else path.read_bytes()


def _icons(scripts: Iterable[str]) -> bytes:
    try:
        return icons_module.icons_module(scripts, _PACKAGES / _ICONS)
    except FileNotFoundError:
        if (_PACKAGES / _ICONS).is_dir():
            raise
        raise MissingPackagesError(HELP) from None


def _packaged(source: str) -> bytes:
    try:
        body = (_PACKAGES / source).read_bytes()
    except FileNotFoundError:
        raise MissingPackagesError(HELP) from None
    return _SOURCE_MAP.sub(b"", body) if source.endswith((".css", ".js")) else body


def _first(scripts: Mapping[str, str]) -> list[str]:
    """Returns the modules that every view needs, asked for with the page and not one after the other."""
    started = needs_module.closure("main.js", scripts) - {"main.js", *_TEMPLATES}
    return [*_TEMPLATES, *sorted(started)]


def _index(base: str, modules: Mapping[str, bytes]) -> bytes:
    scripts = {name: modules[name].decode() for name in modules if re.fullmatch(r"(lib/)?[\w-]+\.js", name)}
    links = "\n  ".join(f'<link rel="modulepreload" href="{base}/{name}">' for name in _first(scripts))
    page = (_WEB / "index.html").read_text(encoding="utf-8")
    return framed(page.replace("{preloads}", links).replace("{base}", base).encode())
