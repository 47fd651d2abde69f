"""The modules that wait, written from those that are awaited: the runtime of the Python client is kept once."""

from __future__ import annotations

import re
from pathlib import Path

AWAITED = ("client", "uploads", "live")
"""The modules that are awaited; `called_<name>` are the others."""
_REPLACED = (
    (r"\basyncio\.wait_for\(socket\.recv\(\), ", "socket.recv(timeout="),
    (r"\basyncio\.sleep\b", "time.sleep"),
    (r"\bimport asyncio\n", "import time\n"),
    (r"\bimport time\n((?:.*\n)*?)import time\n", r"\1import time\n"),
    (r"\bwebsockets\.asyncio\b", "websockets.sync"),
    (r"\bAsync(\w+)", r"\1"),
    (r"\basync (def|with|for)\b", r"\1"),
    (r"\bawait ", ""),
    (r"\b__a(enter|exit)__\b", r"__\1__"),
    (r"\ba(close|iter_bytes)\b", r"\1"),
    (r"\bfrom \.(client|uploads|live)\b", r"from .called_\1"),
    (r"\bfrom \. import live\b", "from . import called_live as live"),
)


def write(package: Path) -> None:
    """Writes the modules that wait beside those that are awaited."""
    for name in AWAITED:
        text = (package / f"{name}.py").read_text(encoding="utf-8")
        for pattern, replacement in _REPLACED:
            text = re.sub(pattern, replacement, text)
        (package / f"called_{name}.py").write_text(text, encoding="utf-8")
