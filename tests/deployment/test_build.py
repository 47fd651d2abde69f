"""What is built is what Lambda takes."""

from infra.build.main import MOST_UNPACKED, artifacts, oversized
from infra.stack.template import Template


def test_a_function_that_is_too_large_with_its_layers_is_found() -> None:
    template = Template()
    sizes = dict.fromkeys(artifacts(template), 0) | {"SharedLayer": MOST_UNPACKED - 2_000, "PackerFunction": 1_000}
    assert oversized(template, sizes) == []
    assert oversized(template, sizes | {"PacksLayer": 1_001}) == ["PackerFunction"]
