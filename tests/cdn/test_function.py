"""The CDN's function, compared with the rest of the project."""

import json
import re
import subprocess
from pathlib import Path

from governance.errors import Code
from infra.catalog import edge, page, pointer, releases
from infra.catalog.releases import Release
from tests.harness.programs import program

NODE_TESTS = Path(__file__).parent / "ontology.test.mjs"
CURRENT = edge.FUNCTION.with_name("current.js")
EDGE = Path(__file__).parent / "edge.mjs"


def node(*arguments: str, code: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run([program("node"), *arguments], input=code, capture_output=True, text=True, check=False)  # noqa: S603


def test_the_function_passes_its_own_tests() -> None:
    done = node("--test", str(NODE_TESTS))
    assert done.returncode == 0, done.stdout


def test_a_version_has_the_records_that_were_added_up_to_it() -> None:
    def release(version: str, *ids: str) -> Release:
        return Release(version, {"index.json": json.dumps({"kpis": [{"rogueId": kpi} for kpi in ids]}).encode()})

    newest = [release("1.10.0", "finance.old", "finance.new", "sales.first"), release("1.9.0", "finance.old")]
    paths = ["/finance/new.json", "/v/1.9.0/finance/new.json", "/v/1.10.0/finance/new.json"]
    paths += ["/v/1.10.0/finance/old.json", "/sales.json", "/v/1.9.0/sales.json"]
    paths += ["/v/1.9.0/index.json", "/v/1.8.0/index.json"]
    published = {"publications": "1.10.0/aa 1.9.0/bb 1.8.0/cc"}
    code = edge.with_table(edge.FUNCTION.read_text(), newest)
    calls = f"""
        import {{ load, request }} from {json.dumps(EDGE.as_uri())};
        const {{ handler }} = load({json.dumps(code)}, {json.dumps(published)});
        const statuses = [];
        for (const path of {json.dumps(paths)}) {{
          statuses.push((await handler(request('/api/ontology' + path))).statusCode ?? 200);
        }}
        console.log(JSON.stringify(statuses));
    """
    done = node("--input-type=module", "-", code=calls)
    assert json.loads(done.stdout) == [200, 404, 200, 200, 200, 404, 200, 404], done.stderr


def test_the_functions_know_the_released_records_the_words_of_errors_and_what_publishing_writes() -> None:
    code, current = edge.FUNCTION.read_text(), CURRENT.read_text()
    assert code == edge.with_table(code, releases.load())
    for error in (Code.RESOURCE_NOT_FOUND, Code.METHOD_NOT_ALLOWED):
        assert all(f"'{text}'" in code for text in (error.name, error.message))
        assert str(error.status) in code
    assert all(f"'{name}'" in code for name in page.FILES)
    (rule,) = re.findall(r"const OWN_ADDRESS = .+?;", code)
    assert rule in current
    assert f"get('{pointer.KEY}')" in code
    assert f"'{pointer.CACHE_CONTROL}'" in current
