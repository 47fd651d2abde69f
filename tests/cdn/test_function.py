"""The CDN's function, and that it says the same as the rest of the project."""

import json
import shutil
import subprocess
from pathlib import Path

from governance.errors import Code
from infra.catalog import edge, publish, releases
from infra.catalog.releases import Release

NODE_TESTS = Path(__file__).parent / "ontology.test.mjs"


def node(*arguments: str, code: str = "") -> subprocess.CompletedProcess[str]:
    found = shutil.which("node")
    assert found, "node is needed to test the CDN's function"
    return subprocess.run([found, *arguments], input=code, capture_output=True, text=True, check=False)  # noqa: S603


def test_the_function_passes_its_own_tests() -> None:
    done = node("--test", str(NODE_TESTS))
    assert done.returncode == 0, done.stdout


def test_a_version_has_the_records_of_its_time() -> None:
    def release(version: str, *ids: str) -> Release:
        return Release(version, {"index.json": json.dumps({"kpis": [{"rogueId": each} for each in ids]}).encode()})

    newest = [release("1.10.0", "finance.old", "finance.new", "sales.first"), release("1.9.0", "finance.old")]
    paths = [
        "/finance/new.json",
        "/v/1.9.0/finance/new.json",
        "/v/1.10.0/finance/new.json",
        "/v/1.10.0/finance/old.json",
    ]
    paths += ["/sales.json", "/v/1.9.0/sales.json"]
    calls = f"""
        const ask = (path) => handler({{ request: {{ method: 'GET', uri: '/api/ontology' + path, headers: {{}} }} }});
        console.log(JSON.stringify({json.dumps(paths)}.map((path) => ask(path).statusCode ?? 200)));
    """
    done = node("-", code=edge.with_table(edge.FUNCTION.read_text(), newest) + calls)
    assert json.loads(done.stdout) == [200, 404, 200, 200, 200, 404]


def test_the_function_fits_the_size_that_the_cdn_allows() -> None:
    assert edge.FUNCTION.stat().st_size <= edge.MAX_BYTES


def test_the_function_knows_exactly_the_released_records() -> None:
    code = edge.FUNCTION.read_text()
    assert code == edge.with_table(code, releases.load())


def test_the_function_uses_the_words_of_the_error_table() -> None:
    code = edge.FUNCTION.read_text()
    for each in (Code.RESOURCE_NOT_FOUND, Code.METHOD_NOT_ALLOWED):
        assert all(f"'{text}'" in code for text in (each.name, each.message))
        assert str(each.status) in code


def test_the_function_knows_every_file_of_the_page() -> None:
    code = edge.FUNCTION.read_text()
    assert all(f"'{name}'" in code for name in publish.PAGE_FILES)
