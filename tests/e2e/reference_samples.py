"""The samples that the reference shows of every operation, as its page writes them."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

from infra.openapi.document import FILE
from infra.stack.template import ROOT
from tests.harness.programs import program

_WRITTEN = """
import { readFileSync } from "node:fs";
import { samplesOf } from "./samples.mjs";
const { paths } = JSON.parse(readFileSync(process.argv[2]));
const made = Object.entries(paths).flatMap(([path, item]) => Object.entries(item)
  .filter(([method]) => ["get", "put", "post", "patch", "delete"].includes(method))
  .map(([method, operation]) => samplesOf({ origin: "https://board.example", path, method, operation })));
console.log(JSON.stringify(made));
"""


def reference_samples(folder: Path, language: str) -> list[str]:
    """Returns the samples of all operations in one language; `folder` is for what Node.js runs."""
    shutil.copy(ROOT / "infra/openapi/docs/samples.js", folder / "samples.mjs")
    (folder / "written.mjs").write_text(_WRITTEN, encoding="utf-8")
    command = [program("node"), str(folder / "written.mjs"), str(FILE)]
    made = subprocess.run(command, capture_output=True, text=True, check=True)  # noqa: S603 - our own
    return [each[language] for each in json.loads(made.stdout)]
