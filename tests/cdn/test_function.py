"""The CDN's function, and that it says the same as the rest of the project."""

import shutil
import subprocess
from pathlib import Path

from governance.errors import Code
from infra.catalog import edge, releases

NODE_TESTS = Path(__file__).parent / "ontology.test.mjs"


def test_the_function_passes_its_own_tests() -> None:
    node = shutil.which("node")
    assert node, "node is needed to test the CDN's function"
    done = subprocess.run([node, "--test", NODE_TESTS], capture_output=True, text=True, check=False)  # noqa: S603
    assert done.returncode == 0, done.stdout


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
