"""`make mutants-pages`: changes one thing of the pages' modules at a time; a test of the modules must notice.

Stryker makes the changes. MODULES names the modules, separated by commas, if not all. `survivors.md` judges what
survived.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from infra.pages.app.build import build
from infra.stack.template import ROOT

HERE = Path(__file__).parent
BOX = ROOT / ".local/mutants-pages"
MODULES = "tests/pages/app/modules"


def prepare() -> None:
    """Writes the built pages, their tests and Stryker's configuration into a folder of their own."""
    shutil.rmtree(BOX, ignore_errors=True)
    build(BOX / "web")
    shutil.copytree(ROOT / MODULES, BOX / MODULES)
    shutil.copy(HERE / "package.json", BOX)
    shutil.copy(ROOT / "openapi.json", BOX)
    (BOX / "node_modules").symlink_to(HERE / "node_modules")
    config: dict[str, Any] = json.loads((HERE / "stryker.config.json").read_text())
    if chosen := os.environ.get("MODULES"):
        config["mutate"] = [f"web/lib/{name}.js" for name in chosen.split(",")]
    (BOX / "stryker.config.json").write_text(json.dumps(config))


def survivors(report: dict[str, Any]) -> list[str]:
    """Returns each change that a test ran over and none noticed: `<module>:<line> <kind>: <replacement>`."""
    return sorted(
        f"{Path(path).name}:{mutant['location']['start']['line']} {mutant['mutatorName']}: {mutant['replacement']}"
        for path, file in report["files"].items()
        for mutant in file["mutants"]
        if mutant["status"] == "Survived"
    )


def main() -> int:
    """Runs the trial and prints what survived; returns the exit code of the program."""
    prepare()
    environment = {**os.environ, "PAGES_WEB": "web", "LC_ALL": "en_GB.UTF-8"}
    stryker = HERE / "node_modules/.bin/stryker"
    done = subprocess.run([str(stryker), "run"], cwd=BOX, env=environment, check=False)  # noqa: S603 - ours
    if done.returncode == 0:
        survived = survivors(json.loads((BOX / "mutation.json").read_text()))
        print(f"{len(survived)} survived:", *survived, sep="\n")
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
