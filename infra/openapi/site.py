"""The files of `/openapi.json`, `/asyncapi.json`, `/arazzo` and `/docs`, where Swagger UI shows the first."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from string import Template

from infra.frame.frame import framed, with_font
from infra.openapi import arazzo, asyncapi
from infra.openapi.document import FILE
from infra.openapi.numbers import numbers

_OWN = Path(__file__).parent / "docs"
_RENDERER = files("flask_swagger_ui").joinpath("dist")
_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
}


@dataclass(frozen=True)
class File:
    """A file of the site, with its content type."""

    body: bytes
    content_type: str


@cache
def site() -> dict[str, File]:
    """Returns every file of the site by its path."""
    own = {f"/docs/{path.name}": _own(path) for path in sorted(_OWN.iterdir())}
    renderer = {
        f"/docs/{name}": _RENDERER.joinpath(name).read_bytes() for name in ("swagger-ui-bundle.js", "swagger-ui.css")
    }
    bodies = {**own, **renderer, "/openapi.json": FILE.read_bytes()}
    return {path: File(body, _TYPES[Path(path).suffix or ".html"]) for path, body in bodies.items()}


def installation_files(root_url: str) -> dict[str, File]:
    """Returns the documents that name the address of an installation, by path: its live channel, its workflows."""
    texts = {"/asyncapi.json": asyncapi.text(root_url), **arazzo.texts(root_url)}
    return {path: File(text.encode(), _TYPES[".json"]) for path, text in texts.items()}


def _own(path: Path) -> bytes:
    made = {".css": with_font, ".html": _page}.get(path.suffix)
    return made(path.read_bytes()) if made else path.read_bytes()


def _page(page: bytes) -> bytes:
    """Returns a page in the shared frame, with each number of the code that it quotes by name."""
    return framed(Template(page.decode()).substitute(numbers()).encode())


def main(root_url: str, folder: str) -> None:
    """Writes the documents of an installation into a folder, for their linters."""
    for path, file in installation_files(root_url).items():
        target = Path(folder) / path.removeprefix("/")
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(file.body)


if __name__ == "__main__":
    main(*sys.argv[1:])
