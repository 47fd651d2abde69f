"""The version of the project, which `pyproject.toml` states."""

from __future__ import annotations

import tomllib

from infra.stack.template import ROOT

VERSION: str = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
