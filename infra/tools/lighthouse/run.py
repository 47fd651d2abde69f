"""`make lighthouse`: prints how fast Lighthouse finds the root and a meeting of a running `make run`, of 100 each.

The figures hold for this machine and its load; no test depends on them.
"""

from __future__ import annotations

import json
import subprocess
import sys
import urllib.request
from pathlib import Path

from infra.stack import env_file

MEASURE = Path(__file__).with_name("measure.mjs")
OWNER = "olivia@"


def main() -> int:
    """Measures both pages as the owner of the demo sees them; returns the exit code of the measurement."""
    demo = env_file.STATE / "demo.json"
    if not demo.exists():
        print("Nothing is running: start `make run` first.", file=sys.stderr)
        return 1
    root = env_file.read(env_file.STATE / "env")["ROOT_URL"]
    content = json.loads(demo.read_text())
    session = next(user["session"] for user in content["users"] if user["email"].startswith(OWNER))
    path = f"/boards/{content['boards'][0]['id']}/meetings"
    request = urllib.request.Request(f"{root}/api/v1{path}", headers={"Authorization": f"Bearer {session}"})  # noqa: S310
    with urllib.request.urlopen(request, timeout=30) as response:  # noqa: S310 - our own address
        meeting = next(entry["id"] for entry in json.load(response)["data"] if entry["status"] == "scheduled")
    command = ["node", str(MEASURE), root, session, "/", f"{path}/{meeting}"]
    return subprocess.run(command, check=False).returncode  # noqa: S603 - our own script


if __name__ == "__main__":
    sys.exit(main())
