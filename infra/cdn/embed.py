"""`make edge`: writes the functions of the edge into the template, which is deployed with their code (ADR 0020)."""

from __future__ import annotations

import re
from pathlib import Path
from textwrap import indent

HERE = Path(__file__).parent
TEMPLATE = HERE / "template.yaml"
_CODE = re.compile(
    r"(?P<head>Comment: (?P<file>\w+\.js),.*\n {6}FunctionCode: \|\n)(?:(?: {8}.*)?\n)*(?=\n(?: {2})?[A-Z])"
)


def embedded(template: str) -> str:
    """The template with the code of each file that a function's comment names."""
    return _CODE.sub(lambda found: found["head"] + indent((HERE / found["file"]).read_text(), " " * 8), template)


if __name__ == "__main__":
    TEMPLATE.write_text(embedded(TEMPLATE.read_text()))
