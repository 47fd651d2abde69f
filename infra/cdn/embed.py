"""`make edge`: writes the code of the edge functions into the CDN's template (ADR cdn)."""

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
    """Returns the template with the current code of each file that a function's `Comment` names."""
    return _CODE.sub(lambda match: match["head"] + indent((HERE / match["file"]).read_text(), " " * 8), template)


if __name__ == "__main__":
    TEMPLATE.write_text(embedded(TEMPLATE.read_text()))
