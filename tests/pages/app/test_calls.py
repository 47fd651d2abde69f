"""What `make check` finds in the pages' calls of the API (`infra/pages/lint/types.mjs`)."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from infra.openapi.document import FILE
from infra.pages.app import site
from infra.pages.app.build import build
from infra.sdk.build import TYPESCRIPT
from infra.stack.template import ROOT
from tests.harness.programs import packages, program

pytestmark = pytest.mark.slow
_CHECK = ROOT / "infra/pages/lint/types.mjs"
_WEB = Path(site.__file__).with_name("web")
_CALLS = """
export async function calls(app, other) {
  const params = { boardId: 'b' };
  await app.api.get('getBord', { params }); // wrong
  await app.api.get('getBoard', {}); // wrong
  await app.api.get('getBoard', { params: { board: 'b' } }); // wrong
  await app.api.get('getBoard', { params, body: {} }); // wrong
  await app.api.get('updateBoard', { params, body: { nam: 'New' } }); // wrong
  await app.api.get('createBoard', { body: {} }); // wrong
  await app.api.page('listBoards', { query: { limt: 1 } }); // wrong
  (await app.api.get('getBoard', { params })).nam; // wrong
  const { nam } = await app.api.get('getBoard', { params }); // wrong
  await app.api.get(other, { params }); // wrong
  await other.api.get('getBoard', { params }); // wrong
  await app.api.page('listBoards', { query: { limit: 1 }, cursor: null });
  return (await app.api.get('updateBoard', { params, body: { name: 'New' }, key: 'k' })).name + nam;
}
"""


def test_a_call_that_the_document_does_not_have_is_found(tmp_path: Path) -> None:
    generator = packages(TYPESCRIPT) / ".bin/openapi-typescript"
    pages, made = tmp_path / "pages", tmp_path / "made"
    shutil.copytree(_WEB, pages)
    build(made)
    (pages / "views/calls.js").write_text(_CALLS, encoding="utf-8")
    _run(str(generator), str(FILE), "--output", str(made / "lib/schema.d.ts"), "--default-non-nullable=false")
    found = _run(program("node"), str(_CHECK), str(pages), str(made))
    wrong = {number for number, line in enumerate(_CALLS.split("\n"), 1) if line.endswith("// wrong")}
    assert {int(number) for number in re.findall(r"views/calls\.js:(\d+):", found)} == wrong, found
    assert len(re.findall(r"^\S+\.js:\d+:", found, re.MULTILINE)) == found.count("views/calls.js"), found


def _run(*command: str) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 - ours
    assert done.stderr == "", done.stderr
    return done.stdout
