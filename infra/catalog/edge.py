"""Writes the released records into the CDN's function, which answers 404 in the error envelope for every other path.

The function runs at the edge and cannot look up objects, so each release adds the records of a version to it.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

from infra.catalog.releases import Release

FUNCTION = Path(__file__).parent.parent / "cdn" / "ontology.js"
MAX_BYTES = 10_000
_TABLE = re.compile(r"(?<=// released: begin\n).*?(?=// released: end)", re.DOTALL)


def table(releases: list[Release]) -> str:
    """Returns the constant `RELEASED`: for each version, oldest first, the slugs that it added by domain."""
    lines, known = [], set[str]()
    for release in reversed(releases):
        added: dict[str, list[str]] = {}
        for rogue_id in release.ids:
            domain, slug = rogue_id.split(".")
            if rogue_id not in known:
                added.setdefault(domain, []).append(slug)
        known.update(release.ids)
        slugs = [f"    {domain}: {json.dumps(' '.join(names))},\n" for domain, names in added.items()]
        lines.append(f"  {json.dumps(release.version)}: {{\n{''.join(slugs)}  }},\n")
    return "const RELEASED = {\n" + "".join(lines) + "};\n"


def with_table(code: str, releases: list[Release]) -> str:
    """Returns the function's code with the table of these releases."""
    return _TABLE.sub(lambda _: table(releases), code)
