"""The mutants that may survive. Each was looked at once: `survivors.toml` says why no test notices it."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path

_FILE = Path(__file__).parent / "survivors.toml"


@cache
def judged() -> dict[str, str]:
    """Returns the reason for each listed mutant, by the mutant's name."""
    groups = tomllib.loads(_FILE.read_text()).get("judged", [])
    return {name: group["reason"] for group in groups for name in group["mutants"]}
