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
from infra.pages.app import api_module, icons_module, kpis_module, service_module, texts_module
from infra.pages.app.bundle import Script, bundle, rooms

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
_LICENSES = {
    "lit-html": "LICENSE",
    "oauth4webapi": "LICENSE.md",
    "uplot": "LICENSE",
    "heroicons": "LICENSE",
    "@fontsource-variable/figtree": "LICENSE",
}
_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".woff2": "font/woff2",
}
_OWN = {".css", ".js", ".png", ".svg"}
# The addresses of the views, as `web/routes.js` has them.
_VIEW = re.compile(
    r"/|/app/(sign-in|callback|for-you|notifications|action-items|account)|/boards(/[^.]*)?|/(guest|invite|paper|unsubscribe)/[^/.]+"
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
    own = modules()
    scripts = bundle_of(own)
    served = {name: body for name, body in own.items() if not name.endswith(".js") or name.startswith("messages/")}
    served |= {name: script.code.encode() for name, script in scripts.items()}
    base = f"{ROOT}/{digest(served)}"
    files = {f"{base}/{name}": File(body, _TYPES[Path(name).suffix]) for name, body in served.items()}
    font = File(served[f"vendor/{FONT}"], _TYPES[".woff2"])
    return {**files, SHARED_FONT: font, PAGE: File(_index(base, scripts), _TYPES[".html"])}


def bundle_of(modules: Mapping[str, bytes]) -> dict[str, Script]:
    """Returns the scripts that are served by name. Raises `MissingPackagesError`."""
    try:
        return bundle({name: body.decode() for name, body in modules.items() if name.endswith(".js")})
    except FileNotFoundError:
        raise MissingPackagesError(HELP) from None


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
    """Returns how long an object may be cached: for good if its path is made of its contents, else revalidated."""
    return "public, max-age=31536000, immutable" if _ASSET.fullmatch(path) else "no-cache"


def config(oidc: Mapping[str, str] | None = None, demo: Iterable[Mapping[str, str]] = ()) -> File:
    """Returns what an installation says about itself: its OpenID Connect client and, locally, its demo users."""
    content: dict[str, Any] = {"oidc": oidc, "demo": list(demo)}
    return File(json.dumps(content).encode(), "application/json")


def modules() -> dict[str, bytes]:
    """Returns the styles, the modules, the icons and what they load of the packages, by name; without the page itself.

    Raises `MissingPackagesError`.
    """
    own = {str(path.relative_to(_WEB)): path.read_bytes() for path in _WEB.rglob("*") if path.suffix in _OWN}
    own["app.css"] = with_base(own["app.css"])
    scripts = {name: body.decode() for name, body in own.items() if name.endswith(".js")}
    own[api_module.NAME] = api_module.api_module(scripts.values())
    own[service_module.NAME] = service_module.service_module()
    own[kpis_module.NAME] = kpis_module.kpis_module()
    own[icons_module.NAME] = _icons(scripts.values())
    own |= texts_module.texts_modules()
    own["licenses.txt"] = b"\n".join(
        f"{name}\n\n".encode() + _packaged(f"{name}/{file}") for name, file in _LICENSES.items()
    )
    return own | {f"vendor/{name}": _packaged(source) for name, source in _VENDOR.items()}


def _icons(scripts: Iterable[str]) -> bytes:
    try:
        return icons_module.icons_module(scripts, _PACKAGES / _ICONS)
    except FileNotFoundError:
        if (_PACKAGES / _ICONS).is_dir():
            raise
        raise MissingPackagesError(HELP) from None


def _packaged(source: str) -> bytes:
    try:
        return (_PACKAGES / source).read_bytes()
    except FileNotFoundError:
        raise MissingPackagesError(HELP) from None


def _index(base: str, scripts: Mapping[str, Script]) -> bytes:
    needed = {room: [f"{base}/{name}" for name in names] for room, names in rooms(scripts).items()}
    page = (_WEB / "index.html").read_text(encoding="utf-8")
    return framed(page.replace("{rooms}", json.dumps(needed, separators=(",", ":"))).replace("{base}", base).encode())
